"""What a speak call has to phrase, and what its reply said."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from falai.providers.base import ModelReply
from falai.text.envelope import MESSAGE, Envelope
from falai.text.reply import MessageStream, object_of, read_text
from falai.words.field import is_given
from falai.words.flow import Flow, Instruction, Talk


class Speech(Struct, frozen=True, kw_only=True):
    """Everything that one message to the customer has to heed."""

    flow: Flow | None
    step: Talk | None
    """With neither flow nor step, the idle speaker speaks."""
    idle_prompt: str | None
    fields: Sequence[str]
    """Slugs of the envelope: the step's pending ones, none before a fixed question."""
    question: str | None
    """The fixed question that follows word for word, already filled in."""
    message: str | None
    """What the customer wrote in this turn; None on any other input."""
    awaiting_answer: bool
    """Whether an answer failed before, and the history ends with the message that waits for it."""
    sent: Sequence[str]
    """Texts that went out in this turn already, in order."""
    instructions: Sequence[tuple[str, Instruction]]
    """Scope (`agent`, `flow`, `step`, `idle`) and instruction; only those whose `if` holds."""


class Said(NamedTuple):
    """What a speak reply said."""

    message: str
    """The text to send; blank when there was none."""
    fields: dict[str, Any]
    """Slug to raw value, in the envelope's order."""


def read_speech(reply: ModelReply, envelope: Envelope) -> Said:
    """Read a reply as tolerantly as it can be; one without usable JSON is the message itself."""
    found = object_of(reply)
    if found is None:
        return Said(reply.message, {})
    message = read_text(found.get(MESSAGE))
    if MESSAGE not in found and reply.structured is None:
        # Cut off inside the message: what a stream has shown of it stands.
        message = MessageStream().feed(reply.message)
    return Said(message, _fields(found, envelope))


def _fields(found: Mapping[str, Any], envelope: Envelope) -> dict[str, Any]:
    values = ((slug, _value(found, slug, envelope)) for slug in envelope.slugs)
    return {slug: value for slug, value in values if is_given(value)}


def _value(found: Mapping[str, Any], slug: str, envelope: Envelope) -> Any:
    wire = envelope.fields.wire(slug)
    # The real name is understood too, unless it is the message's.
    return found.get(slug) if wire not in found and slug != MESSAGE else found.get(wire)
