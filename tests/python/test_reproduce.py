"""Items of papers in Python: the same numbers, galleries that go on, and Ctrl-C."""

from __future__ import annotations

import os
import pathlib
import signal
import threading
from typing import Any

import libration as lb
import pytest
from command_line import answer, without
from libration._records import plain

FAST_ITEM = "001-fig3.1"

RECIPE = """\
title = "A pendulum"
place = "nowhere"
setting = "The pendulum."

[[run]]
name = "a"
model = "pendulum"
method = "rattle"
step = 0.01
steps = STEPS

[[check]]
what = "the time at the end"
value = "a.t"
expected = EXPECTED
relative = 1e-12
why = "round-off"

[[figure]]
title = "Orbit"
x.label = "x"
y.label = "y"
series = [{ run = "a", x = "x", y = "y", to = 1 }]
"""


def recipe(path: pathlib.Path, steps: int = 100, expected: float = 1.0) -> str:
    path.write_text(RECIPE.replace("STEPS", str(steps)).replace("EXPECTED", str(expected)), encoding="utf-8")
    return str(path)


def test_items_are_those_of_the_program() -> None:
    items = lb.reproduce(FAST_ITEM, quick=True)
    expected = without(answer("reproduce", FAST_ITEM, "--quick", "--quiet")["items"], "seconds", "figures")
    assert [without(plain(item), "seconds", "captions") for item in items] == expected
    assert items.ok and items[FAST_ITEM].verdict == "reproduced"


def test_items_have_figures_and_checks_that_notebooks_show() -> None:
    item = lb.reproduce(FAST_ITEM, quick=True)[0]
    assert item.figures and all(figure.rstrip().endswith("</svg>") for figure in item.figures)
    assert len(item.captions) == len(item.figures)
    assert all(row.passed for check in item.checks for row in check.rows)
    assert item._repr_html_().count("<svg") == len(item.figures) and "<?xml" not in item._repr_html_()
    assert item.checks[0].what in repr(item)


def test_items_are_listed_without_being_computed() -> None:
    assert [plain(item) for item in lb.items("001")] == answer("reproduce", "001", "--list")["items"]
    assert len(lb.items()) > len(lb.items("001"))


def test_a_wrong_value_is_a_verdict_and_no_exception(tmp_path: pathlib.Path) -> None:
    items = lb.reproduce(recipe(tmp_path / "wrong.toml", expected=2.0))
    assert not items.ok and items[0].verdict == "FAILED" and not items[0].ok
    assert "FAILED" in repr(items) and "FAILED" in items._repr_html_()


def test_a_gallery_keeps_what_is_finished_and_again_repeats_it(tmp_path: pathlib.Path) -> None:
    gallery, seen = tmp_path / "gallery", []

    def watch(news: dict[str, Any]) -> None:
        seen.append((news["verdict"], news["done"], news["total"]))

    name = recipe(tmp_path / "own.toml")
    first = lb.reproduce(name, out=gallery, progress=watch)
    assert (gallery / "index.html").exists() and first[0].figures
    assert seen == [(None, 0, 1), ("reproduced", 1, 1)]
    seen.clear()
    assert lb.reproduce(name, out=gallery, progress=watch)[0].seconds == first[0].seconds
    assert seen == [("reproduced", 1, 1)]
    lb.reproduce(name, out=gallery, again=True, progress=watch)
    assert (None, 0, 1) in seen


def test_ctrl_c_ends_it_and_leaves_what_is_done(tmp_path: pathlib.Path) -> None:
    names = [recipe(tmp_path / "short.toml"), recipe(tmp_path / "long.toml", 2_000_000_000, 2e7)]
    done = threading.Event()

    def watch(news: dict[str, Any]) -> None:
        if news["done"] == 1 and not done.is_set():
            done.set()
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(lb.Interrupted) as caught:
        lb.reproduce(*names, threads=2, progress=watch)
    assert isinstance(caught.value, KeyboardInterrupt)
    assert [item.verdict for item in caught.value.items] == ["reproduced"]  # type: ignore[attr-defined]


def test_what_the_progress_function_raises_ends_it(tmp_path: pathlib.Path) -> None:
    def fail(news: dict[str, Any]) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        lb.reproduce(recipe(tmp_path / "long.toml", 2_000_000_000, 2e7), progress=fail)


def test_errors_say_what_to_do() -> None:
    with pytest.raises(lb.InputError, match=FAST_ITEM):
        lb.reproduce("001-fig3.11")
    with pytest.raises(lb.InputError, match="again"):
        lb.reproduce(FAST_ITEM, again=True)
    with pytest.raises(lb.InputError, match="threads"):
        lb.reproduce(FAST_ITEM, threads=0)
    with pytest.raises(TypeError, match="progress"):
        lb.reproduce(FAST_ITEM, progress="yes")
