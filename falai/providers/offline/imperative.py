"""Turns what an author tells a model to ask or say into what a customer can be asked or told."""

import re
from collections.abc import Mapping

from falai.providers.offline.heard import Heard
from falai.providers.offline.language import Language

_QUESTION_WORDS: Mapping[Language, re.Pattern[str]] = {
    "pt": re.compile(
        r"(?:(?:de|em|para|pra|a|com|por|ate|desde)\s+)?"
        r"(?:qual|quais|que|o\s+que|quanto|quanta|quantos|quantas|como|quando|onde|quem|por\s+que)\b"
    ),
    "en": re.compile(
        r"(?:(?:in|at|for|to|on|with|from|about)\s+)?"
        r"(?:what|which|who|whose|how|when|where|why)\b"
    ),
}
_ASK: Mapping[Language, re.Pattern[str]] = {
    "pt": re.compile(
        r"(?:por favor,?\s+)?(?:pergunte|perguntar|peca|pedir|solicite|descubra|colete|obtenha|"
        r"entenda|confirme|verifique)"
        r"(?:\s+(?:a|ao|para\s+[ao]|pro|pra)\s+(?:pessoa|cliente|lead|contato))?\s+"
    ),
    "en": re.compile(
        r"(?:please\s+)?(?:ask|find\s+out|get|collect|request|confirm|check)"
        r"(?:\s+(?:them|(?:the\s+)?(?:customer|person|user|guest|client)))?\s+"
        r"(?:(?:for|about)\s+)?"
    ),
}
_CONFIRM = re.compile(r"(?:confirm|verif|check)")
_WHETHER: Mapping[Language, re.Pattern[str]] = {
    "pt": re.compile(r"se\s+"),
    "en": re.compile(r"(?:if|whether)\s+"),
}
_ARTICLE = re.compile(r"(?P<by>pel)?(?P<article>[ao]s?|seus?|suas?)\s+")
_SAY: Mapping[Language, re.Pattern[str]] = {
    "pt": re.compile(
        r"(?:conte|diga|explique|avise|informe|fale|lembre)"
        r"(?:\s+(?:a|ao|para\s+[ao])\s+(?:pessoa|cliente|lead|contato))?\s+que\s+"
    ),
    "en": re.compile(
        r"(?:tell|say|explain|remind|inform|mention)"
        r"(?:\s+(?:them|(?:the\s+)?(?:customer|person|user|guest|client)))?\s+that\s+"
    ),
}
_ASIDES = re.compile(
    r"\s+d[ao]\s+(?:pessoa|cliente|lead|contato|usuario|hospede|paciente)\b|\s+del[ea]s?\b"
)
"""Who is asked, in the third person: in the question it goes without saying."""
_MANNER = re.compile(r",\s+(?:um|uma|sem|com|one|without|with|before|antes)\b.*")
"""How to ask, behind what to ask for."""
_YOU = (
    (re.compile(r"\b(?:their|his|her|the (?:customer|person|user|guest|client)'s)\b"), "your"),
    (re.compile(r"\b(?:they|them|the (?:customer|person|user|guest|client))\b"), "you"),
)
_MISSING = re.compile(r"(?:o que (?:ainda )?falta|what(?:'s| is) (?:still )?missing)")


def as_question(clause: str, language: Language) -> str | None:
    """`Pergunte o nome` as `Qual é o nome?`; None for a clause that asks for nothing."""
    clause = clause.strip()
    if clause.endswith("?"):
        return clause
    heard = Heard.of(_cut(clause, _MANNER).rstrip(" .;:!,"))
    verb = _ASK[language].match(heard.folded)
    rest = heard.text[verb.end() :] if verb else ""
    if verb is None or not rest or _MISSING.match(heard.folded, verb.end()):
        return None
    whether = _WHETHER[language].match(heard.folded, verb.end())
    if _CONFIRM.match(heard.folded) and not whether:
        return None
    if language == "pt":
        return _portuguese(rest, heard.text[whether.end() :] if whether else None)
    return _english(rest, bool(whether))


def as_statement(clause: str, language: Language) -> str | None:
    """`Conte que a loja abriu` as `A loja abriu.`; None for a clause that tells nothing."""
    heard = Heard.of(clause.strip().rstrip(" .;:!,"))
    verb = _SAY[language].match(heard.folded)
    rest = heard.text[verb.end() :] if verb else ""
    return f"{capital(rest)}." if rest else None


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def _portuguese(rest: str, if_what: str | None) -> str:
    if if_what is not None:
        return f"{capital(if_what)}?"
    rest = _cut(rest, _ASIDES)
    folded = Heard.of(rest).folded
    if _QUESTION_WORDS["pt"].match(folded):
        return f"{capital(rest)}?"
    article = _ARTICLE.match(folded)
    if article is None:
        return f"Pode me dizer: {rest}?"
    asked = f"{article['article']} {rest[article.end() :]}"
    return f"Quais são {asked}?" if article["article"].endswith("s") else f"Qual é {asked}?"


def _english(rest: str, is_whether: bool) -> str:
    for pattern, word in _YOU:
        rest = pattern.sub(word, rest)
    folded = Heard.of(rest).folded
    if is_whether or _QUESTION_WORDS["en"].match(folded):
        return f"Can you tell me {rest}?"
    asked = rest if re.match(r"(?:the|your|a|an)\s", folded) else f"the {rest}"
    return f"What is {asked}?"


def _cut(text: str, pattern: re.Pattern[str]) -> str:
    """The text without what the pattern finds in its folded twin."""
    heard = Heard.of(text)
    found = pattern.search(heard.folded)
    return heard.text[: found.start()] + heard.text[found.end() :] if found else heard.text
