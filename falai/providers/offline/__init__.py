"""A deterministic stand-in for a model, for a first look with no network and no key."""

from falai.providers.offline.provider import OfflineProvider

__all__ = ["OfflineProvider"]
