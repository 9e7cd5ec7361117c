"""A loss and its gradient as functions of a vector of unknowns: what bridges to other packages share."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from ._core import InputError
from ._gradient import gradient
from ._model_argument import ModelLike
from ._unknowns import Unknowns
from ._values import symbol_name

Vector = NDArray[np.float64]


class LossAt:
    """The loss of a run at values of the unknowns, with its derivatives."""

    def __init__(self, model: ModelLike, loss: Any, by: Union[str, Iterable[Any]], options: dict[str, Any]) -> None:
        from ._model import Model, load

        self.loss = loss
        names = by.split(",") if isinstance(by, str) else [symbol_name(one, "by") for one in by]
        whole = load(model) if isinstance(model, (str, os.PathLike)) else model
        if not isinstance(whole, Model):
            raise TypeError(f"expected a Model, the name of a built-in problem or a file, found {model!r}")
        self.unknowns = Unknowns(whole, [name.strip() for name in names])
        self.options = self.unknowns.run_options(options)

    @property
    def count(self) -> int:
        """The number of unknowns."""
        return len(self.unknowns.names)

    def __call__(self, values: Any) -> tuple[float, Vector]:
        """InputError, IntegrationError where there is no run."""
        given = np.asarray(values, dtype=float)
        if given.shape != (self.count,):
            raise InputError(f"expected {self.count} values, those of {', '.join(self.unknowns.names)}; found the "
                             f"shape {given.shape}")
        if not np.isfinite(given).all():
            raise InputError(f"not all values are finite numbers: {given}")
        found = gradient(self.unknowns.at(given), self.loss, by=self.unknowns.names, **self.options)
        return found.loss, np.array([found[name] for name in self.unknowns.names])
