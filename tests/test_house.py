"""The rules of the house that the linters cannot see."""

import subprocess
import sys
from types import ModuleType

import pytest

import falai

HEAVY = {"hypothesis", "litellm", "pandas", "pytest", "textual", "vcr"}


def loaded_by(module: str) -> set[str]:
    """Import `module` in a fresh interpreter; return the packages outside the standard library."""
    script = f"""
import sys
before = set(sys.modules)
import {module}
print(*(set(sys.modules) - before))
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    packages = {name.partition(".")[0] for name in run.stdout.split()}
    # An editable install may bring an import hook of that name.
    hooks = {name for name in packages if name.startswith("__editable__")}
    return packages - sys.stdlib_module_names - hooks


def test_the_engine_loads_msgspec_and_nothing_else():
    taken_by_msgspec_when_it_is_there = {"typing_extensions"}
    assert loaded_by("falai") - taken_by_msgspec_when_it_is_there == {"falai", "msgspec"}


def test_the_command_loads_nothing_heavy():
    loaded = loaded_by("simulator.cli")
    assert "simulator" in loaded
    assert not loaded & HEAVY


def test_all_names_what_is_exported_in_case_folded_order():
    needed_itself = {"TYPE_CHECKING", "Any", "import_module"}
    exported = {
        name
        for name, value in vars(falai).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    }
    later = set(falai._LATER)
    assert set(falai.__all__) == exported - needed_itself | later
    assert falai.__all__ == sorted(falai.__all__, key=str.casefold)
    assert {name for name in later if getattr(falai, name).__name__ == name} == later


def test_a_name_that_is_not_exported_is_an_error():
    with pytest.raises(AttributeError, match="module 'falai' has no attribute 'nothing'"):
        _ = falai.nothing  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    "module", ["tui.model.sitting", "tui.panes", "tui.cli.step", "tui.cli.tui"]
)
def test_what_the_screens_show_loads_no_screen(module: str):
    loaded = loaded_by(module)
    assert "tui" in loaded
    assert not loaded & {*HEAVY, "rich"}
