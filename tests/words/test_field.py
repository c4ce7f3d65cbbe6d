"""What a field accepts from the model, down to the last edge."""

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai import Field
from falai.words.field import RefusedValueError, ScalarType, coerce, is_given, is_known, same_scalar

Refused = "bad-value"


def coerced(field: Field, raw: Any) -> Any:
    """The value with its type, or the code that it is refused with."""
    try:
        value = coerce(field, raw)
    except RefusedValueError as refused:
        return refused.code
    return type(value), value


# --- numbers ----------------------------------------------------------------------------------

NUMBERS: list[tuple[Any, Any]] = [
    (30, 30),
    (0, 0),
    (-1.5, -1.5),
    ("30", 30),
    ("-1.5", -1.5),
    ("+5", 5),
    (".5", 0.5),
    ("-.5", -0.5),
    ("5.", 5),
    ("1e3", 1_000),
    ("1E+3", 1_000),
    ("1.5e-1", 0.15),
    ("1,5e3", 1_500),
    ("007", 7),
    ("  30 \n", 30),
    ("\u00a030\u2003", 30),
    ("1500,50", 1_500.5),
    (",5", 0.5),
    ("5,", 5),
    ("1,000", 1),
    ("-0", 0),
    ("1e22", 1e22),
    ("9007199254740993", 9_007_199_254_740_992),
    ("1e-400", 0),
]
NO_NUMBERS: list[Any] = [
    True,
    False,
    None,
    [],
    {},
    "",
    " ",
    ".",
    ",",
    "+",
    "-",
    "e3",
    "1e",
    "1e+",
    "1.5.2",
    "1.500,50",
    "1,000,000",
    "1,500.50",
    "1 000",
    "0x10",
    "0b1",
    "0o7",
    "1_000",
    "NaN",
    "nan",
    "Infinity",
    "-inf",
    "∞",
    "1e400",
    "٣",
    "３",
    "½",
    "--5",
    "+-5",
    "5-",
    "R$ 5",
    "5%",
    "trinta",
    "30\x00",
    float("nan"),
    float("inf"),
    float("-inf"),
    10**400,
]


@pytest.mark.parametrize(("raw", "value"), NUMBERS, ids=repr)
def test_a_number_may_be_written_in_many_ways(raw: Any, value: float):
    assert coerce(Field("number"), raw) == value


@pytest.mark.parametrize("raw", NO_NUMBERS, ids=lambda raw: repr(raw)[:20])
@pytest.mark.parametrize("kind", ["number", "integer"])
def test_what_is_no_number_is_refused(kind: ScalarType, raw: Any):
    assert coerced(Field(kind), raw) == Refused


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (30, 30),
        (30.9, 30),
        (-30.9, -30),
        ("0,9", 0),
        ("-0.9", 0),
        ("1e3", 1_000),
        ("1.9e1", 19),
        (1e15, 10**15),
        ("1e22", 10**22),
    ],
)
def test_an_integer_is_cut_toward_zero(raw: Any, value: int):
    assert coerced(Field("integer"), raw) == (int, value)


def test_a_whole_number_has_no_fraction():
    assert coerced(Field("number"), "30.0") == (int, 30)
    assert coerced(Field("number"), "1e3") == (int, 1_000)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_number_is_read_back_from_its_text(number: float):
    assert coerce(Field("number"), repr(number)) == number
    assert coerce(Field("number"), number) == number


@given(st.text())
def test_no_text_breaks_a_number(text: str):
    assert coerced(Field("number"), text) == Refused or coerce(Field("number"), text) is not None


# --- booleans and texts -----------------------------------------------------------------------


@pytest.mark.parametrize("raw", [True, "true", "TRUE", " Sim ", "yes", "1", "\tSIM\n"])
def test_a_yes(raw: Any):
    assert coerced(Field("boolean"), raw) == (bool, True)


@pytest.mark.parametrize("raw", [False, "false", "Não", "NÃO", "nao", "no", "0", " No "])
def test_a_no(raw: Any):
    assert coerced(Field("boolean"), raw) == (bool, False)


@pytest.mark.parametrize(
    "raw", [0, 1, 1.0, "2", "talvez", "s", "y", "t", "on", "ok", "", " ", None, [], {}]
)
def test_neither_yes_nor_no(raw: Any):
    assert coerced(Field("boolean"), raw) == Refused


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("Ana", "Ana"),
        ("  Ana ", "  Ana "),
        (" ", " "),
        ("30", "30"),
        (30, "30"),
        (30.0, "30"),
        (1.5, "1.5"),
        (-0.25, "-0.25"),
        (True, "true"),
        (False, "false"),
        (10**20, "100000000000000000000"),
    ],
)
def test_a_text_takes_numbers_and_booleans_as_json_writes_them(raw: Any, text: str):
    assert coerced(Field("string"), raw) == (str, text)


@pytest.mark.parametrize("raw", [None, [], ["a"], {}, float("nan"), float("inf")])
def test_what_is_no_text_is_refused(raw: Any):
    assert coerced(Field("string"), raw) == Refused


# --- options ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Option:
    """A value, and whether it is one of the options."""

    kind: ScalarType
    options: tuple[Any, ...]
    raw: Any
    taken: bool

    @property
    def id(self) -> str:
        return f"{self.kind}-{self.raw!r}"


OPTIONS = [
    Option("string", ("30",), "30", taken=True),
    Option("string", ("30",), 30, taken=True),
    Option("string", (30,), "30", taken=False),
    Option("string", ("P", "M"), "p", taken=False),
    Option("string", ("P", "M"), " P", taken=False),
    Option("number", (30,), "30.0", taken=True),
    Option("number", (30.0,), 30, taken=True),
    Option("number", ("30",), 30, taken=False),
    Option("integer", (1, 2), 2.9, taken=True),
    Option("integer", (1, 2), "3", taken=False),
    Option("integer", (), 1, taken=False),
]


@pytest.mark.parametrize("case", OPTIONS, ids=lambda case: case.id)
def test_options_are_judged_after_coercion(case: Option):
    found = coerced(Field(case.kind, enum=case.options), case.raw)
    assert (found != "not-in-enum") == case.taken


def test_a_value_that_does_not_fit_is_that_before_it_is_no_option():
    assert coerced(Field("integer", enum=(1, 2)), "dois") == Refused


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (30, 30.0, True),
        (1, True, False),
        (0, False, False),
        (True, True, True),
        ("30", 30, False),
        ("", None, False),
        (None, None, True),
        (None, False, False),
        (-0.0, 0, True),
        ("á", "a\u0301", False),
        (2**53, float(2**53), True),
        (2**53 + 1, float(2**53), False),
    ],
)
def test_scalars_are_the_same_as_json_sees_it(left: object, right: object, same: bool):
    assert same_scalar(left, right) is same
    assert same_scalar(right, left) is same


# --- known, given, anywhere -------------------------------------------------------------------


@pytest.mark.parametrize("value", [0, False, " ", "0", [], {}])
def test_a_value_is_known(value: Any):
    assert is_known({"x": value}, "x")
    assert is_given(value)


@pytest.mark.parametrize("data", [{}, {"x": None}, {"x": ""}])
def test_nothing_null_and_no_text_are_unknown(data: dict[str, Any]):
    assert not is_known(data, "x")


@pytest.mark.parametrize("value", [None, ""])
def test_null_and_no_text_are_not_given(value: Any):
    assert not is_given(value)


@pytest.mark.parametrize("kind", ["string", "number", "integer"])
def test_any_message_may_give_a_value(kind: ScalarType):
    assert Field(kind).anywhere
    assert not Field(kind, extract="asked").anywhere


def test_a_yes_or_no_is_read_where_it_was_asked():
    assert not Field("boolean").anywhere
    assert Field("boolean", extract="anywhere").anywhere
