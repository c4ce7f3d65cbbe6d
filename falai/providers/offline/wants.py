"""What is looked for in a message: a field or a parameter, and what its own texts say of it."""

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct

from falai.providers.offline.heard import fold, words_of
from falai.providers.offline.lexicon import MONEY, PEOPLE
from falai.providers.offline.likeness import Bag, bag_of, stem
from falai.words.field import Field
from falai.words.flow import Param

Kind: TypeAlias = Literal["email", "url", "phone", "company", "city", "date", "code", "name"]
"""What a text is about, as far as it can be told."""

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_KINDS: dict[Kind, frozenset[str]] = {
    "email": frozenset(("email", "mail", "emails")),
    "url": frozenset(("site", "website", "url", "link")),
    "phone": frozenset(
        ("telefone", "fone", "celular", "whatsapp", "whats", "zap", "phone", "mobile", "tel")
    ),
    "company": frozenset(("empresa", "company", "organizacao", "organization", "firma")),
    "city": frozenset(("cidade", "city", "municipio", "town")),
    "date": frozenset(("data", "date", "dia", "day", "horario", "hora", "time", "when", "quando")),
    "code": frozenset(
        (
            *("numero", "number", "pedido", "order", "codigo", "code", "protocolo", "placa"),
            *("cpf", "cnpj", "cep", "id"),
        )
    ),
    "name": frozenset(("nome", "name")),
}
"""Kinds in the order in which they are tried: `nome da empresa` is a company's."""
_CERTAIN: tuple[Kind, ...] = ("email", "url", "phone", "date", "code")
"""Kinds that are known by their looks, so that any text of the field may say which it is."""
_ITS_NAME = re.compile(
    r"\b(?:nome (?:d[ao] (?:cliente|pessoa|lead|contato)|de quem)|(?:their|your|customer's) name)\b"
)
_MONEY = frozenset(map(stem, MONEY.split()))
_PEOPLE = frozenset(map(stem, PEOPLE.split()))


class Want(Struct, frozen=True, kw_only=True):
    """One value that a message may give."""

    slug: str
    declared: Field | Param
    asked: bool
    """Whether it was just asked for, so that a bare answer is its value."""
    words: Bag
    """The stems of everything that its author says of it."""
    kind: Kind | None

    @property
    def is_money(self) -> bool:
        return not _MONEY.isdisjoint(self.words)

    @property
    def is_people(self) -> bool:
        return not _PEOPLE.isdisjoint(self.words)


def want_of(slug: str, declared: Field | Param, *, ask: str | None = None, asked: bool) -> Want:
    """Look for a field, known by its slug, label, description and the way it is asked for."""
    label = declared.label if isinstance(declared, Field) else None
    named = f"{spaced(slug)} {label or ''}"
    told = f"{declared.description or ''} {ask or ''}"
    return Want(
        slug=slug,
        declared=declared,
        asked=asked,
        words=bag_of(f"{named} {told}"),
        kind=_kind_of(named, told) if declared.type == "string" else None,
    )


def spaced(slug: str) -> str:
    """A slug as words: `orderNumber` and `order_number` are `order number`."""
    return " ".join(_HUMP.sub(" ", slug).replace("_", " ").replace("-", " ").split()).lower()


def is_about(words: Collection[str], kind: Kind) -> bool:
    """Whether folded words name a kind."""
    return not _KINDS[kind].isdisjoint(words)


@lru_cache(maxsize=1024)
def _kind_of(named: str, told: str) -> Kind | None:
    for kind in _KINDS:
        if is_about(words_of(named), kind):
            return kind
    described = fold(told)
    if _ITS_NAME.search(described):
        return "name"
    words = words_of(described.replace("e-mail", "email"))
    return next((kind for kind in _CERTAIN if is_about(words, kind)), None)
