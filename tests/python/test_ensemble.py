"""Ensembles: every trajectory is the run of its own values, bit for bit; arrays, files, failures, Ctrl-C."""

from __future__ import annotations

import os
import pathlib
import signal
import warnings
from typing import Any

import libration as lb
import numpy as np
import pytest
from command_line import answer, without

ROD = """
[parameters]
l = 1
g = 1
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1
potential = "g*y"
constraints = ["x^2 + y^2 - l^2"]
[initial]
q = [1, 0]
"""

LENGTH: dict[str, Any] = {"step": 0.01, "steps": 60}


def single(model: lb.Model, method: str | None = None, **values: float) -> Any:
    return model.set(**values).run(method, **LENGTH)


def test_every_trajectory_is_the_run_of_its_own_values() -> None:
    model = lb.load("pendulum")
    gravity = np.linspace(0.5, 2, 20)
    ensemble = model.ensemble(vary={"g": gravity}, **LENGTH)
    assert np.array_equal(ensemble.varied["g"], gravity) and len(ensemble) == 20
    for k, g in enumerate(gravity):
        run = single(model, g=g)
        assert np.array_equal(ensemble.q[k], run.q[-1]) and np.array_equal(ensemble.p[k], run.p[-1])
        assert ensemble.energy_error_final[k] == abs(run.energy_error[-1]) and ensemble.t[k] == run.t[-1]
        assert ensemble.energy_initial[k] == run.energy[0]
        assert ensemble.energy_error_max[k] == np.abs(run.energy_error).max()
    # What has the name of a signed quantity of runs must have its sign; the statistics have.
    assert not hasattr(ensemble, "energy_error") and not hasattr(ensemble, "energy")
    errors = [single(model, g=g).energy_error[-1] for g in gravity]
    assert min(errors) < 0 and ensemble.minimum("energy_error")[-1] == min(errors)
    frame = ensemble.to_dataframe()
    assert np.array_equal(frame["energy_error_final"], ensemble.energy_error_final) and "energy_error" not in frame


def test_trajectories_that_start_close_are_told_apart_bit_by_bit() -> None:
    model = lb.load("double-pendulum")
    starts = np.array([-1.0, -0.999, -0.998])
    length = {"step": 0.02, "steps": 2000}
    names = model.coordinates
    first = model.run("rattle", **length).q[0]
    ensemble = model.ensemble("rattle", vary={names[3]: first[3] + 1e-3 * starts}, project=True, trajectories=True,
                              every=100, **length)
    frames = ensemble.trajectories
    assert frames is not None and frames.q.shape == (3, 21, 4)
    for k, start in enumerate(starts):
        run = model.set({names[3]: float(first[3] + 1e-3 * start)}).run("rattle", project=True, every=100, **length)
        assert np.array_equal(frames.q[k], run.q) and np.array_equal(frames.p[k], run.p)
        assert np.array_equal(frames.t, run.t)
    assert not np.array_equal(frames.q[0, -1], frames.q[1, -1])


def test_arrays_of_initial_values_go_by_q_and_v() -> None:
    model = lb.load("kepler")
    rng = np.random.default_rng(1)
    q = np.column_stack([rng.uniform(0.9, 1.1, 5), rng.uniform(-0.1, 0.1, 5)])
    v = np.column_stack([rng.uniform(-0.1, 0.1, 5), rng.uniform(0.9, 1.1, 5)])
    x, y = model.coordinates
    ensemble = model.ensemble("verlet", vary={"q": q, "v": v}, **LENGTH)
    assert ensemble.names == [x, y, f"v_{x}", f"v_{y}"] and np.array_equal(ensemble.values, np.hstack([q, v]))
    for k in range(5):
        run = model.set({x: q[k, 0], y: q[k, 1], f"v_{x}": v[k, 0], f"v_{y}": v[k, 1]}).run("verlet", **LENGTH)
        assert np.array_equal(ensemble.q[k], run.q[-1]) and np.array_equal(ensemble.p[k], run.p[-1])


def test_distributions_statistics_and_outcomes_are_those_of_the_program() -> None:
    ensemble = lb.load("pendulum").ensemble(vary={"g": "uniform(0.5, 2)"}, count=33, seed=7, **LENGTH)
    varied = ("--vary", "g = uniform(0.5, 2)", "--count", 33, "--seed", 7)
    expected = answer("ensemble", "pendulum", *varied, "--step", 0.01, "--steps", 60, "--quiet")
    assert without(ensemble.summary, "seconds") == without(expected, "seconds")
    statistics = expected["statistics"]
    assert ensemble.percents == statistics["percents"] and list(ensemble.times) == statistics["t"]
    assert list(ensemble.counts) == statistics["count"]
    for channel in ensemble.channels:
        of = statistics["of"][channel]
        assert list(ensemble.mean(channel)) == of["mean"] and list(ensemble.deviation(channel)) == of["deviation"]
        assert list(ensemble.minimum(channel)) == of["min"] and list(ensemble.maximum(channel)) == of["max"]
        assert list(ensemble.quantile(95, channel)) == [row[4] for row in of["quantiles"]]
    assert list(ensemble.constraint_max) == [one["constraint_max"] for one in expected["trajectories"]]
    assert ensemble.mean().shape == (len(ensemble.times), len(ensemble.channels))


def test_arrays_and_distributions_can_be_mixed() -> None:
    model = lb.load("pendulum")
    ensemble = model.ensemble(vary={"m": [1.0, 2.0, 3.0], "g": "linspace(1, 2)"}, **LENGTH)
    assert list(ensemble.varied["g"]) == [1.0, 1.5, 2.0] and list(ensemble.varied["m"]) == [1.0, 2.0, 3.0]
    assert np.array_equal(ensemble.q[1], single(model, m=2.0, g=1.5).q[-1])


def test_arrays_are_views_that_cannot_be_written_and_outlive_the_ensemble() -> None:
    ensemble = lb.load("pendulum").ensemble(vary={"g": [1.0, 2.0]}, trajectories=True, **LENGTH)
    arrays = [ensemble.values, ensemble.q, ensemble.t, ensemble.status, ensemble.mean(), ensemble.quantile(50)]
    arrays.append(ensemble.times)
    kept = [array.copy() for array in arrays]
    frames = ensemble.trajectories
    assert frames is not None
    arrays += [frames.q, frames.p]
    kept += [frames.q.copy(), frames.p.copy()]
    del ensemble, frames
    for array, copy in zip(arrays, kept):
        assert np.array_equal(array, copy)
        with pytest.raises(ValueError):
            array[0] = array[0]


@pytest.fixture()
def rod(tmp_path: pathlib.Path) -> lb.Model:
    path = tmp_path / "rod.toml"
    path.write_text(ROD, encoding="utf-8")
    return lb.load(path)


def run_failing(model: lb.Model, **options: Any) -> lb.Ensemble:
    with pytest.warns(lb.LibrationWarning, match="1 of 3 trajectories failed; trajectory 1"):
        return model.ensemble(vary={"l": [1.0, 2.0, 1.0], "g": [1.0, 1.0, 2.0]}, trajectories=True, **LENGTH, **options)


def test_trajectories_that_fail_are_no_exception(rod: lb.Model) -> None:
    ensemble = run_failing(rod)
    assert list(ensemble.status) == ["completed", "failed", "completed"] and list(ensemble.failed) == [1]
    assert ensemble.failures[0].kind == "start" and np.isnan(ensemble.q[1]).all()
    frames = ensemble.trajectories
    assert frames is not None and np.isnan(frames.q[1]).all() and np.isfinite(frames.q[[0, 2]]).all()
    assert np.array_equal(frames.q[2, -1], rod.set(g=2).run(**LENGTH).q[-1])
    assert "1 of 3 trajectories failed" in repr(ensemble)


def same(one: lb.Ensemble, other: lb.Ensemble) -> None:
    order = [other.names.index(name) for name in one.names]
    assert np.array_equal(one.values, other.values[:, order]) and list(one.status) == list(other.status)
    for name in ("q", "p", "t", "steps", "energy_initial", "energy_error_final", "energy_error_max", "constraint_max",
                 "hidden_max", "floors_max", "times", "counts"):
        mine, theirs = getattr(one, name), getattr(other, name)
        assert np.array_equal(mine, theirs, equal_nan=mine.dtype == float), name
    for name in ("mean", "deviation", "minimum", "maximum"):
        assert np.array_equal(getattr(one, name)(), getattr(other, name)(), equal_nan=True)
    for percent in one.percents:
        assert np.array_equal(one.quantile(percent), other.quantile(percent), equal_nan=True)
    assert (one.trajectories is None) == (other.trajectories is None)
    if one.trajectories is not None and other.trajectories is not None:
        for mine, theirs in zip(one.trajectories, other.trajectories):
            assert np.array_equal(mine, theirs, equal_nan=True)
    assert [dict(failure) for failure in one.failures] == [dict(failure) for failure in other.failures]


def test_an_ensemble_in_a_file_reads_back_as_it_was(rod: lb.Model, tmp_path: pathlib.Path) -> None:
    kept, written = run_failing(rod), run_failing(rod, out=tmp_path / "a.h5")
    same(kept, written)
    same(kept, lb.open(tmp_path / "a.h5"))
    kept.save(tmp_path / "b.h5")
    same(kept, lb.open(tmp_path / "b.h5"))
    assert lb.open(tmp_path / "b.h5").model.to_toml() == kept.model.to_toml()
    with pytest.raises(lb.InputError, match="overwrite=True"):
        kept.save(tmp_path / "b.h5")
    kept.save(tmp_path / "b.h5", overwrite=True)
    assert sorted(path.name for path in tmp_path.glob("*.h5*")) == ["a.h5", "b.h5"]


def test_a_file_of_the_program_can_be_opened(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "e.h5"
    options = ("--vary", "g = uniform(1, 2)", "--count", 5, "--step", 0.01, "--steps", 60, "--out", path, "--quiet")
    expected = answer("ensemble", "pendulum", *options)
    ensemble = lb.open(path)
    assert isinstance(ensemble, lb.Ensemble) and ensemble.trajectories is None
    assert [list(q) for q in ensemble.q] == [one["q"] for one in expected["trajectories"]]
    assert ensemble.summary["statistics"] == expected["statistics"]


def test_ctrl_c_leaves_a_file_that_continues_to_the_same_bits(tmp_path: pathlib.Path) -> None:
    model, path = lb.load("pendulum"), tmp_path / "e.h5"
    options: dict[str, Any] = {"vary": {"g": "uniform(0.5, 2)"}, "count": 96, "step": 0.01, "steps": 3000, "threads": 1}

    def stop(news: dict[str, Any]) -> None:
        if 0 < news["done"] < news["total"]:
            os.kill(os.getpid(), signal.SIGINT)

    options["steps"] = 100_000
    with pytest.raises(lb.Interrupted, match="lb.resume"):
        model.ensemble(out=path, progress=stop, backend="interpreted", **options)
    assert not path.exists() and (tmp_path / "e.h5.part").exists()
    with pytest.raises(lb.InputError, match="lb.resume"):
        model.ensemble(out=path, **options)
    continued = lb.resume(path)
    assert len(continued) == 96 and path.exists()
    same(continued, model.ensemble(**options))


def test_what_the_progress_function_raises_ends_the_ensemble() -> None:
    def fail(news: dict[str, Any]) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        lb.load("pendulum").ensemble(vary={"g": "uniform(0.5, 2)"}, count=500, step=0.01, steps=50_000, progress=fail)


def test_progress_counts_trajectories_to_the_end() -> None:
    seen: list[tuple[int, int]] = []

    def watch(news: dict[str, Any]) -> None:
        seen.append((news["done"], news["total"]))

    lb.load("pendulum").ensemble(vary={"g": "uniform(0.5, 2)"}, count=40, progress=watch, **LENGTH)
    assert seen[-1] == (40, 40) and seen == sorted(seen)


def test_an_ensemble_is_a_table_and_a_dataframe_and_a_figure() -> None:
    ensemble = lb.load("pendulum").ensemble(vary={"g": [1.0, 2.0, 3.0], "x": [1.0, 1.0, 1.0]}, **LENGTH)
    frame = ensemble.to_dataframe()
    assert list(frame["g"]) == [1.0, 2.0, 3.0] and list(frame["x"]) == [1.0] * 3
    assert list(frame["x_end"]) == list(ensemble.q[:, 0])
    for text in (repr(ensemble), ensemble._repr_html_()):
        assert "3 trajectories" in text and "energy_error" in text and "median" in text
    assert len(ensemble.plot("y").axes[0].collections) > 0


def test_expressions_name_what_varies() -> None:
    x, y = lb.coordinates("x y")
    g = lb.parameters("g")
    model = lb.Model(
        q=[x, y], mass=1, potential=g * y, constraints=[x**2 + y**2 - 1], initial={"q": [1, 0]}, parameters={g: 1}
    )
    ensemble = model.ensemble(vary={g: [1.0, 2.0]}, **LENGTH)
    assert ensemble.names == ["g"] and np.array_equal(ensemble.q[1], model.set(g=2).run(**LENGTH).q[-1])
    assert list(ensemble.mean(x)) == list(ensemble.mean("x"))


BAD: list[tuple[dict[str, Any], str]] = [
    ({}, "vary="),
    ({"vary": {"g": "uniform(0, 1)"}}, "count=N"),
    ({"vary": {"g": "uniform(0, 1)"}, "count": 0}, "at least 1"),
    ({"vary": {"g": "unifrom(0, 1)"}, "count": 3}, "did you mean 'uniform'"),
    ({"vary": {"gg": [1.0, 2.0]}}, "did you mean 'g'"),
    ({"vary": {"g": [1.0, 2.0], "m": [1.0]}}, "2 values and 'm' has 1"),
    ({"vary": {"g": [1.0, 2.0]}, "count": 3}, "2 trajectories"),
    ({"vary": {"g": 2.0}}, "model.set\\(g=...\\)"),
    ({"vary": {"g": [1.0, float("nan")]}}, "not finite"),
    ({"vary": {"g": ["a"]}}, "needs numbers"),
    ({"vary": {"g": []}}, "no trajectories"),
    ({"vary": {"q": [[1.0, 0.0, 0.0]]}}, "\\(count, 2\\)"),
    ({"vary": {"g": [1.0]}, "out": "e.csv"}, "end in .h5"),
    ({"vary": {"g": [1.0]}, "every": 2}, "trajectories"),
    ({"vary": {"g": [1.0]}, "threads": 0}, "threads"),
    ({"vary": {"g": [1.0]}, "seed": -1}, "seed=-1: it must be at least 0"),
    ({"vary": {"g": [1.0]}, "method": "verlet"}, "constraints"),
    ({"vary": {"y": [5.0, 6.0]}}, "none of the 2 trajectories can start"),
]


@pytest.mark.parametrize(("options", "says"), BAD)
def test_errors_say_what_to_do(options: dict[str, Any], says: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(lb.InputError, match=says):
            lb.load("pendulum").ensemble(**{**LENGTH, **options})


def test_quantiles_and_channels_that_are_not_there_are_refused() -> None:
    ensemble = lb.load("pendulum").ensemble(vary={"g": [1.0, 2.0]}, **LENGTH)
    with pytest.raises(ValueError, match="5, 25, 50, 75, 95"):
        ensemble.quantile(10)
    with pytest.raises(KeyError, match="energy_error"):
        ensemble.mean("z")
