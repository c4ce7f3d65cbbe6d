"""What a field is, which values it accepts, and when it is known."""

import math
import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

import msgspec

ScalarType: TypeAlias = Literal["string", "number", "integer", "boolean"]
Scalar: TypeAlias = str | int | float | bool
ValueCode: TypeAlias = Literal["bad-value", "not-in-enum"]

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_LARGEST = int(sys.float_info.max)
"""Beyond it no other reader of the session would know the number."""
_TRUE = frozenset({"true", "sim", "yes", "1"})
_FALSE = frozenset({"false", "não", "nao", "no", "0"})


class Field(msgspec.Struct, frozen=True, omit_defaults=True):
    """One piece of data to collect, declared once on the agent."""

    type: ScalarType
    enum: Sequence[str | int | float] | None = None
    """The allowed values, judged after coercion."""
    description: str | None = None
    """What the field means, for the model."""
    label: str | None = None
    """A name for people; never reaches the model."""
    ask: str | None = None
    """How the model should ask for it; a template."""
    extract: Literal["anywhere", "asked"] | None = None
    """Where a value may come from; None means `asked` for a boolean, else `anywhere`."""

    @property
    def anywhere(self) -> bool:
        """Whether any message may give the value, through the understand call."""
        return (self.extract or ("asked" if self.type == "boolean" else "anywhere")) == "anywhere"


class RefusedValueError(Exception):
    """A value from the model does not fit its field."""

    def __init__(self, code: ValueCode) -> None:
        self.code: ValueCode = code
        super().__init__(code)


def is_known(data: Mapping[str, Any], slug: str) -> bool:
    """Whether the data holds a value for the field: text of blanks is one, `""` is not."""
    value = data.get(slug)
    return value is not None and value != ""


def is_given(value: object) -> bool:
    """Whether the model gave a value at all; `null` and `""` mean that it did not."""
    return value is not None and value != ""


def coerce(field: Field, raw: object) -> Scalar:
    """Turn a given value into the field's type and check its options; raises RefusedValueError."""
    value = _COERCE[field.type](raw)
    if field.enum is not None and not any(same_scalar(value, option) for option in field.enum):
        raise RefusedValueError("not-in-enum")
    return value


def same_scalar(left: object, right: object) -> bool:
    """Equality as JSON sees it: 30 is 30.0, true is not 1."""
    return isinstance(left, bool) == isinstance(right, bool) and left == right


def read_boolean(raw: object) -> bool | None:
    """Read a yes or no as tolerantly as a boolean field does; None when it is neither."""
    if isinstance(raw, bool):
        return raw
    if isinstance(raw, str):
        word = raw.strip().casefold()
        if word in _TRUE:
            return True
        if word in _FALSE:
            return False
    return None


def read_number(raw: object) -> float | int | None:
    """Read a finite number or its decimal or scientific text; None when it is neither."""
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return raw if abs(raw) <= _LARGEST else None
    if isinstance(raw, float):
        return _whole(raw) if math.isfinite(raw) else None
    if isinstance(raw, str):
        return _number_from_text(raw.strip().replace(",", ".", 1))
    return None


def _number_from_text(text: str) -> float | int | None:
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return _whole(value) if math.isfinite(value) else None


def _whole(value: float) -> float | int:
    """A whole number is written without a fraction, as far as a float can tell it is one."""
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


def _string(raw: object) -> str:
    if isinstance(raw, str):
        return raw
    if isinstance(raw, bool | int | float) and not _is_wild(raw):
        return number_text(raw)
    raise RefusedValueError("bad-value")


def _is_wild(raw: bool | float) -> bool:
    return isinstance(raw, float) and not math.isfinite(raw)


def number_text(value: bool | float) -> str:
    """Spell a number or boolean as JSON does; a whole number has no fraction."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        value = int(value)
    return msgspec.json.encode(value).decode()


def _number(raw: object) -> float | int:
    value = read_number(raw)
    if value is None:
        raise RefusedValueError("bad-value")
    return value


def _integer(raw: object) -> int:
    return math.trunc(_number(raw))


def _boolean(raw: object) -> bool:
    value = read_boolean(raw)
    if value is None:
        raise RefusedValueError("bad-value")
    return value


_COERCE = {"string": _string, "number": _number, "integer": _integer, "boolean": _boolean}
