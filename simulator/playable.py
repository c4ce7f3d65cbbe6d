"""What a scenario may ask for that cannot be played, told before anything is."""

from simulator.cassette.where import tape_path
from simulator.given import read_given_session
from simulator.scenario import Scenario


def check_playable(scenario: Scenario) -> None:
    """Refuse what a play could only pass over; raises ScenarioFileError."""
    spot = scenario.spot
    if "${" in scenario.clock:
        fix = "Write the time itself: now and start begin with it."
        raise spot.at("clock").error("clock cannot hold an expression", fix)
    if scenario.budget.cost_usd is not None and isinstance(scenario.provider, str):
        fix = "Nothing that is scripted or offline costs anything: budget llmCalls or tokens."
        raise spot.at("budget").at("costUsd").error("no model answers that has a price", fix)
    if not isinstance(scenario.provider, str):
        tape_path(scenario)
    if scenario.given.session is not None:
        read_given_session(scenario.given.session)
