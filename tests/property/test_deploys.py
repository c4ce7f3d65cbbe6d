"""A deploy under live sessions: whatever the new agent lacks, the conversation goes on."""

from collections.abc import Iterator

from hypothesis import given

from falai import TurnResult
from tests.property.profile import checked
from tests.property.stage import Stage, copied, encoded
from tests.property.strategies import Story, stories


def deployed(before: Story, after: Story) -> Iterator[TurnResult]:
    """The turns of the second story, on what the first one left, by the second one's agent."""
    stage, session = Stage.of(before), None
    for moment in before.moments:
        session = copied(stage.play(moment, session).after)
    stage.deploy(after)
    for moment in after.moments:
        played = stage.play(moment, session)
        session = copied(played.after)
        if played.result is not None:
            yield played.result


@checked
@given(stories(), stories())
def test_the_floor_stays_one_after_a_deploy(before: Story, after: Story):
    for result in deployed(before, after):
        statuses = [run.status for run in result.session.runs]
        assert statuses.count("asking") <= 1
        assert "running" not in statuses


@checked
@given(stories(), stories())
def test_a_run_that_lost_its_flow_or_step_ends_by_name(before: Story, after: Story):
    for result in deployed(before, after):
        for run in result.ended:
            if run.reason == "skipped":
                assert run.outcomes[-1].code is not None


@checked
@given(stories(), stories())
def test_every_wake_of_a_deployed_session_can_fire(before: Story, after: Story):
    stage, session = Stage.of(before), None
    for moment in before.moments:
        session = copied(stage.play(moment, session).after)
    stage.deploy(after)
    for run in session.runs if session is not None else ():
        if run.waiting is not None:
            stage.clock.set(run.waiting.until)
            fired = stage.turn(after.moments[0], wake_of(run.waiting.key), copied(session))
            assert fired is not None
            assert encoded(fired.session)


def wake_of(key: str) -> dict[str, str]:
    return {"session_id": "s1", "wake": key}
