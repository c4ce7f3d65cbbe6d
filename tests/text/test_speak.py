"""The speak call: what its prompt carries, in which order."""

from typing import Any

import pytest

from falai.providers.base import ModelCall, ToolOffer
from falai.text.profile import Profile
from falai.text.speak import speak_call
from falai.text.speech import Speech
from falai.words.field import Field
from falai.words.flow import Flow, Instruction, Talk

QUEM = Talk(
    "quem",
    prompt="Descubra quem é, {{input.modo}}.",
    collect=["nome", "porte", "message"],
    ask={"nome": "Pergunte o nome a {{context.dono}}."},
)
MUDO = Talk("mudo", collect=["nome"])
FLOW = Flow(id="f", name="Triagem {{input.modo}}", description="Descobre.", steps=[QUEM, MUDO])
SECO = Flow(id="seco", name="Seco", steps=[MUDO])
FIELDS = {
    "nome": Field(type="string", ask="Pergunte."),
    "porte": Field(type="string", enum=["1-10"], description="Tamanho", ask="Pergunte o porte."),
    "message": Field(type="string"),
    "cidade": Field(type="string"),
}
PROFILE = Profile(
    name="Ana", persona="Fala com {{context.dono}}.", fields=FIELDS, flows=[FLOW, SECO]
)
ROOTS = {"data": {}, "context": {"dono": "Bia"}, "input": {"modo": "com calma"}}


def speech(**parts: Any) -> Speech:
    usual: dict[str, Any] = {
        "flow": FLOW,
        "step": QUEM,
        "idle_prompt": None,
        "fields": [],
        "question": None,
        "message": None,
        "awaiting_answer": False,
        "sent": [],
        "instructions": [],
    }
    return Speech(**(usual | parts))


def call(data: dict[str, Any] | None = None, **parts: Any) -> ModelCall:
    made, _ = speak_call(
        PROFILE,
        speech(**parts),
        data=data or {},
        roots=ROOTS,
        history=[{"role": "user", "content": "antes"}],
        context={"id": 7},
        tools=[ToolOffer("t", "d", {})],
    )
    return made


def everything() -> ModelCall:
    return call(
        data={"cidade": "Lua", "nome": ""},
        fields=["nome", "porte", "message"],
        message="oi",
        sent=["Olá!", "Tudo\nbem?"],
        instructions=[
            ("agent", Instruction(prompt="Trate {{context.dono}} por você.")),
            ("flow", Instruction(prompt="Prometa", kind="never", when=["prazo", "!entrega"])),
            ("step", Instruction(prompt="Cite o preço.", kind="must", when="{{data.x}}")),
        ],
    )


def titles(prompt: str) -> list[str]:
    return [line[3:] for line in prompt.split("\n") if line.startswith("## ")]


def part(prompt: str, title: str) -> str:
    return prompt.split(f"## {title}\n")[1].split("\n\n## ")[0]


def test_everything_stands_in_order():
    assert titles(everything().prompt) == [
        "Persona",
        "Current flow",
        "Guideline",
        "Still to collect",
        "Already known: never ask for it again",
        "Instructions",
        "The customer's latest message",
        "Already sent in this turn",
        "Response format",
    ]


def test_the_call_carries_what_the_provider_needs():
    made = everything()
    assert made.purpose == "speak"
    assert made.history == [{"role": "user", "content": "antes"}]
    assert made.context == {"id": 7}
    assert made.tools == [ToolOffer("t", "d", {})]
    assert made.schema is not None
    assert list(made.schema["properties"]) == ["message", "nome", "porte", "field_1"]


def test_the_system_text_is_who_speaks_and_stays_the_same():
    system = everything().system
    assert system is not None
    assert system.startswith("You are Ana.\n\nWrite as this person")
    assert system == call().system


def test_a_persona_with_a_placeholder_is_filled_in_every_time():
    assert part(everything().prompt, "Persona") == "Fala com Bia."


def test_flow_and_guideline_are_filled_in():
    prompt = everything().prompt
    assert part(prompt, "Current flow") == "Triagem com calma\nDescobre."
    assert part(prompt, "Guideline") == "Descubra quem é, com calma."
    assert part(call(flow=SECO).prompt, "Current flow") == "Seco"


def test_what_is_missing_comes_with_how_to_ask():
    assert part(everything().prompt, "Still to collect").split("\n")[2:] == [
        "  How to ask: Pergunte o nome a Bia.",
        '- "porte" (string, one of ["1-10"]): Tamanho',
        "  How to ask: Pergunte o porte.",
        '- "field_1" (string, called "message")',
    ]


def test_known_fields_are_told():
    known = part(everything().prompt, "Already known: never ask for it again")
    assert known == '- cidade: "Lua"'


def test_instructions_come_with_kind_and_when():
    assert part(everything().prompt, "Instructions").split("\n") == [
        "- SHOULD: Trate Bia por você.",
        "- NEVER: Prometa",
        '  only when one of these fits: ["prazo"]',
        '  never when one of these fits: ["entrega"]',
        "- MUST: Cite o preço.",
        '  only when one of these fits: ["{{data.x}}"]',
    ]


def test_what_was_sent_is_numbered():
    assert part(everything().prompt, "Already sent in this turn").split("\n")[1:] == [
        '1. "Olá!"',
        '2. "Tudo\\nbem?"',
    ]


def test_the_format_names_each_property():
    lines = part(everything().prompt, "Response format").split("\n")
    assert lines[1] == '{"message":"…","nome":null,"porte":null,"field_1":null}'
    assert [line.split(":")[0] for line in lines[2:]] == [
        '- "message"',
        '- "nome"',
        '- "porte"',
        '- "field_1"',
    ]


def test_without_a_prompt_what_is_missing_is_collected():
    made = part(call(step=MUDO, fields=["nome"]).prompt, "Guideline")
    assert made.startswith("Collect what is still missing")


def test_without_anything_to_collect_the_message_is_answered():
    assert (
        part(call(step=MUDO, message="oi").prompt, "Guideline") == "Answer the customer's message."
    )


@pytest.mark.parametrize(("step", "aside"), [(MUDO, False), (QUEM, True)])
def test_before_a_fixed_question_nothing_is_asked(step: Talk, aside: bool):
    made = call(step=step, question='Qual o "nome"? {{data.x}}', message="e o preço?")
    guideline = part(made.prompt, "Guideline")
    assert "ask nothing yourself" in guideline
    assert (
        'word for word, so neither ask nor announce it: "Qual o \\"nome\\"? {{data.x}}"'
        in guideline
    )
    assert ("Descubra quem é, com calma." in guideline) is aside
    assert "Still to collect" not in made.prompt


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"message": "oi\ntudo?"}, "<customer_message>\n> oi\n> tudo?\n</customer_message>"),
        ({}, "There is no new message from the customer: you speak first."),
        ({"awaiting_answer": True}, "still waits for"),
        ({"awaiting_answer": True, "message": "oi"}, "> oi"),
    ],
)
def test_the_message_is_quoted_or_said_to_be_missing(parts: dict[str, Any], said: str):
    assert said in part(call(**parts).prompt, "The customer's latest message")


def test_the_idle_speaker_gets_its_prompt_and_the_message():
    made = call(
        flow=None,
        step=None,
        idle_prompt="Ajude {{context.dono}}.",
        message="oi",
        data={"cidade": "Lua"},
        instructions=[("idle", Instruction(prompt="Seja breve."))],
    )
    assert titles(made.prompt) == [
        "Persona",
        "Guideline",
        "Instructions",
        "The customer's latest message",
        "Response format",
    ]
    assert part(made.prompt, "Guideline") == "Ajude Bia."


def test_an_idle_speaker_without_a_prompt_has_no_guideline():
    made = call(flow=None, step=None, message="oi")
    assert titles(made.prompt) == ["Persona", "The customer's latest message", "Response format"]


def test_the_same_speech_gives_the_same_call():
    assert everything() == everything()
