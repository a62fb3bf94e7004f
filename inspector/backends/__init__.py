"""One room per format: a module (or package) here ends with ``BACKEND = …``, an `inspector.model.Backend`.

To add a format write one module: ``recognises`` by content, ``open`` a `Store` that reads a private copy or
slices of the file and never changes it, ``write`` what another store's records or updates hold, ``losses``
what that would not carry. Yield records lazily, call the progress between pieces of work, import libraries
where they are used. Modules whose name begins with an underscore are shared parts, not formats.
"""
