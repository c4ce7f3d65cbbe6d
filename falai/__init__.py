"""A conversation engine: the model understands, the code decides."""
