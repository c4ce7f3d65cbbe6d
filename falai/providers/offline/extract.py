"""Takes from a message the values that are looked for: only what is there."""

from collections.abc import Iterator, Sequence
from typing import Any

from falai.providers.offline.amounts import amounts_in, takes_number
from falai.providers.offline.answers import bare_answers
from falai.providers.offline.heard import Heard
from falai.providers.offline.likeness import stem
from falai.providers.offline.manner import verdict
from falai.providers.offline.marks import Span, marks_in
from falai.providers.offline.names import city_in, company_in, person_in
from falai.providers.offline.options import named_option
from falai.providers.offline.told import told_in
from falai.providers.offline.wants import Kind, Want
from falai.words.flow import Param

_BY_LOOKS: tuple[Kind, ...] = ("email", "url", "phone", "date")
_TOLD_WITHIN = 2
"""How many words before a code may say what it is the code of."""


def extract(heard: Heard, wants: Sequence[Want], *, bare: bool) -> dict[str, Any]:
    """The value of each want that the message gives; with `bare`, also what merely answers."""
    reader = _Reader(heard, wants)
    reader.read_marks()
    reader.read_options()
    reader.read_codes()
    reader.read_numbers()
    reader.read_told()
    reader.read_names()
    reader.read_verdict()
    if bare:
        reader.read_answers()
    return reader.found


class _Reader:
    """Reads one message, each part of it once."""

    def __init__(self, heard: Heard, wants: Sequence[Want]) -> None:
        self.found: dict[str, Any] = {}
        self._heard = heard
        self._wants = wants
        self._taken: list[Span] = []

    def read_marks(self) -> None:
        """Addresses, telephone numbers and dates."""
        for kind in _BY_LOOKS:
            spans = list(marks_in(self._heard, kind, self._taken))
            for want, span in zip(self._left(kind), spans, strict=False):
                self._take(want, span)

    def read_options(self) -> None:
        """Options that are named; a list of them where a list is wanted."""
        for want in self._wants:
            if want.declared.type == "array":
                self._read_list(want)
            elif want.declared.enum:
                named = named_option(self._heard, want.declared.enum, asked=want.asked)
                if named is not None:
                    self._take(want, named.span, named.option)

    def read_codes(self) -> None:
        """Codes with a digit in them: the asked ones, and those whose name stands before them."""
        for want in self._left("code"):
            for span in marks_in(self._heard, "code", self._taken):
                if want.asked or self._is_told(want, span):
                    self._take(want, span)
                    break

    def read_numbers(self) -> None:
        """Amounts, and the ranges that they lie in."""
        wants = [want for want in self._open() if takes_number(want)]
        elsewhere = [*self._taken, *marks_in(self._heard, "phone"), *marks_in(self._heard, "date")]
        for amount in amounts_in(self._heard, wants, elsewhere):
            self._take(amount.want, amount.span, amount.value)

    def read_told(self) -> None:
        """Texts that stand behind the name of their field."""
        for want in filter(_takes_any_text, self._open()):
            self._take_free(want, told_in(self._heard, want))

    def read_names(self) -> None:
        """People, companies and places that introduce themselves."""
        company = next(self._left("company"), None)
        person = next(self._left("name"), None)
        loosely = person is not None and person.asked
        who = person_in(self._heard, company=company is not None, loosely=loosely)
        where_from = company_in(self._heard, who, loosely=company is not None and company.asked)
        city = next(self._left("city"), None)
        self._take_free(person, who)
        self._take_free(company, where_from)
        self._take_free(city, city and city_in(self._heard, loosely=city.asked))

    def read_verdict(self) -> None:
        """A yes or no, for the first thing that was asked for."""
        asked = next((want for want in self._open() if want.asked), None)
        if asked is not None and asked.declared.type == "boolean":
            said = verdict(self._heard)
            if said is not None:
                self.found[asked.slug] = said

    def read_answers(self) -> None:
        """What is left over, for the texts that were asked for."""
        wants = [want for want in self._open() if want.asked and _takes_any_text(want)]
        self.found |= bare_answers(self._heard, wants, self._taken)

    def _read_list(self, want: Want) -> None:
        items = want.declared.items if isinstance(want.declared, Param) else None
        named = (named_option(self._heard, [o], asked=False) for o in (items and items.enum) or ())
        values = [one.option for one in named if one is not None]
        if values:
            self.found[want.slug] = values

    def _take_free(self, want: Want | None, span: Span | None) -> None:
        if want is not None and span is not None and not self._is_taken(span):
            self._take(want, span)

    def _take(self, want: Want, span: Span, value: Any = None) -> None:
        self._taken.append(span)
        text = self._heard.text[span.start : span.end]
        self.found[want.slug] = text if value is None else value

    def _is_taken(self, span: Span) -> bool:
        return any(span.meets(other) for other in self._taken)

    def _is_told(self, want: Want, span: Span) -> bool:
        before = [word for word in self._heard.words if word.end <= span.start][-_TOLD_WITHIN:]
        return any(stem(word.folded) in want.words for word in before)

    def _open(self) -> list[Want]:
        return [want for want in self._wants if want.slug not in self.found]

    def _left(self, kind: Kind) -> Iterator[Want]:
        return (want for want in self._open() if want.kind == kind and want.declared.enum is None)


def _takes_any_text(want: Want) -> bool:
    """Whether an answer in any words may be the value."""
    is_text = want.declared.type == "string" and want.declared.enum is None
    return is_text and want.kind not in ("email", "url", "phone")
