"""Files hold the states of events; where they do not, nobody may conclude that there were none."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import Any

import h5py
import libration as lb
import numpy as np
import pytest

FILES = Path(os.environ["LIBRATION_SOURCE_DIR"], "tests", "files")
COLUMNS = ("t", "rising", "q", "p", "v", "lam", "energy", "constraint", "hidden")


def made(**options: Any) -> Any:
    with pytest.warns(lb.LibrationWarning, match="event2 never occurred"):
        return lb.load("pendulum").run("rattle", step=0.01, events=["x", "x - 5"], **options)


def require_same(found: Any, wanted: Any) -> None:
    assert list(found.events) == list(wanted.events) == ["event1", "event2"]
    assert found.events.lost == {} and found.events.order == wanted.events.order
    for ask in (lambda run: run.events.all, lambda run: run.events["event1"], lambda run: run.events[1]):
        for name in COLUMNS:
            np.testing.assert_array_equal(getattr(ask(found), name), getattr(ask(wanted), name), err_msg=name)
    assert found.summary["event_states"] == wanted.summary["event_states"]


def test_an_opened_run_has_its_events(tmp_path: Path) -> None:
    run = made(steps=1000)
    assert len(run.events["event1"]) == 3
    run.save(tmp_path / "saved.h5")
    require_same(made(steps=1000, out=tmp_path / "out.h5"), run)
    for name in ("saved", "out"):
        opened: Any = lb.open(tmp_path / f"{name}.h5")
        require_same(opened, run)
        opened.save(tmp_path / "again.h5", overwrite=True)
        require_same(lb.open(tmp_path / "again.h5"), run)


def test_a_resumed_run_has_the_events_before(tmp_path: Path) -> None:
    whole = made(steps=1500)
    assert len(whole.events["event1"]) == 4
    for name in ("saved.h5", "out.h5"):
        made(steps=1000, out=tmp_path / "out.h5", overwrite=True).save(tmp_path / "saved.h5", overwrite=True)
        with pytest.warns(lb.LibrationWarning, match="event2 never occurred"):
            require_same(lb.resume(tmp_path / name, steps=1500), whole)
        require_same(lb.open(tmp_path / name), whole)


def test_a_run_that_a_callback_breaks_off_keeps_its_events(tmp_path: Path) -> None:
    def fail(state: Any) -> None:
        if state.step == 700:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        lb.load("pendulum").run("rattle", step=0.01, steps=1000, events=["x"], out=tmp_path / "a.h5", callback=fail)
    opened: Any = lb.open(tmp_path / "a.h5")
    wanted = made(steps=1000)
    assert opened.events.held.t.tolist() == [t for t in wanted.events["event1"].t if t <= 7]
    resumed: Any = lb.resume(tmp_path / "a.h5")
    assert resumed.events["event1"].t.tolist() == wanted.events["event1"].t.tolist()


def former(tmp_path: Path) -> Path:
    path = tmp_path / "former.h5"
    path.write_bytes(gzip.decompress((FILES / "run_of_format_2.h5.gz").read_bytes()))
    return path


def require_lost(run: Any, count: int) -> None:
    lines = repr(run.events).splitlines()
    assert lines[0].startswith(f"event side: {count} time") and lines[0].endswith("their states are not in the file")
    for ask in (lambda: run.events["side"], lambda: run.events[0], lambda: run.events.side,
                lambda: run.events.all, lambda: run.events.order):  # fmt: skip
        with pytest.raises(lb.InputError, match=rf"happened {count} times.*not in the file.*summary\['events'\]"):
            ask()
    assert run.summary["event_states"] is None


def test_a_file_of_the_format_before_says_that_the_states_of_its_events_are_not_there(tmp_path: Path) -> None:
    opened: Any = lb.open(former(tmp_path))
    require_lost(opened, 1)
    assert len(opened.events.held) == 0 and opened.summary["energy"]["max_error"] > 0


def test_a_resumed_file_of_the_format_before_warns_of_its_events(tmp_path: Path) -> None:
    with pytest.warns(lb.LibrationWarning, match="side.*1 times.*states are not in"):
        longer: Any = lb.resume(former(tmp_path), steps=1000)
    require_lost(longer, 3)
    assert len(longer.events.held) == 2 and longer.events.held.t[-1] == longer.summary["events"]["side"]["last"]


def test_a_number_of_an_event_that_does_not_exist_is_a_damaged_file(tmp_path: Path) -> None:
    made(steps=1000, out=tmp_path / "a.h5")
    with h5py.File(tmp_path / "a.h5", "r+") as file:
        file["events/event"][1] = 7
    with pytest.raises(lb.FileError, match="/events/event has the number 7 in row 1.*2 events"):
        lb.open(tmp_path / "a.h5").summary  # noqa: B018
