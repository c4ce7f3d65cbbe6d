"""What both answers begin with: the message, the fields, and which of them were just asked for."""

from collections.abc import Iterable, Sequence
from functools import cached_property

from falai.compaction import text_of
from falai.providers.offline.heard import Heard, fold, words_of
from falai.providers.offline.language import Language, language_of
from falai.providers.offline.likeness import Bag, bag, bag_of
from falai.providers.offline.manner import asks
from falai.providers.offline.questions import question_for
from falai.providers.offline.wants import Want, want_of
from falai.text.brief import Brief
from falai.text.template import render
from falai.words.flow import Flow, Talk
from falai.words.turn import HistoryItem

_RECENT = 8
"""Messages among which the last question is looked for."""


class Scene:
    """One call's material, read as far as both calls need it."""

    def __init__(
        self, brief: Brief, history: Sequence[HistoryItem], message: str, step: Talk | None
    ) -> None:
        self.brief = brief
        self.step = step
        self.heard = Heard.of(message)
        self.last_said = last_said(history, "assistant")
        """What the assistant said last; empty when it has said nothing yet."""
        self._last_asked = _last_asked(history)

    @cached_property
    def bag(self) -> Bag:
        return bag(self.heard.said)

    @cached_property
    def asks(self) -> bool:
        return asks(self.heard)

    @cached_property
    def language(self) -> Language:
        return language_of(self.brief.profile, [self.heard.text, self.last_said])

    def fill(self, text: str | None) -> str:
        """An author's text with its placeholders filled."""
        return render(text or "", self.brief.roots)

    def wants(self, slugs: Iterable[str], asked: Sequence[str] = ()) -> list[Want]:
        """The fields to look for: first those that were asked for, in the order of asking."""
        ordered = dict.fromkeys([*asked, *slugs])
        return [
            want_of(
                slug,
                self.brief.profile.fields[slug],
                ask=self._ask_of(slug),
                asked=slug in asked,
            )
            for slug in ordered
        ]

    def question(self, want: Want, *, alone: bool) -> str:
        """How to ask for a field; a step that asks for it alone may do so in its prompt."""
        ask = self._ask_of(want.slug)
        prompt = self.fill(self.step.prompt) if self.step and alone and not ask else ""
        if any(want.words[word] == 1.0 for word in bag_of(prompt) if word in want.words):
            ask = prompt
        return question_for(want, ask, self.language)

    def just_asked(self, slugs: Sequence[str]) -> list[str]:
        """Which of the fields the assistant's last question asks for, by its words."""
        last = fold(self._last_asked)
        if not last or not slugs:
            return []
        fixed = fold(self.fill(self.step.question if self.step else None))
        if fixed and fixed in last:
            return list(slugs)
        wants = self.wants(slugs)
        # A second question goes on with a small letter.
        exact = [w.slug for w in wants if fold(self.question(w, alone=len(wants) == 1))[1:] in last]
        return exact or self._asked_by_words(wants)

    def _asked_by_words(self, wants: Iterable[Want]) -> list[str]:
        if "?" not in self._last_asked:
            return []
        said = bag(words_of(self._last_asked))
        shared = {
            want.slug: sum(want.words[w] == 1.0 for w in want.words if w in said) for want in wants
        }
        most = max(shared.values(), default=0)
        return [slug for slug, count in shared.items() if count == most > 0]

    def _ask_of(self, slug: str) -> str:
        own = (self.step.ask if self.step else None) or {}
        return self.fill(own.get(slug) or self.brief.profile.fields[slug].ask)


def fields_of(flow: Flow) -> list[str]:
    """Every field that a flow collects, once each."""
    talks = [step for step in flow.steps if isinstance(step, Talk)]
    own = [*(flow.collect or ()), *(slug for talk in talks for slug in talk.collect or ())]
    return list(dict.fromkeys(own))


def _last_asked(history: Sequence[HistoryItem]) -> str:
    """The newest question of the assistant: another flow may have said something since."""
    texts = [
        text_of(item.get("content"))
        for item in history[-_RECENT:]
        if item.get("role") == "assistant"
    ]
    asked = (text for text in reversed(texts) if "?" in text)
    return next(asked, texts[-1] if texts else "")


def last_said(history: Sequence[HistoryItem], role: str) -> str:
    """The newest text of a role; empty when there is none."""
    items = (item for item in reversed(history) if item.get("role") == role)
    return next((text for item in items if (text := text_of(item.get("content")))), "")
