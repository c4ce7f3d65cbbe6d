"""Whether an agent and its customer speak Portuguese or English."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from falai.providers.offline.heard import Heard
from falai.providers.offline.lexicon import word_set
from falai.shapes import is_list, is_mapping
from falai.text.profile import Profile
from falai.words.flow import Flow, Mention, Message, Say, Talk

Language: TypeAlias = Literal["pt", "en"]

_PORTUGUESE = word_set(
    "o os um uma de da dos das em na nos nas por pelo pela para pra com e ou mas que se eu voce ele "
    "ela meu minha seu sua este esta isso sou sao era estou ter tem foi vou ja so tambem muito mais "
    "bem quero qual quais quanto quando onde quem pergunte peca responda diga ola oi bom boa dia obrigado "
    "obrigada sim nao pessoa cliente nome"
)
_ENGLISH = word_set(
    "the an of to and or is are was were you your i i'm it it's my we our they their this that for "
    "with from at on in be not what which when where who how why ask answer say tell hi hello hey "
    "thanks thank yes please customer name want would can could"
)
_MARKED = frozenset("ãõçâêôáéíóúà")
"""Letters that English does without."""


def language_of(profile: Profile, said: Iterable[str]) -> Language:
    """The language of the agent's own texts; where they do not tell, of what was said."""
    points = _own(profile)
    for text in said:
        if points:
            break
        points = _points([text])
    return "pt" if points > 0 else "en"


@lru_cache(maxsize=256)
def _own(profile: Profile) -> int:
    return _points(_texts(profile))


def _points(texts: Iterable[str]) -> int:
    """Above zero for Portuguese, below for English."""
    return sum(_of_word(word.text, word.folded) for text in texts for word in Heard.of(text).words)


def _of_word(text: str, folded: str) -> int:
    is_portuguese = folded in _PORTUGUESE or not _MARKED.isdisjoint(text.lower())
    return int(is_portuguese) - (folded in _ENGLISH)


def _texts(profile: Profile) -> Iterator[str]:
    """Everything that an agent's author wrote in words."""
    yield from filter(None, (profile.persona, profile.goal))
    yield from _leaves(profile.knowledge_base)
    for field in profile.fields.values():
        yield from filter(None, (field.label, field.description, field.ask))
        yield from (option for option in field.enum or () if isinstance(option, str))
    for flow in profile.flows:
        yield from _of_flow(flow)


def _of_flow(flow: Flow) -> Iterator[str]:
    yield from filter(None, (flow.name, flow.description))
    for trigger in flow.on or ():
        if isinstance(trigger, Message | Mention):
            yield from trigger.phrases
    for step in flow.steps:
        if isinstance(step, Talk):
            yield from filter(None, (step.prompt, step.question))
            yield from (step.ask or {}).values()
        elif isinstance(step, Say):
            yield step.say


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif is_mapping(value) or is_list(value):
        for item in value.values() if is_mapping(value) else value:
            yield from _leaves(item)
