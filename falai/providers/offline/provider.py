"""The offline provider: a model of a kind, with no network and no key."""

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from math import ceil
from typing import Any

import msgspec

from falai.compaction import text_of
from falai.providers.base import Chunk, ModelCall, ModelReply
from falai.providers.offline.judge import judgement
from falai.providers.offline.schema import shaped
from falai.providers.offline.speaker import spoken
from falai.text.brief import Brief, Excerpt
from falai.text.envelope import MESSAGE
from falai.text.judging import Judging
from falai.text.speech import Speech

_CHUNKS = 4
_LONGEST_SUMMARY = 1_000
_UNFIT = re.compile("[\ud800-\udfff]|\\{\\{[^{}]*\\}\\}|\\{\\{|\\}\\}")
"""Halves of characters, which JSON cannot hold, and placeholders that nothing filled."""
_GAP = re.compile(r"[\s,;:]+(?=[.!?…])")
"""What a name that is left out leaves before the end of a sentence."""
_NOTHING = "…"


class OfflineProvider:
    """Stands in for a model by comparing words: for a first look, never as a model.

    It scores flows and mentions by the words that a message shares with their phrases, takes
    values that it knows by their looks or that answer what was just asked, and makes its replies
    of the author's own texts, in Portuguese or English. It calls no tools and counts no tokens.
    The same call always gets the same reply, and none ever fails.
    """

    name: str = "offline"

    async def generate(self, call: ModelCall) -> ModelReply:
        """Answer a call from what its prompt was written from."""
        return _reply(call)

    async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
        """Answer a call in a few chunks."""
        reply = _reply(call)
        for piece in _pieces(reply.message):
            yield Chunk(text=piece)
        yield Chunk(reply=reply)


def _reply(call: ModelCall) -> ModelReply:
    if call.schema is None:
        return ModelReply(message=_fit(_free_text(call)))
    answer = shaped(call.schema, _envelope(call))
    return ModelReply(message=msgspec.json.encode(answer).decode(), structured=answer)


def _envelope(call: ModelCall) -> Mapping[str, Any]:
    """The answer to a call with a schema; nothing but a message when it comes with no brief."""
    brief = call.brief
    about = brief.about if isinstance(brief, Brief) else None
    if isinstance(brief, Brief) and isinstance(about, Judging):
        return judgement(brief, about, call.history)
    if isinstance(brief, Brief) and isinstance(about, Speech):
        answer = spoken(brief, about, call.history)
        return {**answer, MESSAGE: _fit(answer[MESSAGE])}
    return {MESSAGE: _NOTHING}


def _free_text(call: ModelCall) -> str:
    """The summary of a conversation: its beginning, cut."""
    brief = call.brief
    if not isinstance(brief, Brief) or not isinstance(brief.about, Excerpt):
        return ""
    said = ((item.get("role"), text_of(item.get("content"))) for item in brief.about.messages)
    text = " / ".join(f"{role}: {' '.join(words.split())}" for role, words in said if words.strip())
    return text if len(text) <= _LONGEST_SUMMARY else f"{text[:_LONGEST_SUMMARY]}…"


def _fit(text: str) -> str:
    """A text that may be sent: never blank, and without what is no text."""
    cleared = _UNFIT.sub("", text)
    if cleared != text:
        cleared = _GAP.sub("", cleared)
    return " ".join(cleared.split()) or _NOTHING


def _pieces(text: str) -> Iterator[str]:
    size = max(ceil(len(text) / _CHUNKS), 1)
    return (text[at : at + size] for at in range(0, len(text), size))
