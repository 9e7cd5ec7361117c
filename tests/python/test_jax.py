"""The bridge to JAX. Debian has no JAX: what needs it is tested where it can be imported, the rest everywhere."""

from __future__ import annotations

import importlib.util
import sys
import types
from collections.abc import Iterator
from typing import Any

import libration as lb
import numpy as np
import pytest
from libration._loss_at import LossAt

OPTIONS: dict[str, Any] = {"step": 0.02, "duration": 2}
LOSS = "x2^2 + v_y1"
NAMES = ["g", "m1", "theta1"]
VALUES = [1.1, 0.9, 0.5]


def expected() -> Any:
    return lb.gradient(lb.load("double-pendulum").set(dict(zip(NAMES, VALUES))), LOSS, by=NAMES, **OPTIONS)


def test_what_both_bridges_call_is_the_gradient_of_the_library() -> None:
    value, slope = LossAt("double-pendulum", LOSS, NAMES, OPTIONS)(np.array(VALUES))
    assert value == expected().loss
    np.testing.assert_array_equal(slope, [expected()[name] for name in NAMES])


if importlib.util.find_spec("jax") is None:

    def test_without_jax_the_error_says_how_to_get_it() -> None:
        with pytest.raises(ImportError, match="libration.jax needs JAX: install it with 'pip install jax'"):
            lb.jax

    class StandIn(types.ModuleType):
        """The three names of JAX that the bridge uses, without tracing: the rules that it registers are called as they
        are."""

        @staticmethod
        def ShapeDtypeStruct(shape: Any, dtype: Any) -> Any:
            return types.SimpleNamespace(shape=shape, dtype=np.dtype(dtype))

        @staticmethod
        def pure_callback(callback: Any, result: Any, *args: Any, vmap_method: Any = None) -> Any:
            found = callback(*args)
            for one, wanted in zip(found, result):
                assert one.shape == wanted.shape and one.dtype == wanted.dtype
            return found

        class custom_vjp:
            def __init__(self, function: Any) -> None:
                self.function = function

            def defvjp(self, forward: Any, backward: Any) -> None:
                self.forward, self.backward = forward, backward

            def __call__(self, *args: Any) -> Any:
                return self.function(*args)

    @pytest.fixture
    def bridge(monkeypatch: pytest.MonkeyPatch) -> Iterator[types.ModuleType]:
        monkeypatch.setitem(sys.modules, "jax", StandIn("jax"))
        yield lb.jax
        del sys.modules["libration.jax"]
        delattr(lb, "jax")

    @pytest.mark.parametrize("kind", [np.float64, np.float32])
    def test_the_rules_for_jax_are_value_and_product(bridge: Any, kind: Any) -> None:
        function = bridge.loss("double-pendulum", LOSS, by=NAMES, **OPTIONS)
        values = np.array(VALUES, dtype=kind)
        model = lb.load("double-pendulum").set(dict(zip(NAMES, values.astype(float).tolist())))
        exact = lb.gradient(model, LOSS, by=NAMES, **OPTIONS)
        assert function(values) == kind(exact.loss)
        value, kept = function.forward(values)
        assert value == kind(exact.loss)
        (slope,) = function.backward(kept, kind(3))
        np.testing.assert_array_equal(slope, kind(3) * np.array([exact[name] for name in NAMES], dtype=kind))

else:
    import jax

    def function() -> Any:
        return lb.jax.loss("double-pendulum", LOSS, by=NAMES, **OPTIONS)

    def test_value_and_gradient_are_those_of_the_library() -> None:
        with jax.experimental.enable_x64():
            value, slope = jax.value_and_grad(function())(jax.numpy.array(VALUES))
        assert float(value) == expected().loss
        np.testing.assert_array_equal(np.asarray(slope), [expected()[name] for name in NAMES])

    def test_it_can_be_compiled_and_mapped() -> None:
        with jax.experimental.enable_x64():
            both = jax.jit(jax.vmap(jax.grad(function())))(jax.numpy.array([VALUES, VALUES]))
        np.testing.assert_array_equal(np.asarray(both), [[expected()[name] for name in NAMES]] * 2)


