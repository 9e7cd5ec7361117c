"""Losses of runs for PyTorch: exact gradients in its automatic differentiation.

>>> import libration as lb, torch
>>> loss = lb.torch.loss("pendulum", "x^2 + v_y^2", by=["g", "l"], step=0.01, duration=5)
>>> values = torch.tensor([1.0, 1.0], dtype=torch.float64, requires_grad=True)
>>> loss(values).backward()
>>> values.grad
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Union

from ._calls import MethodLike, guided
from ._loss_at import LossAt
from ._model_argument import ModelLike

try:
    import torch
except ImportError as error:
    raise ImportError("libration.torch needs PyTorch: install it with 'pip install torch', or on Debian and Ubuntu "
                      "with 'apt install python3-torch'") from error

__all__ = ["loss"]


class _Slope(torch.autograd.Function):  # type: ignore[misc]
    """The gradient as a function of the values: a constant would drop out of second derivatives without a word."""

    @staticmethod
    def forward(ctx: Any, values: Any, slope: Any) -> Any:
        return slope.clone()

    @staticmethod
    def backward(ctx: Any, seed: Any) -> Any:
        raise RuntimeError("second derivatives of runs are not available; use an optimizer that needs gradients only")


class _Loss(torch.autograd.Function):  # type: ignore[misc]
    """Value and gradient are computed together, in double precision; the way back is a product."""

    @staticmethod
    def forward(ctx: Any, values: Any, at: LossAt) -> Any:
        value, slope = at(values.detach().cpu().double().numpy())
        ctx.save_for_backward(values, torch.as_tensor(slope).to(values))
        return torch.as_tensor(value, dtype=torch.float64).to(values)

    @staticmethod
    def backward(ctx: Any, seed: Any) -> Any:
        values, slope = ctx.saved_tensors
        return seed * _Slope.apply(values, slope), None


@guided('model, "x^2", by=["g", "v_x"], step=0.01, duration=5', task="gradient")
def loss(
    model: ModelLike, loss: Any, by: Union[str, Iterable[Any]], method: MethodLike = None, **options: Any
) -> Callable[[Any], Any]:
    """A function of a tensor, the values of the unknowns in the order of `by`, that returns the loss as a tensor.

    Its gradient is that of lb.gradient: exact. All is computed in double precision on the CPU; the loss and the
    gradient have the type and the device of the tensor, so that in single precision both are rounded to 7 digits.
    Second derivatives are not available.

    model, loss, by, and the arguments of the run: as in lb.gradient.

    Raises InputError for what has no derivative, IntegrationError where the run fails or no correct digit is left.
    """
    at = LossAt(model, loss, by, {**options, "method": method})

    def call(values: Any) -> Any:
        return _Loss.apply(values, at)

    return call
