"""Messages of the library speak Python."""

from __future__ import annotations

import os
import re
from pathlib import Path

import libration as lb
import pytest
from libration._core import told

ROOT = Path(os.environ.get("LIBRATION_SOURCE_DIR", Path(__file__).resolve().parents[2]))


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("give `step = H`, or `[run] step = H` in the model", "give step=H, or [run] step = H in the model"),
        ("give `duration = T` or `steps = N`", "give duration=T or steps=N"),
        ("or let `project` move them", "or let project=True move them"),
        ("x.h5: the file exists; `overwrite` replaces it, `resume` continues it",
         "x.h5: the file exists; overwrite=True replaces it, lb.resume continues it"),
        ("continue it with `resume = a/b.h5`", 'continue it with lb.resume("a/b.h5")'),
        ("`set = n=3`: the model has no parameter 'n'", "model.set(n=3): the model has no parameter 'n'"),
        ("use `set = g=VALUE`, one ensemble per value", "use model.set(g=VALUE), one ensemble per value"),
        ("`adaptive = reversible` or `adaptive`", 'adaptive="reversible" or adaptive'),
        ("a larger `every`)", "a larger every)"),
        ("`libration methods` shows what each of them needs", "lb.methods() shows what each of them needs"),
        ("give a file written by `libration run out=FILE.h5`", 'give a file written by model.run(out="FILE.h5")'),
        ("`events = x risin`: expected", 'events=["x risin"]: expected'),
        ("`vary = g = uniform(1)`: expected", 'vary={"g": "uniform(1)"}: expected'),
        ("`from = FILE.csv`", "vary={name: array}"),
        ("give `steps_list = H1,H2,...`", "give steps=[H1, H2, ...]"),
        ("see `libration help multistep`", "see 'libration help multistep' in a terminal"),
        ("`libration multistep 12 search`", "'libration multistep 12 --search' in a terminal"),
        ("`set = r[0].x=2`: no", 'model.set({"r[0].x": 2}): no'),
        ("`set`", "model.set(name=value)"), ("`true`", "True"),
        ("nothing to say", "nothing to say"), ("a `for` range", "a `for` range"), ("`", "`"), ("``", "``"),
        ("the name ` is odd; give `step = H`", "the name ` is odd; give step=H"),
    ],
)
def test_references_become_arguments(message: str, words: str) -> None:
    assert told(message) == words


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("`[run] step = H`", 'run={"step": H}'), ("`[dynamics] mass = 1.0`", "mass=1.0"), ("`[dynamics] mass`", "mass"),
        ("`[dynamics.potential] slow = \"...\", fast = \"...\"`", 'potential={"slow": "...", "fast": "..."}'),
        ("`[initial] q = [1, 0], v = [0, 0]`", 'initial={"q": [1, 0], "v": [0, 0]}'), ("`[initial] q`", "initial['q']"),
        ("`[spark] position = { x = \"C\", y = \"C\" }`", 'spark={"position": {"x": "C", "y": "C"}}'),
        ("`[field.q] x = \"...\"`", 'field={"q": {"x": "..."}}'), ("`[[forces]]`", "forces"), ("`[field]`", "field"),
        ("`[coordinates] q = [\"x\", \"y\"]`", 'q=["x", "y"]'), ("`[[energy]]`", "families"),
    ],
)
def test_sections_of_a_written_model_become_arguments_of_it(message: str, words: str) -> None:
    assert told(message, True) == words
    assert told(message) == message.strip("`")  # of a model from a file they stay what they are


def test_an_error_knows_what_is_wrong_with_which_argument() -> None:
    with pytest.raises(lb.InputError) as caught:
        lb.load("pendulum").run(every=0)
    assert (caught.value.argument, caught.value.remedy, caught.value.line) == ("every", None, None)
    assert caught.value.problem == "it must be at least 1 (record every K-th step)"
    with pytest.raises(lb.InputError) as caught:
        lb.Model.parse('[coordinates]\nq = ["x"]\n[dynamics]\nmass = 1\n[initial]\nq = [1]\n[run]\nstep = 0', "mine")
    assert (caught.value.argument, caught.value.line) == ("[run] step", 8)
    with pytest.raises(lb.InputError) as caught:
        lb.Model(q="x", mass=1, initial={"q": [1]}, run={"step": 0})
    assert caught.value.argument == "[run] step" and str(caught.value).startswith("run")


@pytest.mark.parametrize("value", ["1" * 30000 + "z", "1e" + "9" * 30000, "q" * 30000, "--step " * 5000, "'a " * 20000],
                         ids=["digits", "exponent", "name", "options", "quotes"])
def test_a_message_about_a_long_value_is_short(value: str) -> None:
    with pytest.raises(lb.InputError) as caught:
        lb.load("pendulum").set(g=value)
    assert len(str(caught.value)) < 1000


def literals(text: str) -> "list[str]":
    """String literals of C++, adjacent ones joined."""
    joined = re.findall(r'((?:"(?:[^"\\\n]|\\.)*"\s*)+)', re.sub(r"^\s*//.*$", "", text, flags=re.M))
    return ["".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', one)).replace('\\"', '"').replace("\\n", "\n")
            for one in joined]


def test_every_reference_of_the_library_is_known() -> None:
    files = [file for directory in ("src", "include") for file in (ROOT / directory).rglob("*.[ch]pp")]
    seen, unknown = 0, []
    for file in files:
        for literal in literals(file.read_text(encoding="utf-8")):
            for reference in re.findall(r"`([^`]*)`", literal.replace("{{", "{").replace("}}", "}")):
                seen += 1
                if told(f"`{reference}`") == f"`{reference}`" and "{" not in reference and reference != "for":
                    unknown.append(f"{file.name}: {reference}")
    assert seen > 100 and unknown == []


def test_errors_are_those_that_python_knows() -> None:
    assert issubclass(lb.InputError, ValueError) and issubclass(lb.FileError, OSError)
    assert issubclass(lb.IntegrationError, RuntimeError) and issubclass(lb.Interrupted, KeyboardInterrupt)
    with pytest.raises(lb.InputError, match="did you mean 'rattle'"):
        lb.load("pendulum").run("ratle", step=0.1, steps=1)


def test_a_method_that_does_not_fit_is_refused_with_the_remedy() -> None:
    with pytest.raises(lb.InputError, match="constraint"):
        lb.load("pendulum").run("verlet", step=0.1, steps=1)


def test_errors_of_the_core_speak_python() -> None:
    text = lb.load("pendulum").set(x=2).to_toml()
    model = lb._core.Model.parse(text, "pendulum", [])
    with pytest.raises(lb.InputError, match="project=True") as caught:
        lb._core.run(model, {"method": "rattle", "step": 0.1, "steps": 1})
    assert "--" not in str(caught.value)
