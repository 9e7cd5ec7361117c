"""Models as arguments: a Model, the name of a built-in problem, or a file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Union

from . import _core

if TYPE_CHECKING:
    from ._actions import Actions
    from ._model import Model

ModelLike = Union["Model", "Actions", str, "os.PathLike[str]"]


def core_model(model: ModelLike) -> _core.Model:
    """What the core takes."""
    if isinstance(model, (str, os.PathLike)):
        from ._model import load

        return load(model)._core
    if hasattr(model, "spec"):
        raise TypeError(f"expected a model as the first argument, found the method '{getattr(model, 'spec')}'")
    core: Any = getattr(model, "_core", model)
    if not isinstance(core, _core.Model):
        raise TypeError(f"expected a Model, the name of a built-in problem or a file, found {model!r}")
    return core


def is_model(value: Any) -> bool:
    """Whether it can only be meant as a model."""
    return isinstance(getattr(value, "_core", value), _core.Model)
