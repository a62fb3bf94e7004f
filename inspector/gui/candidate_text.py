"""Candidates in words: what the table shows of each, and the sentences below it about the chosen one."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from inspector.gui.texts import count_text, locale, size_text
from inspector.operations.advise import Advice, Candidate

translate = QCoreApplication.translate

MINUS = "\N{MINUS SIGN}"
_MOST = 200


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate ready to paint: *share*, *low* and *high* are lengths of its bar, 0 to 1.

    *texts* holds the text of each column, *interval* the second line of the size, *warning* what would be dropped;
    *grows* says that the file would become larger.
    """

    candidate: Candidate
    texts: tuple[str, ...]
    detail: str
    interval: str
    warning: str
    share: float
    low: float
    high: float
    grows: bool
    spoken: str


def is_change(candidate: Candidate) -> bool:
    """Say whether taking *candidate* writes anything."""
    return candidate.action != "leave"


def rows_of(advice: Advice, needs: frozenset[str]) -> list[Row]:
    """Return the rows of *advice*; *needs* holds the codecs whose result is read only after a configuration."""
    whole = max([advice.size, *(candidate.high for candidate in advice.candidates)]) or 1
    return [_row(candidate, advice.size, whole, candidate.codec in needs) for candidate in advice.candidates]


def _row(candidate: Candidate, size: int, whole: int, needs: bool) -> Row:
    detail = candidate.detail
    if needs and is_change(candidate):
        detail = translate("Candidates", "needs a configuration")
    warning = translate("Candidates", "drops versions") if candidate.drops_versions else ""
    texts = (
        candidate.label[:_MOST],
        size_text(candidate.estimate),
        change_text(candidate, size),
        speed_text(candidate.encode_mb_s),
        speed_text(candidate.decode_mb_s),
    )
    spoken = [
        candidate.label,
        translate("Candidates", "recommended") if candidate.recommended else "",
        detail,
        warning,
        *texts[1:3],
    ]
    return Row(
        candidate=candidate,
        texts=texts,
        detail=detail,
        interval=interval_text(candidate.low, candidate.high),
        warning=warning,
        share=candidate.estimate / whole,
        low=candidate.low / whole,
        high=candidate.high / whole,
        grows=candidate.estimate > size,
        spoken=", ".join(part for part in spoken if part)[:_MOST],
    )


def change_text(candidate: Candidate, size: int) -> str:
    """Return the change of size as a percentage with its sign; nothing for what stays as it is."""
    if not is_change(candidate) or not size:
        return ""
    change = round(100 * (candidate.estimate / size - 1))
    sign = MINUS if change < 0 else "+" if change > 0 else ""
    return f"{sign}{count_text(abs(change))} %"


def interval_text(low: int, high: int) -> str:
    """Return ``59–63 MB``, or nothing if both ends read the same."""
    first, last = size_text(low), size_text(high)
    if first == last:
        return ""
    number, _, unit = first.rpartition(" ")
    return f"{number}–{last}" if last.endswith(f" {unit}") else f"{first}–{last}"


def speed_text(speed: float | None) -> str:
    """Return a speed in 10^6 bytes a second with two or three digits; nothing if it was not measured."""
    if speed is None:
        return ""
    if speed >= 100:
        return count_text(round(speed))
    if speed < 0.01:
        return translate("Candidates", "< {speed}").replace("{speed}", locale().toString(0.01, "f", 2))
    return locale().toString(speed, "f", 1 if speed >= 1 else 2)


def measured_text(advice: Advice) -> str:
    """Return what was measured, how much of it, and how long that took."""
    seconds = locale().toString(advice.seconds, "f", 1)
    if advice.pieces < advice.total_pieces:
        text = translate(
            "Candidates",
            "Measured on {some} of {all} parts ({bytes}) in {seconds} s. Sizes are estimates until written.",
        )
    else:
        text = translate("Candidates", "Measured on all of it ({bytes} decoded) in {seconds} s.")
    return (
        text.replace("{some}", count_text(advice.pieces))
        .replace("{all}", count_text(advice.total_pieces))
        .replace("{bytes}", size_text(advice.sample_bytes))
        .replace("{seconds}", seconds)
    )


def reasons(advice: Advice, chosen: Candidate) -> tuple[str, str]:
    """Return why *chosen* is a good choice or how it differs from the recommended one, and a second thought."""
    best = advice.recommended
    if chosen is best:
        return best.reason, _other(advice, best)
    if not is_change(chosen):
        return translate("Candidates", "Nothing is written."), ""
    if chosen.estimate > advice.size:
        return translate("Candidates", "The file would grow by {size}.").replace(
            "{size}", size_text(chosen.estimate - advice.size)
        ), ""
    return _versus(chosen, best), ""


def _other(advice: Advice, best: Candidate) -> str:
    """Return a sentence about the smallest candidate if that is clearly smaller than *best*."""
    changes = [candidate for candidate in advice.candidates if is_change(candidate) and candidate is not best]
    smallest = min(changes, key=lambda candidate: candidate.estimate, default=None)
    if smallest is None or smallest.estimate > 0.98 * best.estimate or smallest.estimate > advice.size:
        return ""
    return _versus(smallest, best)


def _versus(candidate: Candidate, best: Candidate) -> str:
    difference = best.estimate - candidate.estimate
    size = size_text(abs(difference))
    if not is_change(best):
        text = translate("Candidates", "{name} would make the file {size} smaller.")
        return text.replace("{name}", candidate.label).replace("{size}", size)
    smaller = translate("Candidates", "{name} is {size} smaller than {best}.")
    larger = translate("Candidates", "{name} is {size} larger than {best}.")
    if not difference:
        smaller = translate("Candidates", "{name} is as large as {best}.")
    text = smaller if difference >= 0 else larger
    slower = _slower(candidate, best)
    if slower:
        text = text.removesuffix(".") + slower
    return text.replace("{name}", candidate.label).replace("{size}", size).replace("{best}", best.label)


def _slower(candidate: Candidate, best: Candidate) -> str:
    if not candidate.encode_mb_s or not best.encode_mb_s:
        return ""
    factor = best.encode_mb_s / candidate.encode_mb_s
    if factor < 1.3:
        return ""
    return translate("Candidates", ", but {factor}× slower to write.").replace(
        "{factor}", locale().toString(factor, "f", 1 if factor < 10 else 0)
    )
