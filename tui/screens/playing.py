"""What lets something happen: forks, re-runs, live input, saving and accepting."""

import asyncio
from typing import Any, cast

import msgspec

from falai.errors import FlowConfigurationError
from falai.providers.base import ModelCall, ModelReply, Purpose
from simulator.fork import Edits, ForkError, NewReply
from simulator.liveanswers import StoppedError
from simulator.place import ScenarioFileError
from simulator.written import reply_of
from tui.attached import Attached, new_reply, read_typed, typed_reply
from tui.model.shown import value
from tui.opening import OpenError
from tui.screens.ask import AskScreen
from tui.screens.base import SittingScreen
from tui.screens.choose import ChooseScreen
from tui.screens.entry import EntryScreen
from tui.screens.fork import ForkDraft, ForkScreen

_REFUSED = (OpenError, ForkError, ScenarioFileError, FlowConfigurationError, OverflowError)
"""What a person at the keyboard can mend: it is told, and all goes on."""

_INPUTS = (
    ("m", "a message of the customer's"),
    ("t", "time: let some pass, such as 2h"),
    ("e", "an event: its name, then a payload as JSON"),
    ("o", "start a flow: its name, then an input as JSON"),
)


class Playing(SittingScreen):
    """The part of the inspector that runs the engine; the rest only looks."""

    _by_stand_in = False
    """Whether the stand-in answers what script and tape do not."""

    # --- forks ----------------------------------------------------------------------------------

    def action_fork(self) -> None:
        sitting = self.sitting
        if not sitting.subject.timeline.turns:
            self.notify("There is no turn to fork at.")
            return
        draft, call = self._draft()
        self.desk.push_screen(ForkScreen(sitting.place, draft, call=call), self._forked)

    def _draft(self) -> tuple[ForkDraft, str]:
        """The turn as it was; the reply is that of the last call made by this step."""
        record = self.sitting.subject.timeline.record(self.sitting.cursor.at)
        calls = self.sitting.subject.timeline.step(self.sitting.cursor.at).calls
        last = calls[-1] if calls else None
        draft = ForkDraft(
            message=record.input.get("message"),
            fields="",
            reply=value(reply_of(last)) if last is not None else None,
            clock=record.now,
            rest=False,
        )
        return draft, f"call {len(calls)}, {last.purpose}" if last is not None else ""

    def _forked(self, draft: ForkDraft | None) -> None:
        if draft is None:
            return
        try:
            edits = self._edits(draft)
        except ScenarioFileError as error:
            self.told(error)
            return
        self.run_worker(
            self._fork(edits, rest=draft.rest), group="play", exclusive=True, exit_on_error=False
        )

    def _edits(self, draft: ForkDraft) -> Edits:
        """What is not as it was."""
        was, _ = self._draft()
        calls = self.sitting.subject.timeline.step(self.sitting.cursor.at).calls
        reply: NewReply | None = None
        if draft.reply is not None and draft.reply != was.reply:
            purpose = calls[-1].purpose
            index = sum(call.purpose == purpose for call in calls) - 1
            reply = new_reply(cast("Purpose", purpose), index, draft.reply)
        return Edits(
            message=draft.message if draft.message != was.message else None,
            data=read_typed(draft.fields),
            reply=reply,
            clock=draft.clock if draft.clock != was.clock else None,
        )

    async def _fork(self, edits: Edits, *, rest: bool) -> None:
        sitting = self.sitting
        turn = sitting.cursor.turn
        try:
            attached = await Attached.to_fork(sitting.subject, turn, edits, self.ask, rest=rest)
        except _REFUSED as error:
            self.told(error)
            return
        except (asyncio.CancelledError, StoppedError):
            self.notify("Stopped. Nothing was forked.")
            return
        self.desk.show_live(attached, mode="FORK", parent=sitting)

    def stop_waiting(self) -> None:
        """Cancel what the engine does; nothing of it is kept."""
        self.workers.cancel_group(  # pyright: ignore[reportUnknownMemberType] - Textual's
            self, "play"
        )

    # --- live -----------------------------------------------------------------------------------

    def action_live(self) -> None:
        if self.attached is None:
            self.notify("This was recorded: f leaves it here, and then something new can happen.")
            return
        self.desk.push_screen(ChooseScreen("what happens", _INPUTS), self._input)

    def _input(self, kind: str | None) -> None:
        if kind is None:
            return
        title = dict(_INPUTS)[kind]
        self.desk.push_screen(EntryScreen(title), lambda text: self._happen(kind, text))

    def _happen(self, kind: str, text: str | None) -> None:
        if text:
            self.run_worker(
                self._go_on(kind, text), group="play", exclusive=True, exit_on_error=False
            )

    async def _go_on(self, kind: str, text: str) -> None:
        """Let it happen; cancelled while a model is waited for, the session stays as it was saved."""
        assert self.attached is not None
        live = self.attached.live
        self.waits = True
        self.draw()
        try:
            if kind == "m":
                await live.say(text)
            elif kind == "t":
                await live.wait(text)
            else:
                name, given = _name_and_json(text)
                await (live.report(name, given) if kind == "e" else live.begin(name, given))
        except (*_REFUSED, ValueError) as error:
            self.told(error)
        except (asyncio.CancelledError, StoppedError):
            self.notify("Stopped. The session is as it was last saved.")
        self.waits = False
        self.sitting.replace(self.attached.subject(), end=True)
        self.draw()

    async def ask(self, call: ModelCall) -> ModelReply:
        """Let somebody answer a call that neither script nor tape does."""
        from falai.providers.offline import OfflineProvider  # slow to load, and seldom needed

        proposal = await OfflineProvider().generate(call)
        if self._by_stand_in:
            return proposal
        while True:
            answered = await self.desk.push_screen_wait(AskScreen(call, proposal.message))
            if answered is None:
                raise StoppedError
            self._by_stand_in = answered.by == "stand-in"
            try:
                return await typed_reply(call, answered.text)
            except ScenarioFileError as error:
                self.told(error)

    def close(self) -> None:
        """Put away what the engine holds open."""
        if self.attached is not None:
            self.attached.close()


def _name_and_json(text: str) -> tuple[str, Any]:
    """`bike_ready {"at": 3}` as its two parts; raises ValueError."""
    name, _, rest = text.strip().partition(" ")
    if not rest.strip():
        return name, msgspec.UNSET
    try:
        return name, msgspec.json.decode(rest)
    except msgspec.DecodeError as error:
        raise ValueError(
            f'What stands behind {name} is no JSON: {error}. Write {{"a": 1}}.'
        ) from None
