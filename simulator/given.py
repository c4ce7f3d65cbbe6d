"""Where a conversation stands before the first turn of a scenario."""

from collections.abc import Iterable

import msgspec

from falai.errors import InvalidSessionError
from falai.stores.rows import read_session
from falai.words.session import Session
from falai.words.turn import Wake
from simulator.expression import expand
from simulator.scenario import Scenario
from simulator.spot import Spot
from simulator.stage import Stage


async def set_up(stage: Stage, scenario: Scenario) -> None:
    """Put a stored session, its transcript and its wakes where `given` says."""
    given = scenario.given
    session_id = scenario.session
    if given.session is not None:
        session = read_given_session(given.session)
        session_id = session.id
        await stage.seed(session)
        if given.pending is None:
            _schedule(stage, session_id, _computed(stage, scenario, given.session, session))
    if given.history:
        stage.transcripts[session_id] = list(expand(given.history, stage.moments))
    pending = expand(given.pending or (), stage.moments)
    _schedule(stage, session_id, [Wake(key=wake.key, at=wake.at) for wake in pending])


def _schedule(stage: Stage, session_id: str, wakes: Iterable[Wake]) -> None:
    for wake in wakes:
        stage.host.schedule(session_id, wake)


def _computed(stage: Stage, scenario: Scenario, spot: Spot, session: Session) -> list[Wake]:
    """What the stored session waits on, as the engine works it out."""
    try:
        return stage.host.agent.pending_wakes(
            session,
            context=expand(scenario.context, stage.moments),
            anchors=expand(scenario.anchors, stage.moments),
            claims=expand(scenario.claims, stage.moments),
        )
    except Exception as error:  # a host's own condition may raise anything
        what = f"the wakes of this session cannot be worked out: {type(error).__name__}: {error}"
        raise spot.error(what, "Mend the condition, or write given.pending.") from error


def read_given_session(spot: Spot) -> Session:
    """Read a stored session; raises ScenarioFileError for what is none."""
    value = spot.mapping()
    try:
        return read_session(msgspec.json.encode(value), str(value.get("id", "")))
    except InvalidSessionError as error:
        raise spot.error(str(error)) from None
