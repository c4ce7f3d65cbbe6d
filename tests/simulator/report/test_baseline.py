"""What counts as growth, and how it is told."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.report.baseline import Comparison, Step, compare
from simulator.report.changes import comparison_text
from simulator.report.frames import frames_of
from tests.property.profile import checked
from tests.simulator.report.kit import TALK, call, decoded, line, scenario, trace, traces, turn


def compared(before: Any, after: Any, percent: float = 0) -> Comparison:
    return compare(frames_of(decoded(before)), frames_of(decoded(after)), percent)


def grown(before: Any, after: Any, percent: float = 0) -> list[tuple[str, str, str, float, float]]:
    """Flow, step, measure, before, after."""
    changes = compared(before, after, percent).grown
    return [(one.at.flow, one.at.step, one.measure, one.before, one.after) for one in changes]


def spoke(flow: str, step: str, calls: int, tokens: int | None = None, **rest: Any) -> Any:
    """A turn in which a step made so many calls, of so many tokens each."""
    usage = None if tokens is None else (tokens, 0, 0)
    return turn(line(flow, step, llmCalls=calls), calls=[call(tokens=usage, **rest)] * calls)


def once(*turns: Any, **rest: Any) -> Any:
    return trace(scenario(*turns, **rest))


# --- growth -------------------------------------------------------------------------------------


def test_one_call_more_names_scenario_flow_and_step():
    before, after = once(spoke("f", "a", 2)), once(spoke("f", "a", 3))
    [change] = compared(before, after).grown
    assert change.at == Step("s/t.yaml", "t", "f", "a")
    assert (change.measure, change.before, change.after) == ("calls", 2, 3)


def test_one_call_more_of_few_is_growth_whatever_few_percent_are_allowed():
    assert grown(once(spoke("f", "a", 2)), once(spoke("f", "a", 3)), 5) == [
        ("f", "a", "calls", 2, 3)
    ]


@pytest.mark.parametrize(
    ("before", "after", "percent", "is_growth"),
    [
        (100, 100, 0, False),
        (100, 101, 0, True),
        (100, 99, 0, False),
        (100, 105, 5, False),
        (100, 106, 5, True),
        (100, 115, 15, False),
        (7, 8, 14, True),
        (7, 8, 14.3, False),
        (1_000_000, 1_000_001, 0, True),
        (0, 1, 50, True),
        (0, 0, 0, False),
    ],
)
def test_tokens_may_grow_by_so_much_and_no_more(
    before: int, after: int, percent: float, is_growth: bool
):
    found = grown(once(spoke("f", "a", 1, before)), once(spoke("f", "a", 1, after)), percent)
    assert found == ([("f", "a", "tokens", before, after)] if is_growth else [])


def test_tokens_are_those_of_prompt_and_completion():
    def counted(*tokens: int) -> Any:
        return once(turn(line(llmCalls=1), calls=[call(tokens=tokens)]))

    assert grown(counted(10, 5, 0), counted(10, 6, 0)) == [("f", "a", "tokens", 15, 16)]
    assert grown(counted(10, 5, 0), counted(10, 5, 9)) == []


def test_cost_is_compared_and_the_last_digit_of_a_sum_is_not():
    # In floating point, 0.1 + 0.2 is more than 0.3.
    before = once(turn(line(llmCalls=2), calls=[call(costUsd=0.15), call(costUsd=0.15)]))
    same = once(turn(line(llmCalls=2), calls=[call(costUsd=0.1), call(costUsd=0.2)]))
    more = once(turn(line(llmCalls=2), calls=[call(costUsd=0.1), call(costUsd=0.21)]))
    assert grown(before, same) == []
    assert grown(before, more) == [("f", "a", "costUsd", 0.3, pytest.approx(0.31))]


def test_each_step_is_judged_on_its_own():
    before = once(spoke("f", "a", 3), spoke("g", "b", 3))
    after = once(spoke("f", "a", 1), spoke("g", "b", 4))
    assert grown(before, after) == [("g", "b", "calls", 3, 4)]


def test_each_scenario_is_judged_on_its_own():
    def two(first: int, second: int) -> Any:
        return trace(
            scenario(spoke("f", "a", first), title="1"),
            scenario(spoke("f", "a", second), title="2"),
        )

    [change] = compared(two(3, 1), two(1, 2)).grown
    assert (change.at.scenario, change.before, change.after) == ("2", 1, 2)


def test_everything_that_grew_is_told_in_the_order_of_the_report():
    before = once(spoke("g", "b", 1, 10), spoke("f", "a", 1, 10))
    after = once(spoke("g", "b", 2, 10), spoke("f", "a", 1, 11))
    assert grown(before, after) == [
        ("g", "b", "calls", 1, 2),
        ("g", "b", "tokens", 10, 20),
        ("f", "a", "tokens", 10, 11),
    ]


def test_plays_of_the_same_scenario_are_added_up():
    one = scenario(spoke("f", "a", 2))
    assert grown(trace(one, one), trace(one, one)) == []
    assert grown(trace(one), trace(one, one)) == [("f", "a", "calls", 2, 4)]


# --- what cannot be compared --------------------------------------------------------------------


def test_a_step_that_is_new_is_growth_when_its_scenario_grew():
    before = once(spoke("f", "a", 2, 10))
    after = once(spoke("f", "a", 2, 10), spoke("f", "b", 1, 10))
    assert grown(before, after) == [("f", "b", "calls", 0, 1), ("f", "b", "tokens", 0, 10)]


def test_a_step_under_another_name_is_no_growth():
    assert grown(once(spoke("f", "a", 2, 10)), once(spoke("g", "b", 2, 10))) == []
    assert grown(once(spoke("f", "a", 2, 10)), once(spoke("g", "b", 2, 11))) == [
        ("g", "b", "tokens", 0, 22)
    ]


def test_a_scenario_that_made_no_call_and_makes_one_grew():
    assert grown(once(turn()), once(spoke("f", "a", 1, 10))) == [("f", "a", "calls", 0, 1)]


def test_tokens_that_nobody_counted_are_not_compared():
    assert grown(once(spoke("f", "a", 1)), once(spoke("f", "a", 1, 10))) == []
    assert grown(once(spoke("f", "a", 1, 10)), once(spoke("f", "a", 1))) == []


def test_new_and_missing_scenarios_are_told_and_are_no_growth():
    before = trace(scenario(spoke("f", "a", 1), title="old"), scenario(title="both"))
    after = trace(scenario(title="both"), scenario(spoke("f", "a", 9), title="new"))
    found = compared(before, after)
    assert (found.grown, found.shared) == ([], 1)
    assert found.added == [("s/t.yaml", "new")]
    assert found.missing == [("s/t.yaml", "old")]


def test_a_title_in_another_file_is_another_scenario():
    found = compared(once(file="a.yaml"), once(file="b.yaml"))
    assert (found.shared, found.added, found.missing) == (0, [("b.yaml", "t")], [("a.yaml", "t")])


# --- how it is told -----------------------------------------------------------------------------


def test_the_comparison_in_words():
    before = trace(
        scenario(spoke("f", "a", 2, 100, costUsd=0.25), title="T"),
        scenario(turn(line(None, None, kind="idle", llmCalls=1), calls=[call()]), title="U"),
        scenario(title="gone"),
    )
    idle = turn(line(None, None, kind="idle", llmCalls=2), calls=[call(), call()])
    reads = turn(calls=[call("understand")])
    after = trace(
        scenario(spoke("f", "a", 3, 110, costUsd=0.25), title="T"),
        scenario(idle, reads, title="U"),
        scenario(title="new"),
    )
    told = comparison_text(compared(before, after, 2.5))
    assert told.splitlines() == [
        "GREW  s/t.yaml: T: flow f, step a: calls 2 -> 3 (+50.0%), tokens 200 -> 330 (+65.0%), "
        "cost USD 0.5000 -> 0.7500 (+50.0%)",
        "GREW  s/t.yaml: U: the idle speaker: calls 1 -> 2 (+100.0%)",
        "GREW  s/t.yaml: U: outside any flow: calls 0 -> 1 (new)",
        "new  s/t.yaml: new",
        "missing  s/t.yaml: gone",
        "3 steps grew by more than 2.5% in 2 scenarios. In all: calls 3 -> 6 (+100.0%), "
        "tokens 200 -> 330 (+65.0%), cost USD 0.5000 -> 0.7500 (+50.0%).",
    ]


def test_nothing_grew():
    told = comparison_text(compared(TALK, TALK, 5))
    assert told == "Nothing grew by more than 5% in 2 scenarios. In all: calls 7, tokens 1145."


def test_less_is_told_too():
    told = comparison_text(compared(once(spoke("f", "a", 4)), once(spoke("f", "a", 3))))
    assert told == "Nothing grew in 1 scenario. In all: calls 4 -> 3 (-25.0%)."


def test_a_name_cannot_colour_the_terminal_or_break_the_line():
    before, after = once(title="\x1b[31m\n"), once(spoke("f\t", "a", 1), title="\x1b[31m\n")
    first, _ = comparison_text(compared(before, after)).splitlines()
    assert first == r"GREW  s/t.yaml: \x1b[31m\n: flow f\t, step a: calls 0 -> 1 (new)"


# --- for every trace ----------------------------------------------------------------------------


@checked
@given(document=traces)
def test_nothing_grows_between_a_trace_and_itself(document: Any):
    found = compared(document, document)
    assert (found.grown, found.added, found.missing) == ([], [], [])


@checked
@given(
    document=traces.filter(lambda made: any(one["turns"] for one in made["scenarios"])),
    data=st.data(),
)
def test_a_call_more_anywhere_is_growth(document: Any, data: st.DataObject):
    """Of a step that made few calls: one more of many would be within the percentage."""
    after = copy.deepcopy(document)
    spots = [turn["calls"] for one in after["scenarios"] for turn in one["turns"]]
    data.draw(st.sampled_from(spots)).append(
        call(data.draw(st.sampled_from(["understand", "speak"])))
    )
    [change] = [one for one in compared(document, after, 1).grown if one.measure == "calls"]
    assert change.after == change.before + 1
