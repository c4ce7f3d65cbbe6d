"""The rules of the house that the linters cannot see."""

import subprocess
import sys
from types import ModuleType

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
    exported = [
        name
        for name, value in vars(falai).items()
        if not name.startswith("_") and not isinstance(value, ModuleType)
    ]
    assert falai.__all__ == sorted(exported, key=str.casefold)
