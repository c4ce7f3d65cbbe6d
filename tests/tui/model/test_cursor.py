"""The cursor: where it starts, where each move leads, and that none leads out."""

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from falai.turn.needs import Phase
from tests.property.profile import checked
from tests.tui.model.kit import NOTHING, drawn, of_the_house, timeline
from tui.model.breakpoints import Breakpoints
from tui.model.cursor import Cursor
from tui.model.timeline import Timeline

BREAKS = ("field:nome", "code:no-flow", "phase:decide", "failed", "calls>1", "wake", "text:bia")
FAILING = timeline(
    """
    - {event: oi}
    - {event: oi, expect: {floor: nada}}
    - {event: oi}
    - {event: oi, expect: {replies: []}}
    - {event: oi}
    """
)


def cursor(play: Timeline, at: int = 0, *breaks: str) -> Cursor:
    points = Breakpoints()
    for text in breaks:
        points.add(text)
    made = Cursor(play, points)
    made.go(at)
    return made


# --- where it starts ------------------------------------------------------------------------------


def test_a_failed_play_opens_at_the_end_of_the_first_turn_that_failed():
    assert Cursor(FAILING).at == FAILING.at(1)


def test_a_play_that_passed_opens_at_the_first_step():
    for play in of_the_house():
        assert Cursor(play).at == 0


def test_an_error_that_was_expected_is_no_failure():
    play = timeline(
        """
        - {event: oi}
        - {message: oi, model: {understand: {fail: timeout}}, expect: {error: {kind: timeout}}}
        """
    )
    assert play.turns[1].error is not None
    made = Cursor(play)
    assert made.at == 0
    assert not made.failure(1)


# --- moves ----------------------------------------------------------------------------------------


@checked
@given(drawn(least=1), st.data())
def test_a_step_and_a_step_back_are_nothing_but_at_the_end(play: Timeline, data: st.DataObject):
    at = data.draw(st.integers(0, len(play) - 1))
    made = cursor(play, at)
    assert made.step(1) is (at < len(play) - 1)
    if at < len(play) - 1:
        assert made.step(-1)
        assert made.at == at


@checked
@given(drawn(least=1), st.data())
def test_a_turn_on_keeps_the_phase_and_stays_put_at_the_ends(play: Timeline, data: st.DataObject):
    at = data.draw(st.integers(0, len(play) - 1))
    by = data.draw(st.sampled_from([-1, 1]))
    made = cursor(play, at)
    if made.turn_by(by):
        assert (made.turn, made.phase) == (play.turn_of(at) + by, play.phase_of(at))
    else:
        assert made.at == at
        assert play.turn_of(at) == (0 if by < 0 else len(play.turns) - 1)


@checked
@given(drawn(least=1), st.lists(st.sampled_from(BREAKS), max_size=3), st.data())
def test_run_and_run_back_never_pass_the_start(
    play: Timeline, breaks: list[str], data: st.DataObject
):
    at = data.draw(st.integers(0, len(play) - 1))
    made = cursor(play, at, *breaks)
    made.run(1)
    assert made.at >= at
    made.run(-1)
    assert made.at <= at


@checked
@given(drawn(least=1), st.lists(st.sampled_from(BREAKS), max_size=3))
def test_running_on_stops_at_each_hit_once_and_then_at_the_end(play: Timeline, breaks: list[str]):
    made = cursor(play, 0, *breaks)
    stops: list[int] = []
    while made.run(1):
        stops.append(made.at)
    hit = {at for at in range(1, len(play)) if made.breakpoints.hits(play, at)}
    assert stops == sorted(hit | {len(play) - 1})


def test_a_run_counts_the_hits_that_stop_it():
    made = cursor(timeline(), 0, "field:nome", "phase:decide", "field:visto")
    while made.run(1):
        pass
    assert [point.hits for point in made.breakpoints] == [1, 4, 1]


def test_failures_are_walked_one_by_one_and_the_walk_ends_at_the_ends():
    made = cursor(FAILING)
    seen: list[int] = []
    while made.failure(1):
        seen.append(made.at)
    assert seen == [FAILING.at(1), FAILING.at(3)]
    assert made.failure(-1)
    assert made.at == FAILING.at(1)
    assert not made.failure(-1)


def test_from_inside_of_a_failed_turn_its_own_failure_comes_next():
    made = cursor(FAILING, FAILING.at(3, Phase.DECIDE))
    assert made.failure(1)
    assert made.at == FAILING.at(3)


@checked
@given(drawn(least=1), st.lists(st.integers(-5, 80), max_size=6))
def test_back_goes_the_way_of_the_jumps_in_reverse(play: Timeline, places: list[int]):
    made = cursor(play)
    way = [made.at]
    way += [made.at for place in places if made.jump(place)]
    for at in reversed(way[:-1]):
        assert made.back()
        assert made.at == at
    assert not made.back()


class Walk(RuleBasedStateMachine):
    """Any keys, in any order."""

    @initialize(play=drawn())
    def sit_down(self, play: Timeline):
        self.play = play
        self.cursor = Cursor(play, Breakpoints())

    @rule(by=st.sampled_from([-1, 1]), move=st.sampled_from(["step", "turn_by", "run", "failure"]))
    def move(self, by: int, move: str):
        before = self.cursor.at
        assert getattr(self.cursor, move)(by) is (self.cursor.at != before)
        if self.cursor.at != before:
            assert (self.cursor.at > before) is (by > 0)

    @rule(move=st.sampled_from(["first", "last", "back"]))
    def leave(self, move: str):
        before = self.cursor.at
        assert getattr(self.cursor, move)() is (self.cursor.at != before)

    @rule(at=st.integers(-10, 100), move=st.sampled_from(["go", "jump"]))
    def go(self, at: int, move: str):
        getattr(self.cursor, move)(at)
        if 0 <= at < len(self.play):
            assert self.cursor.at == at

    @rule(text=st.sampled_from(BREAKS))
    def switch(self, text: str):
        self.cursor.breakpoints.toggle(text)

    @invariant()
    def stays_inside(self):
        assert 0 <= self.cursor.at < max(1, len(self.play))
        assert self.cursor.turn == self.cursor.at // 8


Walk.TestCase.settings = checked
TestWalk = Walk.TestCase


def test_in_a_play_without_turns_no_move_leads_anywhere():
    made = cursor(NOTHING, 0, "failed", "field:nome", "at:1")
    moves = [made.step, made.turn_by, made.run, made.failure]
    assert not any(move(by) for move in moves for by in (-1, 1))
    assert not any([made.first(), made.last(), made.go(7), made.jump(7), made.back()])
    assert (made.at, made.turn, made.phase) == (0, 0, Phase.LOAD)
