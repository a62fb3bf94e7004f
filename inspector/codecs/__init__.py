"""One room per codec: a module here ends with ``CODEC = …``, a frozen dataclass on `inspector.model.Codec`.

To add a codec write one module: the fields are its parameters, ``encode`` and ``decode`` import the library
they need, ``decode`` stops at its limit, and errors of the library become `DecodeError`. The registry finds
the module; nothing registers itself.
"""
