"""Files hold no states of events, and nobody may conclude from that that there were none."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import libration as lb
import pytest


@pytest.fixture()
def path(tmp_path: Path) -> Path:
    with pytest.warns(lb.LibrationWarning, match="event2 never happened"):
        run = lb.load("pendulum").run("rattle", step=0.01, steps=1000, events=["x", "x - 5"])
    assert repr(run.events).splitlines()[1] == "event event2: never" and len(run.events["event1"]) == 3
    run.save(tmp_path / "run.h5")
    return tmp_path / "run.h5"


def require_lost(run: Any, count: int) -> None:
    lines = repr(run.events).splitlines()
    assert lines[0].startswith(f"event event1: {count} times, t = 1.85405 to ")
    assert lines[0].endswith("their states are not in the file")
    assert lines[1] == "event event2: never" and len(run.events["event2"]) == 0
    for ask in (lambda: run.events["event1"], lambda: run.events[0], lambda: run.events.event1,
                lambda: run.events.all, lambda: run.events.order):  # fmt: skip
        with pytest.raises(lb.InputError, match=rf"happened {count} times.*not in the file.*summary\['events'\]"):
            ask()


def test_an_opened_run_says_that_the_states_of_its_events_are_not_there(path: Path) -> None:
    opened = lb.open(path)
    require_lost(opened, 3)
    assert len(opened.events.held) == 0  # type: ignore[union-attr]


def test_a_resumed_run_warns_of_the_events_before(path: Path) -> None:
    # Two warnings come; of those that pytest.warns does not match, pytest 8 makes errors.
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        longer = lb.resume(path, steps=1500)
    told = [str(one.message) for one in caught if one.category is lb.LibrationWarning]
    assert any(re.search("event1.*3 times.*states are not in", text) for text in told), told
    require_lost(longer, 4)
    held = longer.events.held  # type: ignore[union-attr]
    assert len(held) == 1 and held.t[0] == longer.summary["events"]["event1"]["last"]


def test_a_run_with_its_file_has_its_events(tmp_path: Path) -> None:
    for stop in (10**9, 700):
        run = lb.load("pendulum").run("rattle", step=0.01, steps=1000, events=["x"], out=tmp_path / f"{stop}.h5",
                                      callback=lambda state, stop=stop: state.step == stop)  # fmt: skip
        assert len(run.events["event1"]) == run.summary["events"]["event1"]["count"] == len(run.events.all)
