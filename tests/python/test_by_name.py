"""Numbers of a run by name, states at given times, and runs that start where another one ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import libration as lb
import numpy as np
import pytest
from libration._numbers import whole


def pendulum(**more: Any) -> lb.Model:
    x, y = lb.coordinates("x y")
    given: dict[str, Any] = {"initial": {"x": 1}, **more}
    return lb.Model(q=[x, y], mass=2, potential=2 * 9.81 * y, constraints={"rod": x**2 + y**2 - 1},
                    observables={"angle": "atan2(x, -y)"}, **given)  # fmt: skip


def test_one_array_by_name(tmp_path: Path) -> None:
    run: Any = pendulum().run("lobatto(3)", step=0.02, steps=100, every=3)
    run.save(tmp_path / "run.h5")
    for one in (run, lb.open(tmp_path / "run.h5")):
        for name, wanted in {"t": one.t, "x": one.q[:, 0], "y": one.q[:, 1], "p_y": one.p[:, 1], "v_x": one.v[:, 0],
                             "lambda_rod": one.lam[:, 0], "energy": one.energy, "energy_error": one.energy_error,
                             "constraint": one.residuals.constraint, "hidden": one.residuals.hidden,
                             "angle": one.observables["angle"]}.items():  # fmt: skip
            np.testing.assert_array_equal(one[name], wanted, err_msg=name)
            assert one[name].shape == (35,)
        assert not np.array_equal(one["v_x"], one["p_x"])  # the mass is 2
        assert all(one[name].shape == (35,) for name in one.column_names())


@pytest.mark.parametrize(("name", "near"), [("angel", "angle"), ("lamda_rod", "lambda_rod"), ("v_X", "v_x"),
                                            ("enrgy", "energy")])  # fmt: skip
def test_an_unknown_name_says_what_was_perhaps_meant(name: str, near: str) -> None:
    run: Any = pendulum().run("rattle", step=0.02, steps=3)
    with pytest.raises(KeyError, match=f"there is no '{name}' in this run: did you mean '{near}'"):
        run[name]
    with pytest.raises(KeyError, match="there are: t, x, y, p_x, p_y, v_x, v_y, lambda_rod, energy"):
        run["nothing of this kind"]
    with pytest.raises(TypeError, match="expected a name"):
        run[0]
    with pytest.raises(TypeError, match="not iterable"):
        iter(run)


def test_initial_values_by_name() -> None:
    assert pendulum().initial["q"].tolist() == [1, 0]
    assert {key: values.tolist() for key, values in pendulum(initial={"y": -1, "v_x": "1/4"}).initial.items()} == {
        "q": [0, -1], "v": [0.25, 0]}  # fmt: skip
    assert pendulum(initial={"y": -1, "p_x": 3}).initial["p"].tolist() == [3, 0]
    assert pendulum(initial={"q": [0, -1], "v_x": 2}).initial["v"].tolist() == [2, 0]
    x = lb.symbol("x")
    assert pendulum(initial={x: 1, lb.velocity("y"): 2}).initial["v"].tolist() == [0, 2]
    with pytest.raises(lb.InputError, match="'x' is given twice"):
        pendulum(initial={"q": [1, 0], "x": 1})
    with pytest.raises(lb.InputError, match="v_z"):
        pendulum(initial={"x": 1, "v_z": 1})
    with pytest.raises(lb.InputError):
        pendulum(initial={"x": 1, "v_y": 1, "p_y": 1})
    # What is not given is zero, and a start off the constraints is refused as always.
    with pytest.raises(lb.InputError, match="rod"):
        pendulum(initial={"v_x": 1}).run("rattle", step=0.01, steps=1)


@pytest.mark.parametrize("method", ["rattle", "lobatto(3)", "compose(rattle, kahanli8)", "multistep(4)", "shake"])
def test_states_at_given_times_are_those_of_the_dense_output(method: str, tmp_path: Path) -> None:
    times = [0.0, 0.0137, 0.5, 0.7777, 1.2345, 2.0]
    recorded: Any = pendulum().run(method, step=0.02, steps=100, at=times)
    run: Any = pendulum().run(method, step=0.02, steps=100)
    run.save(tmp_path / "run.h5")
    for one in (run, lb.open(tmp_path / "run.h5")):
        found = one.at(times)
        assert found.t.tolist() == times and found.q.shape == (6, 2) and found.lam.shape == (6, 1)
        # The same side steps, from q rounded once: only round-off, amplified by the condition of a step, remains.
        np.testing.assert_allclose(found.q, recorded.q, rtol=0, atol=1e-13)
        np.testing.assert_allclose(found.p, recorded.p, rtol=0, atol=1e-12)
        np.testing.assert_allclose(found["angle"], recorded["angle"], rtol=0, atol=1e-12)
        between = [1, 3, 4]  # nodes of shake are off the hidden constraint
        assert found.constraint.max() < 1e-14 and found.hidden[between].max() < 1e-13
        state = one.at(0.7777)
        assert state.q.shape == (2,) and state["v_x"] == found["v_x"][3] and state.t == 0.7777
        np.testing.assert_array_equal(one.at(one.t[17]).q, one.q[17])  # a node is the node
        np.testing.assert_array_equal(one.at(one.t[[0, 50, 100]]).v, one.v[[0, 50, 100]])


def test_states_at_given_times_have_the_order_of_the_method() -> None:
    exact: Any = pendulum().run("lobatto(6)", step=0.005, steps=400).at(1.2345)
    errors = []
    for step, steps in ((0.05, 40), (0.025, 80)):
        run: Any = pendulum().run("lobatto(3)", step=step, steps=steps)
        errors.append(abs(run.at(1.2345).q - exact.q).max())
    assert 3.7 < np.log2(errors[0] / errors[1]) < 4.3  # order 4, and 5 percent of the next term


def test_times_that_cannot_be_answered_are_refused() -> None:
    run: Any = pendulum().run("rattle", step=0.02, steps=100, every=10)
    for time in (-0.001, 2.0001, float("nan"), [0.2, 7]):
        with pytest.raises(lb.InputError, match="outside of the run, which is recorded from 0 to 2"):
            run.at(time)
    assert run.at(0.2).q.tolist() == run.q[1].tolist()
    with pytest.raises(lb.InputError, match=r"steps around t = 0.21 are not recorded.*step 10.*step 20.*every=1"):
        run.at(0.21)
    with pytest.raises(lb.InputError, match="shape"):
        run.at([[0.1, 0.2]])
    given: Any = pendulum().run("rattle", step=0.02, steps=100, at=[0.5, 0.51, 0.53])
    assert given.at(0.51).q.tolist() == given.q[1].tolist()
    with pytest.raises(lb.InputError, match="recorded at given times, and t = 0.52 is not one of them"):
        given.at(0.52)


def test_runs_that_go_backward_and_adaptive_runs_have_dense_output() -> None:
    back: Any = pendulum().run("lobatto(4)", step=-0.02, steps=100)
    forth: Any = pendulum().run("lobatto(4)", step=0.02, steps=100)
    np.testing.assert_allclose(back.at(-0.777).q, forth.at(0.777).q, rtol=0, atol=1e-12)  # it starts at rest
    adaptive: Any = pendulum().run("lobatto(4)", step=0.05, duration=2, adaptive="reversible", tol=1e-9)
    np.testing.assert_allclose(adaptive.at([0.1, 1.3])["x"], forth.at([0.1, 1.3])["x"], rtol=0, atol=1e-6)


@pytest.mark.parametrize("initial", [{"x": 1}, {"x": 1, "v_y": 0.5}, {"x": 1, "p_y": 0.5}])
def test_a_run_starts_where_another_one_ended(initial: "dict[str, float]", tmp_path: Path) -> None:
    model = pendulum(initial=initial)
    first: Any = model.run("lobatto(4)", step=0.02, steps=60, every=7)
    second: Any = model.run("lobatto(4)", step=0.02, steps=40, start=first, out=tmp_path / "b.h5")
    whole: Any = model.run("lobatto(4)", step=0.02, steps=100)
    assert second.t[0] == first.t[-1] and second.t[-1] == pytest.approx(2, abs=1e-14)
    assert second.q[0].tolist() == first.q[-1].tolist() and second.p[0].tolist() == first.p[-1].tolist()
    # Only what the first run knew beyond doubles is lost: the low parts of q, and predictors.
    np.testing.assert_allclose(second.q[-1], whole.q[-1], rtol=0, atol=1e-13)
    opened: Any = lb.open(tmp_path / "b.h5")
    assert opened.t[0] == first.t[-1]
    longer: Any = lb.resume(tmp_path / "b.h5", steps=50)
    again: Any = model.run("lobatto(4)", step=0.02, steps=50, start=first)
    np.testing.assert_array_equal(longer.q, again.q)
    np.testing.assert_array_equal(longer.t, again.t)
    third: Any = model.run("rattle", step=0.01, steps=10, start=opened)
    assert third.q[0].tolist() == opened.q[-1].tolist()


def test_a_start_that_does_not_fit_is_refused() -> None:
    run: Any = pendulum().run("rattle", step=0.02, steps=30)
    heavier = pendulum(parameters={"l": 1})
    assert heavier.run("rattle", step=0.02, steps=1, start=run).t[0] == run.t[-1]
    x, y = lb.coordinates("x y")
    longer = lb.Model(q=[x, y], mass=2, potential=y, constraints=[x**2 + y**2 - 4], initial={"x": 2})
    with pytest.raises(lb.InputError, match="project"):
        longer.run("rattle", step=0.02, steps=1, start=run)
    moved: Any = longer.run("rattle", step=0.02, steps=1, start=run, project=True)
    assert moved.q[0] @ moved.q[0] == pytest.approx(4, abs=1e-14)
    with pytest.raises(lb.InputError, match="start: the run has the coordinates x, y, the model x1, y1"):
        lb.load("double-pendulum").run("rattle", step=0.01, steps=1, start=run)
    with pytest.raises(TypeError, match="start: expected a run"):
        pendulum().run("rattle", step=0.01, steps=1, start=3)  # type: ignore[arg-type]


def test_a_csv_file_is_not_opened_as_a_run(tmp_path: Path) -> None:
    pendulum().run("rattle", step=0.02, steps=3, out=tmp_path / "run.csv")
    with pytest.raises(lb.InputError, match=r"neither the model nor the method.*FILE.h5"):
        lb.open(tmp_path / "run.csv")


def test_adaptive_says_which_words_there_are() -> None:
    for value in (True, ["reversible"]):
        with pytest.raises(lb.InputError, match='adaptive=.*it must be "reversible" or "standard"'):
            pendulum().run("rattle", step=0.02, duration=1, tol=1e-6, adaptive=value)
    with pytest.raises(lb.InputError, match='backend=False: it must be "auto", "interpreted" or "generated"'):
        pendulum().run("rattle", step=0.02, duration=1, backend=False)


def test_whole_numbers_may_have_an_exponent() -> None:
    assert pendulum().run("rattle", step=0.02, steps=1e2).steps == 100  # type: ignore[arg-type]
    assert pendulum().run("rattle", step=0.02, steps="1.2e2").steps == 120  # type: ignore[arg-type]
    assert whole("9007199254740993", "seed") == 9007199254740993  # not a double
    for steps in (1.5, "1.5e0", 1e30, "x"):
        with pytest.raises(lb.InputError, match="steps="):
            pendulum().run("rattle", step=0.02, steps=steps)  # type: ignore[arg-type]
