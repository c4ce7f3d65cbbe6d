"""The two types that an author gives once: the host's context, and the data that is collected."""

from typing import TYPE_CHECKING, Any, Generic

if TYPE_CHECKING:
    # A default lets a type be left out: `ActionCtx[Customer]`. Python has it from 3.13 on.
    from typing_extensions import TypeVar

    C = TypeVar("C", default=Any)
    D = TypeVar("D", default=dict[str, Any])
else:
    from typing import TypeVar

    C = TypeVar("C")
    D = TypeVar("D", bound=dict)  # what a session is decoded as when no type is given

_DEFAULTS = (Any, dict[str, Any])


class Typed(Generic[C, D]):
    """A class of which either type may be left out, from the right."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __class_getitem__(cls, given: Any) -> Any:
            types = given if isinstance(given, tuple) else (given,)
            return super().__class_getitem__((*types, *_DEFAULTS[len(types) :]))
