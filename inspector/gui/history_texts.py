"""Words for versions, times and authors, said the same way in every part of the history."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale, QTimeZone

from inspector.gui.texts import count_text
from inspector.gui.timeline_data import Author, moment, usable
from inspector.model import Update

translate = QCoreApplication.translate

_LONG_ID = 10
"""Digits from which a client id is shortened where there is little room; the whole id is in its tooltip."""


def utc_text(time: float | None) -> str:
    """Return a time as ``2026-03-12 14:07:31 UTC``, empty if there is none."""
    if time is None or not usable(time):
        return ""
    return f"{moment(time).toString('yyyy-MM-dd HH:mm:ss')} UTC"


def short_utc_text(time: float | None) -> str:
    """Return a time as ``12 Mar 14:07 UTC``, empty if there is none."""
    if time is None or not usable(time):
        return ""
    return f"{QLocale().toString(moment(time), 'd MMM HH:mm')} UTC"


_UTC = ("UTC", "UCT", "Universal", "Zulu")
"""Names that the time zone database has for UTC."""


def local_text(time: float | None, zone: QTimeZone | None = None) -> str:
    """Return a time where the computer is, with the name of the place: ``Thu 12 March, 15:07:31 in Rome``.

    Empty where that is UTC: it would only repeat `utc_text`. *zone* is the computer's own by default.
    """
    zone = zone if zone is not None else QTimeZone.systemTimeZone()
    if time is None or not usable(time) or zone_name(zone) in _UTC:
        return ""
    when = QLocale().toString(moment(time, zone), "ddd d MMMM, HH:mm:ss")
    return translate("History", "{time} in {place}").format(time=when, place=zone_name(zone))


def zone_name(zone: QTimeZone) -> str:
    """Return the city of a time zone, or its id where it names none: ``Rome``, ``UTC``."""
    name = bytes(zone.id().data()).decode("ascii", "replace")
    return name.rsplit("/", 1)[-1].replace("_", " ")


def client_text(client: int, *, short: bool = False) -> str:
    """Return what a client is called: its id, since stores hold no names."""
    digits = str(client)
    if short and len(digits) > _LONG_ID:
        digits = f"…{digits[-4:]}"
    return translate("History", "client {id}").format(id=digits)


def author_text(author: Author, *, short: bool = False) -> str:
    """Return what a line of authors stands for."""
    if author.client is not None:
        return client_text(author.client, short=short)
    count = author.clients
    if count:
        return translate("History", "%Ln other client(s)", "", count)
    return translate("History", "no client named")


def kind_text(update: Update) -> str:
    """Return the word for what an update is."""
    words = {
        "edit": translate("History", "Edit"),
        "no-op": translate("History", "No change"),
        "deletion": translate("History", "Deletion"),
        "full-state": translate("History", "Whole state"),
        "damaged": translate("History", "Damaged"),
    }
    return words[update.kind]


def version_text(version: int) -> str:
    """Return ``Version 3,284``."""
    return translate("History", "Version {number}").format(number=count_text(version))
