"""The model of a conversation that is made up: it draws each reply when it is asked."""

from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Any

from falai.providers.base import Chunk, ModelCall, ModelReply, Purpose
from simulator.cassette.calls import this_turn
from simulator.fuzz.dice import Dice
from simulator.fuzz.replies import Reply, draw_reply
from simulator.reply import read_script
from simulator.script import NEUTRAL, ScriptedModel
from simulator.spot import Source, Spot

Script = dict[str, Any]


class DrawnModel:
    """Draws from a turn's own seed, so that the same turn gets the same replies once more."""

    name = "drawn"

    def __init__(self, source: Source) -> None:
        self._source = source
        self._seed = 0
        self._given: defaultdict[str, defaultdict[Purpose, list[Reply]]] = defaultdict(
            lambda: defaultdict(list)
        )

    def enter(self, seed: int) -> None:
        """Begin another entry."""
        self._seed = seed
        self._given.clear()

    def script(self, turn: str) -> Script:
        """What a turn was answered, as an entry's `model` has it."""
        return {
            purpose: replies[0] if len(replies) == 1 else list(replies)
            for purpose, replies in self._given[turn].items()
        }

    async def generate(self, call: ModelCall) -> ModelReply:
        """Draw a reply, or a failure to raise."""
        turn = this_turn().entry
        if "." in turn:  # time passes in one entry; what its wakes are told is not written down
            return NEUTRAL[call.purpose]
        given = self._given[turn][call.purpose]
        reply = draw_reply(Dice(f"{self._seed}/{call.purpose}/{len(given)}"), call)
        given.append(reply)
        player = ScriptedModel()
        player.play(read_script(Spot({call.purpose: reply}, self._source)))
        return await player.generate(call)

    async def stream(self, call: ModelCall) -> AsyncIterator[Chunk]:
        """The same in one piece."""
        reply = await self.generate(call)
        yield Chunk(text=reply.message, reply=reply)
