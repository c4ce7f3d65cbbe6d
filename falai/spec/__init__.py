"""Flows as JSON: read and written, checked against an agent, and described to a model."""
