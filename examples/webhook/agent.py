"""The agent of the service; its model is the stand-in, so that it runs with no key."""

from falai import Fields, Message, OfflineProvider, Say, Silence, Talk, ask, falai
from falai.agent import Agent


class Repair(Fields):
    bike: str = ask("Ask what kind of bike it is.")


def build() -> Agent:
    """The agent, built once for each process."""
    kit = falai(Repair)
    kit.flow(
        "repair",
        "Repair a bike",
        on=[Message(["wants a bike repaired"])],
        steps=[
            Talk("what", "Ask for the bike.", collect=["bike"], question="What bike is it?"),
            Say("done", "Bring it on Monday: {{data.bike}}."),
        ],
    )
    kit.flow("nudge", "Nudge", on=[Silence("1d")], steps=[Say("poke", "Any questions left?")])
    agent: Agent = kit.agent("Otto", provider=OfflineProvider())  # pyright: ignore[reportAssignmentType] - its fields are typed
    return agent
