"""Where the engine meets a model."""
