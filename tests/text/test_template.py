"""Templates: what is filled in, what stays as written, and how gaps close."""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from falai.text.template import find, render, render_deep


@dataclass
class Lead:
    name: str
    tags: tuple[str, ...] = ()

    @property
    def secret(self) -> str:
        return "no field"


class Deal(msgspec.Struct):
    value: float
    lead: Lead | None = None


ROOTS: dict[str, Any] = {
    "data": {"nome": "Ana", "n": 3.0, "e-mail": "a@b.co", "👍": True},
    "context": {
        "lead": {"nome": "Bia", "idade": 30, "apelido": None, "tags": ["vip", "x"], "vazio": ""},
        "nada": None,
        "brancos": "  ",
    },
    "input": None,
}


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("", ""),
        ("Oi!", "Oi!"),
        ("Oi, {{data.nome}}!", "Oi, Ana!"),
        ("Oi, {{ data.nome }}!", "Oi, Ana!"),
        ("{{\tdata.nome\n}}", "Ana"),
        ("{{data.nome}}{{data.n}}", "Ana3"),
        ("{{{data.nome}}}", "{Ana}"),
        ("{{data.e-mail}} {{data.👍}}", "a@b.co true"),
        ("{{context.lead.tags}}: {{context.lead.tags.1}}", "vip, x: x"),
        ("{{context.lead.idade}}", "30"),
        ("{{data}}", '{"nome":"Ana","n":3,"e-mail":"a@b.co","👍":true}'),
    ],
)
def test_a_path_is_filled_in(text: str, filled: str):
    assert render(text, ROOTS) == filled


@pytest.mark.parametrize(
    "text",
    [
        "{{data.nme}} , !",
        "{{data.nome.primeiro}}",
        "{{context.lead.idade.anos}}",
        "{{context.lead.apelido}}",
        "{{context.nada}}",
        "{{input}}",
        "{{run.id}} {{nome}} {{Data.nome}}",
        "{{context.lead.tags.2}} {{context.lead.tags.-1}} {{context.lead.tags.01}}",
        "{{context.lead.tags.vip}} {{context.lead.tags.٠}} {{context.lead.tags.}}",
        "{{}} {{ }} {{.}} {{context.}} {{context..lead}}",
        "{{data .nome}} {{data. nome}} {data.nome} {{data.nome} {{{}}}",
        "{{data.nome",
    ],
)
def test_an_unknown_path_stays_as_written(text: str):
    assert render(text, ROOTS) == text


def test_a_missing_root_and_an_unset_one_are_unknown():
    assert render("{{input.x}}, fim", {}) == "{{input.x}}, fim"
    assert render("{{input.x}}, fim", {"input": UNSET}) == "{{input.x}}, fim"


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("Oi {{context.lead.vazio}}, tudo bem?", "Oi, tudo bem?"),
        ("Oi, {{context.lead.vazio}}!", "Oi!"),
        ("{{context.nada.nome}}, fim", "fim"),
        ("{{context.lead.apelido.x.y}}, fim", "fim"),
        ("{{input.x}}, fim", "fim"),
        ("{{context.lead.vazio}} fim", " fim"),
        ("a  b {{context.lead.vazio}} c", "a b c"),
        ("  a\n    - {{context.lead.vazio}}\nb ", "  a\n    -\nb"),
        ("{{context.lead.vazio}}! {{context.lead.vazio}}: vamos?", "vamos?"),
        ("Sim, {{context.lead.vazio}}… até , {{context.lead.vazio}}?", "Sim… até?"),
        ("x ;,{{context.lead.vazio}}. y", "x. y"),
        ("  : a {{context.lead.vazio}}", "a"),
        ("{{context.lead.vazio}}.\n{{context.lead.vazio}}! \n? x", ".\n!\nx"),
        ("{{context.lead.vazio}} , {{data.nme}}", "{{data.nme}}"),
    ],
)
def test_a_blank_value_goes_and_the_gap_closes(text: str, filled: str):
    assert render(text, ROOTS) == filled


def test_a_value_of_blanks_is_not_blank():
    assert render("Oi, {{context.brancos}} , fim  .", ROOTS) == "Oi,    , fim  ."


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        ("texto", "texto"),
        (True, "true"),
        (30.0, "30"),
        (-0.25, "-0.25"),
        (1000000, "1000000"),
        ([1, "dois", True, None, {"a": [1, 2.0]}, ""], '1, dois, true, null, {"a":[1,2]}, '),
        ([["a", "b"], ["c", ["d"]], []], "a, b, c, d, "),
        (("a", 1), "a, 1"),
        ({}, "{}"),
        ({"maçã": None, 1: 1.5}, '{"maçã":null,"1":1.5}'),
        ({"b", "a", "c"}, "a, b, c"),
        ({"s": {"b", "a"}}, '{"s":["a","b"]}'),
        (date(2026, 1, 5), "2026-01-05"),
        (Decimal("1.50"), "1.50"),
        (Deal(1.0), '{"value":1,"lead":null}'),
        (Lead("Ana"), '{"name":"Ana","tags":[]}'),
        (object, "<class 'object'>"),
    ],
)
def test_how_a_value_is_spelled(value: Any, spelled: str):
    assert render("{{input}}", {"input": value}) == spelled


@pytest.mark.parametrize("value", ["", [], [""], [[]], ()])
def test_a_value_that_spells_nothing_is_blank(value: Any):
    assert render("Nada: {{input}}, fim.", {"input": value}) == "Nada:, fim."


def test_records_of_the_host_are_walked_by_their_fields_alone():
    roots = {"context": Deal(1.5, Lead("Ana", ("vip",)))}
    assert render("{{context.value}} {{context.lead.name}}", roots) == "1.5 Ana"
    assert render("{{context.lead.tags.0}}", roots) == "vip"
    for path in (
        "context.lead.secret",
        "context.lead.__class__",
        "context.encode",
        "context.__doc__",
    ):
        assert render(f"{{{{{path}}}}}", roots) == f"{{{{{path}}}}}"


def test_a_mapping_of_any_kind_is_walked():
    roots = {"context": MappingProxyType({"a": OrderedDict(b=1)})}
    assert render("{{context.a.b}} {{context.a}}", roots) == '1 {"b":1}'


def test_text_that_came_from_a_value_is_never_rendered():
    roots = {
        "data": {"nome": "{{context.segredo}} {{data.b}}", "b": "B"},
        "context": {"segredo": "x"},
    }
    assert render("{{data.nome}}{{data.b}}", roots) == "{{context.segredo}} {{data.b}}B"


@given(st.text().filter(lambda text: "{{" not in text))
def test_text_without_placeholders_is_left_alone(text: str):
    assert render(text, ROOTS) == text


@given(st.text(alphabet="{} .,!?\n\tdata:nome", max_size=40))
def test_with_nothing_known_a_text_stays_as_it_is(text: str):
    assert render(text, {}) == text


@given(st.text())
def test_a_value_arrives_unchanged(value: str):
    assert render("{{data.x}}", {"data": {"x": value}}) == value


@given(st.text(alphabet=" \t\n,.;:!?…aé-", max_size=40))
def test_a_closed_gap_leaves_no_stray_blanks(text: str):
    closed = render(text + "{{input}}", {"input": ""})
    assert not any(line.endswith((" ", "\t")) for line in closed.split("\n"))
    assert not any(f"{blank}{mark}" in closed for blank in " \t" for mark in ",.;:!?…")
    assert closed.replace(" ", "").count("a") == text.count("a")


def test_render_deep_fills_every_text_and_keeps_the_rest():
    value = {
        "{{data.nome}}": "{{data.nome}}",
        "list": ["{{data.n}}", ("{{data.nome}}", 1)],
        "deep": {"x": {"y": "Oi, {{context.lead.vazio}}!"}},
        "n": 1.5,
        "none": None,
    }
    assert render_deep(value, ROOTS) == {
        "{{data.nome}}": "Ana",
        "list": ["3", ["Ana", 1]],
        "deep": {"x": {"y": "Oi!"}},
        "n": 1.5,
        "none": None,
    }


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["data", "n"], 3.0),
        (["context", "nada"], None),
        (["context", "nada", "x"], ""),
        (["data", "x"], UNSET),
        (["nope"], UNSET),
        ([], ROOTS),
    ],
)
def test_find_tells_unknown_from_null(path: list[str], value: Any):
    assert find(path, ROOTS) == value
