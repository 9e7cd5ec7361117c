"""The bridge to PyTorch: losses of runs inside its automatic differentiation."""

from __future__ import annotations

from typing import Any

import libration as lb
import numpy as np
import pytest
import torch

OPTIONS: dict[str, Any] = {"step": 0.02, "duration": 2}
LOSS = "x2^2 + v_y1"
NAMES = ["g", "m1", "theta1"]
VALUES = [1.1, 0.9, 0.5]


def loss(by: Any = NAMES) -> Any:
    return lb.torch.loss("double-pendulum", LOSS, by=by, **OPTIONS)


def test_value_and_gradient_are_those_of_the_library() -> None:
    values = torch.tensor(VALUES, dtype=torch.float64, requires_grad=True)
    found = loss()(values)
    expected = lb.gradient(lb.load("double-pendulum").set(dict(zip(NAMES, VALUES))), LOSS, by=NAMES, **OPTIONS)
    assert found.shape == () and found.item() == expected.loss
    (3 * found).backward()
    np.testing.assert_array_equal(values.grad.numpy(), 3 * np.array([expected[name] for name in NAMES]))


def test_the_gradient_is_that_of_the_function() -> None:
    values = torch.tensor(VALUES, dtype=torch.float64, requires_grad=True)
    # Central differences of 1e-5: third derivatives are of the order of 10, rounding of values is 1e-15.
    assert torch.autograd.gradcheck(loss(), (values,), eps=1e-5, atol=1e-8, rtol=1e-8)


def test_it_is_a_part_of_a_larger_graph() -> None:
    logarithms = torch.log(torch.tensor(VALUES, dtype=torch.float64)).requires_grad_()
    function = loss(by="g, m1, theta1")
    assert torch.autograd.gradcheck(lambda x: torch.sin(function(torch.exp(x))), (logarithms,), eps=1e-5, atol=1e-8)


def test_initial_values_are_varied_along_the_constraints() -> None:
    function = lb.torch.loss("pendulum", "x^2 + v_y", by=["x", "y", "v_y", "l"], **OPTIONS)
    values = torch.tensor([0.6, -0.8, 0.1, 1.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(function, (values,), eps=1e-5, atol=1e-8)


def test_an_optimizer_finds_a_minimum() -> None:
    # Where must a pendulum start to be at the left after the time 2?
    function = lb.torch.loss("double-pendulum", "(x1 + 0.4)^2", by=["theta1"], **OPTIONS)
    angle = torch.tensor([0.3], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([angle], max_iter=50, tolerance_grad=1e-12, tolerance_change=1e-14,
                                  line_search_fn="strong_wolfe")

    def again() -> Any:
        optimizer.zero_grad()
        value = function(angle)
        value.backward()
        return value

    optimizer.step(again)
    assert function(angle).item() < 1e-15


def test_single_precision_is_computed_in_double_and_rounded() -> None:
    single = torch.tensor(VALUES, dtype=torch.float32, requires_grad=True)
    double = single.detach().double().requires_grad_()
    found, exact = loss()(single), loss()(double)
    found.backward()
    exact.backward()
    assert found.dtype == torch.float32 and single.grad.dtype == torch.float32
    assert found.item() == np.float32(exact.item())
    np.testing.assert_array_equal(single.grad.numpy(), double.grad.numpy().astype(np.float32))


def test_second_derivatives_are_refused_and_not_wrong() -> None:
    values = torch.tensor(VALUES, dtype=torch.float64, requires_grad=True)
    # Beside a term that has them: without the refusal the sum would silently lack a part.
    (slope,) = torch.autograd.grad(loss()(values) + (values**2).sum(), values, create_graph=True)
    with pytest.raises(RuntimeError, match="second derivatives of runs are not available"):
        slope.sum().backward()


def test_mistakes_are_named() -> None:
    with pytest.raises(lb.InputError, match="expected 3 values, those of g, m1, theta1"):
        loss()(torch.tensor([1.0, 2.0], dtype=torch.float64))
    with pytest.raises(lb.InputError, match="not all values are finite"):
        loss()(torch.tensor([1.0, float("nan"), 1.0], dtype=torch.float64))
    with pytest.raises(lb.InputError, match="the model has no parameter and no initial value 'gg'"):
        loss(by=["gg"])
    with pytest.raises(TypeError, match="no argument dt=: did you mean step="):
        lb.torch.loss("pendulum", "x", by="g", dt=0.1)
