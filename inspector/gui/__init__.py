"""The window: a thin front end over the operations; the only package that imports Qt."""
