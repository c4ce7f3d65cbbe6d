"""How the offline provider reads a message: yes or no, question or greeting, and its numbers."""

from typing import Any

import pytest

from falai.providers.offline.heard import Heard, fold
from falai.providers.offline.manner import asks, greets, takes_leave, thanks, verdict
from falai.providers.offline.numerals import numbers_in, value_of
from falai.providers.offline.options import option_of, range_of


@pytest.mark.parametrize(
    "text",
    [
        *("sim", "Sim!", "claro", "CLARO que sim", "sim, pode mandar", "quero", "pode ser", "ok"),
        *("isso mesmo", "agora sim", "acho que sim", "está certo", "com certeza", "oi, sim"),
        *(
            "yes",
            "Yep",
            "sure, go on",
            "yes, that's right",
            "that's right",
            "ok",
            "i do",
            "of course",
        ),
    ],
)
def test_a_yes(text: str):
    assert verdict(Heard.of(text)) is True


@pytest.mark.parametrize(
    "text",
    [
        *("não", "NAO", "não, obrigado", "claro que não", "acho que não", "está errado"),
        *("nunca", "não é isso", "agora não"),
        *("no", "nope", "no thanks", "no, that's wrong", "of course not", "I don't", "I said no"),
    ],
)
def test_a_no(text: str):
    assert verdict(Heard.of(text)) is False


@pytest.mark.parametrize(
    "text",
    [
        *("", "oi", "quero um orçamento de energia", "moro no centro", "talvez", "não sei"),
        *("é no sábado", "I want a quote for my house", "maybe", "not sure", "Ana", "30 pessoas"),
    ],
)
def test_neither_a_yes_nor_a_no(text: str):
    assert verdict(Heard.of(text)) is None


@pytest.mark.parametrize(
    "text",
    [
        *(
            "tem estacionamento?",
            "qual o preço",
            "oi, quanto custa",
            "e quando abre",
            "cadê meu pedido",
        ),
        *("queria saber o prazo", "por que demora", "how much is it", "hi, where is my order"),
        *("tell me about the plans", "can I pay later"),
    ],
)
def test_a_message_that_asks(text: str):
    assert asks(Heard.of(text))


@pytest.mark.parametrize(
    "text", ["", "oi", "sou a Ana", "quero o plano", "uns 480", "I'm Ana", "yes", "thank you"]
)
def test_a_message_that_asks_nothing(text: str):
    assert not asks(Heard.of(text))


def test_greetings_thanks_and_goodbyes():
    assert all(greets(Heard.of(text)) for text in ("oi", "Olá!", "bom dia, tudo bem?", "hi there"))
    assert not any(greets(Heard.of(text)) for text in ("", "oi, sou a Ana", "hello Kitty", "there"))
    assert all(thanks(Heard.of(text)) for text in ("obrigada!", "muito obrigado", "ok, thank you"))
    assert not thanks(Heard.of("obrigado, mas antes eu queria saber do prazo"))
    assert takes_leave(Heard.of("tchau!"))
    assert not takes_leave(Heard.of("oi"))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("R$ 1.500,50", [1500.5]),
        ("$1,500.50", [1500.5]),
        ("1500,50", [1500.5]),
        ("1.500", [1500]),
        ("1,500", [1500]),
        ("0,500", [0.5]),
        ("2,5", [2.5]),
        ("1.000.000", [1000000]),
        ("5k", [5000]),
        ("5 mil", [5000]),
        ("2,5 mil", [2500]),
        ("1 milhão", [1000000]),
        ("2 million", [2000000]),
        ("3 bilhões", [3000000000]),
        ("-5 graus", [-5]),
        ("uns 480 reais.", [480]),
        ("de 10 até 20", [10, 20]),
        ("mil", [1000]),
        ("dez", [10]),
        ("vinte e cinco", [25]),
        ("cento e vinte", [120]),
        ("mil e quinhentos", [1500]),
        ("dois mil e quinhentos", [2500]),
        ("um milhão e duzentos mil", [1200000]),
        ("twenty-five", [25]),
        ("two thousand five hundred", [2500]),
        ("one hundred and twenty", [120]),
        ("dois e três", [2, 3]),
    ],
)
def test_numbers_in_digits_and_in_words(text: str, values: list[Any]):
    assert [number.value for number in numbers_in(Heard.of(text))] == values


@pytest.mark.parametrize(
    "text",
    ["", "L-1042", "15h", "10:30", "12/05/2026", "11-50", "1.2.3", "9" * 16, "a@1.com", "sem"],
)
def test_what_only_looks_like_a_number(text: str):
    assert numbers_in(Heard.of(text)) == []


def test_a_number_knows_its_currency_and_what_it_counts():
    [reais] = numbers_in(Heard.of("uns 480 reais"))
    [people] = numbers_in(Heard.of("30 pessoas"))
    [budget] = numbers_in(Heard.of("5 mil de orçamento"))
    [box] = numbers_in(Heard.of("uma caixa"))
    assert (reais.money, reais.counted) == (True, "reais")
    assert (people.money, people.counted, people.vague) == (False, "pessoas", False)
    assert budget.counted == "orcamento"
    assert box.vague


def test_digits_with_two_signs_of_one_kind_that_group_nothing_are_no_number():
    assert value_of("1.50.2") is None
    assert value_of("1.500,50,2") is None


@pytest.mark.parametrize(
    ("option", "inside", "outside"),
    [
        ("11-50", [11, 30, 50], [10, 51]),
        ("de 11 a 50", [11, 50], [10]),
        ("51 to 200 people", [51, 200], [201]),
        ("200+", [200, 5000], [199]),
        ("200 ou mais", [200], [199]),
        ("mais de 200", [201], [200]),
        ("over 10k", [10001], [10000]),
        ("até 10", [0, 10], [11, -1]),
        ("under 10", [9], [10]),
        ("menos de 5 mil", [0, 4999], [5000]),
    ],
)
def test_an_option_may_be_a_range(option: str, inside: list[float], outside: list[float]):
    assert [option_of(value, [option]) for value in inside] == [option] * len(inside)
    assert [option_of(value, [option]) for value in outside] == [None] * len(outside)


def test_an_option_may_be_a_number():
    assert option_of(30, [10, 30]) == 30
    assert option_of(20, [10, 30]) is None
    assert range_of("casa") is None


def test_folding_keeps_every_letter_in_its_place():
    text = "Ação, ÍNDIO e İstanbul: ﬁm ß €"
    assert fold("Ação, ÍNDIO") == "acao, indio"
    assert len(fold(text)) == len(text)
