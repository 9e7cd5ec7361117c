"""Runs as tables, with the column names of CSV files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._run import Run


def column_names(run: "Run") -> "list[str]":
    """t, coordinates, momenta, velocities, multipliers, energy, residuals, observables: as in CSV files."""
    return list(named_columns(run))


def named_columns(run: "Run") -> "dict[str, Any]":
    """All columns of a CSV file by name."""
    model = run._core.model
    dimension, constraints = run.q.shape[1], run.lam.shape[1]
    names = list(model.coordinates) if model is not None else [f"q{k + 1}" for k in range(dimension)]
    multipliers = list(model.multipliers) if model is not None else [f"lambda_{k + 1}" for k in range(constraints)]
    columns: dict[str, Any] = {"t": run.t}
    columns.update((name, run.q[:, k]) for k, name in enumerate(names))
    columns.update((f"p_{name}", run.p[:, k]) for k, name in enumerate(names))
    columns.update((f"v_{name}", run.v[:, k]) for k, name in enumerate(names))
    columns.update((name, run.lam[:, k]) for k, name in enumerate(multipliers))
    columns.update({"energy": run.energy, **run.residuals})
    columns.update(run.observables)
    return columns


def all_columns(run: "Run") -> "dict[str, Any]":
    """The columns of a CSV file, then the energy error."""
    columns = named_columns(run)
    columns.setdefault("energy_error", run.energy_error)
    return columns


def data_frame(run: "Run") -> Any:
    """A pandas DataFrame."""
    try:
        import pandas
    except ImportError:
        raise ImportError(
            "to_dataframe needs pandas: install it with 'pip install pandas'; run.t, run.q, ... do not need it"
        ) from None
    return pandas.DataFrame(all_columns(run))
