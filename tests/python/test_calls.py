"""Calls: signatures that help shows, arguments in every form that is meant, and errors that say what to write."""

from __future__ import annotations

import inspect
import pathlib
import traceback
import warnings
from typing import Any

import libration as lb
import numpy as np
import pytest


@pytest.fixture(scope="module")
def pendulum() -> lb.Model:
    return lb.load("pendulum")


@pytest.fixture(scope="module")
def run(pendulum: lb.Model) -> lb.Run:
    return pendulum.run("rattle", step=0.01, duration=1)


def options_of(function: Any) -> dict[str, Any]:
    """The arguments behind the first, with their defaults."""
    parameters = list(inspect.signature(function).parameters.values())[1:]
    assert all(one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD) for one in parameters), function
    return {one.name: (one.default, one.kind) for one in parameters}


def test_methods_have_the_signatures_of_what_they_call() -> None:
    from libration._animate import animate
    from libration._ensemble import run_ensemble
    from libration._plot import plot

    for method, function in ((lb.Run.plot, plot), (lb.Run.animate, animate), (lb.Model.ensemble, run_ensemble)):
        assert options_of(method) == options_of(function)
        assert len((method.__doc__ or "").splitlines()) > 8, method
    assert "width" in options_of(lb.Run.plot) and "fps" in options_of(lb.Run.animate)


def test_the_package_says_where_to_begin() -> None:
    text = lb.__doc__ or ""
    for name in ("Model", "load", "run", "ensemble", "plot", "certify", "compare", "reproduce", "methods", "open"):
        assert f"{name}(" in text, name


def test_what_is_given_without_a_name_is_asked_for_by_name(pendulum: lb.Model) -> None:
    with pytest.raises(TypeError, match=r"run\(\) takes method by position .* step=0\.1, duration=1") as error:
        pendulum.run("rattle", 0.1, 1)  # type: ignore[misc]
    assert "Actions" not in "".join(traceback.format_exception(error.value))


@pytest.mark.parametrize(("wrong", "meant"), [
    ("dt", "step"), ("h", "step"), ("durration", "duration"), ("T", "duration"), ("rtol", "tol"), ("n_steps", "steps")])
def test_an_argument_of_another_name_is_suggested(pendulum: lb.Model, wrong: str, meant: str) -> None:
    with pytest.raises(TypeError, match=f"no argument {wrong}=: did you mean {meant}="):
        pendulum.run("rattle", **{wrong: 0.1})  # type: ignore[arg-type]


def test_a_mistake_shows_the_line_of_the_user_and_little_else(pendulum: lb.Model, run: lb.Run) -> None:
    def wrong(call: Any) -> str:
        with pytest.raises(lb.InputError) as error:
            call()
        return "".join(traceback.format_exception(error.value))

    for call in (lambda: pendulum.run("ratle"), lambda: pendulum.ensemble("ratle", vary={"g": [1, 2]}),
                 lambda: lb.certify("ratle", "pendulum"), lambda: lb.compare("pendulum", "ratle")):
        text = wrong(call)
        assert len(text.splitlines()) < 20 and "run_model" not in text and "test_calls.py" in text, text


def test_the_error_of_a_callback_keeps_the_lines_of_the_user(pendulum: lb.Model) -> None:
    def callback(state: Any) -> None:
        raise lb.InputError("from the callback")

    with pytest.raises(lb.InputError) as error:
        pendulum.run("rattle", step=0.1, steps=3, callback=callback)
    assert "in callback" in "".join(traceback.format_exception(error.value))


def test_records_of_methods_are_methods(pendulum: lb.Model, run: lb.Run) -> None:
    record = lb.method("rattle")
    assert np.array_equal(pendulum.run(record, step=0.01, duration=1).q, run.q)
    many = pendulum.ensemble(lb.methods()["rattle"], vary={"g": [1, 2]}, step=0.1, steps=2)
    assert many.summary["method"] == "rattle"
    assert lb.compare("pendulum", [record, "lobatto(2)"], steps=0.1).methods == ["rattle", "lobatto(2)"]
    certificate = lb.certify(record, "pendulum")
    assert isinstance(certificate, lb.Certificate) and certificate.method == "rattle"
    assert lb.method(record).spec == "rattle"


def test_several_methods_are_certified_at_once(pendulum: lb.Model) -> None:
    found = pendulum.certify(["rattle", "lobatto(2)"])
    assert isinstance(found, lb.Certificates) and found.methods == ["rattle", "lobatto(2)"] and len(found) == 2
    assert found["lobatto(2)"].method == "lobatto(2)" and len(found["pendulum"]) == 2
    for text in (repr(found), found._repr_html_()):
        assert "rattle" in text and "lobatto(2)" in text
    with pytest.raises(KeyError, match="gauss"):
        found["gauss"]


def test_items_may_stand_in_a_list() -> None:
    assert [item.id for item in lb.reproduce(["001-fig3.1"], quick=True)] == ["001-fig3.1"]
    assert [item.id for item in lb.items(["001-fig3.1"])] == ["001-fig3.1"]
    assert [item.id for item in lb.reproduce(lb.items("001-fig3.1"), quick=True)] == ["001-fig3.1"]
    with pytest.raises(TypeError, match="001-fig3.1"):
        lb.items(3)  # type: ignore[arg-type]


def test_the_wrong_order_of_arguments_is_said(pendulum: lb.Model) -> None:
    with pytest.raises(TypeError, match=r"lb\.compare\(model, methods\)"):
        lb.compare("rattle", pendulum)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"lb\.certify\(method, model\)"):
        lb.certify(pendulum, "rattle")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="found a model"):
        pendulum.run(pendulum)  # type: ignore[arg-type]


def test_numbers_may_be_exact_texts(pendulum: lb.Model) -> None:
    thirds = pendulum.run("rattle", step="1/3", duration=lb.parse("2"))
    assert thirds.step == 1 / 3 and thirds.steps == 6
    ensemble = pendulum.ensemble("rattle", vary={"g": [1.0, 2.0]}, step="1/3", duration="2")
    assert np.array_equal(ensemble.steps, [6, 6])
    assert pendulum.compare("rattle", steps=np.float32(0.5)).rows[0].step == 0.5
    with pytest.raises(TypeError, match="step must be a single number, not 2"):
        pendulum.run(step=[0.1, 0.2])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="step must be a number .* not an object of type dict"):
        pendulum.run(step={})  # type: ignore[arg-type]
    with pytest.raises(lb.InputError, match="step='z'.*no value"):
        pendulum.run(step="z")


def test_events_come_in_any_sequence(pendulum: lb.Model) -> None:
    x, y = lb.coordinates("x y")
    expected = pendulum.run("rattle", step=0.01, duration=5, events=["x", "y + 0.5"]).events.all.t
    for events in ([x, y + 0.5], (x, y + 0.5), np.array([x, y + 0.5]), iter([x, "y + 0.5"])):
        found = pendulum.run("rattle", step=0.01, duration=5, events=events).events
        assert len(found) == 2 and np.array_equal(found.all.t, expected)
    assert len(pendulum.run("rattle", step=0.01, duration=5, events=x).events) == 1
    for wrong in (lambda q: q[0], [lambda q: q[0]], {"a": 3}):
        with pytest.raises(TypeError, match="events: .*expression or a text"):
            pendulum.run("rattle", step=0.01, duration=5, events=wrong)
    with pytest.raises(TypeError, match="callback"):
        pendulum.run("rattle", step=0.01, duration=5, stop_if=lambda state: True)


@pytest.mark.parametrize(("name", "instead"), [
    ("x", r"run\['x'\]"), ("p_y", r"run\['p_y'\]"), ("v_x", r"run\['v_x'\]"), ("lambda_", r"run\.lam"),
    ("lambdas", r"run\.lam"), ("energi", r"run\.energy"), ("lambda_rod", r"run\['lambda_rod'\]"),
    ("angle", r"run\['angle'\]")])
def test_what_a_run_does_not_have_is_found_elsewhere(run: lb.Run, name: str, instead: str) -> None:
    with pytest.raises(AttributeError, match=f"a run has no '{name}'; write {instead}$"):
        getattr(run, name)
    assert not hasattr(run, "quite_unknown")


def test_wrong_names_and_types_of_pictures_are_said(pendulum: lb.Model, run: lb.Run) -> None:
    pytest.importorskip("matplotlib")
    many = pendulum.ensemble("rattle", vary={"g": [1.0, 2.0]}, step=0.1, steps=2)
    with pytest.raises(ValueError, match="there is no channel 'foo' to plot; available: x, y"):
        many.plot("foo")
    with pytest.raises(TypeError, match="fps must be a number, not an object of type str"):
        run.animate(fps="a")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="plot.. has no argument widht=: did you mean width="):
        run.plot(widht=3)  # type: ignore[call-arg]


def test_words_of_python_are_written_with_an_underscore(run: lb.Run) -> None:
    assert run.analyse("drift", from_=0.5).numbers == run.analyse("drift", **{"from": 0.5}).numbers
    assert run.analyse("drift", from_=0.5).numbers != run.analyse("drift").numbers


def test_a_run_in_a_file_is_continued_by_itself(pendulum: lb.Model, run: lb.Run, tmp_path: pathlib.Path) -> None:
    recorded = pendulum.run("rattle", step=0.01, duration=1, out=tmp_path / "run.h5")
    longer = lb.resume(recorded, duration=2)
    assert isinstance(longer, lb.Run) and longer.t[-1] == 2
    with pytest.raises(lb.InputError, match="this run has no file"):
        lb.resume(run)


def test_warnings_of_runs_and_ensembles_point_at_the_line_of_the_user(pendulum: lb.Model) -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        pendulum.run("gauss(2)", step=0.01, steps=2)
        pendulum.ensemble("gauss(2)", vary={"g": [1.0, 2.0]}, step=0.01, steps=2)
    assert len(seen) >= 1 and all(pathlib.Path(one.filename).name == "test_calls.py" for one in seen), seen
