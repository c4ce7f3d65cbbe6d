"""Two whole conversations with no model at all, in Portuguese and in English."""

from collections.abc import Mapping
from typing import Any

from falai import (
    Agent,
    Branch,
    FakeClock,
    Field,
    Mention,
    Message,
    OfflineProvider,
    Say,
    Session,
    Talk,
    falai,
    goto,
)
from falai.words.turn import Ended

SIZES = ("1-10", "11-50", "51-200", "200+")
START = "2026-01-05T09:00:00Z"


def lia() -> Agent:
    """Asks in Portuguese who wants a proposal, and lets it be confirmed."""
    f = falai(
        {
            "nome": Field("string", ask="Pergunte o nome."),
            "empresa": Field("string", ask="Pergunte de que empresa é."),
            "tamanho": Field("string", enum=SIZES, ask="Pergunte quantas pessoas trabalham lá."),
            "orcamento": Field(
                "number", label="orçamento", ask="Pergunte quanto podem investir por mês."
            ),
            "confirmado": Field("boolean", ask="Confirme os dados."),
        }
    )
    f.flow(
        "triagem",
        "Triagem",
        on=[Message(["quer uma proposta", "pergunta quanto custa", "!já é cliente"])],
        steps=[
            Talk(
                "dados",
                "Descubra o que falta, uma coisa por vez.",
                collect=["nome", "empresa", "tamanho", "orcamento"],
                max_asks=6,
            ),
            Talk(
                "confirmar",
                collect=["confirmado"],
                branches=[
                    Branch(
                        when="diz que algum dado está errado",
                        then=goto("dados", ["tamanho", "orcamento"]),
                    )
                ],
            ),
            Say("fim", "Obrigada, {{data.nome}}! A proposta para a {{data.empresa}} sai hoje."),
        ],
    )
    f.flow(
        "humano",
        "Falar com uma pessoa",
        on=[Mention(["pede para falar com uma pessoa"])],
        steps=[Say("avisado", "Claro! Já chamei alguém do time.")],
    )
    return f.agent(
        "Lia",
        persona="Você é a Lia, da Norte CRM.",
        knowledge_base={
            "Implantação": "leva duas semanas",
            "Suporte": "todos os dias, das 8h às 20h",
        },
        provider=OfflineProvider(),
        clock=FakeClock(START),
    )


def sue() -> Agent:
    """The same in English."""
    f = falai(
        {
            "nome": Field("string", label="name", ask="Ask for their name."),
            "empresa": Field("string", label="company", ask="Ask which company they are with."),
            "tamanho": Field(
                "string", label="size", enum=SIZES, ask="Ask how many people work there."
            ),
            "orcamento": Field("number", label="budget", ask="Ask what they can spend per month."),
            "confirmado": Field("boolean", label="confirmed", ask="Confirm the details."),
        }
    )
    f.flow(
        "triage",
        "Triage",
        on=[
            Message(["wants a proposal", "asks how much the plan costs", "!is a customer already"])
        ],
        steps=[
            Talk(
                "details",
                "Find out what is missing, one thing at a time.",
                collect=["nome", "empresa", "tamanho", "orcamento"],
                max_asks=6,
            ),
            Talk(
                "confirm",
                collect=["confirmado"],
                branches=[
                    Branch(
                        when="says that something is wrong",
                        then=goto("details", ["tamanho", "orcamento"]),
                    )
                ],
            ),
            Say("done", "Thank you, {{data.nome}}! The proposal for {{data.empresa}} comes today."),
        ],
    )
    f.flow(
        "human",
        "Talk to a person",
        on=[Mention(["asks for a human"])],
        steps=[Say("told", "Of course! Someone from the team is on the way.")],
    )
    return f.agent(
        "Sue",
        persona="You are Sue from North CRM.",
        knowledge_base={"Setup": "takes two weeks", "Support": "every day from 8 am to 8 pm"},
        provider=OfflineProvider(),
        clock=FakeClock(START),
    )


class Conversation:
    """A customer and an agent, with the history that a host keeps."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.session: Session | None = None
        self.history: list[Mapping[str, Any]] = []
        self.ended: list[Ended] = []

    def say(self, text: str) -> list[str]:
        """What the agent replies."""
        result = self.agent.turn_sync(
            session_id="s1",
            session=self.session,
            history=self.history,
            message=text,
            id=f"m{len(self.history)}",
        )
        self.session = result.session
        replies = [message.text for message in result.messages]
        self.history = [
            *self.history,
            {"role": "user", "content": text},
            *({"role": "assistant", "content": reply} for reply in replies),
        ]
        self.ended += result.ended
        return replies


PORTUGUESE = [
    ("oi!", ["Oi! Como posso ajudar?"]),
    ("queria uma proposta pra minha empresa", ["Certo! Qual é o seu nome?"]),
    (
        "sou o João da Zeta",
        ["Certo, João! Quantas pessoas trabalham lá (1-10, 11-50, 51-200 ou 200+)?"],
    ),
    (
        "vocês têm suporte aos domingos?",
        [
            "Suporte: todos os dias, das 8h às 20h. "
            "Quantas pessoas trabalham lá (1-10, 11-50, 51-200 ou 200+)?"
        ],
    ),
    ("umas 30 pessoas", ["Certo! Quanto podem investir por mês?"]),
    ("prefiro falar com um atendente", ["Claro! Já chamei alguém do time."]),
    (
        "uns 5 mil",
        [
            "Certo! Só confirmando: nome João, empresa Zeta, tamanho 11-50, orçamento 5000. "
            "Está tudo certo?"
        ],
    ),
    (
        "não, o orçamento está errado",
        ["Entendi. Quantas pessoas trabalham lá (1-10, 11-50, 51-200 ou 200+)?"],
    ),
    (
        "somos 60, e o orçamento é R$ 7.500,50",
        [
            "Certo! Só confirmando: nome João, empresa Zeta, tamanho 51-200, orçamento 7500.5. "
            "Está tudo certo?"
        ],
    ),
    ("isso mesmo", ["Certo!", "Obrigada, João! A proposta para a Zeta sai hoje."]),
    ("obrigado!", ["Por nada!"]),
]

ENGLISH = [
    ("hello", ["Hi! How can I help?"]),
    ("how much is the plan?", ["What is your name?"]),
    (
        "I'm Ana from Zeta",
        ["Got it, Ana! Can you tell me how many people work there (1-10, 11-50, 51-200 or 200+)?"],
    ),
    ("thirty, I think", ["Got it! Can you tell me what you can spend per month?"]),
    (
        "how long does the setup take?",
        ["Setup: takes two weeks. Can you tell me what you can spend per month?"],
    ),
    (
        "about 5k",
        [
            "Got it! Just to confirm: name Ana, company Zeta, size 11-50, budget 5000. "
            "Is that right?"
        ],
    ),
    (
        "no, the budget is wrong",
        ["I see. Can you tell me how many people work there (1-10, 11-50, 51-200 or 200+)?"],
    ),
    (
        "60 people and $7,500.50 a month",
        [
            "Got it! Just to confirm: name Ana, company Zeta, size 51-200, budget 7500.5. "
            "Is that right?"
        ],
    ),
    ("can I talk to a human?", ["Of course! Someone from the team is on the way."]),
    (
        "yes, that's right",
        ["Got it!", "Thank you, Ana! The proposal for Zeta comes today."],
    ),
    ("thanks!", ["You are welcome!"]),
]


def play(agent: Agent, script: list[tuple[str, list[str]]]) -> Conversation:
    conversation = Conversation(agent)
    assert [(text, conversation.say(text)) for text, _ in script] == script
    return conversation


def test_a_triage_in_portuguese_comes_to_its_end():
    conversation = play(lia(), PORTUGUESE)
    assert conversation.session is not None
    assert conversation.session.data == {
        "nome": "João",
        "empresa": "Zeta",
        "tamanho": "51-200",
        "orcamento": 7500.5,
        "confirmado": True,
    }
    assert conversation.session.runs == []
    assert [(run.flow_id, run.reason) for run in conversation.ended] == [
        ("humano", "end"),
        ("triagem", "end"),
    ]


def test_a_triage_in_english_comes_to_its_end():
    conversation = play(sue(), ENGLISH)
    assert conversation.session is not None
    assert conversation.session.data == {
        "nome": "Ana",
        "empresa": "Zeta",
        "tamanho": "51-200",
        "orcamento": 7500.5,
        "confirmado": True,
    }
    assert conversation.session.runs == []
    assert [(run.flow_id, run.reason) for run in conversation.ended] == [
        ("human", "end"),
        ("triage", "end"),
    ]
