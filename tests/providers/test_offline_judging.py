"""How the offline provider judges a message: flows, mentions, forks, fields, and what asks."""

from typing import Any

import pytest

from falai import Branch, Field, Flow, Mention, Message, Param, Talk
from falai.limits import ROUTE_LEAD, ROUTE_SCORE
from falai.text.profile import Profile
from tests.providers.calls import answer_to, understand

QUOTE = Flow(
    id="orçamento",
    name="Orçamento",
    description="Simulação para painéis no telhado",
    on=[Message(["quer um orçamento de energia solar", "pergunta quanto custa", "!já é cliente"])],
    steps=[
        Talk(
            "quem",
            collect=["nome", "conta"],
            branches=[Branch(then="end", when="desiste")],
        )
    ],
)
VISIT = Flow(
    id="visita",
    name="Agendar visita",
    on=[Message(["quer marcar uma visita", "asks when someone can come"])],
    steps=[Talk("dia", collect=["dia"])],
)
HUMAN = Flow(
    id="humano",
    name="Humano",
    on=[
        Mention(
            ["pede para falar com uma pessoa", "asks for a human", "!só pergunta se é um robô"],
            extract={
                "e-mail": Param(type="string"),
                "cupom (nº)": Param(type="string"),
                "sobre": Param(type="array", items=Param(type="string", enum=["preço", "prazo"])),
            },
        )
    ],
)
FIELDS = {
    "nome": Field("string", ask="Pergunte o nome."),
    "conta": Field("number", description="valor da conta de luz, em reais"),
    "dia": Field("string"),
}
SOLAR = Profile(name="Ana", fields=FIELDS, flows=[QUOTE, VISIT, HUMAN])


def scores(message: str, **parts: Any) -> dict[str, int]:
    """Scores by the flow's real id: one has to travel under an alias."""
    flows = answer_to(understand(SOLAR, message, **parts))["flows"]
    return {"orçamento" if name == "flow_1" else name: score for name, score in flows.items()}


def routed(message: str, **parts: Any) -> str | None:
    """The flow that the engine would route to, with nobody on the floor."""
    best = max(scores(message, **parts).items(), key=lambda item: item[1])
    return best[0] if best[1] >= ROUTE_SCORE else None


# --- flows --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "flow"),
    [
        ("queria um orçamento de energia solar", "orçamento"),
        ("ORCAMENTO por favor", "orçamento"),
        ("oi, vocês fazem cotação?", "orçamento"),
        ("quanto custa energia solar pra minha casa?", "orçamento"),
        ("quero agendar uma visita", "visita"),
        ("dá pra marcar visitas?", "visita"),
        ("when can someone come?", "visita"),
        ("sou o Rui, minha conta vem 480 reais", "orçamento"),
        ("oi", None),
        ("bom dia, tudo bem?", None),
        ("vocês atendem em Sorocaba?", None),
        ("", None),
        ("???", None),
    ],
)
def test_flows_are_scored_by_the_words_of_their_phrases(message: str, flow: str | None):
    assert routed(message) == flow


def test_what_a_phrase_says_in_full_is_worth_more_than_a_part_of_it():
    whole = scores("quero um orçamento de energia solar")["orçamento"]
    part = scores("quero um orçamento de qualquer coisa que seja boa")["orçamento"]
    assert 100 >= whole > part > ROUTE_SCORE


def test_an_exclusion_that_is_said_wins():
    assert scores("quero orçamento, já sou cliente")["orçamento"] == 0
    assert scores("quero um orçamento de energia")["orçamento"] > ROUTE_SCORE


def test_a_name_and_a_description_count_less_than_a_phrase():
    by_phrase = scores("quero marcar uma visita")["visita"]
    by_description = scores("painéis no telhado")["orçamento"]
    assert 0 < by_description < by_phrase


def test_a_phrase_that_says_asks_fits_a_question_better():
    asked = scores("quanto custa?")["orçamento"]
    told = scores("isso custa caro")["orçamento"]
    assert told < ROUTE_SCORE < asked


@pytest.mark.parametrize(
    "answer", ["480 reais", "sou a Ana", "Ana", "não sei", "pode ser", "hum", "desisto", "oi"]
)
def test_an_answer_is_not_routed_away_from_the_flow_that_asked(answer: str):
    judged = scores(answer, floor=QUOTE, pending=["nome", "conta"])
    assert judged["visita"] < max(ROUTE_SCORE, judged["orçamento"] + ROUTE_LEAD)


def test_another_flow_that_is_asked_for_clearly_takes_over():
    judged = scores("antes quero marcar uma visita", floor=QUOTE, pending=["nome", "conta"])
    assert judged["visita"] >= judged["orçamento"] + ROUTE_LEAD
    assert judged["visita"] >= ROUTE_SCORE


def test_a_flow_that_is_ruled_out_loses_the_floor():
    assert scores("já sou cliente, viu", floor=QUOTE)["orçamento"] == 0
    assert scores("sou a Ana, já sou cliente", floor=QUOTE, pending=["nome"])["orçamento"] == 90


# --- mentions -----------------------------------------------------------------------------------


def mentioned(message: str) -> bool:
    return answer_to(understand(SOLAR, message))["mentions"]["humano"]


@pytest.mark.parametrize(
    "message",
    [
        "quero falar com alguém de verdade",
        "prefiro falar com um atendente",
        "can I talk to a human?",
        "já disse ontem. me deixa FALAR COM UMA PESSOA",
    ],
)
def test_a_mention_is_heard_in_any_words_of_its_own(message: str):
    assert mentioned(message)


@pytest.mark.parametrize(
    "message", ["", "oi", "quero falar do orçamento", "somos 30 pessoas", "é um robô?"]
)
def test_a_mention_is_not_taken_for_granted(message: str):
    assert not mentioned(message)


def test_an_exclusion_silences_a_mention():
    assert not mentioned("é um robô ou uma pessoa que fala? só pergunto se é robô")


def test_a_mention_carries_what_the_message_gives_under_its_alias():
    said = "quero falar com uma pessoa, meu e-mail é ana@zeta.com"
    extract = answer_to(understand(SOLAR, said))["extract"]
    assert extract == {"humano": {"e-mail": "ana@zeta.com", "value_1": None, "sobre": None}}
    listed = answer_to(understand(SOLAR, "quero falar com alguém do preço e do prazo"))["extract"]
    assert listed["humano"]["sobre"] == ["preço", "prazo"]
    unsaid = answer_to(understand(SOLAR, "meu e-mail é ana@zeta.com"))["extract"]
    assert unsaid == {"humano": {"e-mail": None, "value_1": None, "sobre": None}}


# --- forks --------------------------------------------------------------------------------------


def forks(message: str, *whens: str) -> list[bool]:
    judged = answer_to(understand(SOLAR, message, floor=QUOTE, whens=whens))["branches"]
    return [judged[f"branch_{number}"] for number in range(1, len(whens) + 1)]


@pytest.mark.parametrize(
    ("message", "whens", "judged"),
    [
        ("sim", ["aceita a proposta", "recusa a proposta"], [True, False]),
        ("não", ["aceita a proposta", "recusa a proposta"], [False, True]),
        ("não, está errado", ["diz que algum dado está errado"], [True]),
        ("yes", ["the customer agrees", "the customer declines"], [True, False]),
        ("nope", ["the customer agrees", "the customer declines"], [False, True]),
        ("sim", ["quer rever o tamanho"], [True]),
        ("sim", ["quer rever o tamanho", "quer rever a cor"], [False, False]),
        ("não", ["quer rever o tamanho"], [False]),
        ("quero rever a cor", ["quer rever o tamanho e o peso", "quer rever a cor"], [False, True]),
        ("não quero rever a cor", ["quer rever a cor"], [False]),
        ("sim", ["quer?"], [True]),
        ("talvez", ["aceita", "recusa"], [False, False]),
        ("", ["aceita"], [False]),
    ],
)
def test_forks_are_taken_by_a_yes_a_no_or_their_own_words(
    message: str, whens: list[str], judged: list[bool]
):
    assert forks(message, *whens) == judged


# --- fields -------------------------------------------------------------------------------------


def fields(message: str, **parts: Any) -> dict[str, Any]:
    given = answer_to(understand(SOLAR, message, **parts))["fields"]
    return {slug: value for slug, value in given.items() if value is not None}


def test_a_bare_answer_goes_to_the_first_field_that_the_step_waits_for():
    assert fields("Ana", floor=QUOTE, pending=["nome", "conta"]) == {"nome": "Ana"}
    assert fields("480", floor=QUOTE, pending=["conta"]) == {"conta": 480}
    assert fields("Ana") == {}


def test_a_bare_answer_goes_to_the_field_that_was_asked_for_last():
    asked = [{"role": "assistant", "content": "E de quanto vem a conta de luz?"}]
    waiting: Any = {"floor": QUOTE, "pending": ["nome", "conta"]}
    assert fields("480", **waiting, history=asked) == {"conta": 480}
    assert fields("480", **waiting) == {}
    told = [
        *asked,
        {"role": "user", "content": "oi"},
        {"role": "assistant", "content": "Já volto."},
    ]
    assert fields("480", **waiting, history=told) == {"conta": 480}


def test_a_message_that_brings_something_else_up_answers_nothing():
    waiting: Any = {"floor": QUOTE, "pending": ["nome"], "fields": ["nome"]}
    assert fields("marcar visita", **waiting) == {}
    assert fields("falar com atendente", **waiting) == {}
    assert fields("sou a Ana, quero marcar uma visita", **waiting) == {"nome": "Ana"}


def test_texts_with_placeholders_are_compared_filled_in():
    flow = Flow(id="f", name="F", on=[Message(["quer {{context.produto}}"])])
    profile = Profile(name="Ana", flows=[flow])
    roots = {"data": {}, "context": {"produto": "bicicleta"}}
    assert answer_to(understand(profile, "quero uma bicicleta", roots=roots))["flows"]["f"] == 100


def test_it_says_whether_the_message_asks():
    assert answer_to(understand(SOLAR, "qual o prazo"))["asks"] is True
    assert answer_to(understand(SOLAR, "o prazo está bom"))["asks"] is False
