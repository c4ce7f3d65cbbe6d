"""The nouns of the engine, as types."""
