"""Fields that a class declares: its annotations read as definitions."""

from typing import Any, Literal, get_type_hints

from msgspec.structs import replace

from falai.errors import FlowConfigurationError
from falai.signature import scalar_of, without_none
from falai.words.data import written_in
from falai.words.field import Field, ScalarType


def ask(
    text: str | None = None,
    *,
    description: str | None = None,
    label: str | None = None,
    extract: Literal["anywhere", "asked"] | None = None,
) -> Any:
    """How to ask for a field that a class declares: `name: str = ask("Ask for the name.")`."""
    return Field("string", ask=text, description=description, label=label, extract=extract)


def fields_of(declared: type) -> dict[str, Field]:
    """The fields of a class; `Literal` gives the options.

    Raises FlowConfigurationError for an annotation that is no field type, and for a value that
    is no `ask(…)`.
    """
    return {
        slug: _field(declared, slug, hint)
        for slug, hint in get_type_hints(declared).items()
        if not slug.startswith("_")
    }


def _field(declared: type, slug: str, hint: Any) -> Field:
    param = scalar_of(without_none(hint))
    if param is None or param.type == "array":
        raise FlowConfigurationError.at(
            f'field "{slug}"',
            f"{hint!r} is no field type",
            "Use str, int, float, bool or Literal.",
        )
    written = written_in(declared, slug)
    if not isinstance(written, Field | None):
        raise FlowConfigurationError.at(
            f'field "{slug}"', f"its value is {written!r}", "Write ask(…): no field has a default."
        )
    kind: ScalarType = param.type
    return replace(written or Field(kind), type=kind, enum=param.enum)
