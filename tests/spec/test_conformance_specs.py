"""The agents of conformance/specs.yaml: what is refused, what is warned about, what passes."""

import logging
from pathlib import Path

import pytest

from falai import errors
from simulator.agentfile import load_agent
from simulator.load import load_document
from simulator.place import ScenarioFileError
from simulator.spot import Spot

FILE = Path(__file__).parents[1] / "conformance" / "specs.yaml"
CASES = load_document(FILE).spot.items()
REFUSED = [case for case in CASES if case.has("error")]
ACCEPTED = [case for case in CASES if case.has("warns")]


def test_the_file_is_read_whole():
    assert (len(REFUSED), len(ACCEPTED)) == (86, 13)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.value["name"])
def test_refused(case: Spot):
    wanted = case.value["error"]
    with pytest.raises(ScenarioFileError) as raised:
        load_agent(case.at("agent")).build()
    cause = raised.value.__cause__
    message = str(cause)
    assert type(cause) is getattr(errors, wanted["class"])
    assert message == wanted.get("equals", message)
    assert [part for part in wanted.get("contains", ()) if part not in message] == []


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.value["name"])
def test_a_refusal_stands_in_its_own_agent(case: Spot):
    with pytest.raises(ScenarioFileError) as raised:
        load_agent(case.at("agent")).build()
    place = raised.value.place
    assert case.at("agent").place() <= place < case.at("error").place()
    assert str(raised.value).startswith(f"{place}: {raised.value.__cause__}")


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case.value["name"])
def test_accepted(case: Spot, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.CRITICAL, "falai")
    warnings = load_agent(case.at("agent")).build().agent.warnings
    wanted = case.value["warns"]
    assert len(warnings) == bool(wanted)
    assert [part for part in wanted if part not in warnings[0]] == []
