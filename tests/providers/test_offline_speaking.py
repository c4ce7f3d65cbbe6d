"""What the offline provider says: questions of the author's texts, and nothing that they hide."""

from typing import Any

import pytest

from falai import Chain, Do, Field, Flow, Message, Say, Talk
from falai.providers.base import ModelCall
from falai.providers.offline.guideline import said_of
from falai.providers.offline.language import Language, language_of
from falai.providers.offline.questions import question_for
from falai.providers.offline.wants import want_of
from falai.text.profile import Profile
from falai.text.summary import summary_call
from tests.providers.calls import answer_to, reply_to, speak

BEGUN = [{"role": "assistant", "content": "Oi! Como posso ajudar?"}]
"""A history in which the assistant has greeted already."""


def question(slug: str, field: Field, ask: str = "", language: Language = "pt") -> str:
    return question_for(want_of(slug, field, ask=ask, asked=False), ask, language)


# --- how a field is asked for -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        ("Pergunte o destino.", "Qual é o destino?"),
        ("Pergunte as malas.", "Quais são as malas?"),
        ("Pergunte pelo convênio", "Qual é o convênio?"),
        ("Peça a placa do carro.", "Qual é a placa do carro?"),
        ("Pergunte ao cliente a data da compra", "Qual é a data da compra?"),
        ("Pergunte que tipo de imóvel é.", "Que tipo de imóvel é?"),
        ("Pergunte de quanto costuma vir a conta.", "De quanto costuma vir a conta?"),
        ("Pergunte se prefere manhã ou noite.", "Prefere manhã ou noite?"),
        ("Confirme se o endereço mudou", "O endereço mudou?"),
        ("Pergunte o endereço da pessoa, com calma.", "Qual é o endereço?"),
        ("Pergunte produto e modelo", "Pode me dizer: produto e modelo?"),
        ("Qual é o voo?", "Qual é o voo?"),
        ("Seja breve.", "Pode me dizer: destino?"),
        ("Pergunte o que falta.", "Pode me dizer: destino?"),
        ("Pergunte a {{context.dono}}.", "Pode me dizer: destino?"),
        ("", "Pode me dizer: destino?"),
    ],
)
def test_what_an_author_says_to_a_model_becomes_a_question_in_portuguese(ask: str, said: str):
    assert question("destino", Field("string"), ask) == said


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        ("Ask for the order number.", "What is the order number?"),
        ("Ask for their address", "What is your address?"),
        ("Ask why it comes back.", "Can you tell me why it comes back?"),
        ("Ask whether they want breakfast.", "Can you tell me whether you want breakfast?"),
        ("Find out where to.", "Can you tell me where to?"),
        ("Ask the customer for a date", "What is a date?"),
        ("Ask for payment method", "What is the payment method?"),
        ("Where to?", "Where to?"),
        ("Be brief.", "Could you tell me: trip goal?"),
        ("", "Could you tell me: trip goal?"),
    ],
)
def test_what_an_author_says_to_a_model_becomes_a_question_in_english(ask: str, said: str):
    assert question("tripGoal", Field("string"), ask, "en") == said


@pytest.mark.parametrize(
    ("slug", "ask", "said"),
    [
        ("nome", "Pergunte o nome.", "Qual é o seu nome?"),
        ("nome_cliente", "", "Qual é o seu nome?"),
        ("email", "", "Qual é o seu e-mail?"),
        ("whatsapp", "", "Qual é o seu telefone?"),
        ("empresa", "", "Qual é o nome da sua empresa?"),
        ("cidade", "", "Em que cidade você está?"),
        ("nome", "Pergunte o nome do pet.", "Qual é o nome do pet?"),
        ("nome_pet", "", "Pode me dizer: nome pet?"),
        ("nome", "Como te chamam?", "Como te chamam?"),
    ],
)
def test_the_usual_things_have_their_usual_questions(slug: str, ask: str, said: str):
    assert question(slug, Field("string"), ask) == said


def test_options_stand_behind_the_question():
    shirt = Field("string", enum=["P", "M", "G"])
    assert question("camisa", shirt, "Pergunte o tamanho.") == "Qual é o tamanho (P, M ou G)?"
    assert question("shirt", shirt, "", "en") == "Could you tell me: shirt (P, M or G)?"
    assert question("x", Field("number", enum=[1, 2.5])) == "Pode me dizer: x (1 ou 2.5)?"
    assert question("x", Field("string", enum=["A"])) == "Pode me dizer: x (A)?"
    day = Field("string", enum=["manhã", "noite"])
    assert (
        question("turno", day, "Pergunte se prefere manhã ou noite.") == "Prefere manhã ou noite?"
    )
    many = Field("string", enum=[f"cor {n}" for n in range(9)])
    assert question("cor", many) == "Pode me dizer: cor?"


def test_a_yes_or_no_is_asked_for_as_one():
    assert question("vacinado", Field("boolean")) == "Vacinado: sim ou não?"
    assert question("vip", Field("boolean", label="VIP client"), "", "en") == (
        "VIP client: yes or no?"
    )
    assert question("confirmado", Field("boolean"), "Confirme os dados.") == "Está tudo certo?"
    assert question("confirmed", Field("boolean"), "", "en") == "Is that right?"


def test_a_label_is_what_people_call_a_field():
    assert question("x1", Field("string", label="Plano")) == "Pode me dizer: Plano?"


# --- guidelines ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("guideline", "said"),
    [
        ("Agradeça.", "Agradeço muito!"),
        ("Agradeça a resposta e pergunte o tamanho.", "Agradeço muito! Qual é o tamanho?"),
        ("Diga que abrimos às 9h e pergunte se ajuda.", "Abrimos às 9h. Ajuda?"),
        ("Conte que há desconto. Seja breve.", "Há desconto."),
        ("Despeça-se.", "Até logo!"),
        ("Retome a conversa em uma frase.", "Vamos continuar de onde paramos?"),
        ('Diga "Vamos cozinhar!" e nada mais.', "Vamos cozinhar!"),
        ("Oi, Rui!", "Oi, Rui!"),
        ("Converse.", "[Uma resposta para: Converse.]"),
        ("a" * 250, f"[Uma resposta para: {'a' * 200}…]"),
    ],
)
def test_a_guideline_is_said_as_far_as_it_can_be(guideline: str, said: str):
    assert said_of(guideline, "pt") == said


@pytest.mark.parametrize(
    ("guideline", "said"),
    [
        ("Thank them for coming.", "Thank you!"),
        (
            "Say sorry, then ask for the order number.",
            "I am sorry about that. What is the order number?",
        ),
        ("Tell the customer that we open at nine.", "We open at nine."),
        ("Greet them and ask when they leave.", "Hi there! Can you tell me when you leave?"),
        ("Praise our breakfast.", "[A reply to: Praise our breakfast.]"),
    ],
)
def test_a_guideline_in_english_too(guideline: str, said: str):
    assert said_of(guideline, "en") == said


# --- replies ------------------------------------------------------------------------------------

FIELDS = {
    "nome": Field("string", ask="Pergunte o nome."),
    "cidade": Field("string"),
    "plano": Field("string", enum=["básico", "pro"], ask="Pergunte o plano."),
    "nota": Field("number", ask="Pergunte a nota."),
    "confirma": Field("boolean"),
    "message": Field("string", ask="Pergunte o recado."),
}
COLLECTS = Flow(
    id="f",
    name="Cadastro",
    steps=[Talk("a", collect=["nome", "cidade", "plano"]), Talk("b", collect=["confirma"])],
)
HURRIED = Flow(id="h", name="Já", steps=[Talk("a", collect=["nome", "plano"], max_asks=1)])
TALKS = Flow(id="t", name="Conversa", steps=[Talk("a", "Agradeça.")])
CONFIRMS = Flow(
    id="c", name="Confirma", collect=["nome", "nota"], steps=[Talk("a", collect=["confirma"])]
)
ASKS = Flow(
    id="q", name="Pergunta", steps=[Talk("a", collect=["nota"], question="Que nota você dá?")]
)
LIA = Profile(
    name="Lia",
    persona="Você é a Lia.",
    knowledge_base={
        "Suporte": {"dias": "de segunda a sexta", "horas": 8},
        "Entrega": "grátis.",
        "vazio": None,
        "avisos": ["Fechamos no Natal", True],
    },
    fields=FIELDS,
    flows=[COLLECTS, HURRIED, TALKS, CONFIRMS, ASKS],
)


def said(message: str | None, **parts: Any) -> str:
    return answer_to(speak(LIA, message, **parts))["message"]


def test_the_first_reply_greets_and_asks_as_much_as_it_must():
    everything = ["nome", "cidade", "plano"]
    assert said("quero o plano", flow=COLLECTS, fields=everything) == (
        "Oi! Qual é o seu nome? E em que cidade você está?"
    )
    assert said("quero o plano", flow=COLLECTS, fields=everything[:2]) == "Oi! Qual é o seu nome?"
    assert said("quero o plano", flow=HURRIED, fields=["nome", "plano"]) == (
        "Oi! Qual é o seu nome? E qual é o plano (básico ou pro)?"
    )


def test_a_later_reply_notes_the_answer_and_goes_on():
    asked = [*BEGUN, {"role": "assistant", "content": "Qual é o seu nome?"}]
    reply = said("Ana", flow=COLLECTS, fields=["plano"], data={"nome": "Ana"}, history=asked)
    assert reply == "Certo, Ana! Qual é o plano (básico ou pro)?"
    assert said("hum", flow=COLLECTS, fields=["plano"], history=asked) == (
        "Certo! Qual é o plano (básico ou pro)?"
    )
    assert said("não sei", flow=COLLECTS, fields=["plano"], history=asked).startswith("Certo!")
    assert said("nunca", flow=COLLECTS, fields=["plano"], history=asked).startswith("Entendi.")


def test_what_the_reply_takes_itself_it_does_not_ask_for():
    asked = [{"role": "assistant", "content": "Qual é o plano (básico ou pro)?"}]
    answer = answer_to(
        speak(LIA, "o pro", flow=COLLECTS, fields=["plano", "cidade"], history=asked)
    )
    assert answer == {"message": "Certo! Em que cidade você está?", "plano": "pro", "cidade": None}


def test_a_field_called_message_travels_under_its_alias():
    asked = [{"role": "assistant", "content": "Qual é o recado?"}]
    answer = answer_to(
        speak(LIA, "ligar à tarde", flow=COLLECTS, fields=["message"], history=asked)
    )
    assert answer == {"message": "Certo!", "field_1": "ligar à tarde"}


def test_a_bare_answer_is_no_value_where_the_assistant_asked_nothing_of_the_kind():
    answer = answer_to(speak(LIA, "Ana", flow=COLLECTS, fields=["nome"], history=BEGUN))
    assert answer["nome"] is None


def test_a_yes_answers_without_a_history():
    answer = answer_to(speak(LIA, "sim", flow=CONFIRMS, fields=["confirma"]))
    assert answer["confirma"] is True
    answer = answer_to(speak(LIA, "sim", flow=CONFIRMS, fields=["confirma"], history=BEGUN))
    assert answer["confirma"] is None


def test_what_is_known_is_summed_up_before_it_is_confirmed():
    known = {"nome": "Ana", "nota": 9.0, "cidade": "Itu"}
    assert said("9", flow=CONFIRMS, fields=["confirma"], data=known, history=BEGUN) == (
        "Certo! Só confirmando: nome Ana, nota 9. Está tudo certo?"
    )
    assert said("9", flow=CONFIRMS, fields=["confirma"], history=BEGUN) == "Certo! Está tudo certo?"


def test_a_question_is_answered_from_the_knowledge_base():
    for message, answer in {
        "vocês têm suporte na segunda?": "Suporte: dias: de segunda a sexta.",
        "qual o horário do suporte em horas?": "Suporte: horas: 8.",
        "e a entrega?": "Entrega: grátis.",
        "abrem no natal?": "avisos: Fechamos no Natal.",
    }.items():
        assert said(message, history=BEGUN) == answer
        assert said(message, flow=COLLECTS, fields=["plano"], history=BEGUN).startswith(answer)
    unknown = "Sobre isso eu ainda não sei responder."
    assert said("vocês têm filial em Marte?", history=BEGUN) == f"{unknown} Como posso ajudar?"


def test_a_question_in_the_middle_of_a_step_is_not_passed_over():
    asked = [{"role": "assistant", "content": "Qual é o plano (básico ou pro)?"}]
    reply = said("tem filial em Marte?", flow=COLLECTS, fields=["plano"], history=asked)
    assert reply == "Sobre isso eu ainda não sei responder. Qual é o plano (básico ou pro)?"


def test_before_a_fixed_question_it_answers_and_asks_nothing():
    fixed = "Que nota você dá?"
    assert said("tem filial?", flow=ASKS, question=fixed) == (
        "Oi! Sobre isso eu ainda não sei responder."
    )
    assert said("hum", flow=ASKS, question=fixed, history=BEGUN) == "Certo!"


def test_the_answer_to_a_fixed_question_is_read():
    asked = [{"role": "assistant", "content": "Que nota você dá?"}]
    answer = answer_to(speak(LIA, "nove", flow=ASKS, fields=["nota"], history=asked))
    assert answer["nota"] == 9


def test_the_assistant_may_speak_first():
    assert said(None, flow=COLLECTS, fields=["plano"]) == "Oi! Qual é o plano (básico ou pro)?"
    assert said(None, flow=TALKS, history=BEGUN) == "Agradeço muito!"
    assert said(None, flow=COLLECTS, fields=["plano"], sent=["Bem-vinda!"]) == (
        "Qual é o plano (básico ou pro)?"
    )


def test_an_answer_that_was_owed_is_given_to_the_last_message():
    history = [*BEGUN, {"role": "user", "content": "e a entrega?"}]
    reply = said(None, flow=COLLECTS, fields=["plano"], awaiting=True, history=history)
    assert reply == "Entrega: grátis. Qual é o plano (básico ou pro)?"


def test_a_step_with_nothing_to_collect_follows_its_guideline():
    assert said("oi", flow=TALKS, history=BEGUN) == "Certo! Agradeço muito!"
    assert said("obrigado", flow=TALKS, history=BEGUN) == "Por nada! Agradeço muito!"
    assert said("e a entrega?", flow=TALKS, history=BEGUN) == "Entrega: grátis."


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("oi", "Oi! Como posso ajudar?"),
        ("obrigada!", "Por nada!"),
        ("tchau", "Até logo!"),
        ("quero um barco", "Entendi. Como posso ajudar?"),
        (None, "Entendi. Como posso ajudar?"),
        ("", "Entendi. Como posso ajudar?"),
    ],
)
def test_the_idle_speaker_is_polite(message: str | None, reply: str):
    assert said(message) == reply


def test_no_placeholder_is_ever_said():
    flow = Flow(id="f", name="F", steps=[Talk("a", "Oi, {{context.lead.nome}}! {{x")])
    profile = Profile(name="Lia", flows=[flow])
    assert answer_to(speak(profile, "oi", flow=flow))["message"] == "Oi!"
    empty = Flow(id="f", name="F", steps=[Talk("a", "Oi {{x}}")])
    known = {"nome": "{{data.nome}}"}
    call = speak(LIA, "{{data.nome}}", flow=CONFIRMS, fields=["confirma"], data=known)
    assert "{{" not in answer_to(call)["message"]
    assert answer_to(speak(Profile(name="Lia", flows=[empty]), None, flow=empty))["message"] == "Oi"


# --- language -----------------------------------------------------------------------------------


def test_the_agents_own_texts_tell_its_language():
    english = Flow(
        id="f",
        name="Orders",
        on=[Message(["wants to order"])],
        steps=[Say("a", "Thank you for the order."), Do("b", "act"), Talk("c", ask={"x": "Ask."})],
    )
    chained = Flow(id="g", name="g", steps=[Say("a", "Até logo, viu?", then=Chain("f"))])
    assert language_of(Profile(name="Lia", flows=[english]), ["oi, tudo bem?"]) == "en"
    assert language_of(Profile(name="Lia", flows=[chained]), ["hello there"]) == "pt"
    assert language_of(Profile(name="Lia", knowledge_base=["Nós não abrimos", 1]), []) == "pt"


def test_an_agent_without_texts_speaks_as_it_is_spoken_to():
    silent = Profile(name="Lia")
    assert language_of(silent, ["", "olá, você"]) == "pt"
    assert language_of(silent, ["hello, what is this"]) == "en"
    assert language_of(silent, []) == "en"
    assert answer_to(speak(silent, "hello"))["message"] == "Hi! How can I help?"
    assert answer_to(speak(silent, "olá"))["message"] == "Oi! Como posso ajudar?"


# --- summaries, and calls of another make -------------------------------------------------------


def test_a_summary_is_the_beginning_of_the_conversation():
    older = [
        {"role": "user", "content": "oi,\n sou a Ana"},
        {"role": "assistant", "content": " "},
        {"role": "tool", "content": {"preço": 3}},
    ]
    summed_up = reply_to(summary_call(LIA, older, context=None))
    assert summed_up.message == 'user: oi, sou a Ana / tool: {"preço":3}'
    assert summed_up.structured is None
    assert summed_up.usage is None


def test_a_long_summary_is_cut():
    older = [{"role": "user", "content": "a" * 5_000}]
    summed_up = reply_to(summary_call(LIA, older, context=None)).message
    assert len(summed_up) == 1_001
    assert summed_up.startswith("user: aaa")
    assert summed_up.endswith("a…")


def test_a_call_with_no_brief_gets_the_shape_that_it_asks_for():
    schema = {
        "type": "object",
        "properties": {
            "message": {"type": "string"},
            "fields": {
                "type": ["object", "null"],
                "properties": {"a": {"type": ["string", "null"]}},
            },
        },
    }
    call = ModelCall(purpose="speak", system=None, history=(), prompt="Oi", schema=schema)
    assert answer_to(call) == {"message": "…", "fields": {"a": None}}


def test_tokens_are_not_counted_and_no_tool_is_called():
    reply = reply_to(speak(LIA, "oi"))
    assert (reply.usage, reply.tool_calls) == (None, ())
