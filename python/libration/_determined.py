"""What data determine: covariance of estimated values, and the combinations of unknowns that change no prediction.

With A the Jacobian of the predictions in units of their standard deviations and its columns scaled to the length 1,
A = U S V^T. Right singular vectors whose singular value is rounding are directions along which the unknowns can move
without any consequence; the others give (J^T J)^-1 on their span. A value d of interest (a row: d by the unknowns) is
determined if d has no part along the former.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SAFETY = 10.0
"""The number of correct digits is an estimate: so much more error is allowed for."""


@dataclass
class Determined:
    """The span of the data in the space of the unknowns."""

    inverse: Array  # P x P: (J^T J)^-1 on the directions that data determine
    free: Array  # P x F: a sparse basis of those that they do not
    rank: int
    mixing: float  # how much of a free direction may be in others, by rounding
    held: list[int]  # one unknown of each free direction: without these the others are determined

    def covariance(self, rows: Array) -> Array:
        """Of values with these derivatives (rows x P); of one that is not determined the variance is infinite."""
        found: Array = rows @ self.inverse @ rows.T
        lost = self.undetermined(rows)
        found[lost, :] = np.nan
        found[:, lost] = np.nan
        found[lost, lost] = np.inf
        return found

    def undetermined(self, rows: Array) -> NDArray[np.bool_]:
        """Which of the values change along a free direction."""
        return np.asarray(np.any(self._changes(rows), axis=1))

    def free_changes(self, rows: Array) -> Array:
        """The free directions along which one of the values changes."""
        found: Array = self.free[:, np.any(self._changes(rows), axis=0)]
        return found

    def _changes(self, rows: Array) -> NDArray[np.bool_]:
        # Along the normal of the constraints a start does not change: the terms of the sum cancel but for rounding.
        return np.asarray(np.abs(rows @ self.free) > self.mixing * (np.abs(rows) @ np.abs(self.free)))


def determined(jacobian: Array, sizes: Array, digits: float) -> Determined:
    """From the Jacobian (rows x unknowns), the typical sizes of the unknowns, and the correct digits of its entries."""
    unknowns = jacobian.shape[1]
    noise = SAFETY * max(10.0 ** -digits, max(jacobian.shape) * np.finfo(float).eps)
    lengths = np.linalg.norm(jacobian, axis=0)
    effect = lengths * sizes  # of a change of an unknown by its own size
    # Derivatives are accurate with respect to the largest of them: a column may be all rounding.
    level = noise * float(np.max(effect, initial=0.0))
    kept = np.flatnonzero(effect > level)
    held = np.flatnonzero(effect <= level).tolist()
    free = list(np.eye(unknowns)[held])
    inverse = np.zeros((unknowns, unknowns))
    rank, mixing = 0, 1e-8
    if kept.size:
        _, s, vt = np.linalg.svd(jacobian[:, kept] / lengths[kept], full_matrices=True)
        s = np.concatenate([s, np.zeros(kept.size - s.size)])
        # Each column has a relative error of its own, which moves s by no more than its share of the vector.
        floor = np.sqrt(np.sum((vt * (level / effect[kept])) ** 2, axis=1))
        good = s > floor
        rank = int(np.count_nonzero(good))
        half = vt[good].T / s[good] / lengths[kept][:, None]
        inverse[np.ix_(kept, kept)] = half @ half.T
        if rank < kept.size:
            gap = float(np.min(s[good], initial=1.0))
            mixing = max(mixing, float(np.max(floor[~good])) / gap)
        directions, pivots = _sparse(vt[~good], mixing)
        held += kept[pivots].tolist()
        for direction in directions:
            whole = np.zeros(unknowns)
            whole[kept] = direction / lengths[kept]
            free.append(whole / np.max(np.abs(whole / sizes)))
    return Determined(inverse, np.array(free).T if free else np.zeros((unknowns, 0)), rank, mixing, held)


def _sparse(basis: Array, tolerance: float) -> tuple[Array, list[int]]:
    """The same span with as many zeros as elimination gives: combinations that are independent come apart.

    Also the columns that have one entry other than zero, one for each row.
    """
    rows = basis.copy()
    pivots: list[int] = []
    for k in range(len(rows)):
        # The pivot: the largest entry of what is left.
        i, j = np.unravel_index(int(np.argmax(np.abs(rows[k:]))), rows[k:].shape)
        rows[[k, k + int(i)]] = rows[[k + int(i), k]]
        rows[k] /= rows[k, j]
        pivots.append(int(j))
        for other in range(len(rows)):
            if other != k:
                rows[other] -= rows[other, j] * rows[k]
    rows[np.abs(rows) < tolerance] = 0
    return rows, pivots


def freedom_texts(free: Array, names: Sequence[str], values: Array) -> list[str]:
    """One sentence for each direction along which the unknowns can move."""
    return [_sentence(direction, names, values) for direction in free.T]


def _sentence(direction: Array, names: Sequence[str], values: Array) -> str:
    moving = [k for k in range(len(names)) if direction[k] != 0]
    listed = ", ".join(names[k] for k in moving)
    if len(moving) == 1:
        return f"the data do not determine {listed}: no prediction depends on it; omit it from by=[...]"
    start = f"the data do not determine {listed} separately: "
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = direction[moving] / values[moving]
    if np.all(np.isfinite(ratio)) and np.ptp(ratio) <= 1e-6 * np.max(np.abs(ratio)):
        how = "scaling them together changes no prediction"
    else:
        change = direction / np.max(np.abs(direction))
        terms = ", ".join(f"{change[k]:+.3g} in {names[k]}" for k in moving)
        how = f"changes in the proportion {terms} change no prediction"
    return f"{start}{how}; hold one of them (omit it from by=[...])"


def hardly_determined(names: Sequence[str], values: Array, errors: Array, sizes: Array) -> list[str]:
    """The names of values whose standard errors exceed their typical sizes by far.

    The estimate itself is no measure: it is of the size of its error then.
    """
    return [name for name, value, error, size in zip(names, values, errors, sizes)
            if np.isfinite(error) and error > max(10 * size, abs(value) / 3)]
