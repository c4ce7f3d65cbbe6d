"""Aliases: who needs one, and that nobody's name is taken."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from falai.text.names import Names

PLAIN = re.compile(r"[A-Za-z0-9_-]+")
NAMES = st.lists(
    st.text(max_size=6) | st.from_regex(r"field_[1-4]", fullmatch=True) | st.just("message"),
    unique=True,
)


def test_a_plain_name_travels_as_it_is():
    names = Names.of(["nome", "e-mail", "A_1"], "field")
    assert names == Names()
    assert names.wire("nome") == names.real("nome") == "nome"


@pytest.mark.parametrize("name", ["", "a b", "é", "a.b", "a/b", "nome\n", "👍", "preço (R$)"])
def test_any_other_name_travels_under_an_alias(name: str):
    names = Names.of(["nome", name], "field")
    assert names.wire(name) == "field_1"
    assert names.real("field_1") == name


def test_a_reserved_name_travels_under_an_alias():
    names = Names.of(["message"], "field", reserved={"message"})
    assert (names.wire("message"), names.real("field_1")) == ("field_1", "message")


def test_an_alias_never_takes_a_real_name():
    names = Names.of(["field_2", "a b", "field_1", "c d"], "field", reserved={"field_3"})
    assert names.wire("a b") == "field_4"
    assert names.wire("c d") == "field_5"
    assert names.wire("field_1") == names.real("field_1") == "field_1"


def test_a_real_name_is_understood_beside_its_alias():
    names = Names.of(["a b"], "field")
    assert names.real("a b") == "a b"


def test_a_name_given_twice_has_one_alias():
    assert Names.of(["a b", "a b"], "x").aliases == {"a b": "x_1"}


@given(NAMES)
def test_every_name_comes_back_from_the_wire(real: list[str]):
    names = Names.of(real, "field", reserved={"message"})
    wires = [names.wire(name) for name in real]
    assert [names.real(wire) for wire in wires] == real
    assert len(set(wires)) == len(real)
    assert "message" not in wires
    assert all(PLAIN.fullmatch(wire) for wire in wires)
