"""The compiled core does not refer to numpy's C interface, so that one binary works with numpy 1 and numpy 2.

Arrays cross over by Python's buffer protocol (decision 42). What an extension that uses numpy's C interface contains is
known from those of numpy itself.
"""

from __future__ import annotations

import pathlib

import numpy as np
import numpy.random.mtrand
import pytest

from libration import _core

# The capsule with numpy's table of functions, the modules that it lives in (numpy 1, numpy 2), names of functions and
# constants, and pybind11's own access to them, which its `py::array` needs.
TRACES = (b"_ARRAY_API", b"numpy.core", b"numpy._core", b"multiarray", b"PyArray_", b"NPY_", b"npy_api")


def traces_in(binary: str) -> set[bytes]:
    code = pathlib.Path(binary).read_bytes()
    assert code.startswith(b"\x7fELF")
    return {trace for trace in TRACES if trace in code}


def test_the_core_has_no_reference_to_the_c_interface_of_numpy() -> None:
    assert traces_in(_core.__file__) == set()


def test_the_search_finds_that_interface_where_it_is_used() -> None:
    assert {b"_ARRAY_API", b"multiarray"} <= traces_in(numpy.random.mtrand.__file__)


@pytest.mark.parametrize("name", ["t", "step", "energy", "q", "lambda"])
def test_a_column_is_a_view_of_the_memory_of_the_run(name: str) -> None:
    run = _core.run(_core.Model.load("pendulum"), {"method": "rattle", "step": 0.01, "steps": 10})
    first, second = run.column(name), run.column(name)
    assert type(first) is np.ndarray
    assert np.shares_memory(first, second) and first.__array_interface__ == second.__array_interface__
    with pytest.raises(ValueError):
        first.flags.writeable = True
    expected = np.int64 if name == "step" else np.float64
    assert first.dtype.type is expected and first.dtype.isnative
    # The array alone keeps the memory.
    before = first.tobytes()
    del run, second
    assert first.tobytes() == before
