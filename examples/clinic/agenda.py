"""The clinic's calendar, as far as the assistant may touch it."""

from typing import Literal

Specialty = Literal["paediatrics", "dermatology"]


class FullError(Exception):
    """Somebody else was quicker."""


class Agenda:
    """Free times by specialty; a booking is known by the key under which it was made."""

    def __init__(self) -> None:
        self._free: dict[Specialty, list[str]] = {
            "paediatrics": ["Tuesday 9:00", "Thursday 16:30"],
            "dermatology": ["Wednesday 11:00"],
        }
        self._booked: dict[str, str] = {}

    def free(self, specialty: Specialty) -> list[str]:
        """The times that can be booked."""
        return list(self._free[specialty])

    def book(self, specialty: Specialty, time: str, *, key: str) -> None:
        """Book a time; the same key once more changes nothing. Raises FullError."""
        if key in self._booked:
            return
        if time not in self._free[specialty]:
            raise FullError(time)
        self._free[specialty].remove(time)
        self._booked[key] = time
