"""Names as they travel to a model: an alias stands in for one that is no property name."""

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import count

from msgspec import Struct

_PLAIN = re.compile(r"[A-Za-z0-9_-]+")


class Names(Struct, frozen=True):
    """The names that travel under an alias, in both directions; every other one is itself."""

    aliases: Mapping[str, str] = {}
    """Real name to alias."""
    meant: Mapping[str, str] = {}
    """Alias to real name."""

    @classmethod
    def of(cls, real: Iterable[str], prefix: str, reserved: Collection[str] = ()) -> "Names":
        """Give `prefix_1`, `prefix_2` … to the names that need it, skipping real and reserved ones."""
        ordered = tuple(dict.fromkeys(real))
        taken = {*ordered, *reserved}
        free = (alias for number in count(1) if (alias := f"{prefix}_{number}") not in taken)
        aliases = {
            name: next(free) for name in ordered if name in reserved or not _PLAIN.fullmatch(name)
        }
        return cls(aliases, {alias: name for name, alias in aliases.items()})

    def wire(self, real: str) -> str:
        """The name that the model is given."""
        return self.aliases.get(real, real)

    def real(self, wire: str) -> str:
        """The name that is meant by one of the model's; a real name is understood as it is."""
        return self.meant.get(wire, wire)
