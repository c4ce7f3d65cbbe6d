from typing import Any

import pytest

from falai.spec.registries import Registries
from falai.words.field import Field
from falai.words.flow import Param
from falai.words.registry import Action, EventDef, Tool


def never(*_: Any) -> Any:
    raise AssertionError("nothing runs while a flow is checked")


@pytest.fixture
def registries() -> Registries:
    """One agent's names, with something of every kind and type."""
    text, optional = Param("string"), True
    params = {
        "para": text,
        "vezes": Param("integer", optional=optional),
        "valor": Param("number", optional=optional),
        "canal": Param("string", enum=["sms", "email"], optional=optional),
        "urgente": Param("boolean", optional=optional),
        "nomes": Param("array", items=text, optional=optional),
        "tags": Param("array", items=Param("string", enum=["a", "b"]), optional=optional),
        "soltos": Param("array", optional=optional),
    }
    return Registries(
        fields={
            "nome": Field("string"),
            "idade": Field("integer"),
            "nota": Field("number"),
            "porte": Field("string", enum=["P", "M", "G"]),
            "ok": Field("boolean"),
            "email": Field("string", ask="Pergunte o e-mail."),
        },
        actions={"avisar": Action(never, params), "chamar": Action(never)},
        events={"pago": EventDef()},
        conditions={"vip": never},
        tools={
            "agenda": Tool(
                id="agenda", description="", parameters={"type": "object"}, handler=never
            )
        },
        flow_ids=["triagem", "outro"],
    )
