"""Progress bar of a run, on a terminal or in a notebook."""

from __future__ import annotations

import math
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Optional

import numpy as np

Callback = Callable[["dict[str, Any]"], object]

PATIENCE = 0.5
"""Seconds after which a bar appears: short runs show none."""


def grouped_rate(per_second: float, noun: str = "steps") -> str:
    """12 k steps/s"""
    if not math.isfinite(per_second):
        return ""
    if per_second >= 1e6:
        return f"{per_second / 1e6:.2f} M {noun}/s"
    return f"{per_second / 1e3:.0f} k {noun}/s" if per_second >= 1e3 else f"{per_second:.3g} {noun}/s"


def duration_text(seconds: float) -> str:
    """3 s, 2 min 10 s, 5 h 12 min"""
    if not 0 <= seconds <= 1e10:
        return "?"
    if seconds < 10:
        return f"{seconds:.2g} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    if whole < 86400:
        return f"{whole // 3600} h {whole // 60 % 60} min"
    return f"{whole // 86400} d {whole // 3600 % 24} h"


def fraction_of(news: "dict[str, Any]") -> float:
    """Of the whole, 0 to 1."""
    if news.get("fraction") is not None:
        return float(news["fraction"])
    return float(news["done"] / news["total"]) if news["total"] > 0 else 1.0


def description_of(news: "dict[str, Any]") -> str:
    """Percentage, rate and remaining time."""
    fraction = fraction_of(news)
    seconds = news["seconds"]
    rate = (news["done"] - news.get("restored", 0)) / seconds if seconds > 0 else math.inf
    if fraction >= 1:
        rest = f"done in {duration_text(seconds)}"
    else:
        by_time = news.get("fraction") is not None
        left = seconds * (1 - fraction) / fraction if by_time and fraction > 0 else math.inf
        if not by_time and rate > 0:
            left = (news["total"] - news["done"]) / rate
        rest = f"{duration_text(left)} left"
    return f"{100 * fraction:5.1f} %  {grouped_rate(rate, news.get('noun', 'steps'))}  {rest}"


class TerminalBar:
    """One line on standard error, updated in place."""

    def __init__(self) -> None:
        self._open = False

    def __call__(self, news: "dict[str, Any]") -> None:
        if news["seconds"] < PATIENCE and not self._open:
            return
        tail = description_of(news)
        width = shutil.get_terminal_size().columns
        room = max(0, min(60, width - len(tail) - 4))
        done = int(fraction_of(news) * room)
        # A line that wraps could not be written over.
        sys.stderr.write(f"\r{'█' * done}{'░' * (room - done)} {tail[:max(1, width - 2)]}\033[K")
        sys.stderr.flush()
        self._open = True

    def close(self) -> None:
        """Ends the line."""
        if self._open:
            sys.stderr.write("\n")
            self._open = False


class NotebookBar:
    """A bar of HTML below the cell."""

    def __init__(self) -> None:
        self._handle: Any = None

    def __call__(self, news: "dict[str, Any]") -> None:
        if news["seconds"] < PATIENCE and self._handle is None:
            return
        from IPython.display import HTML, display

        html = HTML(
            f'<progress value="{fraction_of(news):.4f}" max="1" style="width: 30em"></progress> '
            f"<code>{description_of(news)}</code>"
        )
        if self._handle is None:
            self._handle = display(html, display_id=True)
        else:
            self._handle.update(html)

    def close(self) -> None:
        """Nothing is left open."""


def in_notebook() -> bool:
    """Whether IPython shows HTML."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and shell.has_trait("kernel") and shell.kernel is not None


@contextmanager
def shown_progress(progress: Any) -> Iterator[Optional[Callback]]:
    """What the core calls: a user function, a bar (True), or a bar on terminals and in notebooks (None)."""
    if isinstance(progress, np.bool_):
        progress = bool(progress)
    if progress is not None and not isinstance(progress, bool) and not callable(progress):
        raise TypeError(f"progress={progress!r}: expected True, False, or a function that is called with a dict")
    if callable(progress):
        yield _also_stopped(progress)
        return
    bar: Any = None
    if progress is not False and in_notebook():
        bar = NotebookBar()
    elif progress or (progress is None and sys.stderr is not None and sys.stderr.isatty() and not _dumb()):
        bar = TerminalBar()
    try:
        yield _also_stopped(bar)
    finally:
        if bar is not None:
            bar.close()


def _dumb() -> bool:
    return os.environ.get("TERM") == "dumb"


def _also_stopped(show: Optional[Callback]) -> Optional[Callback]:
    """Ctrl-C reaches the main thread only. A run in another one ends once it has ended the main thread."""
    if threading.current_thread() is threading.main_thread():
        return show

    def poll(news: "dict[str, Any]") -> None:
        if not threading.main_thread().is_alive() and getattr(sys, "last_type", None) is KeyboardInterrupt:
            raise KeyboardInterrupt
        if show is not None:
            show(news)

    return poll
