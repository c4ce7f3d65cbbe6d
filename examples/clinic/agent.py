"""The agent. Scenarios name it as `examples.clinic.agent:build`, so that each begins with a new calendar."""

from typing import Literal

from examples.clinic.agenda import Agenda, FullError, Specialty
from falai import (
    ActionCtx,
    Chain,
    Do,
    Fields,
    Goto,
    If,
    Mention,
    Message,
    Say,
    Silence,
    Talk,
    Wait,
    ask,
    failed,
    falai,
    ok,
)
from falai.agent import Agent


class Visit(Fields):
    """What the assistant finds out."""

    specialty: Literal["paediatrics", "dermatology"] = ask("Ask which doctor the visit is for.")
    time: str = ask("Offer the free times, and ask which one suits.")


def build() -> Agent:
    """Make the agent with a calendar of its own."""
    f, agenda = falai(Visit), Agenda()

    @f.tool(is_read_only=True)
    def free_times(specialty: Specialty) -> dict[str, list[str]]:
        """The times that are free for a specialty."""
        return {"value": agenda.free(specialty)}

    @f.action
    def book(specialty: Specialty, time: str, ctx: ActionCtx[object, Visit]):
        # The turn may be played again: the key is the same then, and books nothing twice.
        try:
            agenda.book(specialty, time, key=ctx.key)
        except FullError:
            return failed("somebody was quicker")
        return ok()

    @f.action
    def page_front_desk(why: str):
        return ok(f"front desk paged: {why}")

    f.event("visit_over")
    f.flow(
        "book",
        "Book a visit",
        on=[Message(["wants to see a doctor", "asks for free times"], repeat="always")],
        clear_on_start=["specialty", "time"],
        steps=[
            Talk(id="doctor", collect=["specialty"]),
            Talk(
                id="choose",
                prompt="Look up the free times, offer them and ask which one suits.",
                collect=["time"],
                tools=["free_times"],
            ),
            If(id="chosen", if_={"known": ["specialty", "time"]}, else_=Chain(flow="desk")),
            Do(
                id="book",
                do="book",
                with_={"specialty": "{{data.specialty}}", "time": "{{data.time}}"},
                on_fail=Goto("choose", clear=["time"]),
            ),
            Say(id="booked", say="You are booked: {{data.specialty}}, {{data.time}}."),
            Wait(id="day-after", wait="1d"),
            Say(id="remind", say="Please bring your insurance card on {{data.time}}."),
        ],
    )
    f.flow(
        "desk",
        "Ask the front desk",
        on=[Mention(["wants to talk to a person"], repeat={"cooldown": "1h"})],
        steps=[
            Do(id="page", do="page_front_desk", with_={"why": "a patient needs a person"}),
            Say(id="told", say="I have asked the front desk to call you."),
        ],
    )
    f.flow(
        "check",
        "Check on a quiet patient",
        on=[Silence("2d", if_={"known": ["specialty"]})],
        steps=[Talk(id="ask", prompt="Ask in one sentence whether they still need a visit.")],
    )
    agent: Agent = f.agent(  # pyright: ignore[reportAssignmentType] - its fields are typed
        "Nell",
        persona="You are Nell at the front desk of the Elm Street clinic. Kind and brief.",
        max_tool_loops=2,
    )
    return agent
