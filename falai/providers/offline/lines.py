"""What the offline provider says of its own accord, in both languages."""

from collections.abc import Mapping

from msgspec import Struct

from falai.providers.offline.language import Language
from falai.providers.offline.wants import Kind


class Lines(Struct, frozen=True, kw_only=True):
    """The sentences of one language; `{}` is where something goes in."""

    hello: str
    hello_name: str
    noted: str
    noted_name: str
    understood: str
    unknown: str
    """The answer to a question to which nothing is known."""
    help: str
    welcome: str
    """The answer to thanks."""
    bye: str
    tell: str
    """Asks for what has nothing but a name."""
    yes_or_no: str
    summary: str
    right: str
    also: str
    """Before a second question."""
    orr: str
    here: str
    """Stands for a guideline of which nothing can be said."""
    kinds: Mapping[Kind, str]
    """How to ask for what is known by its slug."""


LINES: Mapping[Language, Lines] = {
    "pt": Lines(
        hello="Oi!",
        hello_name="Oi, {}!",
        noted="Certo!",
        noted_name="Certo, {}!",
        understood="Entendi.",
        unknown="Sobre isso eu ainda não sei responder.",
        help="Como posso ajudar?",
        welcome="Por nada!",
        bye="Até logo!",
        tell="Pode me dizer: {}?",
        yes_or_no="{}: sim ou não?",
        summary="Só confirmando: {}.",
        right="Está tudo certo?",
        also="E",
        orr="ou",
        here="[Uma resposta para: {}]",
        kinds={
            "name": "Qual é o seu nome?",
            "email": "Qual é o seu e-mail?",
            "phone": "Qual é o seu telefone?",
            "company": "Qual é o nome da sua empresa?",
            "city": "Em que cidade você está?",
        },
    ),
    "en": Lines(
        hello="Hi!",
        hello_name="Hi, {}!",
        noted="Got it!",
        noted_name="Got it, {}!",
        understood="I see.",
        unknown="I have no answer to that yet.",
        help="How can I help?",
        welcome="You are welcome!",
        bye="Goodbye!",
        tell="Could you tell me: {}?",
        yes_or_no="{}: yes or no?",
        summary="Just to confirm: {}.",
        right="Is that right?",
        also="And",
        orr="or",
        here="[A reply to: {}]",
        kinds={
            "name": "What is your name?",
            "email": "What is your e-mail address?",
            "phone": "What is your phone number?",
            "company": "What is the name of your company?",
            "city": "Which city are you in?",
        },
    ),
}
