"""The parts of an agent that may be written as data, read from their mappings.

Under a key that is known, a null means "not set".
"""

from typing import Literal

from msgspec.structs import replace

from falai.errors import FlowConfigurationError
from falai.spec.part import Part
from falai.spec.pieces import SCALARS, read_instruction, read_params
from falai.spec.plain import plain, without_nulls
from falai.spec.wording import listed, quote
from falai.words.field import Field, ScalarType
from falai.words.flow import Instruction, Param
from falai.words.registry import EventDef, Idle

DIRECTIONS: tuple[Literal["inbound", "outbound"], ...] = ("inbound", "outbound")
EXTRACTS: tuple[Literal["anywhere", "asked"], ...] = ("anywhere", "asked")


def read_field(slug: str, raw: object) -> Field:
    """Read one field; raises FlowConfigurationError on a wrong shape."""
    part = Part(plain(raw), "agent", f"fields.{slug}")
    part.close(("type", "enum", "description", "label", "ask", "extract"))
    kind: ScalarType | None = part.choice("type", SCALARS)
    if kind is None:
        raise part.refusal(f"{part.path} has no type", f"Use one of {listed(SCALARS)}.")
    return Field(
        kind,
        enum=part.options("enum"),
        description=part.text("description"),
        label=part.text("label"),
        ask=part.text("ask"),
        extract=part.choice("extract", EXTRACTS),
    )


def read_event(name: str, raw: object) -> EventDef:
    """Read one event; raises FlowConfigurationError on a wrong shape."""
    part = Part(plain(raw), "agent", f"events.{name}")
    part.close(("direction",))
    return EventDef(part.choice("direction", DIRECTIONS))


def read_instructions(raw: object) -> tuple[Instruction, ...]:
    """Read an agent's own instructions; raises FlowConfigurationError on a wrong shape."""
    part = Part({"instructions": plain(raw)}, "agent")
    return part.parts("instructions", _instruction) or ()


def _instruction(part: Part) -> Instruction:
    instruction = read_instruction(part)
    return replace(instruction, if_=without_nulls(instruction.if_))


def read_idle(raw: object) -> Idle | Literal["silent"] | None:
    """Read who speaks when no run does; raises FlowConfigurationError on a wrong shape."""
    if raw is None:
        return None
    if isinstance(raw, str):
        if raw == "silent":
            return "silent"
        raise FlowConfigurationError.at(
            "idle", f'is neither a mapping nor "silent", got {quote(raw)}', "Write one of them."
        )
    part = Part(plain(raw), "idle")
    part.close(("prompt", "tools", "instructions"))
    return Idle(part.text("prompt"), part.texts("tools"), part.parts("instructions", _instruction))


def read_parameters(action: str, raw: object) -> dict[str, Param] | None:
    """Read the parameters of an action; raises FlowConfigurationError on a wrong shape."""
    part = Part({"parameters": plain(raw)}, "agent", f"actions.{action}")
    return read_params(part, "parameters")
