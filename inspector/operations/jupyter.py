"""The configuration with which a server opens a store that it would not open as it is."""

from __future__ import annotations

from inspector import registry
from inspector.model import Configures, InspectorError, Store


def jupyter_config(store: Store) -> str:
    """Return the text of a ``jupyter_server_config.py`` that opens *store*. Raises `InspectorError`."""
    backend = registry.backend(store.info.format)
    if not isinstance(backend, Configures):
        raise InspectorError(f"{store.path} is a {backend.label} file; Jupyter opens only .ystore.db stores.")
    return backend.configuration(store)
