"""Where a conversation stands before the first turn of a scenario."""

import msgspec

from falai.errors import InvalidSessionError
from falai.stores.rows import read_session
from falai.words.session import Session
from falai.words.turn import Wake
from simulator.expression import expand
from simulator.scenario import Scenario
from simulator.spot import Spot
from simulator.stage import Stage


def set_up(stage: Stage, scenario: Scenario) -> None:
    """Put a stored session, its transcript and its wakes where `given` says."""
    given = scenario.given
    if given.session is None:
        return
    session = read_given_session(given.session)
    stage.seed(session, given.history)
    if given.pending is not None:
        pending = expand(given.pending, stage.moments)
        wakes = [Wake(key=wake.key, at=wake.at) for wake in pending]
    else:
        wakes = stage.host.agent.pending_wakes(
            session,
            context=scenario.context,
            anchors=scenario.anchors,
            claims=scenario.claims,
        )
    for wake in wakes:
        stage.host.schedule(session.id, wake)


def read_given_session(spot: Spot) -> Session:
    """Read a stored session; raises ScenarioFileError for what is none."""
    value = spot.mapping()
    try:
        return read_session(msgspec.json.encode(value), str(value.get("id", "")))
    except InvalidSessionError as error:
        raise spot.error(str(error)) from None
