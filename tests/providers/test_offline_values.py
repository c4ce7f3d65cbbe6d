"""Which values the offline provider takes from a message: only those that the customer gave."""

from typing import Any

import pytest

from falai import Field, Param
from falai.providers.offline.extract import extract
from falai.providers.offline.heard import Heard
from falai.providers.offline.wants import spaced, want_of

FIELDS = {
    "nome": Field("string", ask="Pergunte o nome."),
    "empresa": Field("string"),
    "cidade": Field("string"),
    "email": Field("string"),
    "telefone": Field("string"),
    "site": Field("string"),
    "dia": Field("string", description="dia e hora da visita"),
    "pedido": Field("string", ask="Pergunte o número do pedido."),
    "motivo": Field("string"),
    "tamanho": Field("string", enum=["1-10", "11-50", "51-200", "200+"], label="Tamanho da equipe"),
    "imovel": Field("string", enum=["casa", "comércio", "sítio"]),
    "camisa": Field("string", enum=["P", "M", "G"]),
    "nota": Field("integer", enum=[1, 2, 3]),
    "orcamento": Field("number", description="orçamento por mês, em reais"),
    "caixas": Field("integer", description="quantas caixas"),
    "confirmado": Field("boolean"),
    "name": Field("string"),
    "company": Field("string"),
    "city": Field("string"),
    "phone": Field("string"),
    "orderNumber": Field("string"),
    "reason": Field("string", enum=["broken", "wrong item", "changed my mind"]),
    "budget": Field("number"),
    "boxes": Field("integer", ask="Ask how many boxes it is."),
}


def found(text: str, slugs: str, asked: str = "") -> dict[str, Any]:
    """What a message gives of some fields; the asked ones come first, as they do in a call."""
    just_asked = asked.split()
    ordered = dict.fromkeys([*just_asked, *slugs.split()])
    wants = [
        want_of(slug, FIELDS[slug], ask=FIELDS[slug].ask, asked=slug in just_asked)
        for slug in ordered
    ]
    return extract(Heard.of(text), wants, bare=True)


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("sou a Ana", {"nome": "Ana"}),
        ("oi, eu sou o João Souza e quero um orçamento", {"nome": "João Souza"}),
        ("sou o João da Zeta", {"nome": "João", "empresa": "Zeta"}),
        ("sou a Maria da Silva", {"nome": "Maria da Silva"}),
        ("me chamo ana", {"nome": "ana"}),
        (
            "meu nome é Rui, trabalho na Padaria Pão Quente",
            {"nome": "Rui", "empresa": "Padaria Pão Quente"},
        ),
        ("pode me chamar de Bia", {"nome": "Bia"}),
        ("aqui é a Bia da empresa Norte", {"nome": "Bia", "empresa": "Norte"}),
        ("quem fala é o Téo", {"nome": "Téo"}),
        ("nome: Ana, empresa: Zeta Ltda", {"nome": "Ana", "empresa": "Zeta Ltda"}),
        ("falo da Zeta, moro em Itu", {"empresa": "Zeta", "cidade": "Itu"}),
        ("sou de São Paulo", {"cidade": "São Paulo"}),
        ("sou a gerente", {}),
        ("sou o dono da loja", {}),
        ("sou cliente", {}),
        ("nome e empresa eu digo depois", {}),
        ("a empresa é pequena", {}),
        ("a minha empresa se chama Zeta", {"empresa": "Zeta"}),
        ("moro em apartamento", {}),
    ],
)
def test_people_introduce_themselves_in_portuguese(text: str, given: dict[str, Any]):
    assert found(text, "nome empresa cidade") == given


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("I'm Ana from Zeta", {"name": "Ana", "company": "Zeta"}),
        ("hi, my name is John Smith", {"name": "John Smith"}),
        ("This is Ana with Green Door", {"name": "Ana", "company": "Green Door"}),
        ("call me bob", {"name": "bob"}),
        ("I work at Zeta and live in Porto", {"company": "Zeta", "city": "Porto"}),
        ("we are based in New York", {"city": "New York"}),
        ("our company is called Zeta", {"company": "Zeta"}),
        ("I'm looking for a quote", {}),
        ("I'm interested", {}),
        ("this is great", {}),
        ("I'm not sure", {}),
    ],
)
def test_people_introduce_themselves_in_english(text: str, given: dict[str, Any]):
    assert found(text, "name company city") == given


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("meu e-mail é ana.s+1@zeta.com.br.", {"email": "ana.s+1@zeta.com.br"}),
        ("me liga no (11) 98888-7777", {"telefone": "(11) 98888-7777"}),
        ("+55 11 98888-7777", {"telefone": "+55 11 98888-7777"}),
        ("fixo 3333-4444, site www.zeta.com", {"telefone": "3333-4444", "site": "www.zeta.com"}),
        (
            "https://zeta.com/a?b=1, e ana@zeta.com",
            {"site": "https://zeta.com/a?b=1", "email": "ana@zeta.com"},
        ),
        ("pode ser quinta às 15h", {"dia": "quinta às 15h"}),
        ("dia 15, 10:30", {"dia": "dia 15, 10:30"}),
        ("amanhã", {"dia": "amanhã"}),
        ("next friday at 3 pm", {"dia": "next friday at 3 pm"}),
        ("é o pedido L-1042", {"pedido": "L-1042"}),
        ("a placa era ABC1D23", {}),
    ],
)
def test_values_that_are_known_by_their_looks(text: str, given: dict[str, Any]):
    assert found(text, "email telefone site dia pedido") == given


@pytest.mark.parametrize(
    ("text", "slugs", "given"),
    [
        ("é pra minha CASA", "imovel", {"imovel": "casa"}),
        ("tenho um comercio", "imovel", {"imovel": "comércio"}),
        ("nem sítio nem casa", "imovel", {}),
        ("um apartamento", "imovel", {}),
        ("são casas", "imovel", {"imovel": "casa"}),
        ("somos 30 pessoas", "tamanho", {"tamanho": "11-50"}),
        ("11-50", "tamanho", {"tamanho": "11-50"}),
        ("equipe de trezentas pessoas", "tamanho", {"tamanho": "200+"}),
        ("custa 30 reais", "tamanho", {}),
        ("tamanho g", "camisa", {"camisa": "G"}),
        ("a M por favor", "camisa", {"camisa": "M"}),
        ("it came broken", "reason", {"reason": "broken"}),
        ("I changed my mind", "reason", {"reason": "changed my mind"}),
        ("you sent the wrong one", "reason", {}),
        ("a nota é 3", "nota", {"nota": 3}),
        ("nota 9", "nota", {}),
    ],
)
def test_options_are_named_or_lie_in_a_range(text: str, slugs: str, given: dict[str, Any]):
    assert found(text, slugs) == given


def test_half_of_an_option_is_enough_where_it_was_asked_for():
    assert found("you sent the wrong one", "reason", "reason") == {"reason": "wrong item"}
    assert found("dermato", "imovel", "imovel") == {}


@pytest.mark.parametrize(
    ("text", "slugs", "given"),
    [
        ("uns R$ 1.500,50 por mês", "orcamento", {"orcamento": 1500.5}),
        ("meu orçamento é 5 mil", "orcamento", {"orcamento": 5000}),
        ("5 mil reais", "orcamento caixas", {"orcamento": 5000}),
        ("orçamento de mil e duzentos", "orcamento", {"orcamento": 1200}),
        (
            "são 30 pessoas e 5 mil de orçamento",
            "tamanho orcamento",
            {"tamanho": "11-50", "orcamento": 5000},
        ),
        ("tenho 3 filhos", "orcamento caixas", {}),
        ("quero 3 caixas", "orcamento caixas", {"caixas": 3}),
        ("quero 2,5 caixas", "caixas", {}),
        ("about $2,000", "budget boxes", {"budget": 2000}),
        ("it's one box by the way", "budget boxes", {"boxes": 1}),
        ("twelve boxes, budget 300", "budget boxes", {"budget": 300, "boxes": 12}),
        ("I saw one thing", "boxes", {}),
        ("me liga no 11 98888-7777", "orcamento caixas", {}),
    ],
)
def test_numbers_go_to_the_field_that_they_stand_beside(
    text: str, slugs: str, given: dict[str, Any]
):
    assert found(text, slugs) == given


@pytest.mark.parametrize(
    ("text", "asked", "given"),
    [
        ("Ana", "nome", {"nome": "Ana"}),
        ("oi, ana souza!", "nome", {"nome": "ana souza"}),
        ("é a Ana", "nome", {"nome": "Ana"}),
        ("I'm ana", "name", {"name": "ana"}),
        ("na Zeta", "empresa", {"empresa": "Zeta"}),
        ("Ana, Zeta Ltda", "nome empresa", {"nome": "Ana", "empresa": "Zeta Ltda"}),
        ("Ana e Zeta", "nome empresa", {"nome": "Ana", "empresa": "Zeta"}),
        ("Zeta, 30 pessoas", "empresa tamanho", {"empresa": "Zeta", "tamanho": "11-50"}),
        ("em campinas", "cidade", {"cidade": "campinas"}),
        ("estou na loja, em Itu", "cidade", {"cidade": "Itu"}),
        ("480", "orcamento", {"orcamento": 480}),
        ("uma", "caixas", {"caixas": 1}),
        ("a tela trincou", "motivo", {"motivo": "a tela trincou"}),
        ("L-1042, it's ugly", "orderNumber", {"orderNumber": "L-1042"}),
        ("de manhã", "dia", {"dia": "de manhã"}),
        ("sim", "confirmado", {"confirmado": True}),
        ("não, está errado", "confirmado", {"confirmado": False}),
    ],
)
def test_a_bare_answer_is_the_value_of_what_was_asked_for(
    text: str, asked: str, given: dict[str, Any]
):
    assert found(text, asked, asked) == given


@pytest.mark.parametrize("text", ["Ana", "480", "sim", "a tela trincou"])
def test_a_bare_answer_is_nothing_where_nothing_was_asked(text: str):
    assert found(text, "nome motivo orcamento confirmado") == {}


@pytest.mark.parametrize(
    "text",
    [
        *("", "?", "oi", "bom dia!", "hello", "obrigado", "não sei", "prefiro não dizer", "sim"),
        *("como assim?", "qual vocês têm", "I don't know", "quero falar com o gerente da loja"),
    ],
)
def test_greetings_questions_and_refusals_are_no_values(text: str):
    assert found(text, "nome orcamento telefone", "nome") == {}


def test_an_address_must_look_like_one():
    assert found("a Ana tem", "email", "email") == {}
    assert found("o de sempre", "telefone", "telefone") == {}


def test_only_the_first_thing_that_was_asked_takes_a_yes():
    assert found("sim", "nome confirmado", "nome confirmado") == {}


def test_a_list_holds_every_option_that_is_named():
    items = Param(type="string", enum=["azul", "verde", "preto"])
    wants = [
        want_of("cores", Param(type="array", items=items), asked=False),
        want_of("soltos", Param(type="array"), asked=False),
    ]
    message = Heard.of("quero a azul e a preta... digo, o preto")
    assert extract(message, wants, bare=True) == {"cores": ["azul", "preto"]}
    assert extract(Heard.of("nada"), wants, bare=True) == {}


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("o motivo é tela trincada, tá?", {"motivo": "tela trincada"}),
        ("motivo: mudei de casa. Obrigado", {"motivo": "mudei de casa"}),
        ("motivo e prazo eu digo depois", {}),
        ("o motivo é que eu não quis mais pagar por tudo isso", {}),
    ],
)
def test_a_text_may_stand_behind_the_name_of_its_field(text: str, given: dict[str, Any]):
    assert found(text, "motivo") == given


def test_a_description_may_say_whose_name_it_is():
    mine = want_of("quem", Field("string", description="nome de quem fala"), asked=False)
    pets = want_of("pet", Field("string", description="nome do pet"), asked=False)
    assert extract(Heard.of("sou a Ana"), [pets, mine], bare=True) == {"quem": "Ana"}


def test_slugs_are_read_as_words():
    assert [spaced(slug) for slug in ("orderNumber", "nome_da_empresa", "e-mail")] == [
        *("order number", "nome da empresa", "e mail")
    ]
