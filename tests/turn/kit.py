"""A scripted conversation, driven through the public API with a clock that stands still."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from falai import (
    Agent,
    FakeClock,
    Flow,
    Message,
    ModelCall,
    ModelReply,
    Outcome,
    ProviderError,
    ScriptedProvider,
    Session,
    ToolCall,
    TurnResult,
    Usage,
)
from falai.words.flow import Step

START = "2026-01-05T09:00:00.000Z"
"""A Monday."""
SESSION_ID = "s1"

Reply = ModelReply | ProviderError
Script = Reply | Iterable[Reply]


class Chat:
    """A conversation with an agent; its session is kept from input to input."""

    def __init__(self, *flows: Flow, **parts: Any) -> None:
        self.model = ScriptedProvider()
        self.clock = FakeClock(START)
        silent: dict[str, Any] = {"idle": "silent"}
        self.agent = Agent(
            name="Ana", flows=flows, provider=self.model, clock=self.clock, **(silent | parts)
        )
        self.session: Session | None = None
        self.calls: list[ModelCall] = []
        """What the model was asked for the last input."""

    def take(self, *, understand: Script = (), speak: Script = (), **given: Any) -> TurnResult:
        """Handle an input; every reply of the script must be used."""
        self.model.load({"understand": _listed(understand), "speak": _listed(speak)})
        stepper = self.agent.steps(session_id=SESSION_ID, session=self.session, **given)
        try:
            result = asyncio.run(stepper.run())
        finally:
            needs = [exchange.need for exchange in stepper.exchanges]
            self.calls = [need for need in needs if isinstance(need, ModelCall)]
        assert not self.model.leftovers
        self.session = result.session
        return result

    def hear(self, text: str = "oi", **rest: Any) -> TurnResult:
        """Handle a message of the customer."""
        return self.take(message=text, **rest)

    def know(self, **data: Any) -> None:
        """Write into the stored session, as an action would have."""
        assert self.session is not None
        self.session.data.update(data)

    @property
    def data(self) -> Mapping[str, Any]:
        assert self.session is not None
        return self.session.data


def _listed(script: Script) -> Iterable[Reply]:
    return [script] if isinstance(script, ModelReply | ProviderError) else script


# --- agents -----------------------------------------------------------------------------------


def flow(*steps: Step, id: str = "a", **options: Any) -> Flow:  # noqa: A002 - a flow's own word
    """A flow that any message starts, unless `on` says otherwise."""
    options.setdefault("on", [Message()])
    return Flow(id=id, name=id, steps=steps, **options)


# --- replies ----------------------------------------------------------------------------------


def said(message: str | None = "Certo!", **fields: Any) -> ModelReply:
    """A speak reply, as a provider that parses gives it."""
    return ModelReply(structured={"message": message, **fields})


def judged(**sections: Any) -> ModelReply:
    """An understand reply."""
    return ModelReply(structured=sections)


def calling(*calls: ToolCall, **rest: Any) -> ModelReply:
    """A reply that calls tools."""
    return ModelReply(tool_calls=calls, **rest)


def counted(reply: ModelReply, prompt: int, completion: int = 0, cached: int = 0) -> ModelReply:
    """The reply with its usage."""
    usage = Usage(prompt_tokens=prompt, completion_tokens=completion, cached_input_tokens=cached)
    return ModelReply(structured=reply.structured, usage=usage)


# --- results ----------------------------------------------------------------------------------


def texts(result: TurnResult) -> list[str]:
    return [message.text for message in result.messages]


def codes(result: TurnResult) -> list[str | None]:
    return [line.code for line in result.outcomes]


def statuses(result: TurnResult) -> dict[str, str]:
    """Status of each live run, by its flow."""
    return {run.flow_id: run.status for run in result.session.runs}


def only(lines: Iterable[Outcome], step_id: str) -> Outcome:
    """The one line of a step."""
    (line,) = [line for line in lines if line.step_id == step_id]
    return line
