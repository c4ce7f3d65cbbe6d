"""The page of the public Python names, from their signatures and docstrings."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

import griffe

import falai
from tests.reference.markdown import code, page, table

ROOT = Path(__file__).parents[2]


def api_page() -> str:
    """Every name that `from falai import …` takes."""
    module = module_of("falai")
    sections = [_section(name, _target(module[name])) for name in falai.__all__]
    intro = (
        "Every name of `from falai import …`, as the code describes it. How they go together is told "
        "in [falai in Python](../guides/python.md)."
    )
    return page("The Python API", intro, *sections)


def module_of(name: str) -> griffe.Object | griffe.Alias:
    """A module as it is written, with the docstrings of its fields."""
    return griffe.load(name, search_paths=[ROOT])


def described(thing: griffe.Object | griffe.Alias) -> str:
    """What a class says of itself, and a table of what its objects have."""
    known = _target(thing)
    tables = _attributes(known) if isinstance(known, griffe.Class) else ()
    return "\n\n".join(filter(None, [_told(known), *tables]))


def _target(found: griffe.Object | griffe.Alias) -> griffe.Object:
    return cast(griffe.Object, found.final_target if isinstance(found, griffe.Alias) else found)


def _section(name: str, thing: griffe.Object) -> str:
    parts = [f"## {name}", _signature(name, thing), described(thing)]
    if isinstance(thing, griffe.Class):
        parts += _methods(thing)
    return "\n\n".join(part for part in parts if part)


def _signature(name: str, thing: griffe.Object) -> str:
    """What a call of it looks like; nothing for a value and for a class without an own call."""
    if isinstance(thing, griffe.Class):
        begin = thing.members.get("__init__")
        return _call(name, begin) if isinstance(begin, griffe.Function) else ""
    return _call(name, thing) if isinstance(thing, griffe.Function) else ""


def _call(name: str, function: griffe.Function) -> str:
    """The call on one line, or with a line for each parameter."""
    own = [p for p in function.parameters if p.name not in ("self", "cls")]
    shown = [*_starred(own)]
    short = f"{name}({', '.join(shown)})"
    if len(short) > 88:
        short = f"{name}(\n" + "".join(f"    {part},\n" for part in shown) + ")"
    gives = f" -> {function.returns}" if function.returns not in (None, "None") else ""
    return f"```text\n{short}{gives}\n```"


def _starred(parameters: list[griffe.Parameter]) -> Iterator[str]:
    """The parameters, with a `*` before the first that must be named."""
    named = False
    for parameter in parameters:
        kind = parameter.kind
        if kind is griffe.ParameterKind.keyword_only and not named:
            named = True
            yield "*"
        named = named or kind is griffe.ParameterKind.var_positional
        default = f"={parameter.default}" if _has_default(parameter) else ""
        yield f"{_STARS.get(kind, '')}{parameter.name}{default}"


_STARS: Mapping[griffe.ParameterKind | None, str] = {
    griffe.ParameterKind.var_positional: "*",
    griffe.ParameterKind.var_keyword: "**",
}


def _has_default(parameter: griffe.Parameter) -> bool:
    return parameter.default is not None and parameter.kind not in _STARS


def _told(thing: griffe.Object) -> str:
    return thing.docstring.value.strip() if thing.docstring else ""


def _attributes(thing: griffe.Class) -> Iterator[str]:
    """A table of what an object of the class has."""
    rows = [
        (code(member.name), code(str(member.annotation or "")), _told(member).partition("\n\n")[0])
        for member in _public(thing)
        if isinstance(member, griffe.Attribute)
    ]
    if rows:
        yield table(["attribute", "type", "meaning"], rows)


def _methods(thing: griffe.Class) -> Iterator[str]:
    for member in _public(thing):
        if isinstance(member, griffe.Function):
            yield f"{_call(f'.{member.name}', member)}\n\n{_told(member)}"


def _public(thing: griffe.Class) -> Iterator[griffe.Object]:
    for name, member in thing.members.items():
        if not name.startswith("_") and not member.is_alias:
            yield cast(griffe.Object, member)
