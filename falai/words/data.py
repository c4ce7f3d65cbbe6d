"""The collected data: a mapping of fields to values, also to be read by attribute."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

from falai.errors import FlowConfigurationError
from falai.limits import DATA_DEPTH
from falai.shapes import is_deeper


class Data(dict[str, Any]):
    """What a session has collected: `data["name"]`, `data.get("name")` or `data.name`."""

    __slots__ = ()

    if not TYPE_CHECKING:  # a checker that sees this one takes every name

        def __getattr__(self, slug: str) -> Any:
            try:
                return self[slug]
            except KeyError:
                what = f'"{slug}" is not in the data: it is not known yet.'
                raise AttributeError(what) from None

    def __setattr__(self, slug: str, value: object) -> None:
        raise AttributeError(f'"{slug}" cannot be set like this: an action writes with ctx.set.')


def check_depth(patch: Mapping[str, Any]) -> None:
    """Refuse to write what the next turn could not copy; raises ValueError naming the field."""
    for slug, value in patch.items():
        if is_deeper(value, DATA_DEPTH):
            raise ValueError(f'"{slug}" is nested more than {DATA_DEPTH} levels deep: flatten it')


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Fields(Data):
    """Fields as a class: its annotations are their types, here and for a type checker.

    `class Lead(Fields): name: str = ask("Ask for the name.")` declares a field. Then
    `session.data.name` is text, and `ctx.set(Lead(name="Ana"))` writes it: an instance holds
    the values that it is given, of some or all fields. Reading one that is not known yet raises
    AttributeError, where `data.get("name")` gives None.
    """

    _written: ClassVar[Mapping[str, Any]] = {}
    """What stands behind the `=` of each field."""
    _slugs: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        slugs = [name for name in cls.__annotations__ if not name.startswith("_")]
        for slug in slugs:
            if hasattr(Fields, slug):
                raise FlowConfigurationError.at(
                    f'field "{slug}"',
                    "every mapping has an attribute of that name",
                    "Rename it, or declare the fields as a mapping.",
                )
        own = {slug: vars(cls)[slug] for slug in slugs if slug in vars(cls)}
        for slug in own:
            delattr(cls, slug)  # else it would be found before the value is
        cls._written = {**cls._written, **own}
        cls._slugs = cls._slugs.union(slugs)

    def __init__(self, **known: Any) -> None:
        unknown = [slug for slug in known if slug not in self._slugs]
        if unknown:
            raise TypeError(f"{type(self).__name__} has no field {unknown[0]}: declare it there.")
        super().__init__(known)


def written_in(declared: Any, slug: str) -> Any:
    """What a class has behind the `=` of a field; None when there is nothing."""
    if issubclass(declared, Fields):
        return declared._written.get(slug)  # pyright: ignore[reportPrivateUsage] - same module
    return getattr(declared, slug, None)
