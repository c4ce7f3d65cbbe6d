"""Driving a turn from outside: stop before each phase and at each need, look, replace, go on."""

import inspect
from collections.abc import AsyncIterator
from typing import Any, Generic

import msgspec

from falai.blueprint import Blueprint
from falai.errors import FlowConfigurationError, ProviderError, ScriptError
from falai.providers.base import ModelCall, ModelReply
from falai.text.envelope import MESSAGE
from falai.text.reply import MessageStream, read_text
from falai.turn.needs import ActionCall, Need, Phase, Steps, ToolRun
from falai.turn.state import Turn
from falai.words.generic import D
from falai.words.turn import TurnResult


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """One need of a turn with what came back."""

    need: Need
    answer: Any = None
    """A ModelReply, an action's result, or a list of tool results."""
    error: BaseException | None = None


class Stepper(Generic[D]):
    """One turn that goes on only when told to.

    `pending` is what comes next: a Phase about to begin, a need, or None when the turn is over.
    `go_on()` performs it for real, `answer(value)` puts another answer in its place and
    `fail(exc)` lets it fail. `turn` is the live state, to look at; `exchanges` is the record
    of every need so far.
    """

    def __init__(self, turn: Turn, steps: Steps[TurnResult[D]]) -> None:
        self.turn = turn
        """The live state; look at it, and change nothing."""
        self.result: TurnResult[D] | None = None
        self.error: BaseException | None = None
        """What the turn raised."""
        self.exchanges: list[Exchange] = []
        self.pending: Phase | Need | None = None
        self._steps = steps
        self._resume()

    @property
    def phase(self) -> Phase:
        """The phase that runs, or is about to."""
        return self.turn.phase

    def answer(self, value: Any = None) -> None:
        """Answer the pending need, or enter the pending phase; runs to the next stop."""
        if self.pending is None:
            raise RuntimeError("This turn is over: start another one to go on.")
        if not isinstance(self.pending, Phase):
            self.exchanges.append(Exchange(need=self.pending, answer=value))
        self._resume(value)

    def fail(self, error: BaseException) -> None:
        """Let the pending need fail; the turn deals with it as it would with a real failure."""
        if self.pending is None or isinstance(self.pending, Phase):
            raise RuntimeError("Only a call can fail: nothing is asked for here.")
        if isinstance(self.pending, ModelCall):
            error = _failure(self.turn.agent, error)
        self.exchanges.append(Exchange(need=self.pending, error=error))
        self._resume(error=error)

    async def go_on(self) -> None:
        """Perform what is pending for real, and run to the next stop."""
        need = self.pending
        if need is None or isinstance(need, Phase):
            self.answer()
            return
        try:
            value = await perform(self.turn.agent, need)
        except Exception as error:  # noqa: BLE001 - the turn decides what a failure means
            self.fail(error)
        else:
            self.answer(value)

    async def run(self) -> TurnResult[D]:
        """Go on to the end; raises what the turn raised."""
        while self.pending is not None:
            if isinstance(self.pending, Phase):
                self._resume()
            else:
                await self.go_on()
        if self.result is None:
            raise self.error or RuntimeError("The turn ended without a result.")
        return self.result

    def _resume(self, value: Any = None, error: BaseException | None = None) -> None:
        try:
            self.pending = self._steps.send(value) if error is None else self._steps.throw(error)
        except StopIteration as stop:
            self.pending, self.result = None, stop.value
        except Exception as raised:  # noqa: BLE001 - kept for whoever drives; run() raises it
            self.pending, self.error = None, raised


class Delta(msgspec.Struct, Generic[D], frozen=True, kw_only=True):
    """A piece of a streamed turn: some text of the reply, or in the end the result."""

    text: str = ""
    result: TurnResult[D] | None = None

    @property
    def done(self) -> bool:
        return self.result is not None


async def stream(stepper: Stepper[D]) -> AsyncIterator[Delta[D]]:
    """Drive a turn and yield the words of the speak call as they arrive."""
    while stepper.pending is not None:
        need = stepper.pending
        if not isinstance(need, ModelCall) or need.purpose != "speak":
            await stepper.go_on()
            continue
        async for text in _stream_call(stepper, need):
            yield Delta(text=text)
    yield Delta(result=await stepper.run())


async def _stream_call(stepper: Stepper[Any], call: ModelCall) -> AsyncIterator[str]:
    """Answer a pending speak call by streaming it.

    While tools are on offer the words are held back to the end: beside a tool call they are a
    preamble, which is never sent.
    """
    words, held = MessageStream(), ""
    reply = ModelReply()
    try:
        async for chunk in stepper.turn.agent.model.stream(call):
            text = words.feed(chunk.text)
            if call.tools:
                held += text
            elif text:
                yield text
            reply = chunk.reply or reply
        if not reply.message and reply.structured:
            held += read_text(reply.structured.get(MESSAGE))
        if not (call.tools and reply.tool_calls) and (rest := held + words.finish()):
            yield rest
    except Exception as error:  # noqa: BLE001 - the turn decides what a failure means
        stepper.fail(error)
    else:
        stepper.answer(reply)


async def perform(agent: Blueprint, need: Need) -> Any:
    """Do what a turn asks for: call the model, run the action, or run the tools."""
    if isinstance(need, ModelCall):
        return await agent.model.generate(need)
    if isinstance(need, ActionCall):
        return await _settled(need.action.handler(need.args, need.ctx))
    import asyncio  # slow to load; whoever awaits has loaded it already

    return await asyncio.gather(*(_run_tool(run) for run in need.runs))


def _failure(agent: Blueprint, error: BaseException) -> BaseException:
    """What a failed model call is to the turn: a provider's failure, whatever was raised.

    A stand-in without an answer and an agent without a provider are nothing that a wait mends.
    """
    if isinstance(error, ScriptError | FlowConfigurationError):
        return error
    return ProviderError.wrap(agent.provider_name, error)


async def _run_tool(run: ToolRun) -> Any:
    """What the tool returned or raised; a stand-in without an answer stays an error."""
    try:
        return await _settled(run.tool.handler(run.args, run.ctx))
    except Exception as error:  # noqa: BLE001 - the model reads what went wrong
        return error


async def _settled(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value
