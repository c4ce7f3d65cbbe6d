"""What a type checker makes of the toolkit: `make types` checks it, and nothing runs it.

A comment that ignores an error is checked too: it fails once there is no error.
"""

from typing import Any, Literal, TypedDict, assert_type

from falai import (
    ActionCtx,
    Agent,
    Ctx,
    Delta,
    Do,
    Field,
    Fields,
    If,
    MemoryStore,
    Message,
    Say,
    Session,
    Silence,
    Talk,
    ToolCtx,
    TurnResult,
    Wait,
    WaitEvent,
    ask,
    chain,
    falai,
    goto,
    ok,
)


class Customer(TypedDict):
    name: str


class Lead(Fields):
    nome: str = ask("Pergunte o nome.")
    porte: Literal["P", "G"] = ask()
    orcamento: float = ask()


f = falai(Lead, context=Customer)
agent = f.agent("Ana")

assert_type(f, falai[Customer, Lead])
assert_type(agent, Agent[Customer, Lead])
assert_type(agent.replace(name="Bia"), Agent[Customer, Lead])

# --- data ---------------------------------------------------------------------------------------


async def a_turn(customer: Customer, store: MemoryStore[Lead]) -> None:
    session = await store.load("s1")
    assert_type(session, Session[Lead] | None)
    result = await agent.turn(session_id="s1", session=session, message="oi", context=customer)
    assert_type(result, TurnResult[Lead])
    assert_type(result.session.data.nome, str)
    assert_type(result.session.data.porte, Literal["P", "G"])
    assert_type(result.session.data.orcamento, float)
    _ = result.session.data.empresa  # pyright: ignore[reportAttributeAccessIssue]
    result.session.data.nome = "Bia"  # pyright: ignore[reportAttributeAccessIssue]
    assert_type(agent.steps(session_id="s1", wake="k").result, TurnResult[Lead] | None)
    async for delta in agent.turn_stream(session_id="s1", message="oi", context=customer):
        assert_type(delta, Delta[Lead])
    await agent.turn(session_id="s1", message="oi", context=3)  # pyright: ignore[reportArgumentType]
    await agent.turn(session_id="s1", mesage="oi")  # pyright: ignore[reportCallIssue]


# --- what an action writes, and what it returns ---------------------------------------------------


@f.action
def write(ctx: ActionCtx[Customer, Lead]):
    assert_type(ctx.context["name"], str)
    assert_type(ctx.data.orcamento, float)
    ctx.set(Lead(orcamento=1500.5))
    ctx.set({"orcamento": None})
    ctx.set(Lead(orcamento="muito"))  # pyright: ignore[reportArgumentType]
    ctx.set(Lead(porte="M"))  # pyright: ignore[reportArgumentType]
    ctx.set(Lead(empresa="Zeta"))  # pyright: ignore[reportCallIssue]
    ctx.set({"orcamento": "muito"})  # pyright: ignore[reportArgumentType]
    return ok()


@f.action  # pyright: ignore[reportCallIssue, reportArgumentType]
def returns_nothing(ctx: ActionCtx[Customer, Lead]) -> None:
    ctx.set(Lead(nome="Ana"))


@f.action(name="send-mail")
async def send(to: str, ctx: ActionCtx[Customer]):
    assert_type(ctx.data, dict[str, Any])
    return ok(to)


@f.tool(is_read_only=True)
def price(part: str, ctx: ToolCtx[Customer, Lead]) -> str:
    return ctx.data.nome + part


@f.condition
def named(ctx: Ctx[Customer, Lead], name: str) -> bool:
    return ctx.context["name"] == name


@f.condition  # pyright: ignore[reportCallIssue, reportArgumentType]
def says_text(ctx: Ctx[Customer, Lead], name: str) -> str:
    return ctx.data.nome + name


async def functions_stay_what_they_are(ctx: ToolCtx[Customer, Lead]) -> None:
    assert_type(price("tube", ctx), str)
    await send(3, ctx)  # pyright: ignore[reportArgumentType]


# --- without types ------------------------------------------------------------------------------


async def an_untyped_turn() -> None:
    untyped = falai({"nome": Field("string")}).agent("Ana")
    result = await untyped.turn(session_id="s1", message="oi", context=3)
    assert_type(result.session.data, dict[str, Any])


# --- steps and triggers --------------------------------------------------------------------------

f.flow(
    "triagem",
    "Triagem",
    on=[
        Message(["quer saber"], repeat={"cooldown": "2d"}),
        Silence("24h", if_={"known": ["nome"]}),
    ],
    steps=[
        Talk("quem", "Descubra quem é.", collect=["nome"], max_asks=2),
        Do("grava", "write", on_fail=goto("quem", clear=["nome"])),
        If("grande", {"equals": {"porte": "G"}}, then="tchau", else_=chain("resto", input=None)),
        Wait("pausa", "2d", else_="quem"),
        WaitEvent("reuniao", "meeting_booked", up_to="7d"),
        Say("tchau", "Tchau!", then="end"),
    ],
    on_end="stay",
)

Talk("quem", colect=["nome"])  # pyright: ignore[reportCallIssue]
Say("tchau")  # pyright: ignore[reportCallIssue]
Wait("pausa", 5)  # pyright: ignore[reportArgumentType]
Message("quer saber", repeat="twice")  # pyright: ignore[reportArgumentType]
goto("quem", cleared=["nome"])  # pyright: ignore[reportCallIssue]
Field("text")  # pyright: ignore[reportArgumentType]
f.flow("a", "A", steps=[], on_end="stop")  # pyright: ignore[reportArgumentType]
f.agent("Ana", personna="…")  # pyright: ignore[reportCallIssue]
