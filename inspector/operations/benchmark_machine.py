"""What this machine is, as a result file says it: processor, cores, memory, Python, system, library versions."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from inspector.operations.benchmark_model import Machine


def this_machine(packages: Iterable[str] = ()) -> Machine:
    """Return the present machine with the versions of those *packages* that are installed."""
    return Machine(
        cpu=_processor(),
        cores=_cores(),
        memory=_memory(),
        python=platform.python_version(),
        system=_system(),
        libraries={name: version for name in sorted(set(packages)) if (version := version_of(name))},
    )


def version_of(package: str) -> str | None:
    """Return the version of the installed distribution *package*, None if it is not there."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text("utf-8", "replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Model", "cpu model"):
                return " ".join(value.split())
    return platform.processor() or platform.machine() or "unknown"


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows has no sysconf
        return None


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return f"{platform.system()} {platform.release()}".strip()
