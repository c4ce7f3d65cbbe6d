"""The shorthand for servers that speak OpenAI's protocol."""

from typing import Any

import pytest

from falai.providers.compatible import openai_compatible
from tests.modelserver.answers import fails, said
from tests.modelserver.server import ModelServer
from tests.providers.kit import KEY, SCHEMA, call, failure_of, wait_for

GIVEN: dict[str, Any] = {
    "base_url": "http://x/v1",
    "api_key": "k",
    "model": "llama",
    "name": "ours",
}


@pytest.mark.parametrize("key", GIVEN)
@pytest.mark.parametrize("value", [None, "", "  "])
def test_each_part_is_required(key: str, value: str | None):
    with pytest.raises(ValueError, match=rf"^{key} missing\. Example: openai_compatible\("):
        openai_compatible(**(GIVEN | {key: value}))


def test_all_that_is_missing_is_named_at_once():
    with pytest.raises(ValueError, match=r"^base_url and api_key and model and name missing"):
        openai_compatible()


def test_a_call_goes_to_the_server_with_its_key(server: ModelServer):
    server.answer(said("{}"))
    given = {"base_url": server.url, "api_key": KEY, "model": "org/llama-3", "name": "ours"}
    model = openai_compatible(**given, temperature=0)
    assert model.name == "ours"
    wait_for(model.generate(call(schema=SCHEMA)))
    assert server.last.body["model"] == "org/llama-3"
    assert server.last.body["temperature"] == 0
    assert server.last.body["response_format"] == {"type": "json_object"}
    assert server.last.headers["authorization"] == f"Bearer {KEY}"


def test_its_errors_carry_its_name(server: ModelServer):
    server.answer(fails(401, "Wrong key."))
    model = openai_compatible(**(GIVEN | {"base_url": server.url}), retries=0)
    error = failure_of(model.generate(call()))
    assert (error.provider, str(error)[:9]) == ("ours", "ours 401:")
