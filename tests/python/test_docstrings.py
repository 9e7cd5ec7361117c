"""What docstrings tell a user to type works as it stands."""

from __future__ import annotations

import doctest
import importlib
import pathlib
import pkgutil
import warnings
from typing import Any

import libration as lb
import matplotlib.pyplot as plt
import numpy as np
import pytest


class OnlyWhatIsPrinted(doctest.OutputChecker):
    """An example without a result may give any."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return want == "" or super().check_output(want, got, optionflags)


def found() -> list[doctest.DocTest]:
    modules = [lb, *(importlib.import_module(f"libration.{one.name}") for one in pkgutil.iter_modules(lb.__path__)
                     if one.name.startswith("_") and one.name not in ("_core", "_functions"))]
    tests = [test for module in modules for test in doctest.DocTestFinder().find(module) if test.examples]
    return list({test.docstring: test for test in tests}.values())


def names() -> dict[str, Any]:
    x, y = lb.coordinates("x y")
    model = lb.load("pendulum")
    return {"lb": lb, "np": np, "numpy": np, "x": x, "y": y, "model": model, "pendulum": model,
            "run": model.run("rattle", step=0.01, duration=10)}


def test_the_examples_are_found() -> None:
    assert len(found()) >= 15


@pytest.mark.parametrize("test", found(), ids=lambda test: test.name)
def test_every_example_runs(test: doctest.DocTest, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    test.globs.update(names())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lb.LibrationWarning)
        said: list[str] = []
        runner = doctest.DocTestRunner(OnlyWhatIsPrinted(), optionflags=doctest.ELLIPSIS)
        failed, tried = runner.run(test, out=said.append)
    plt.close("all")
    assert tried > 0 and failed == 0, "".join(said)
