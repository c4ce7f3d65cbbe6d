"""Answers a speak call: a reply made of the step's texts, and the values that the message gives."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import ceil
from typing import Any

from falai.limits import MAX_ASKS
from falai.providers.offline.extract import extract
from falai.providers.offline.guideline import OPENING, said_of
from falai.providers.offline.heard import fold
from falai.providers.offline.knowledge import answer_to
from falai.providers.offline.lines import LINES
from falai.providers.offline.manner import greets, takes_leave, thanks, verdict
from falai.providers.offline.questions import is_confirmation, named
from falai.providers.offline.scene import Scene, fields_of, last_said
from falai.providers.offline.wants import want_of
from falai.shapes import compact
from falai.text.brief import Brief
from falai.text.envelope import MESSAGE
from falai.text.speech import Speech
from falai.words.field import is_known
from falai.words.turn import HistoryItem


def spoken(brief: Brief, speech: Speech, history: Sequence[HistoryItem]) -> dict[str, Any]:
    """The whole envelope: the message, and each field that it asks for and was given."""
    speaker = _Speaker(brief, speech, history)
    wire = brief.envelope.fields.wire
    return {
        MESSAGE: speaker.message(),
        **{wire(slug): value for slug, value in speaker.given.items()},
    }


class _Speaker:
    """Phrases one reply."""

    def __init__(self, brief: Brief, speech: Speech, history: Sequence[HistoryItem]) -> None:
        self.speech = speech
        message = speech.message
        if message is None and speech.awaiting_answer:
            message = last_said(history, "user")
        self.is_spoken_to = message is not None
        self.scene = Scene(brief, history, message or "", speech.step)
        self.lines = LINES[self.scene.language]

    @cached_property
    def given(self) -> dict[str, Any]:
        """The fields of the envelope that the message gives."""
        slugs = self.speech.fields
        asked = self.scene.just_asked(slugs) or self._asked_unseen()
        wants = self.scene.wants(slugs, asked)
        return extract(self.scene.heard, wants, bare=True) if self.is_spoken_to else {}

    def _asked_unseen(self) -> list[str]:
        """Without a history, a yes or no is all the evidence that there is."""
        first = list(self.speech.fields[:1])
        fields = self.scene.brief.profile.fields
        is_open = bool(first) and fields[first[0]].type == "boolean" and not self.scene.last_said
        return first if is_open else []

    def message(self) -> str:
        opening, body = list(self._opening()), list(self._body())
        if body and OPENING.match(fold(body[0])):
            opening = []
        parts = [*opening, *body]
        return " ".join(part for part in map(str.strip, parts) if part)

    # --- what comes first -----------------------------------------------------------------------

    def _opening(self) -> Iterator[str]:
        """A greeting, an answer, or a word that the message was noted."""
        if self.speech.flow is None:
            return
        is_first = not self.scene.last_said and not self.speech.sent
        if is_first:
            yield self._hailed(self.lines.hello, self.lines.hello_name)
        if not self.is_spoken_to:
            return
        if self.scene.asks:
            yield from self._answer()
        elif not is_first:
            yield self._noted()

    def _answer(self) -> Iterator[str]:
        known = answer_to(self.scene.heard, self.scene.brief.profile)
        # A question that brought the talk here is answered by what the step asks.
        is_new = bool(self.speech.fields) and not self.scene.just_asked(self.speech.fields)
        if known:
            yield known
        elif not is_new:
            yield self.lines.unknown

    def _noted(self) -> str:
        if thanks(self.scene.heard):
            return self.lines.welcome
        if verdict(self.scene.heard) is False:
            return self.lines.understood
        return self._hailed(self.lines.noted, self.lines.noted_name)

    def _hailed(self, plain: str, by_name: str) -> str:
        """A sentence with the customer's name, when it was said just now."""
        name = self._name_said()
        return by_name.format(name) if name else plain

    def _name_said(self) -> str | None:
        """The customer's name, when it is known and stands in the message."""
        brief = self.scene.brief
        known = {**brief.data, **self.given}
        for slug, field in brief.profile.fields.items():
            value = known.get(slug)
            if isinstance(value, str) and want_of(slug, field, asked=False).kind == "name":
                return value if value and fold(value) in self.scene.heard.folded else None
        return None

    # --- what it is about -----------------------------------------------------------------------

    def _body(self) -> Iterator[str]:
        speech = self.speech
        if speech.flow is None or speech.step is None:
            yield from self._idle()
        elif speech.question is not None:
            return
        elif speech.fields:
            yield from self._questions()
        elif speech.step.prompt and not self.scene.asks:
            yield said_of(self.scene.fill(speech.step.prompt), self.scene.language)

    def _idle(self) -> Iterator[str]:
        heard = self.scene.heard
        if thanks(heard):
            yield self.lines.welcome
        elif takes_leave(heard):
            yield self.lines.bye
        elif greets(heard):
            yield from (self.lines.hello, self.lines.help)
        elif known := answer_to(heard, self.scene.brief.profile):
            yield known
        else:
            yield self.lines.unknown if self.scene.asks else self.lines.understood
            yield self.lines.help

    def _questions(self) -> Iterator[str]:
        """Questions for what is still open, as many as there must be in one message."""
        slugs = [slug for slug in self.speech.fields if slug not in self.given]
        wants = self.scene.wants(slugs)
        asked = wants[: self._how_many(len(wants))]
        for place, want in enumerate(asked):
            if is_confirmation(want):
                yield self._summary()
            question = self.scene.question(want, alone=len(wants) == 1)
            yield (
                question
                if place == 0
                else f"{self.lines.also} {question[:1].lower()}{question[1:]}"
            )

    def _how_many(self, count: int) -> int:
        """Every ask counts for all open fields: none may run out before it had its turn."""
        step = self.speech.step
        rounds = max((step.max_asks if step and step.max_asks else MAX_ASKS) - 1, 1)
        return ceil(count / rounds)

    def _summary(self) -> str:
        """What is known, so that it can be confirmed."""
        brief, flow = self.scene.brief, self.speech.flow
        slugs = [slug for slug in fields_of(flow) if is_known(brief.data, slug)] if flow else []
        known = [
            f"{named(want)} {_spelled(brief.data[want.slug])}" for want in self.scene.wants(slugs)
        ]
        return self.lines.summary.format(", ".join(known)) if known else ""


def _spelled(value: object) -> str:
    return value if isinstance(value, str) else compact(value)
