"""The small diff of a failed expectation."""

from typing import Any

from simulator.match import match
from simulator.mismatch import format_path, show_pair


def diff(wanted: Any, got: Any) -> str:
    """What is told of each thing that differs."""
    return "\n".join(
        f"{format_path(it.path)}: {it.message}\n  wanted  {pair[0]}\n  got     {pair[1]}"
        for it in match(wanted, got, exactly=True)
        for pair in [show_pair(None if it.extra else it.wanted, None if it.missing else it.got)]
    )


def test_path_wanted_got_and_the_line():
    assert diff({"data": {"nome": "Ana"}}, {"data": {"nome": "Bia"}}) == (
        'data.nome: it differs\n  wanted  "Ana"\n  got     "Bia"'
    )


def test_nothing_is_said_in_words():
    assert diff({"a": 1, "b": None}, {"c": 2, "b": 3}) == (
        "a: it is not there\n"
        "  wanted  1\n"
        "  got     nothing\n"
        "b: nothing was expected here\n"
        "  wanted  nothing\n"
        "  got     3\n"
        "c: nothing was expected here\n"
        "  wanted  nothing\n"
        "  got     2"
    )


def test_long_values_are_cut_around_the_first_difference():
    head = "a" * 200
    shown = diff(f"{head}X{'b' * 200}", f"{head}Y{'b' * 200}").splitlines()
    assert shown[1] == f"  wanted  …{'a' * 30}X{'b' * 69}…"
    assert shown[2] == f"  got     …{'a' * 30}Y{'b' * 69}…"


def test_paths():
    assert format_path(()) == "the whole"
    assert format_path(("outcomes", 2, "code")) == "outcomes[2].code"
    assert format_path(("data", "preço (R$)", 0)) == 'data["preço (R$)"][0]'
    assert format_path((0, "ação")) == "[0].ação"
