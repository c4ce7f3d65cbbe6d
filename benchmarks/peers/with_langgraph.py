"""LangGraph: a graph of three nodes over messages and data, compiled with its in-memory saver."""

# pyright: reportMissingImports=false

from operator import or_
from typing import Annotated, Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from benchmarks.peers import talk

turn = 0
"""Which message is being answered; the model is a plain function, quicker than a chat model object."""

# pyright: reportMissingImports=false


class State(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]
    data: dict[str, str]


def understand(state: State) -> dict[str, Any]:
    return {"data": or_(state.get("data", {}), talk.given_by(turn))}


def missing(state: State) -> Literal["ask", "finish"]:
    return "ask" if any(name not in state["data"] for name in talk.FIELDS) else "finish"


def ask(state: State) -> dict[str, Any]:
    return {"messages": [AIMessage(talk.reply(turn))]}


def finish(state: State) -> dict[str, Any]:
    return {"messages": [AIMessage(talk.reply(turn))], "data": {}}


def graph() -> Any:
    builder = StateGraph(State)
    builder.add_node("understand", understand)
    builder.add_node("ask", ask)
    builder.add_node("finish", finish)
    builder.add_edge(START, "understand")
    builder.add_conditional_edges("understand", missing)
    builder.add_edge("ask", END)
    builder.add_edge("finish", END)
    return builder.compile(checkpointer=InMemorySaver())


def in_memory(conversations: int, turns: int, durability: str = "async") -> None:
    """So many conversations of so many turns; `exit` saves once a turn, as falai does."""
    global turn
    app = graph()
    for number in range(conversations):
        config = {"configurable": {"thread_id": f"s{number}"}}
        for turn in range(turns):
            given = {"messages": [HumanMessage(talk.message(turn))]}
            state = app.invoke(given, config, durability=durability)
            assert state["messages"][-1].content == talk.reply(turn)


def saved_once(conversations: int, turns: int) -> None:
    """The same with one save for each turn."""
    in_memory(conversations, turns, durability="exit")
