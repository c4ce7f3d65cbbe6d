"""Answers an understand call: what the message is like, says and gives."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from falai.providers.offline.extract import extract
from falai.providers.offline.heard import words_of
from falai.providers.offline.lexicon import CONSENT, REFUSAL, STOP
from falai.providers.offline.likeness import ENOUGH, Likeness, best, compare, rules_out
from falai.providers.offline.manner import verdict
from falai.providers.offline.scene import Scene, fields_of
from falai.providers.offline.wants import want_of
from falai.text.brief import Brief
from falai.text.envelope import branch_alias
from falai.text.judging import BranchQuestion, Judging
from falai.text.phrases import Phrases, split_phrases
from falai.text.understand import scored_phrases
from falai.words.flow import Flow, Mention
from falai.words.turn import HistoryItem

_ON_THE_FLOOR = 55
"""The score of the flow that holds the floor, unless more speaks for it."""
_ANSWERED = 90
_ANSWERED_BESIDE = 70
"""The same, when the message also asks for something else."""
_GIVEN = 30
"""What each field of its own is worth to a flow: one is not enough to start it, two are."""
_MOST_GIVEN = 60
_BY_NAME = 0.6
"""What likeness to a flow's name counts, against its phrases."""
_BY_DESCRIPTION = 0.5


def judgement(brief: Brief, judging: Judging, history: Sequence[HistoryItem]) -> dict[str, Any]:
    """Every section of the envelope; the schema drops what was not asked."""
    judge = _Judge(brief, judging, history)
    flow, field = brief.envelope.flows.wire, brief.envelope.fields.wire
    return {
        "flows": {flow(flow_id): score for flow_id, score in judge.scores.items()},
        "mentions": {flow(flow_id): verdict for flow_id, verdict in judge.mentions.items()},
        "extract": {flow(flow_id): given for flow_id, given in judge.carried.items()},
        "branches": judge.branches,
        "fields": {field(slug): value for slug, value in judge.fields.items()},
        "asks": judge.scene.asks,
    }


class _Judge:
    """Judges one message; each part is worked out once."""

    def __init__(self, brief: Brief, judging: Judging, history: Sequence[HistoryItem]) -> None:
        self.judging = judging
        self.scene = Scene(brief, history, judging.message, judging.step)
        self._said = verdict(self.scene.heard)

    @cached_property
    def scores(self) -> dict[str, int]:
        floor = self.judging.flow
        return {
            flow.id: self._floor_score(flow) if flow is floor else self._score(flow)
            for flow in self.judging.candidates
        }

    @cached_property
    def mentions(self) -> dict[str, bool]:
        return {flow.id: self._mentions(mention) for flow, mention in self.judging.mentions}

    @cached_property
    def carried(self) -> dict[str, dict[str, Any]]:
        """What the mentions that were judged true carry, under the names in which it travels."""
        return {
            flow.id: self._carries(flow, mention)
            for flow, mention in self.judging.mentions
            if self.mentions[flow.id]
        }

    @cached_property
    def branches(self) -> dict[str, bool]:
        questions = self.judging.branches
        chosen = self._answered_by_verdict(questions)
        return {
            branch_alias(number): number in chosen or self._is_told(question)
            for number, question in enumerate(questions, 1)
        }

    @cached_property
    def fields(self) -> dict[str, Any]:
        pending = self.judging.pending
        asked = self.scene.just_asked(pending) or list(pending[:1])
        wants = self.scene.wants(self.judging.fields, asked)
        return extract(self.scene.heard, wants, bare=not self._is_elsewhere)

    @cached_property
    def _is_elsewhere(self) -> bool:
        """Whether the message brings something else up, so that nothing in it merely answers."""
        others = (flow for flow in self.judging.candidates if flow is not self.judging.flow)
        return any(self.mentions.values()) or any(
            self._likeness(flow).coverage >= ENOUGH for flow in others
        )

    # --- flows and mentions ---------------------------------------------------------------------

    def _floor_score(self, flow: Flow) -> int:
        if self._is_answer():
            return _ANSWERED_BESIDE if self._is_elsewhere else _ANSWERED
        if self._ruled_out(scored_phrases(flow)):
            return 0
        return max(_ON_THE_FLOOR, _points(self._likeness(flow).fit))

    def _score(self, flow: Flow) -> int:
        """What its texts are worth; with nobody on the floor, also what the message gives it."""
        if self._ruled_out(scored_phrases(flow)):
            return 0
        likeness = _points(self._likeness(flow).fit)
        if self.judging.flow is not None:
            return likeness
        given = sum(slug in self.fields for slug in fields_of(flow))
        return max(likeness, min(_GIVEN * given, _MOST_GIVEN))

    def _is_answer(self) -> bool:
        """Whether the message gives what the flow on the floor waits for."""
        if any(slug in self.fields for slug in self.judging.pending):
            return True
        step = self.judging.step
        takes_verdict = step is not None and bool(step.branches or step.collect)
        return takes_verdict and self._said is not None

    def _likeness(self, flow: Flow) -> Likeness:
        """To its phrases; to its name and description it counts less."""
        phrases = scored_phrases(flow)
        if self._ruled_out(phrases):
            return Likeness()
        by_name = self._compare(flow.name).fit * _BY_NAME
        by_description = self._compare(flow.description or "").fit * _BY_DESCRIPTION
        matched = self._best(phrases.matches)
        return matched._replace(fit=max(matched.fit, by_name, by_description))

    def _ruled_out(self, phrases: Phrases) -> bool:
        return rules_out(self._best(phrases.exclusions), self._best(phrases.matches))

    def _mentions(self, mention: Mention) -> bool:
        phrases = split_phrases(mention.phrases)
        covered = any(self._compare(phrase).coverage >= ENOUGH for phrase in phrases.matches)
        return covered and not self._ruled_out(phrases)

    def _carries(self, flow: Flow, mention: Mention) -> dict[str, Any]:
        wire = self.scene.brief.envelope.params[flow.id].wire
        wants = [
            want_of(name, param, asked=False) for name, param in (mention.extract or {}).items()
        ]
        found = extract(self.scene.heard, wants, bare=False)
        return {wire(name): value for name, value in found.items()}

    def _best(self, phrases: Sequence[str]) -> Likeness:
        filled = [self.scene.fill(phrase) for phrase in phrases]
        return best(self.scene.bag, filled, asks=self.scene.asks)

    def _compare(self, text: str) -> Likeness:
        return compare(self.scene.bag, self.scene.fill(text), asks=self.scene.asks)

    # --- branches -------------------------------------------------------------------------------

    def _is_told(self, question: BranchQuestion) -> bool:
        """Whether the message says what a question asks, in its own words."""
        when = self.scene.fill(question.when)
        if ("nao" in words_of(when)) != ("nao" in self.scene.heard.said):
            return False
        return any(word not in STOP for word in words_of(when)) and (
            self._compare(when).coverage >= ENOUGH
        )

    def _answered_by_verdict(self, questions: Sequence[BranchQuestion]) -> set[int]:
        """A yes answers the questions of consent, else the lone one that is not of refusal."""
        if self._said is None:
            return set()
        stances = {n: _stance(self.scene.fill(q.when)) for n, q in enumerate(questions, 1)}
        meant = {number for number, stance in stances.items() if stance is self._said}
        open_ones = [number for number, stance in stances.items() if stance is None]
        if meant or not self._said or len(open_ones) != 1:
            return meant
        return set(open_ones)


def _stance(when: str) -> bool | None:
    """Whether a yes or a no answers a question; None when neither does by itself."""
    words = words_of(when)
    if not REFUSAL.isdisjoint(words):
        return False
    return True if not CONSENT.isdisjoint(words) or all(word in STOP for word in words) else None


def _points(fit: float) -> int:
    return round(100 * fit)
