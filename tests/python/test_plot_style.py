"""What figures are made of: curves thinned without loss, names typeset as mathematics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from libration._style import typeset  # noqa: E402
from libration._thinning import crests, envelope, same_path  # noqa: E402


@pytest.mark.parametrize("seed", range(20))
def test_thinning_keeps_the_extremes_of_every_pixel_column(seed: int) -> None:
    generator = np.random.default_rng(seed)
    count, columns = int(generator.integers(500, 5000)), int(generator.integers(5, 60))
    t = np.cumsum(generator.exponential(size=count))
    y = generator.standard_cauchy(size=count)
    y[generator.random(count) < 0.05 * (seed % 2)] = np.nan
    thin_t, thin_y = envelope(t, y, columns)
    assert len(thin_t) <= 5 * columns + 2 or count <= 4 * columns
    assert set(zip(thin_t, np.nan_to_num(thin_y))) <= set(zip(t, np.nan_to_num(y)))
    assert np.all(np.diff(thin_t) > 0) and thin_t[0] == t[0] and thin_t[-1] == t[-1]
    edges = np.linspace(t[0], t[-1], columns + 1)
    for low, high in zip(edges, edges[1:]):
        # A hair inside, where rounding cannot move a point into the next column.
        hair = 1e-9 * (high - low)
        inside, kept = ((x >= low + hair) & (x <= high - hair) for x in (t, thin_t))
        if np.any(np.isfinite(y[inside])):
            assert np.nanmin(thin_y[kept]) == np.nanmin(y[inside])
            assert np.nanmax(thin_y[kept]) == np.nanmax(y[inside])
        assert np.any(np.isnan(y[inside])) == np.any(np.isnan(thin_y[kept]))


def test_thinned_paths_never_leave_the_path_by_more_than_a_cell() -> None:
    s = np.linspace(0, 40, 200_000)
    path = np.column_stack([np.cos(s), np.sin(1.01 * s)])
    thin = same_path(path, cells=300)
    assert len(thin) < len(path) / 4
    kept = np.isin(path[:, 0], thin[:, 0])
    nearest = np.maximum.accumulate(np.where(kept, np.arange(len(path)), 0))
    assert np.max(np.abs(path - path[nearest])) <= 2 / 300 * 1.0001


def test_crests_are_the_largest_values_of_each_stretch() -> None:
    y = np.random.default_rng(3).random(1000)
    t, top = crests(np.arange(1000.0), y, 10)
    np.testing.assert_array_equal(top, y.reshape(10, 100).max(axis=1))
    np.testing.assert_array_equal(y[t.astype(int)], top)


@pytest.mark.parametrize(
    ("name", "text"),
    [("x", "$x$"), ("x1", "$x_{1}$"), ("theta", r"$\theta$"), ("phi12", r"$\phi_{12}$"), ("p_x1", "$p_{x_{1}}$"),
     ("r[3].x", "$r_{3,x}$"), ("v_r[3].x", "$v_{r_{3,x}}$"), ("Lz", "$L_{z}$"),
     ("lambda_rod", r"$\lambda_{\mathrm{rod}}$"),
     ("lambda_1", r"$\lambda_{1}$"), ("height", r"$\mathrm{height}$"), ("top.Q[3,3]", r"$Q^{\mathrm{top}}_{33}$"),
     ("lambda_rod[2]", r"$\lambda_{\mathrm{rod}_{2}}$"), ("tip_x", r"$\mathrm{tip}_{x}$"), ("q_a_b", None), ("_", None),
     ("lambda_top.rigid[1,2]", None), ("block.r.x", r"$r^{\mathrm{block}}_{x}$"), ("alpha_", None)],
)
def test_names_are_typeset_as_mathematics(name: str, text: Any) -> None:
    from matplotlib.mathtext import MathTextParser

    assert text is None or typeset(name) == text
    MathTextParser("path").parse(typeset(name))
