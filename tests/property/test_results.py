"""What holds of every turn, whatever is configured, said, judged or returned."""

import copy

from hypothesis import given

from falai.limits import HOPS, MAX_ASKS
from falai.outcomes import OUTCOME_MESSAGES
from falai.words.session import Run, Session
from falai.words.turn import TurnResult
from tests.property.profile import checked
from tests.property.stage import Stage, copied, encoded, play, results
from tests.property.strategies import Story, stories


def sessions(story: Story) -> list[Session]:
    return [result.session for _, result in results(story)]


def runs(story: Story) -> list[Run]:
    return [run for session in sessions(story) for run in session.runs]


@checked
@given(stories())
def test_at_most_one_run_asks(story: Story):
    for session in sessions(story):
        assert sum(run.status == "asking" for run in session.runs) <= 1


@checked
@given(stories())
def test_nobody_is_left_suspended_while_nobody_asks(story: Story):
    for _, result in results(story):
        statuses = [run.status for run in result.session.runs]
        assert not result.changed or "asking" in statuses or "suspended" not in statuses


@checked
@given(stories())
def test_no_field_is_asked_more_often_than_allowed(story: Story):
    assert all(count <= MAX_ASKS for run in runs(story) for count in run.asked.values())


@checked
@given(stories())
def test_no_chain_grows_beyond_its_hops(story: Story):
    assert all(run.hop < HOPS for run in runs(story))


@checked
@given(stories())
def test_no_run_is_left_in_the_middle_of_a_step(story: Story):
    assert all(run.status != "running" for run in runs(story))


@checked
@given(stories())
def test_a_status_agrees_with_what_stands_beside_it(story: Story):
    for run in runs(story):
        assert (run.status == "waiting") == (run.waiting is not None)
        assert (run.status == "suspended") == (run.suspended_at is not None)
        assert run.staying is None or run.status in ("asking", "suspended", "waiting")


@checked
@given(stories())
def test_a_flow_has_one_live_run_for_an_anchor(story: Story):
    for session in sessions(story):
        homes = [(run.flow_id, run.anchor) for run in session.runs]
        assert len(homes) == len(set(homes))


@checked
@given(stories())
def test_a_run_is_either_live_or_ended(story: Story):
    for _, result in results(story):
        live = {(run.id, run.started_at) for run in result.session.runs}
        restarted = {started.run_id for started in result.started}
        assert all(
            (run.id, run.started_at) not in live or run.id in restarted for run in result.ended
        )


@checked
@given(stories())
def test_the_session_that_is_passed_stays_as_it_was(story: Story):
    stage, session = Stage.of(story), None
    for moment in story.moments:
        before = copy.deepcopy(session)
        played = stage.play(moment, session)
        assert encoded(session) == encoded(before)
        session = played.after


@checked
@given(stories())
def test_a_later_turn_leaves_an_earlier_result_alone(story: Story):
    stage, session = Stage.of(story), None
    seen: list[tuple[TurnResult, bytes]] = []
    for moment in story.moments:
        played = stage.play(moment, session)
        session = played.after
        if played.result is not None:
            seen.append((played.result, encoded(played.result)))
    assert all(encoded(result) == before for result, before in seen)


@checked
@given(stories())
def test_every_call_is_counted_and_there_are_few(story: Story):
    rounds = story.agent["max_tool_loops"] + 1
    for played, result in results(story):
        purposes = [call.purpose for call in played.calls]
        assert result.llm_calls == len(purposes)
        assert purposes.count("understand") <= 1
        assert purposes.count("speak") <= rounds


@checked
@given(stories())
def test_calls_are_made_in_the_order_of_the_phases(story: Story):
    for played in play(story):
        purposes = [call.purpose for call in played.calls]
        assert purposes == sorted(purposes, key=("understand", "speak").index)
        assert "understand" not in purposes or "message" in played.given


@checked
@given(stories())
def test_nobody_speaks_under_a_closed_gate(story: Story):
    for played, result in results(story):
        if "silenced" in played.given:
            assert not result.messages
            assert all(call.purpose != "speak" for call in played.calls)


@checked
@given(stories())
def test_usage_is_never_a_row_of_zeros(story: Story):
    for _, result in results(story):
        assert result.usage is None or result.usage.prompt_tokens


@checked
@given(stories())
def test_a_session_comes_back_from_json_as_it_went(story: Story):
    for session in sessions(story):
        assert encoded(copied(session)) == encoded(session)
        assert copied(session) == session


@checked
@given(stories())
def test_what_changed_nothing_leaves_nothing_behind(story: Story):
    for played, result in results(story):
        if not result.changed:
            left = [result.messages, result.schedule, result.started, result.ended]
            assert encoded(result.session) == encoded(played.before or result.session)
            assert [*left, result.skipped, played.action_keys] == [[]] * 6


@checked
@given(stories())
def test_a_turn_never_changes_the_version_or_the_metadata(story: Story):
    for played, result in results(story):
        before = played.before
        assert result.session.version == (0 if before is None else before.version)
        assert result.session.metadata == ({} if before is None else before.metadata)


@checked
@given(stories())
def test_every_line_is_whole(story: Story):
    for _, result in results(story):
        for line in result.outcomes:
            assert (line.message is None) == (line.code is None)
            assert line.code is None or line.message == OUTCOME_MESSAGES[line.code]
            is_parked = line.status in ("waiting", "deferred") and line.kind != "idle"
            assert (line.until is not None) == is_parked


@checked
@given(stories())
def test_a_run_s_lines_are_the_turn_s_lines(story: Story):
    for _, result in results(story):
        for run in (*result.session.runs, *result.ended):
            mine = [line for line in result.outcomes if line.run_id == run.id]
            known = {encoded(line) for line in run.outcomes}
            assert len(mine) > 50 or all(encoded(line) in known for line in mine) or _twins(result)


def _twins(result: TurnResult) -> bool:
    """Two runs of one id in a turn: one ended, and another one started under the same key."""
    ids = [run.id for run in (*result.session.runs, *result.ended)]
    return len(ids) != len(set(ids))


@checked
@given(stories())
def test_messages_never_go_back_in_time(story: Story):
    for _, result in results(story):
        assert all(message.after_ms >= 0 for message in result.messages)


@checked
@given(stories())
def test_a_message_is_named_after_the_step_that_sent_it(story: Story):
    for _, result in results(story):
        for message in result.messages:
            owner = "idle:" if message.run_id is None else f"{message.run_id}:{message.step_id}:"
            assert message.key.startswith(owner)


@checked
@given(stories())
def test_every_parked_run_has_a_wake_that_was_scheduled(story: Story):
    scheduled: set[tuple[str, str]] = set()
    for _, result in results(story):
        scheduled |= {(wake.key, wake.at) for wake in result.schedule}
        for run in result.session.runs:
            if run.waiting is not None:
                assert (run.waiting.key, run.waiting.until) in scheduled


@checked
@given(stories())
def test_a_lost_queue_is_rebuilt_from_the_session(story: Story):
    stage, session = Stage.of(story), None
    for moment in story.moments:
        session = stage.play(moment, session).after
        if session is not None:
            before = encoded(session)
            pending = stage.agent.pending_wakes(session)
            parked = [run.waiting.key for run in session.runs if run.waiting is not None]
            assert [wake.key for wake in pending][: len(parked)] == parked
            assert encoded(session) == before


@checked
@given(stories())
def test_a_full_memory_forgets_the_oldest(story: Story):
    stage, session = Stage.of(story), None
    for moment in story.moments:
        played = stage.play(moment, session)
        session = played.after
        if played.result is not None and session is not None:
            assert len(session.inputs) <= 50
            assert all(len(run.outcomes) <= 50 for run in session.runs)
            session.inputs = ([f"old{n}" for n in range(50)] + session.inputs)[-50:]
            for run in session.runs:
                run.outcomes = (run.outcomes * 50)[-50:]
