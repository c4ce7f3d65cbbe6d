"""A shorthand for servers that speak OpenAI's chat protocol."""

from typing import Any

from falai.providers.litellm import LiteLLMProvider

_EXAMPLE = 'openai_compatible(base_url="http://localhost:8000/v1", api_key="…", model="llama", name="ours")'


def openai_compatible(
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    model: str | None = None,
    name: str | None = None,
    **options: Any,
) -> LiteLLMProvider:
    """The model of a server that speaks OpenAI's protocol: vLLM, llama.cpp, a gateway.

    All four are required; a server that wants no key takes any text for one. `name` is what
    errors call it. `options` are those of LiteLLMProvider. Raises ValueError for what is missing.
    """
    given = {"base_url": base_url, "api_key": api_key, "model": model, "name": name}
    missing = [key for key, value in given.items() if not value or not value.strip()]
    if missing:
        raise ValueError(f"{' and '.join(missing)} missing. Example: {_EXAMPLE}.")
    return LiteLLMProvider(
        f"openai/{model}", name=name, api_base=base_url, api_key=api_key, **options
    )
