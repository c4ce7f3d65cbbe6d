"""Speak: let one talk step, or the idle speaker, phrase the assistant's reply."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from falai.errors import ProviderError
from falai.text.speak import speak_call
from falai.text.speech import Speech
from falai.turn.execute import ask_question, pending, question_is_due
from falai.turn.needs import Phase, Steps
from falai.turn.notes import Answer
from falai.turn.state import Turn
from falai.turn.tools import converse, offered_tools
from falai.words.flow import Instruction, Talk
from falai.words.registry import Idle
from falai.words.session import Run
from falai.words.turn import MessageInput

InstructionScope: TypeAlias = Literal["agent", "flow", "step", "idle"]


def speak(turn: Turn) -> Steps[None]:
    """Speak once in a turn, or not at all."""
    yield turn.begin(Phase.SPEAK)
    if turn.ignored or turn.silenced is not None:
        return
    run = turn.speaker
    if run is None:
        if turn.is_message and turn.agent.idle != "silent" and not _taken(turn):
            yield from _speak_idle(turn)
        return
    step = turn.talk_of(run)
    if step is None or run.status != "asking" or turn.is_over(run):
        return
    if turn.is_message and any(voice != run.id for voice in turn.voices):
        turn.log_step(run, step, "skipped", "another-reply")
        return
    yield from _speak_step(turn, run, step)


def _taken(turn: Turn) -> bool:
    """Whether somebody asks or has spoken, so that the idle speaker is not needed."""
    return turn.asker() is not None or bool(turn.voices)


def _speak_step(turn: Turn, run: Run, step: Talk) -> Steps[None]:
    due = question_is_due(turn, run, step)
    if due and _needs_no_answer(turn, run):
        ask_question(turn, run, step)
        return
    fields = [] if due else pending(turn, run, step)
    plan = turn.plan_of(run)
    speech = Speech(
        flow=plan.flow if plan else None,
        step=step,
        idle_prompt=None,
        fields=fields,
        question=turn.render(step.question or "", run) if due else None,
        message=_message(turn),
        awaiting_answer=turn.retried is run and _customer_wrote_last(turn),
        sent=[message.text for message in turn.messages],
        instructions=_instructions(turn, run, step),
    )
    turn.answer = yield from _ask(turn, run, step, speech)


def _needs_no_answer(turn: Turn, run: Run) -> bool:
    """Whether the fixed question may go out alone: the message asks nothing, or there is none."""
    if turn.is_message:
        return turn.judged.asks is False
    return turn.retried is not run


def _speak_idle(turn: Turn) -> Steps[None]:
    idle = turn.agent.idle if isinstance(turn.agent.idle, Idle) else Idle()
    speech = Speech(
        flow=None,
        step=None,
        idle_prompt=idle.prompt,
        fields=[],
        question=None,
        message=_message(turn),
        awaiting_answer=False,
        sent=[],
        instructions=_instructions(turn, None, None),
    )
    turn.answer = yield from _ask(turn, None, None, speech)


def _ask(turn: Turn, run: Run | None, step: Talk | None, speech: Speech) -> Steps[Answer]:
    """Make the call with its tool rounds; a failure becomes part of the answer."""
    before = turn.llm_calls
    tools = offered_tools(turn, run, step)
    call, envelope = speak_call(
        turn.agent.profile,
        speech,
        data=turn.data,
        roots=turn.roots(run),
        history=turn.history,
        context=turn.given.context,
        tools=[turn.agent.offers[tool_id] for tool_id in tools],
    )
    asks_question = speech.question is not None
    try:
        spoken = yield from converse(turn, run, call, envelope)
    except ProviderError as failure:
        calls = turn.llm_calls - before
        return Answer(run=run, step=step, failure=failure, calls=calls, asks_question=asks_question)
    calls = turn.llm_calls - before
    return Answer(run=run, step=step, spoken=spoken, calls=calls, asks_question=asks_question)


def _message(turn: Turn) -> str | None:
    return turn.what.text if isinstance(turn.what, MessageInput) else None


def _customer_wrote_last(turn: Turn) -> bool:
    return bool(turn.history) and turn.history[-1].get("role") == "user"


def _instructions(
    turn: Turn, run: Run | None, step: Talk | None
) -> list[tuple[InstructionScope, Instruction]]:
    """The instructions that apply now, from the widest scope to the narrowest."""
    plan = turn.plan_of(run) if run is not None else None
    idle = turn.agent.idle if isinstance(turn.agent.idle, Idle) else None
    scopes: list[tuple[InstructionScope, Sequence[Instruction] | None]] = [
        ("agent", turn.agent.instructions),
        ("flow", plan.flow.instructions if plan else None),
        ("step", step.instructions if step else None),
        ("idle", idle.instructions if idle and run is None else None),
    ]
    return [
        (scope, instruction)
        for scope, instructions in scopes
        for instruction in instructions or ()
        if turn.holds(instruction.if_, run)
    ]
