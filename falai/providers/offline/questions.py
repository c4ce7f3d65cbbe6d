"""How a field is asked for: in its author's words where they can be said, else by its name."""

import re
from collections.abc import Sequence

from falai.providers.offline.heard import fold, words_of
from falai.providers.offline.imperative import as_question, capital
from falai.providers.offline.language import Language
from falai.providers.offline.lexicon import word_set
from falai.providers.offline.likeness import bag_of
from falai.providers.offline.lines import LINES
from falai.providers.offline.wants import Want, is_about, spaced
from falai.words.field import Field, number_text

_CONFIRMS = word_set(
    "confirma confirmado confirmada confirmar confirmacao confirmed confirm correto correta correct ok"
)
_OWNERS = word_set("cliente lead contato usuario customer user full first seu your completo")
_MOST_OPTIONS = 8
_END = re.compile(r"[\s?.!:]*$")


def question_for(want: Want, ask: str, language: Language) -> str:
    """A question for a field, its options behind it; `ask` is the author's text, filled in."""
    question = _asked(want, ask, language)
    options = [_spelled(option) for option in want.declared.enum or ()]
    if not options or len(options) > _MOST_OPTIONS or _names_all(question, options):
        return question
    return f"{_END.sub('', question)} ({_either(options, LINES[language].orr)})?"


def is_confirmation(want: Want) -> bool:
    """Whether a yes or no is wanted to all that is known."""
    return want.declared.type == "boolean" and not _CONFIRMS.isdisjoint(_name(want).split())


def named(want: Want) -> str:
    """What to call a field before a customer."""
    label = want.declared.label if isinstance(want.declared, Field) else None
    return label.strip() if label and label.strip() else spaced(want.slug)


def _asked(want: Want, ask: str, language: Language) -> str:
    lines = LINES[language]
    own = as_question(ask, language) if "{{" not in ask else None
    by_slug = _by_slug(want, language)
    if by_slug and (own is None or _adds_nothing(want, ask)):
        return by_slug
    if own is not None:
        return own
    if is_confirmation(want):
        return lines.right
    if want.declared.type == "boolean":
        return capital(lines.yes_or_no.format(named(want)))
    return lines.tell.format(named(want))


def _by_slug(want: Want, language: Language) -> str | None:
    """The usual question for a name, an address and the like, where the slug says just that."""
    words = [word for word in _name(want).split() if word not in _OWNERS]
    if want.kind is None or not words or any(not is_about([w], want.kind) for w in words):
        return None
    return LINES[language].kinds.get(want.kind)


def _adds_nothing(want: Want, ask: str) -> bool:
    """Whether the author's text only names the kind of thing: `Pergunte o nome.`"""
    if ask.rstrip().endswith("?") or want.kind is None:
        return False
    rest = [word for word in words_of(ask)[1:] if word in bag_of(ask)]
    return all(is_about([word], want.kind) for word in rest)


def _name(want: Want) -> str:
    return fold(spaced(want.slug))


def _names_all(question: str, options: Sequence[str]) -> bool:
    return all(fold(option) in fold(question) for option in options)


def _either(options: Sequence[str], word: str) -> str:
    *rest, last = options
    return f"{', '.join(rest)} {word} {last}" if rest else last


def _spelled(option: str | float) -> str:
    return option if isinstance(option, str) else number_text(option)
