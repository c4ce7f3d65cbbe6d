"""The small diff of a failed expectation."""

from typing import Any

from simulator.load import Place
from simulator.match import match
from simulator.mismatch import format_mismatches, format_path


def diff(wanted: Any, got: Any, **options: Any) -> str:
    places = lambda at: Place("s.yaml", 10 + len(at), 3)  # noqa: E731
    return format_mismatches(match(wanted, got, exactly=True), places, **options)


def test_path_wanted_got_and_the_line():
    assert diff({"data": {"nome": "Ana"}}, {"data": {"nome": "Bia"}}) == (
        's.yaml:12:3: data.nome: it differs\n  wanted  "Ana"\n  got     "Bia"'
    )


def test_nothing_is_said_in_words():
    assert diff({"a": 1, "b": None}, {"c": 2, "b": 3}) == (
        "s.yaml:11:3: a: it is not there\n"
        "  wanted  1\n"
        "  got     nothing\n"
        "s.yaml:11:3: b: nothing was expected here\n"
        "  wanted  nothing\n"
        "  got     3\n"
        "s.yaml:11:3: c: nothing was expected here\n"
        "  wanted  nothing\n"
        "  got     2"
    )


def test_long_values_are_cut_around_the_first_difference():
    head = "a" * 200
    shown = diff(f"{head}X{'b' * 200}", f"{head}Y{'b' * 200}").splitlines()
    assert shown[1] == f"  wanted  …{'a' * 30}X{'b' * 69}…"
    assert shown[2] == f"  got     …{'a' * 30}Y{'b' * 69}…"


def test_what_is_too_much_is_counted():
    assert diff([1, 2, 3], [4, 5, 6], limit=1) == (
        "s.yaml:11:3: [0]: it differs\n  wanted  1\n  got     4\n… and 2 more"
    )


def test_paths():
    assert format_path(()) == "the whole"
    assert format_path(("outcomes", 2, "code")) == "outcomes[2].code"
    assert format_path(("data", "preço (R$)", 0)) == 'data["preço (R$)"][0]'
    assert format_path((0, "ação")) == "[0].ação"
