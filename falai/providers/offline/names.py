"""Names of people, companies and places, by the words with which people give them."""

import re
from collections.abc import Iterator

from falai.providers.offline.heard import Heard, Word
from falai.providers.offline.lexicon import NOT_NAMES, STOP, SURNAMES
from falai.providers.offline.marks import Span

_PERSON = re.compile(
    r"\b(?:sou\s+[ao]|me\s+chamo|meu\s+nome\s+(?:e|eh)|me\s+chama(?:r)?\s+de|"
    r"aqui\s+(?:e|eh)\s+[ao]|quem\s+(?:fala|escreve)\s+(?:e|eh)(?:\s+[ao])?|"
    r"(?:fala|falando)\s+com\s+[ao]|nome:|name:|my\s+name\s+is|my\s+name's|call\s+me)\s+"
)
_PERSON_CAPITAL = re.compile(r"\b(?:i'm|i\s+am|im|this\s+is|it's)\s+")
"""These begin many other sentences: only a name written as one counts."""
_COMPANY = re.compile(
    r"\b(?:(?:empresa|company):|empresa(?:\s+(?:e|eh|se\s+chama|chama))?(?:\s+[ao])?|"
    r"trabalho\s+(?:n[ao]|em|para\s+[ao]|pra)|represento\s+[ao]|"
    r"(?:falo|sou|somos|aqui\s+(?:e|eh))\s+(?:d[ao]|pela)|somos\s+[ao]|"
    r"work\s+(?:at|for)|company(?:'s|\s+is|\s+name\s+is)?(?:\s+called)?|on\s+behalf\s+of|"
    r"(?:i'm|i\s+am|we're|we\s+are|calling|writing)\s+(?:from|with|at)|we\s+are|we're)\s+"
)
_FROM = re.compile(r"\s+(?:d[aoe](?:\s+empresa)?|from|at|with)\s+")
"""What leads from a person's name to the company."""
_CITY = re.compile(
    r"\b(?:cidade:|city:|(?:moro|resido|vivo|fico|ficamos|falo|sou|somos|estou|aqui)\s+(?:de|em|n[ao])|"
    r"(?:live|based|located)\s+in|(?:i'm|i\s+am|we're|we\s+are)\s+(?:from|in))\s+"
)
_IN = re.compile(r"\b(?:em|in)\s+")
_MOST_WORDS = 5
_JOINTS = frozenset(("de", "da", "do", "dos", "das"))


def person_in(heard: Heard, *, company: bool, loosely: bool) -> Span | None:
    """Where the customer says who they are.

    With `company`, `Ana da Zeta` is a person and her company. `loosely` takes a small letter
    where only a capital tells a name from other words.
    """
    found = _behind(heard, _PERSON, company=company)
    return found or _behind(heard, _PERSON_CAPITAL, company=company, capital=not loosely)


def company_in(heard: Heard, person: Span | None, *, loosely: bool) -> Span | None:
    """Where the customer says what company they are with."""
    joined = _FROM.match(heard.folded, person.end) if person else None
    if joined and (span := _name_at(heard, joined.end())):
        return span
    return _behind(heard, _COMPANY, capital=not loosely)


def city_in(heard: Heard, *, loosely: bool) -> Span | None:
    """Where the customer says where they are; `loosely`, also in a bare `em Itu`."""
    found = _behind(heard, _CITY, capital=True)
    if found or not loosely:
        return found
    return _behind(heard, _IN, capital=True) or _behind(heard, _CITY)


def _behind(
    heard: Heard, lead: re.Pattern[str], *, company: bool = False, capital: bool = False
) -> Span | None:
    spans = (
        _name_at(heard, found.end(), company=company, capital=capital)
        for found in lead.finditer(heard.folded)
    )
    return next(filter(None, spans), None)


def _name_at(heard: Heard, at: int, *, company: bool = False, capital: bool = False) -> Span | None:
    """The name that begins right at a place."""
    words = list(_in_a_row(heard, at))
    if not words or not _may_begin(words[0], capital):
        return None
    taken = 1
    while taken < min(len(words), _MOST_WORDS) and (more := _goes_on(words, taken, company)):
        taken += more
    return Span(words[0].start, words[taken - 1].end)


def _in_a_row(heard: Heard, at: int) -> Iterator[Word]:
    """The words from a place on, up to the first that is not behind a mere blank."""
    for word in heard.words:
        if word.start < at:
            continue
        if word.start > at and heard.folded[at : word.start].strip(" -&"):
            return
        yield word
        at = word.end


def _may_begin(word: Word, capital: bool) -> bool:
    # With a capital it is no small word: São Paulo is a city.
    if word.folded in NOT_NAMES or (word.folded in STOP and not word.is_capital):
        return False
    return word.is_capital if capital else not word.text[0].isdigit()


def _goes_on(words: list[Word], at: int, company: bool) -> int:
    """How many words a name goes on by."""
    word = words[at]
    if word.folded in _JOINTS:
        surname = words[at + 1] if at + 1 < len(words) else None
        if surname is None or (company and surname.folded not in SURNAMES):
            return 0
        return 2 if surname.is_capital or surname.folded in SURNAMES else 0
    if word.folded in STOP or word.folded in NOT_NAMES:
        return 0
    # Who begins a name with a capital goes on with capitals; who types small gives two words.
    return int(word.is_capital or (at == 1 and not words[0].is_capital))
