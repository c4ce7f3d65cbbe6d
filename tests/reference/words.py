"""The pages of words that the code has tables of: codes, errors, matchers, keys of the inspector."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from falai import errors, outcomes
from simulator.schema import scenario_schema
from tests.reference.api import described, module_of
from tests.reference.markdown import code, page, table
from tui.actions import ACTIONS

ERRORS: Mapping[str, type[Exception]] = {
    name: value
    for name, value in vars(errors).items()
    if isinstance(value, type) and issubclass(value, Exception)
}


def outcomes_page() -> str:
    """Every outcome code, in the groups in which the code has them."""
    source = Path(outcomes.__file__).read_text(encoding="utf-8")
    parts = re.split(r"^ +# (.+)$", source, flags=re.MULTILINE)[1:]
    groups = zip(parts[::2], parts[1::2], strict=True)
    sections = [f"## {title[0].upper()}{title[1:]}\n\n{_codes(text)}" for title, text in groups]
    intro = (
        "A turn writes one line for each step that did something. Its `code` says why, where that "
        "is not plain; its `message` is the sentence beside the code. Compare codes, never sentences."
    )
    return page("Outcome codes", intro, *sections)


def _codes(source: str) -> str:
    """A table of the codes in a part of their module."""
    codes = re.findall(r'^ +"([\w-]+)":', source, re.MULTILINE)
    return table(
        ["code", "says"], [(code(each), outcomes.OUTCOME_MESSAGES[each]) for each in codes]
    )


def errors_page() -> str:
    """Every error class of the engine, and the kinds of a provider's failure."""
    module = module_of("falai.errors")
    sections = [f"## {name}\n\n{described(module[name])}" for name in ERRORS]
    kinds = [
        (code(kind), _mark(kind in errors.TRANSIENT), _mark(kind in errors.BACKUP_ELIGIBLE))
        for kind in get_args(errors.ErrorKind)
    ]
    head = ["kind", "a short wait may mend it", "another model may not share it"]
    sections.append(f"## Kinds of a ProviderError\n\n{table(head, kinds)}")
    intro = (
        "What falai raises. A message reads `[Class] what: why. how to fix.` What to do about each "
        "is told in [falai in Python](../guides/python.md#errors)."
    )
    return page("Errors", intro, *sections)


def _mark(holds: bool) -> str:
    return "yes" if holds else "no"


def matchers_page() -> str:
    """Every matcher that an expectation may hold."""
    known = scenario_schema()["definitions"]["expected"]["properties"]
    rows = [(code(name), schema["description"]) for name, schema in known.items()]
    intro = (
        "What may stand in `expect` where a value would be. A mapping with one of these keys is a "
        "matcher; several in one mapping must all hold. See "
        "[How values are compared](../guides/scenarios.md#how-values-are-compared)."
    )
    return page("Matchers", intro, table(["matcher", "matches"], rows))


def inspector_page() -> str:
    """Every key of the inspector."""
    groups = dict.fromkeys(act.group for act in ACTIONS)
    sections = [
        f"## {group}\n\n"
        + table(
            ["key", "does", "its name"],
            [(code(a.keys_for_people), a.does, code(a.id)) for a in ACTIONS if a.group == group],
        )
        for group in groups
    ]
    intro = (
        "The keys of `falai tui`. `?` shows them there, and `ctrl+p` finds an action by its name. "
        "The names are for [other keys](../guides/inspector.md#other-keys)."
    )
    return page("Keys of the inspector", intro, *sections)
