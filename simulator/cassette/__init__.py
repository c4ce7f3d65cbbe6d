"""Recorded model calls: the real HTTP answers of a model, kept in a file and played again."""
