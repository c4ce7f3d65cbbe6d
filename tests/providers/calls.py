"""Calls of the offline provider, made as a turn makes them, and its answers."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

from falai import ModelCall, ModelReply
from falai.providers.offline import OfflineProvider
from falai.text.judging import BranchQuestion, Judging
from falai.text.profile import Profile
from falai.text.speak import speak_call
from falai.text.speech import Speech
from falai.text.understand import understand_call
from falai.words.flow import Flow, Talk


def reply_to(call: ModelCall) -> ModelReply:
    return asyncio.run(OfflineProvider().generate(call))


def answer_to(call: ModelCall) -> dict[str, Any]:
    """The envelope of a reply, which its text spells out."""
    reply = reply_to(call)
    assert json.loads(reply.message) == reply.structured
    return json.loads(reply.message)


def understand(
    profile: Profile,
    message: str,
    *,
    floor: Flow | None = None,
    pending: Sequence[str] = (),
    fields: Sequence[str] | None = None,
    whens: Sequence[str] = (),
    history: Sequence[Mapping[str, Any]] = (),
    roots: Mapping[str, Any] | None = None,
) -> ModelCall:
    """A call that judges everything that the profile has, with `floor` at its first talk step."""
    others = [
        flow for flow in profile.flows if flow.id not in profile.mentions and flow is not floor
    ]
    step = next((s for s in floor.steps if isinstance(s, Talk)), None) if floor else None
    judging = Judging(
        flow=floor,
        step=step,
        pending=pending,
        candidates=[floor, *others] if floor else others,
        mentions=[(profile.by_id[name], mention) for name, mention in profile.mentions.items()],
        branches=[BranchQuestion(f"r/s/{n}", when) for n, when in enumerate(whens)],
        fields=list(profile.fields) if fields is None else fields,
        asks=True,
        message=message,
    )
    roots = roots or {"data": {}}
    call, _ = understand_call(
        profile, judging, data=roots["data"], roots=roots, history=history, context=None
    )
    return call


def speak(
    profile: Profile,
    message: str | None,
    *,
    flow: Flow | None = None,
    fields: Sequence[str] = (),
    question: str | None = None,
    awaiting: bool = False,
    sent: Sequence[str] = (),
    data: Mapping[str, Any] | None = None,
    history: Sequence[Mapping[str, Any]] = (),
) -> ModelCall:
    """A call that lets the first talk step of a flow speak, or without one the idle speaker."""
    step = next((s for s in flow.steps if isinstance(s, Talk)), None) if flow else None
    speech = Speech(
        flow=flow,
        step=step,
        idle_prompt=None if flow else "Responda em uma frase.",
        fields=fields,
        question=question,
        message=message,
        awaiting_answer=awaiting,
        sent=sent,
        instructions=[],
    )
    call, _ = speak_call(
        profile,
        speech,
        data=data or {},
        roots={"data": data or {}},
        history=history,
        context=None,
        tools=[],
    )
    return call


def admitting_null(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema as strict providers want it: null among the options of what may be null."""
    whole: dict[str, Any] = dict(schema)
    if "enum" in whole and "null" in whole["type"]:
        whole["enum"] = [*whole["enum"], None]
    if "properties" in whole:
        parts = whole["properties"].items()
        whole["properties"] = {name: admitting_null(part) for name, part in parts}
    return whole
