"""The agents of conformance/specs.yaml: what is refused, what is warned about, what passes."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from falai import errors
from falai.spec.agent import validate_agent
from falai.spec.agent_parts import (
    read_event,
    read_field,
    read_idle,
    read_instructions,
    read_parameters,
)
from falai.spec.convert import from_spec
from falai.spec.registries import Registries
from falai.words.registry import Action, Tool

CASES = yaml.safe_load((Path(__file__).parents[1] / "conformance" / "specs.yaml").read_text())
REFUSED = [case for case in CASES if "error" in case]
ACCEPTED = [case for case in CASES if "warns" in case]


def build(agent: dict[str, Any]) -> list[str]:
    """Read the declarative form as far as these cases use it, and check it."""
    tools = [Tool(handler=never, **tool) for tool in agent.get("tools", ())]
    registries = Registries(
        fields={slug: read_field(slug, raw) for slug, raw in agent.get("fields", {}).items()},
        actions={name: read_action(name, raw) for name, raw in agent.get("actions", {}).items()},
        events={name: read_event(name, raw) for name, raw in agent.get("events", {}).items()},
        conditions=dict.fromkeys(agent.get("conditions", {}), never),
        tools={tool.id: tool for tool in tools},
    )
    return validate_agent(
        [from_spec(flow) for flow in agent["flows"]],
        registries,
        instructions=read_instructions(agent.get("instructions")),
        idle=read_idle(agent.get("idle")),
        tools=tools,
    )


def read_action(name: str, action: dict[str, Any]) -> Action:
    return Action(never, read_parameters(name, action.get("parameters")))


def never(*_: Any) -> Any:
    raise AssertionError("nothing runs while an agent is built")


def test_the_file_is_read_whole():
    assert (len(REFUSED), len(ACCEPTED)) == (86, 13)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["name"])
def test_refused(case: dict[str, Any]):
    wanted = case["error"]
    with pytest.raises(getattr(errors, wanted["class"])) as raised:
        build(case["agent"])
    message = str(raised.value)
    assert message == wanted.get("equals", message)
    assert [part for part in wanted.get("contains", ()) if part not in message] == []


@pytest.mark.parametrize("case", ACCEPTED, ids=lambda case: case["name"])
def test_accepted(case: dict[str, Any]):
    warnings = build(case["agent"])
    assert len(warnings) == bool(case["warns"])
    assert [part for part in case["warns"] if part not in warnings[0]] == []
