"""Messages speak of what a Python user wrote: arguments, not sections of a model file or options of a command."""

from __future__ import annotations

import re
from typing import Any, Callable

import pytest

import libration as lb

x, y = lb.coordinates("x y")
vx, vy = lb.velocity((x, y))
RUN = {"method": "rattle", "step": 0.01, "steps": 5}


def model(**changes: Any) -> lb.Model:
    arguments: dict[str, Any] = {
        "q": [x, y], "mass": 1, "potential": y, "constraints": [x**2 + y**2 - 1], "initial": {"q": [1, 0]}, "run": RUN,
    }
    arguments.update(changes)
    return lb.Model(**arguments)


def field(**changes: Any) -> lb.Model:
    arguments: dict[str, Any] = {"q": [x, y], "field": {"q": [y, -x]}, "initial": {"q": [1, 0]}}
    arguments.update(changes)
    return lb.Model(**arguments)


def faults(**changes: Any) -> None:
    found = model(**changes).check()
    raise ValueError("\n".join([*found.faults, *found.warnings, repr(found)]))


# What is done, and words that the message must have.
MISTAKES: list[tuple[Callable[[], Any], str]] = [
    (lambda: model(initial=None), 'initial={"q": [1, 0], "v": [0, 0]}'),
    (lambda: model(initial={"v": [1, 0]}), "q"),
    (lambda: model(initial={"q": [1]}), "initial['q']: it must be a list of 2 numbers"),
    (lambda: model(initial={"q": [1, 0], "v": [1]}), "initial['v']: it must be"),
    (lambda: model(initial={"z": 1}), "unknown key 'z' in initial"),
    (lambda: model(initial={"q": ["sqrt(-1)", 0]}), "not a finite number"),
    (lambda: model(initial={"q": [1, 0], "p": [0, 0], "v": [0, 0]}), "not both"),
    (lambda: model(mass=None), "mass=1"),
    (lambda: model(mass=[1]), "mass: 1 masses"),
    (lambda: model(mass=-1), "mass"),
    (lambda: model(mass=None, potential=None), "mass=1"),
    (lambda: model(forces={"f": {"on": {x: 1}}}), "forces['f']: it needs the key 'class'"),
    (lambda: model(forces={"f": {"class": "stiff"}}), "forces['f']"),
    (lambda: model(forces={"f": {"class": "stif", "on": {x: 1}}}), "did you mean 'stiff'?"),
    (lambda: model(forces={"f": {"class": "stiff", "on": {"z": 1}}}), "'z'"),
    (lambda: model(forces={"fast": {"class": "stiff", "on": {x: 1}}}), ""),
    (lambda: model(forces={"f": {"class": "stiff", "on": {x: "v_z"}}}), "forces['f']"),
    (lambda: model(potential={"slo": y}), "unknown key 'slo' in potential"),
    (lambda: model(potential="log(-y - 5)").run(), "potential: the potential or its derivative"),
    (lambda: model(potential="log(-y - 5)").ensemble(vary={"x": [1.0, 1.0]}), ""),
    (lambda: model(potential="log(-y - 5)").compare(["rattle"], [0.1, 0.05]), "potential: "),
    (lambda: model(constraints=["log(x - 2)"]).run(), "constraints: "),
    (lambda: model(run={"method": "rattle", "steps": 5}).run(), "step=H"),
    (lambda: model(run={"stepp": 1}), "unknown key 'stepp' in run"),
    (lambda: model(run={"step": 0}).run("rattle", steps=1), "step"),
    (lambda: model(run={"step": 0.1, "steps": 1, "duration": 3}), ""),
    (lambda: lb.load("pendulum").run(step=-1, duration=1), ""),
    (lambda: model(initial={"q": [2, 0]}).run(), "project=True"),
    (lambda: faults(initial={"q": [2, 0]}), "project=True"),
    (lambda: faults(initial={"q": [1, 0], "v": [1, 0]}), "project=True"),
    (lambda: faults(constraints=[x**2 + y**2 - 1, 2 * x**2 + 2 * y**2 - 2]), ""),
    (lambda: field(field={"q": {x: y}}), "no equation for y"),
    (lambda: field(mass=1), "field"),
    (lambda: field(potential=y), "potential"),
    (lambda: field(constraints=[x]), "constraints"),
    (lambda: field(nonholonomic=[vx]), "nonholonomic"),
    (lambda: field(initial={"q": [1, 0], "p": [0, 0]}), "initial"),
    (lambda: field(initial={"q": [1, 0], "v": [0, 0]}), "initial"),
    (lambda: field(spark={"position": "A"}), "spark"),
    (lambda: field(forces={"f": {"class": "stiff", "on": {x: 1}}}), "force"),
    (lambda: model(mass=None, potential=y, hamiltonian=lb.momentum(x) ** 2), "hamiltonian"),
    (lambda: model(spark={"positio": "A"}), "spark"),
    (lambda: model(spark={"force.x": "A"}), "spark"),
    (lambda: model(events={"e": {"direction": "rising"}}), "events['e']: it needs the key 'when'"),
    (lambda: model(events={"e": {"when": x, "terminal": "yes"}}), "True or False"),
    (lambda: model(events={"e": {"when": x, "direction": "up"}}), "events['e']"),
    (lambda: model(events={"x": x}), "events['x']"),
    (lambda: model(observables={"pi": x}), "observables['pi']"),
    (lambda: model().set(k=1), "no parameter 'k'"),
    (lambda: model().run("multirate(2)"), ""),
    (lambda: model(parameters={"m": 1}, mass="m").set(m=-1), "mass: "),
]

FORBIDDEN = re.compile(r"--|\[\[|\[(initial|dynamics|run|field|spark|forces|events)\b|libration |model:\d")


@pytest.mark.parametrize("number", range(len(MISTAKES)))
def test_a_message_is_written_for_python(number: int) -> None:
    call, words = MISTAKES[number]
    with pytest.raises((ValueError, TypeError)) as caught:
        call()
    message = str(caught.value)
    assert words in message, message
    assert not FORBIDDEN.search(message), message


def test_a_warning_of_a_run_is_written_for_python() -> None:
    stiff = model(
        constraints=None, forces={"spring": {"class": "stiff", "on": {x: -1e6 * x, y: -1e6 * y}}},
        run={"method": "spark(2)", "step": 0.1, "steps": 1},
    )
    with pytest.warns(lb.LibrationWarning) as caught:
        stiff.run()
    text = "\n".join(str(warning.message) for warning in caught)
    assert 'spark={"position": {"x": "C", "y": "C"}}' in text, text
    assert not FORBIDDEN.search(text), text


def test_a_model_file_keeps_its_own_words() -> None:
    with pytest.raises(lb.InputError, match=r"mine:1:1: .*\[dynamics\] mass = 1.0"):
        lb.Model.parse('[coordinates]\nq = ["x"]', "mine")
