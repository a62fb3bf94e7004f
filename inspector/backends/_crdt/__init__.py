"""What the two stores of CRDT updates share: reading updates, their content and timeline, crossing and writing.

The underscore says that this is no format of its own. ``ystore`` and ``yfile`` import from here, never from
each other.
"""
