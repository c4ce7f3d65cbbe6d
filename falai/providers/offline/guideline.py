"""What can be said of a guideline that was written for a model."""

import re
from collections.abc import Iterator, Mapping

from falai.providers.offline.heard import Heard, fold
from falai.providers.offline.imperative import as_question, as_statement
from falai.providers.offline.language import Language
from falai.providers.offline.lines import LINES

_QUOTED = re.compile(r"[\"“«]([^\"”»]{2,})[\"”»]")
_SENTENCE = re.compile(r"(?<=[.!?…;])\s+|\n+")
_CLAUSE = re.compile(
    r",?\s+(?:e|and|then)\s+"
    r"(?=(?:pergunte|peca|diga|conte|explique|descubra|confirme|ask|say|tell|explain|find|offer)\b)"
)
OPENING = re.compile(
    r"(?:oi|ola|bom dia|boa tarde|boa noite|hi|hello|hey|good (?:morning|evening))\b"
)
_DEEDS: Mapping[Language, tuple[tuple[re.Pattern[str], str], ...]] = {
    "pt": (
        (re.compile(r"agradeca"), "Agradeço muito!"),
        (re.compile(r"(?:cumprimente|saude)"), "Oi! Tudo bem?"),
        (re.compile(r"(?:despeca-se|se despeca)"), "Até logo!"),
        (re.compile(r"(?:retome|volte)"), "Vamos continuar de onde paramos?"),
        (re.compile(r"(?:desculpe-se|peca desculpas?)"), "Peço desculpas."),
    ),
    "en": (
        (re.compile(r"thank"), "Thank you!"),
        (re.compile(r"(?:greet|welcome)"), "Hi there!"),
        (re.compile(r"say (?:good)?bye"), "Goodbye!"),
        (re.compile(r"(?:resume|pick up)"), "Shall we go on from where we stopped?"),
        (re.compile(r"(?:say sorry|apologi[sz]e)"), "I am sorry about that."),
    ),
}
_MOST_SHOWN = 200


def said_of(guideline: str, language: Language) -> str:
    """The sentences that a guideline comes to; a note in brackets when it comes to none."""
    quoted = _QUOTED.search(guideline)
    if quoted is not None:
        return quoted[1]
    said = [text for clause in _clauses(guideline) if (text := _said(clause, language))]
    if said:
        return " ".join(said)
    shown = guideline if len(guideline) <= _MOST_SHOWN else f"{guideline[:_MOST_SHOWN]}…"
    return LINES[language].here.format(shown)


def _clauses(guideline: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(guideline.strip()):
        folded, start = fold(sentence), 0
        for joint in _CLAUSE.finditer(folded):
            yield sentence[start : joint.start()]
            start = joint.end()
        yield sentence[start:]


def _said(clause: str, language: Language) -> str | None:
    """One clause as a sentence for the customer; None when it is for the model alone."""
    folded = Heard.of(clause.strip()).folded
    if OPENING.match(folded):
        return clause.strip()
    deed = next((text for pattern, text in _DEEDS[language] if pattern.match(folded)), None)
    return deed or as_statement(clause, language) or as_question(clause, language)
