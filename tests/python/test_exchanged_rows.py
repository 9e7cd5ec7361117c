"""States between the nodes of mechanisms that exchange the redundant rows that they carry."""

import os
from pathlib import Path
from typing import Any

import libration as lb
import numpy as np
import pytest

pytestmark = pytest.mark.filterwarnings("ignore:some constraints are redundant:libration.LibrationWarning")

CRANKS = Path(os.environ["LIBRATION_SOURCE_DIR"]) / "tests/files/mechanisms/three-cranks-in-space.toml"


def test_states_of_a_run_that_is_over_are_those_of_the_run() -> None:
    """Every step of two turns: twice in each, the rows of the start are dependent."""
    model = lb.load(CRANKS)
    run: Any = model.run(step=0.005, duration=1.5)
    times = run.t[:-1] + 0.0026
    expected: Any = model.run(step=0.005, duration=1.5, at=list(times))
    found = run.at(times)
    # Each is one step from the same node, where q is rounded once and rows may be others: round-off, enlarged by the
    # condition of rows whose sine is at least a quarter of the best.
    np.testing.assert_allclose(found.q, expected.q, rtol=0, atol=1e-12)
    np.testing.assert_allclose(found.p, expected.p, rtol=0, atol=1e-11)
    np.testing.assert_allclose(found["a1.angle"], expected["a1.angle"], rtol=0, atol=1e-11)
    assert found.constraint.max() < 1e-13 and found.hidden.max() < 1e-11
