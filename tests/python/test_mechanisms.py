"""Bodies, joints and loads in Python: the same model as in a text, its observables, gradients and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import libration as lb
import numpy as np
import pytest
from mechanism_models import WRITTEN, door


# A door on two hinges, and hinges that are parallel in space, are said to be redundant.
pytestmark = pytest.mark.filterwarnings("ignore:some constraints are redundant:libration.LibrationWarning")


def same_bits(a: Any, b: Any) -> None:
    for column in ("t", "q", "p", "v", "lam", "energy"):
        np.testing.assert_array_equal(getattr(a, column), getattr(b, column), err_msg=column)
    assert list(a.observables) == list(b.observables)
    for name in a.observables:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


@pytest.mark.parametrize("name", WRITTEN)
def test_a_mechanism_has_the_bits_of_its_text(name: str) -> None:
    written, loaded = WRITTEN[name](), lb.load(name)
    assert written.coordinates == loaded.coordinates and written.multipliers == loaded.multipliers
    options = {"method": "rattle", "step": 0.002, "steps": 200}
    expected = loaded.run(**options)
    run = written.run(**options)
    same_bits(run, expected)
    assert np.max(np.abs(run.q - run.q[0])) > 1e-3  # something moves


@pytest.mark.parametrize("name", WRITTEN)
def test_a_mechanism_is_written_as_a_text_and_read_again(name: str, tmp_path: Path) -> None:
    written = WRITTEN[name]()
    again = lb.Model.parse(written.to_toml())
    assert again == written
    written.save(tmp_path / "model.toml")
    options = {"method": "rattle", "step": 0.005, "steps": 20}
    same_bits(lb.load(tmp_path / "model.toml").run(**options), written.run(**options))


def test_other_parameters_build_another_mechanism() -> None:
    narrow = door().set(w=0.5)
    assert narrow.parameters["w"] == 0.5
    same_bits(narrow.run("rattle", step=0.01, steps=50), lb.load("door", w=0.5).run("rattle", step=0.01, steps=50))


def arm(**more: Any) -> lb.Model:
    """A planar pendulum on a hinge, a = l/2 from its center; its moment of inertia about the hinge is m l^2/3."""
    m, l, g = lb.parameters("m l g")
    given: "dict[str, Any]" = {
        "bodies": {
            "arm": {
                "planar": True,
                "mass": m,
                "inertia": m * l**2 / 12,
                "com": [l / 2, 0],
                "points": {"tip": [l, 0]},
            }
        },
        "joints": [{"name": "hinge", "type": "revolute", "between": ["ground", "arm"], "at": [0, 0, 0]}],
        "gravity": [0, -g, 0],
        "parameters": {m: 2.0, l: 0.5, g: 9.81},
        "observables": {"turned": lb.joint("hinge").angle},
    }
    return lb.Model(**{**given, **more})


def test_the_angle_of_a_joint_is_an_observable() -> None:
    run = arm().run("rattle", step=0.001, duration=1)
    np.testing.assert_array_equal(run["turned"], run["arm.angle"])  # both start at 0
    # The horizontal rod begins to fall with angle'' = -(3/2) g/l; after 0.01 the next term of its series, of order t^6,
    # is smaller by a factor of 1e-5.
    assert abs(run.v[10][2] / (-1.5 * 9.81 / 0.5 * 0.01) - 1) < 1e-4


def test_a_reaction_carries_the_weight_and_the_acceleration() -> None:
    force = lb.joint("hinge").force
    run = arm(observables={"up": force[1], "side": force[0]}).run("rattle", step=1e-4, steps=10)
    # At rest and horizontal: m g - m (3/2) g/l * l/2 = m g/4; the error of a multiplier of rattle is of first order.
    assert abs(run["up"][0] - 2 * 9.81 / 4) < 1e-2
    assert abs(run["side"][0]) < 1e-2


@pytest.mark.parametrize("gravity", [(0, -9.81, 0), np.array([0, -9.81, 0]), np.array([0, lb.symbol("g") * -1, 0])])
def test_gravity_may_be_an_array(gravity: Any) -> None:
    run = arm(gravity=gravity).run("rattle", step=0.01, steps=50)
    same_bits(run, arm(gravity=[0, -9.81, 0]).run("rattle", step=0.01, steps=50))


def test_couplings_are_joints_of_joints() -> None:
    more = {"rod": {"planar": True, "mass": 1, "inertia": 0.2, "position": [0.5, 0]}}
    bodies = {"arm": {"planar": True, "mass": 2, "inertia": 0.1}, **more}
    joints = {
        "hinge": {"type": "revolute", "between": ["ground", "arm"], "at": [0, 0]},
        "knee": {"type": "revolute", "between": ["arm", "rod"], "at": [0.5, 0]},
        "mesh": {"type": "gear", "of": ["hinge", "knee"], "ratio": lb.symbol("z") / 12},
    }
    model = lb.Model(bodies=bodies, joints=joints, gravity=[0, -9.81], parameters={"z": -18})
    run = model.run("rattle", step=0.002, steps=500)
    arm_angle, rod_angle = run["arm.angle"], run["rod.angle"]
    # Angles of joints are those between the bodies; constraints of rattle hold to round-off.
    np.testing.assert_allclose(rod_angle - arm_angle, -1.5 * arm_angle, atol=1e-13 * np.max(np.abs(rod_angle)))
    assert np.max(np.abs(arm_angle)) > 1
    same_bits(run, lb.Model.parse(model.to_toml()).run("rattle", step=0.002, steps=500))
    with pytest.raises(lb.InputError, match="ratio of the gear 'mesh' is 0"):
        model.set(z=0)


def test_bushings_are_blocks_of_python() -> None:
    k = lb.symbol("k")
    mount = {"between": ["ground", "arm.tip"], "stiffness": [k, 2 * k], "rotational_stiffness": 0.3, "damping": 0.1}
    parameters = {"m": 2.0, "l": 0.5, "g": 9.81, "k": 20.0}
    loaded = arm(bushings=[mount], parameters=parameters)
    named = arm(bushings={"bushing1": mount}, parameters=parameters)
    text = f"{arm(parameters=parameters).to_toml()}\n" + '''
[[bushing]]
between = ["ground", "arm.tip"]
stiffness = ["k", "2*k"]
rotational_stiffness = 0.3
damping = 0.1
'''
    options = {"method": "spark(2)", "step": 0.01, "steps": 100}
    run = loaded.run(**options)
    same_bits(run, lb.Model.parse(text).run(**options))
    same_bits(run, named.run(**options))
    same_bits(run, lb.Model.parse(loaded.to_toml()).run(**options))
    assert np.max(np.abs(run.q - arm().run(**options).q)) > 1e-2
    with pytest.raises(lb.InputError, match="not negative"):
        loaded.set(k=-1)


def test_loads_are_blocks_of_python() -> None:
    spring = {"between": ["arm.tip", [0.5, 1, 0]], "stiffness": 10.0, "length": 0.2}
    damper = {"joint": "hinge", "coefficient": 0.05}
    motor = {"class": "driving", "torque": {"body": "arm", "value": [0, 0, "0.3*cos(t)"]}}
    loaded = arm(springs=[spring], dampers=[damper], forces={"motor": motor})
    text = f"{arm().to_toml()}\n" + '''
[[spring]]
between = ["arm.tip", [0.5, 1, 0]]
stiffness = 10.0
length = 0.2

[[damper]]
joint = "hinge"
coefficient = 0.05

[[forces]]
name = "motor"
class = "driving"
torque = { body = "arm", value = [0, 0, "0.3*cos(t)"] }
'''
    options = {"method": "spark(2)", "step": 0.01, "steps": 100}
    same_bits(loaded.run(**options), lb.Model.parse(text).run(**options))
    assert np.max(np.abs(loaded.run(**options).q - arm().run(**options).q)) > 1e-2
    push = {"class": "driving", "force": {"at": "arm.tip", "value": [0, "m*g/2", 0]}}
    # Held up at its tip by half of its weight, the rod does not move.
    held = arm(forces={"push": push}).run("spark(2)", step=0.01, steps=20)
    assert np.max(np.abs(held.q - held.q[0])) < 1e-12


def test_a_rough_pose_is_assembled_and_redundant_rows_may_be_refused() -> None:
    rough = arm(
        joints=[{"name": "hinge", "type": "revolute", "between": ["ground", "arm"], "at": [0, 0, 0]},
                {"name": "stop", "type": "distance", "between": ["ground", "arm.tip"],
                 "at": [0.5, 0.4, 0], "length": 0.3}],
        assembly={},
    )
    run = rough.run("rattle", step=0.01, steps=1)
    tip = run.q[0][:2] + 0.25 * np.array([np.cos(run.q[0][2]), np.sin(run.q[0][2])])
    assert abs(np.linalg.norm(tip - [0.5, 0.4]) - 0.3) < 1e-12
    hinge = {"type": "revolute", "between": ["ground", "leaf"], "axis": [0, 0, 1]}
    twice = {"lower": {**hinge, "at": [0, 0, 0]}, "upper": {**hinge, "at": [0, 0, 1]}}
    leaf = {"leaf": {"mass": 1, "inertia": [1, 1, 1]}}
    assert lb.Model(bodies=leaf, joints=twice).run("rattle", step=0.01, steps=1).status == "completed"
    with pytest.raises(lb.InputError, match="redundant"):
        lb.Model(bodies=leaf, joints=twice, redundant="error").run("rattle", step=0.01, steps=1)


def test_an_angle_that_counts_turns_is_recorded_by_its_name() -> None:
    x, y = lb.coordinates("x y")
    model = lb.Model(q=[x, y], mass=1, constraints=[x**2 + y**2 - 1], angles={"turn": {"sine": y, "cosine": x}},
                     initial={"q": [1, 0], "v": [0, 7]})
    run = model.run("rattle", step=0.01, duration=2)
    # Uniform rotation on the unit circle: 14 radians in 2; RATTLE turns by asin(7 h)/h instead of 7.
    assert abs(run["turn"][-1] - 200 * np.arcsin(0.07)) < 1e-10


def test_a_gradient_by_a_length_goes_through_bodies_and_joints() -> None:
    options: "dict[str, Any]" = {"method": "rattle", "step": 0.01, "steps": 50}
    found = lb.gradient(arm(), "turned", by="l", **options)
    h = 1e-5
    high, low = (arm().set(l=0.5 + side * h).run(**options)["turned"][-1] for side in (1, -1))
    # Central differences: h^2/6 of the third derivative, some 1e2, and round-off eps/h.
    assert abs(found.gradient["l"] - (high - low) / (2 * h)) < 1e-6 * abs(found.gradient["l"])


def test_joints_have_no_other_parts() -> None:
    with pytest.raises(AttributeError, match="no 'angel'"):
        lb.joint("hinge").angel
    with pytest.raises(TypeError, match="joints: expected"):
        arm(joints=3)
    with pytest.raises(lb.InputError, match=r"joints\[0\]"):
        arm(joints=[{"name": "hinge", "type": "revolute", "between": ["ground", "leg"], "at": [0, 0, 0]}])
