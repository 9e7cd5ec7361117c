"""Losses of runs for JAX: exact gradients in its automatic differentiation.

    loss = lb.jax.loss("pendulum", "x^2 + v_y^2", by=["g", "l"], step=0.01, duration=5)
    jax.value_and_grad(loss)(jax.numpy.array([1.0, 1.0]))
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any, Union

import numpy as np

from ._calls import MethodLike, guided
from ._loss_at import LossAt
from ._model_argument import ModelLike

try:
    import jax
except ImportError as error:
    raise ImportError("libration.jax needs JAX: install it with 'pip install jax'") from error

__all__ = ["loss"]


@guided('model, "x^2", by=["g", "v_x"], step=0.01, duration=5', task="gradient")
def loss(
    model: ModelLike, loss: Any, by: Union[str, Iterable[Any]], method: MethodLike = None, **options: Any
) -> Callable[[Any], Any]:
    """A function of an array, the values of the unknowns in the order of `by`, that returns the loss.

    Its gradient is that of lb.gradient: exact. It can be used inside jax.jit, jax.grad and jax.vmap, which runs one
    member after the other. All is computed in double precision on the CPU; the result has the type of the array, which
    is single precision unless jax_enable_x64 is set. Second derivatives and forward mode are not available.

    model, loss, by, and the arguments of the run: as in lb.gradient.
    """
    at = LossAt(model, loss, by, {**options, "method": method})
    # Newer releases want to be told what vmap does; older ones have one way.
    known = inspect.signature(jax.pure_callback).parameters
    batches = {"vmap_method": "sequential"} if "vmap_method" in known else {}

    def both(values: Any) -> Any:
        kind = values.dtype

        def host(given: Any) -> tuple[Any, Any]:
            value, slope = at(np.asarray(given))
            return np.asarray(value, dtype=kind), slope.astype(kind)

        shapes = jax.ShapeDtypeStruct((), kind), jax.ShapeDtypeStruct((at.count,), kind)
        return jax.pure_callback(host, shapes, values, **batches)

    @jax.custom_vjp  # type: ignore[misc]
    def call(values: Any) -> Any:
        return both(values)[0]

    def forward(values: Any) -> Any:
        return both(values)

    def backward(slope: Any, seed: Any) -> Any:
        return (seed * slope,)

    call.defvjp(forward, backward)
    found: Callable[[Any], Any] = call
    return found
