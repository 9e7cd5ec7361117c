"""Messages of the library speak Python."""

from __future__ import annotations

import os
import re
from pathlib import Path

import libration as lb
import pytest
from libration._core import python_words

ROOT = Path(os.environ.get("LIBRATION_SOURCE_DIR", Path(__file__).resolve().parents[2]))
# Texts that are meant for a shell or for an HTML page, not for who calls from Python.
SHELL = {"src/reproduce/recipe_runs.cpp", "src/gallery/index_page.cpp", "src/gallery/item_page.cpp"}
# Command lines that have no counterpart stay what they are, and say so.
COMMAND = re.compile(r"'libration [^']*' in a terminal")


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("give --step H, or step = H under [run]", "give step=H, or step = H under [run]"),
        ("give --duration T or --steps N", "give duration=T or steps=N"),
        ("or let --project move them", "or let project=True move them"),
        ("x.h5: the file exists; --overwrite replaces it, --resume continues it",
         "x.h5: the file exists; overwrite=True replaces it, lb.resume continues it"),
        ("wait, or resume it with 'libration run --resume'", "wait, or resume it with lb.resume"),
        ("continue it with --resume a/b.h5, or --overwrite it",
         'continue it with lb.resume("a/b.h5"), or overwrite=True it'),
        ("--resume a.h5: the run in the file", 'lb.resume("a.h5"): the run in the file'),
        ("--set n=3: the model has no parameter 'n'", "model.set(n=3): the model has no parameter 'n'"),
        ("use --set g=VALUE, one ensemble a value", "use model.set(g=VALUE), one ensemble a value"),
        ("give --tol TOL, e.g. --tol 1e-8", "give tol=TOL, e.g. tol=1e-8"),
        ("--tol belongs to --adaptive; give --adaptive reversible or standard, too",
         'tol belongs to adaptive; give adaptive="reversible" or standard, too'),
        ("a larger --every)", "a larger every)"),
        ("record with --every 1, without --adaptive and --at", "record with every=1, without adaptive and at"),
        ("'libration methods' says what each of them needs", "lb.methods() says what each of them needs"),
        ("give a file that 'libration run --out FILE.h5' wrote", 'give a file that model.run(out="FILE.h5") wrote'),
        ("--backend fast: choose auto", "backend fast: choose auto"),
        ('--event "x risin": expected', 'events=["x risin"]: expected'),
        ('--vary "g = uniform(1)": expected', 'vary={"g": "uniform(1)"}: expected'),
        ("give --out FILE.h5", 'give out="FILE.h5"'),
        ("see 'libration multistep --help'", "see 'libration multistep --help' in a terminal"),
        ("x -- y is no option, nor is --unknown", "x -- y is no option, nor is --unknown"),
        ("nothing to say", "nothing to say"),
        ("'a--step 3.h5' is missing; give --step H", "'a--step 3.h5' is missing; give step=H"),
        ("a--step 3.h5: no such file", "a--step 3.h5: no such file"),
        ("unknown name 'x --step 3'; it's --every 2", "unknown name 'x --step 3'; it's every=2"),
        ('the text "--set g=3" and \'--out\'', 'the text "--set g=3" and \'--out\''),
        ("--set r[0].x=2: no", 'model.set({"r[0].x": 2}): no'),
        ("a lonely ' and --step 3, 'x", "a lonely ' and step=3, 'x"),
        ("--", "--"), ("---step", "---step"), ("--s", "--s"), ('--vary "', '--vary "'),
        ("--set", "model.set(name=value)"),
    ],
)
def test_options_become_arguments(message: str, words: str) -> None:
    assert python_words(message) == words


@pytest.mark.parametrize("value", ["1" * 30000 + "z", "1e" + "9" * 30000, "q" * 30000, "--step " * 5000, "'a " * 20000],
                         ids=["digits", "exponent", "name", "options", "quotes"])
def test_a_message_about_a_long_value_is_short(value: str) -> None:
    with pytest.raises(lb.InputError) as caught:
        lb.load("pendulum").set(g=value)
    assert len(str(caught.value)) < 1000
    assert python_words(f"--set g={value}").startswith("model.set(g=")


def literals(text: str) -> "list[str]":
    """String literals of C++, adjacent ones joined."""
    joined = re.findall(r'((?:"(?:[^"\\\n]|\\.)*"\s*)+)', re.sub(r"^\s*//.*$", "", text, flags=re.M))
    return ["".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', one)).replace('\\"', '"').replace("\\n", "\n")
            for one in joined]


def test_every_option_that_the_library_names_has_a_word_in_python() -> None:
    files = sorted((ROOT / "src").rglob("*.cpp")) + sorted((ROOT / "src").rglob("*.hpp"))
    files += sorted((ROOT / "include").rglob("*.hpp"))
    unknown, seen = [], 0
    for file in files:
        if str(file.relative_to(ROOT)) in SHELL:
            continue
        for literal in literals(file.read_text()):
            if not re.search(r"--[a-z]|'libration ", literal):
                continue
            seen += 1
            left = COMMAND.sub("", python_words(literal.replace("{}", "X")))
            unknown += [f"{file.name}: {word}" for word in re.findall(r"--[a-z][a-z-]+|'libration [^']*'", left)]
    assert seen > 40 and unknown == []


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
        lb._core.run(model, "rattle", {"step": 0.1, "steps": 1}, force=False, out=None, overwrite=False)
    assert "--" not in str(caught.value)
