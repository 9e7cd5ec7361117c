"""Analyses in Python are those of the program."""

from __future__ import annotations

import pathlib

import libration as lb
import numpy as np
import pytest
from command_line import answer
from libration._analysis import Analysis, option_texts


@pytest.fixture(scope="module")
def run() -> lb.Run:
    return lb.load("pendulum").run("rattle", step=0.05, duration=50)


def test_an_analysis_is_that_of_the_program(run: lb.Run, tmp_path: pathlib.Path) -> None:
    run.save(tmp_path / "run.h5")
    expected = answer("analyse", tmp_path / "run.h5", "--what", "drift")["analyses"][0]
    found = run.analyse("drift")
    assert isinstance(found, Analysis)
    assert (found.what, found.verdict, found.warnings) == ("drift", expected["verdict"], expected["warnings"])
    assert dict(found) == expected["numbers"]


def test_options_are_arguments(run: lb.Run, tmp_path: pathlib.Path) -> None:
    run.save(tmp_path / "run.h5")
    options = ("--option", "of=y", "--option", "to=20")
    expected = answer("analyse", tmp_path / "run.h5", "--what", "drift", *options)["analyses"][0]
    assert dict(run.analyse("drift", of="y", to=20)) == expected["numbers"]
    assert dict(run.analyse("drift", of="y", to=20)) != dict(run.analyse("drift"))


def test_numbers_are_attributes_and_entries(run: lb.Run) -> None:
    found = run.analyse("drift")
    name = next(iter(found))
    assert found[name] == getattr(found, name) == found.numbers[name]
    with pytest.raises(AttributeError, match=name):
        found.nothing


def test_figures_are_shown_in_notebooks(run: lb.Run) -> None:
    found = run.analyse("portrait", x="x", y="p_x")
    assert found.figures and found._repr_html_().count("<svg") == len(found.figures)
    assert found.verdict in repr(found)


def test_every_analysis_of_the_registry_can_be_called(run: lb.Run) -> None:
    for record in lb.analyses():
        try:
            assert run.analyse(record.name).what == record.name
        except lb.InputError as error:  # it needs an option, or another model
            assert len(str(error)) > 20


def test_errors_say_what_to_do(run: lb.Run) -> None:
    with pytest.raises(lb.InputError, match="did you mean 'drift'"):
        run.analyse("drif")
    with pytest.raises(lb.InputError, match="of"):
        run.analyse("drift", off="y")


def test_options_keep_every_digit() -> None:
    assert option_texts({"a": 0.1, "b": np.float64(1 / 3), "c": [1, 2.5], "d": None, "e": "x + y"}) == {
        "a": "0.1", "b": repr(1 / 3), "c": "1, 2.5", "e": "x + y"}
