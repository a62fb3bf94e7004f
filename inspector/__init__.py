"""Inspector: looks into document stores, and moves them between formats and codecs."""

__version__ = "0.1.0"
