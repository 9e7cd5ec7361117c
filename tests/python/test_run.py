"""Runs in memory: arrays, options, callbacks, threads."""

from __future__ import annotations

import gc
import threading
import time
import warnings
from typing import Any

import libration as lb
import numpy as np
import pytest


@pytest.fixture(scope="module")
def pendulum() -> Any:
    return lb.load("triple-pendulum")


def test_arrays_have_one_row_a_recorded_state(pendulum: Any) -> None:
    run = pendulum.run("rattle", step=0.01, steps=105, every=10)
    assert run.t.shape == (12,) and run.q.shape == run.p.shape == run.v.shape == (12, 6) and run.lam.shape == (12, 3)
    assert run.step_numbers.tolist() == [*range(0, 101, 10), 105]
    assert run.t[-1] == run.summary["t"] and run.q[-1].tolist() == run.summary["q"]
    assert (run.status, run.steps, run.method, run.step, len(run)) == ("completed", 105, "rattle", 0.01, 12)


def test_arrays_are_read_only_views_that_outlive_the_run(pendulum: Any) -> None:
    run = pendulum.run("rattle", step=0.01, steps=20000)
    q, again, t = run.q, run.q, run.t
    assert np.shares_memory(q, again) and not q.flags.owndata and not q.flags.writeable and q.flags.c_contiguous
    with pytest.raises(ValueError):
        q[0, 0] = 1
    with pytest.raises(ValueError):
        q.flags.writeable = True
    kept = q.copy()
    del run, again
    gc.collect()
    filler = [np.ones(q.size) for _ in range(20)]
    np.testing.assert_array_equal(q, kept)
    assert len(filler) == 20 and t[-1] == pytest.approx(200)


def test_a_view_holds_only_its_own_column() -> None:
    model = lb.load("triple-pendulum")
    t = model.run("rattle", step=0.01, steps=10).t
    gc.collect()
    assert t[3] == 0.03


def test_columns_are_mappings_with_attributes(pendulum: Any) -> None:
    run = pendulum.run("rattle", step=0.01, steps=10)
    assert list(run.residuals) == ["constraint", "hidden"]
    assert run.residuals.hidden is not None and run.residuals["constraint"].shape == (11,)
    name = next(iter(run.observables))
    np.testing.assert_array_equal(getattr(run.observables, name), run.observables[name])
    with pytest.raises(KeyError, match="available: "):
        run.observables["nothing"]
    with pytest.raises(AttributeError, match="there is no 'nothing'"):
        run.observables.nothing
    assert name in repr(run.observables) and "11 values" in repr(run.observables)


def test_defaults_come_from_the_model() -> None:
    model = lb.load("triple-pendulum")
    run = model.run(steps=5)
    defaults = model._core.run_defaults
    assert run.method == defaults["method"] and run.step == defaults["step"]


def test_what_is_missing_is_chosen() -> None:
    model = lb.Model.parse(
        '[coordinates]\nq = ["x"]\n[dynamics]\nmass = 1\npotential = "x^2/2"\n[initial]\nq = [1]\nv = [0]\n'
    )
    run = model.run()
    assert run.verdict is not None and run.verdict.word == "good"
    assert run.t[-1] > 100 and abs(run.q[-1, 0] - np.cos(run.t[-1])) < 3e-6
    with pytest.raises(lb.InputError, match=r"give duration=T, or step=H"):
        model.run(steps=5)


def test_whole_numbers_may_be_written_as_floats(pendulum: Any) -> None:
    assert pendulum.run("rattle", step=0.01, steps=1e2, every=np.int64(50)).step_numbers.tolist() == [0, 50, 100]
    with pytest.raises(lb.InputError, match="steps=2.5: it must be an integer"):
        pendulum.run("rattle", step=0.01, steps=2.5)


def test_states_at_given_times(pendulum: Any) -> None:
    times = [0.015, 0.5, 0.999]
    run = pendulum.run("rattle", step=0.01, steps=100, at=np.array(times))
    assert run.t.tolist() == times
    with pytest.raises(lb.InputError, match="at and every exclude each other"):
        pendulum.run("rattle", step=0.01, steps=100, at=times, every=2)


def test_events_are_states() -> None:
    run = lb.load("pendulum").run("rattle", step=0.01, duration=20, events={"bottom": "x", "left": "v_x falling"})
    bottom = run.events["bottom"]
    assert len(bottom) == run.summary["events"]["bottom"]["count"] > 2
    assert np.all(np.abs(bottom.q[:, 0]) < 1e-12) and bottom.p.shape == bottom.q.shape
    assert not np.any(run.events.left.rising)
    assert np.all(np.diff(run.events.all.t) >= 0) and len(run.events.order) == len(run.events.all)
    with pytest.raises(KeyError, match="available: bottom, left"):
        run.events["right"]


def test_a_terminal_event_and_a_condition_stop_the_run() -> None:
    model = lb.load("pendulum")
    stopped = model.run("rattle", step=0.01, duration=20, events={"b": {"when": "x", "terminal": True}})
    assert stopped.status == "stopped" and stopped.t[-1] < 20
    condition = model.run("rattle", step=0.01, duration=20, stop_if="t > 1")
    assert condition.status == "stopped" and condition.t[-1] == pytest.approx(1.01)


@pytest.mark.parametrize("method", ["rattle", "shake", "multistep(4)", "lobatto(3)"])
@pytest.mark.parametrize("at", [0, 1, 37])
def test_a_callback_ends_the_run_at_the_state_that_it_sees(pendulum: Any, method: str, at: int) -> None:
    seen: "list[Any]" = []

    def stop(state: Any) -> bool:
        seen.append(state)
        return bool(state.step == at)

    run = pendulum.run(method, step=0.01, steps=100, callback=stop)
    assert run.status == "stopped" and run.steps == at and len(run) == at + 1 == len(seen)
    last = seen[-1]
    assert (last.t, last.energy, last.step) == (run.t[-1], run.energy[-1], run.step_numbers[-1])
    for name in ("q", "p", "v", "lam"):
        np.testing.assert_array_equal(getattr(last, name), getattr(run, name)[-1])
    assert run.summary["q"] == last.q.tolist()
    assert last.observables == {name: values[-1] for name, values in run.observables.items()}
    last.q[0] = 7  # a copy
    assert run.q[-1, 0] != 7


def test_a_callback_at_given_times_ends_the_run_there(pendulum: Any) -> None:
    run = pendulum.run("rattle", step=0.1, steps=100, at=[0.01, 0.02, 0.03, 5], callback=lambda s: s.t >= 0.02)
    assert run.t.tolist() == [0.01, 0.02] and run.status == "stopped"


def test_an_error_in_a_callback_ends_the_run_and_comes_through(pendulum: Any) -> None:
    def fail(state: Any) -> None:
        if state.step == 3:
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        pendulum.run("rattle", step=0.01, steps=100, callback=fail)
    with pytest.raises(ZeroDivisionError):
        pendulum.run("rattle", step=0.01, steps=10, progress=lambda news: 1 / 0)


def test_progress_functions_get_numbers(pendulum: Any) -> None:
    news: "list[Any]" = []
    pendulum.run("rattle", step=0.01, steps=10, progress=news.append)
    assert news[-1]["done"] == news[-1]["total"] == 10 and set(news[-1]) >= {"seconds", "restored", "fraction"}
    with pytest.raises(TypeError, match="progress="):
        pendulum.run("rattle", step=0.01, steps=10, progress="loud")


def test_two_threads_run_at_once_and_both_are_right(pendulum: Any) -> None:
    expected = pendulum.run("rattle", step=0.01, steps=30000)
    results: "dict[int, Any]" = {}
    inside = threading.Barrier(2, timeout=60)

    def work(k: int) -> None:
        met = False

        def meet(state: Any) -> None:
            nonlocal met
            if not met:
                met = True
                inside.wait()  # only if the other one is inside its run, too

        results[k] = pendulum.run("rattle", step=0.01, steps=30000, every=1000, callback=meet)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(2):
        np.testing.assert_array_equal(results[k].q, expected.q[::1000])


def test_python_goes_on_while_a_run_is_on(pendulum: Any) -> None:
    done = threading.Event()
    ready = threading.Event()

    def work() -> None:
        ready.set()
        pendulum.run("rattle", step=0.01, steps=10**9, every=10**8, progress=lambda news: done.is_set() and 1 / 0)

    thread = threading.Thread(target=lambda: pytest.raises(ZeroDivisionError, work))
    thread.start()
    ready.wait()
    turns = 0
    until = time.monotonic() + 0.3
    while time.monotonic() < until:
        turns += 1
    done.set()
    thread.join(60)
    assert not thread.is_alive() and turns > 100


def test_a_run_that_fails_gives_what_was_computed() -> None:
    model = lb.load("pendulum")
    with pytest.raises(lb.IntegrationError) as caught:
        model.run("rattle", step=3.0, steps=1000)
    run = caught.value.run
    assert run is not None and run.status == "failed" and len(run) == run.steps + 1
    assert caught.value.failure["step"] == run.steps + 1 and caught.value.failure["message"] in str(caught.value)
    assert np.all(np.isfinite(run.q))


def test_warnings_point_at_the_line_of_the_user(pendulum: Any) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        run = pendulum.run("rattle", step=0.3, duration=1.0)
    assert [str(w.message) for w in caught if w.category is lb.LibrationWarning] == run.warnings != []
    assert all(w.filename == __file__ for w in caught)


def test_more_states_than_memory_are_refused_before_the_run(pendulum: Any) -> None:
    with pytest.raises(lb.InputError, match=r"GiB.*every=K.*out=\"FILE.h5\""):
        pendulum.run("rattle", step=0.01, steps=10**13)


def test_steps_that_choose_their_length_are_recorded(pendulum: Any) -> None:
    run = lb.load("pendulum").run("lobatto(3)", step=0.1, duration=50, adaptive="reversible", tol=1e-7)
    assert len(run) == run.steps + 1 and run.t[-1] >= 50 and run.summary["adaptive"]["tol"] == 1e-7
    with pytest.raises(lb.InputError, match="tol: it requires adaptive"):
        pendulum.run("rattle", step=0.1, steps=2, tol=1e-7)


def test_the_text_of_a_run_says_what_it_is(pendulum: Any) -> None:
    text = repr(pendulum.run("rattle", step=0.01, steps=10))
    assert "triple-pendulum" in text and "rattle" in text and "10 steps" in text and "completed" in text


def test_the_energy_error_is_computed_once_and_cannot_be_written() -> None:
    run = lb.load("pendulum").run("rattle", step=0.01, steps=20)
    assert run.energy_error is run.energy_error and np.array_equal(run.energy_error, run.energy - run.energy[0])
    with pytest.raises(ValueError, match="read-only"):
        run.energy_error[0] = 1


def test_other_threads_go_on_while_a_run_does() -> None:
    ticks = 0
    over = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not over.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        before = ticks
        run = lb.load("triple-pendulum").run("rattle", step=0.01, steps=500_000, every=10**6, progress=False)
        after = ticks
    finally:
        over.set()
        thread.join()
    # With the lock held there would be one or two; a run of that length leaves time for hundreds.
    assert run.status == "completed" and after - before > 20
