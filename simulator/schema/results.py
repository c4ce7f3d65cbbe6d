"""What is known of the results that an expectation looks at: their keys, and words for some.

None of it refuses anything, for a matcher may stand in the place of every value.
"""

from collections.abc import Mapping
from typing import get_args

from falai.outcomes import OUTCOME_MESSAGES
from falai.providers.base import Purpose
from falai.words.outcome import Outcome, OutcomeKind, OutcomeStatus
from falai.words.session import EndReason, Run, Session, Status
from falai.words.turn import Ended, OutMessage, Skipped, Started, Usage, Wake
from simulator.schema.parts import Schema, anything, hints, known, ref


def _each(item: Schema) -> Schema:
    """A list, or a matcher over its elements."""
    lists = ("$includes", "$excludes", "$unordered", "$exactly")
    return {"items": item, "properties": {name: {"items": item} for name in lists}}


_OUTCOME: Mapping[str, Schema] = {
    "runId": anything("The run that did it."),
    "flowId": anything("The flow of the run."),
    "stepId": anything("The step that did it."),
    "key": anything("The key of what it did, the same when it is done again."),
    "kind": hints("What the step does.", get_args(OutcomeKind)),
    "status": hints("How it went.", get_args(OutcomeStatus)),
    "code": hints("Why, where that is not plain.", OUTCOME_MESSAGES),
    "message": anything("The code as an English sentence."),
    "detail": anything("What the action or the provider said."),
    "next": anything("Where the step leads: a step, end, or flow: and a flow."),
    "until": anything("The time for which it waits."),
    "at": anything("The time of the turn."),
    "llmCalls": anything("The model calls that it made."),
}
_MESSAGE: Mapping[str, Schema] = {
    "text": anything("The text that is sent."),
    "kind": hints("ai when the model wrote it, verbatim when the author did.", ("ai", "verbatim")),
    "media": anything("The medium to attach: {slug}."),
    "afterMs": anything("How long to wait before it, in ms."),
    "key": anything("What tells it from every other message."),
    "runId": anything("The run that sends it."),
    "stepId": anything("The step that sends it."),
}
_SENT: Mapping[str, Schema] = {
    **_MESSAGE,
    "sessionId": anything("The session in which it was sent."),
    "at": anything("The time at which it was sent."),
}
_WAKE: Mapping[str, Schema] = {
    "key": anything("What comes back when it fires."),
    "at": anything("The time at which it fires."),
    "replaces": anything("The earlier wake in whose place it stands."),
}
_RUN: Mapping[str, Schema] = {
    "id": anything("The run: its flow, and what started it."),
    "flowId": anything("The flow that runs."),
    "anchor": anything("For what it runs: the session, or a key of the host."),
    "dedupeKey": anything("What tells it from another start of the flow."),
    "stepId": anything("The step at which it stands."),
    "status": hints("What it does at the moment.", get_args(Status)),
    "trigger": anything("What started it: {kind, key, payload}."),
    "input": anything("The value that it was started with."),
    "hop": anything("How many chains came before it."),
    "startedAt": anything("The time at which it started."),
    "suspendedAt": anything("The time at which another run took the floor."),
    "staying": anything("true once it has reached its end and stays to answer."),
    "waiting": anything("What it waits for: {kind, key, until, setAt, event}."),
    "asked": anything("How often each field was asked, by field."),
    "visits": anything("How often each step was entered, by step."),
    "outcomes": anything("Its last lines."),
}
_ENDED: Mapping[str, Schema] = {
    **_RUN,
    "reason": hints("Why it ended.", get_args(EndReason)),
}
_STARTED: Mapping[str, Schema] = {
    "runId": anything("The run that started."),
    "flowId": anything("Its flow."),
    "anchor": anything("For what it runs: the session, or a key of the host."),
    "dedupeKey": anything("What tells it from another start of the flow."),
}
_SKIPPED: Mapping[str, Schema] = {
    "flowId": anything("The flow that did not start."),
    "anchor": anything("For what it would have run."),
    "triggerKey": anything("The key of what would have started it."),
    "code": hints("Why it was refused.", OUTCOME_MESSAGES),
    "message": anything("The code as an English sentence."),
}
_USAGE: Mapping[str, Schema] = {
    "promptTokens": anything("Tokens of the prompts."),
    "completionTokens": anything("Tokens of the replies."),
    "cachedInputTokens": anything("Tokens of the prompts that the provider had kept."),
}
_SESSION: Mapping[str, Schema] = {
    "id": anything("The session's id."),
    "v": anything("The version of the format."),
    "version": anything("How often it was saved."),
    "data": anything("The collected fields."),
    "runs": anything("The live runs, in the order they started.", **_each(ref("seenRun"))),
    "claims": anything("What has started or was said once, by its key."),
    "inputs": anything("The ids of the last messages."),
    "metadata": anything("The host's own."),
    "lastUserAt": anything("When the customer last wrote."),
    "lastAssistantAt": anything("When the assistant last spoke."),
    "history": anything("The conversation, where the host keeps it there."),
}
_ACTION: Mapping[str, Schema] = {
    "do": anything("The action that ran."),
    "with": anything("What it was given."),
    "key": anything("Its key, the same when it is done again."),
}
_ERROR: Mapping[str, Schema] = {
    "class": anything("The error's class, such as ProviderError."),
    "kind": anything("What kind of failure it is, of a provider's error."),
    "message": anything("What it says."),
}
_PROMPTS: Mapping[str, Schema] = {
    "understand": anything("The text of the understand calls."),
    "speak": anything("The text of the speak calls."),
    "summary": anything("The text of the summary calls."),
}

BLOCK: Mapping[str, tuple[str, Schema | None]] = {
    "replies": ("The texts that were sent in this turn, in order.", None),
    "messages": ("The messages of this turn in full, in order.", _each(ref("seenMessage"))),
    "data": ("The collected fields.", None),
    "floor": ("The flow that is asking, or null.", None),
    "runs": ("The live runs, in the order they started.", _each(ref("seenRun"))),
    "started": ("The runs that started.", _each(ref("seenStart"))),
    "ended": ("The runs that ended, each with its reason.", _each(ref("seenEnd"))),
    "skipped": ("The starts that were refused.", _each(ref("seenSkip"))),
    "outcomes": ("One line for each step that did something.", _each(ref("seenOutcome"))),
    "schedule": ("The wakes to schedule.", _each(ref("seenWake"))),
    "calls": (
        "What the model calls were for, in order.",
        _each(hints("What a call was for.", get_args(Purpose))),
    ),
    "llmCalls": ("How many model calls were made, failed ones included.", None),
    "usage": ("The tokens that the replies counted.", ref("seenUsage")),
    "prompts": ("What the model was sent, by what the call is for.", ref("seenPrompts")),
    "tools": ("The ids of the tools that the model was offered.", None),
    "actions": ("The actions that ran, in order.", _each(ref("seenAction"))),
    "changed": ("Whether there is anything to save.", {"anyOf": [{"type": "boolean"}, {}]}),
    "session": ("The session as the turn returned it.", ref("seenSession")),
    "stored": ("The session as it was saved, one version on.", ref("seenSession")),
    "sent": ("All that was sent so far in this scenario, in order.", _each(ref("seenSent"))),
    "pending": ("The keys of the wakes that have not fired.", None),
    "error": ("What a turn raised; it then has only calls and actions besides.", ref("seenError")),
}
"""A text for each key of a block, and what is known of its value."""


def definitions() -> dict[str, Schema]:
    """What stands in results, under names that no other definition has."""
    message = OutMessage.__struct_encode_fields__
    return {
        "seenOutcome": known(Outcome.__struct_encode_fields__, _OUTCOME),
        "seenMessage": known(message, _MESSAGE),
        "seenSent": known((*message, "sessionId", "at"), _SENT),
        "seenWake": known(Wake.__struct_encode_fields__, _WAKE),
        "seenRun": known(Run.__struct_encode_fields__, _RUN),
        "seenEnd": known(Ended.__struct_encode_fields__, _ENDED),
        "seenStart": known(Started.__struct_encode_fields__, _STARTED),
        "seenSkip": known(Skipped.__struct_encode_fields__, _SKIPPED),
        "seenUsage": known(Usage.__struct_encode_fields__, _USAGE),
        "seenSession": known(Session.__struct_encode_fields__, _SESSION),
        "seenAction": known(_ACTION, _ACTION),
        "seenError": known(_ERROR, _ERROR),
        "seenPrompts": known(get_args(Purpose), _PROMPTS),
    }
