"""Points, lists, families, rigid bodies and definitions from Python: the model of the text that says the same."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import libration as lb

i, j, n = lb.symbol("i"), lb.symbol("j"), lb.parameters("n")
x = lb.coordinates("x")

NET = """
name = "net"
[parameters]
n = 4
k = [1, 2.5, "n/3", 1]
m = "1 + i/8"
[coordinates]
q = ["x"]
[points]
r = { count = "n", dimension = 2, mass = "m[i]" }
[definitions]
height = "r[n-1].y + x"
away = ["r[1].x - r[0].x", "r[1].y"]
[dynamics]
mass = 2
potential = "height^2 + away.x*k[2]"
[[energy]]
for = "i in 0..n-1"
term = "x*sum(j in 0..i, k[j]) + k[i]*r[i].y"
[[energy]]
for = "(i, j) in springs"
springs = [[0, 2], [2, 1]]
term = "(r[i].x - r[j].x)^4"
[[constraint]]
for = "i in 1..n-1"
name = "rod"
equation = "(r[i].x - r[i-1].x)^2 + (r[i].y - r[i-1].y)^2 - 1"
[observables]
speed = "v_r[1].x + lambda_rod[2]"
[[events]]
name = "low"
when = "height - 0.51"
[initial]
q = [0.5]
[[initial.r]]
for = "i in 0..n-1"
q = ["i", 0]
v = [0, "k[i]"]
[run]
method = "rattle"
step = "1/n/100"
steps = 20
"""


def net(**changes: Any) -> lb.Model:
    r, k, m = lb.points("r", 2), lb.listed("k"), lb.listed("m")
    rod = r[i] - r[i - 1]
    arguments: dict[str, Any] = dict(
        q=[x],
        points={"r": {"count": n, "dimension": 2, "mass": m[i]}},
        mass=2,
        definitions={"height": r[n - 1][1] + x, "away": [r[1][0] - r[0][0], "r[1].y"]},
        potential=lb.symbol("height") ** 2 + (r[1][0] - r[0][0]) * k[2],
        families=[
            {"for": "i in 0..n-1", "energy": x * lb.sum_over(j, 0, i, k[j]) + k[i] * r[i][1]},
            {"for": "i in 1..n-1", "name": "rod", "constraint": rod[0] ** 2 + rod[1] ** 2 - 1},
            {"for": "(i, j) in springs", "springs": np.array([[0, 2], [2, 1]]), "energy": (r[i][0] - r[j][0]) ** 4},
        ],
        observables={"speed": "v_r[1].x + lambda_rod[2]"},
        events={"low": lb.symbol("height") - 0.51},
        parameters={n: 4, "k": [1, 2.5, "n/3", 1], "m": "1 + i/8"},
        initial={"q": [0.5], "r": {"for": "i in 0..n-1", "q": [i, 0], "v": [0, k[i]]}},
        run={"method": "rattle", "step": "1/n/100", "steps": 20},
        name="net",
    )
    arguments.update(changes)
    return lb.Model(**arguments)


def test_a_model_with_points_is_the_model_of_its_text(tmp_path: Path) -> None:
    model, text = net(), lb.Model.parse(NET)
    assert model.coordinates == text.coordinates and model.multipliers == text.multipliers
    ours, theirs = model.run(), text.run()
    for name in ("q", "p", "lam"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name
    assert model.set(n=3).dimension == 7
    again = lb.Model.parse(model.to_toml())
    assert again == model and np.array_equal(again.run().q, ours.q)
    assert 'count = "n"' in model.to_toml() and '"i in 1..n - 1"' in model.to_toml()
    assert pickle.loads(pickle.dumps(model.set(x=0.25))) == model.set(x=0.25)
    quiet = net(events=None)
    quiet.run(out=tmp_path / "net.h5")
    resumed = lb.resume(tmp_path / "net.h5", steps=30)
    assert np.array_equal(resumed.q[-1], quiet.run(steps=30).q[-1])
    assert lb.open(tmp_path / "net.h5").model == quiet


def test_a_body_is_the_body_of_its_text() -> None:
    text = lb.load("heavy-top")
    top = lb.body("top")
    start = {"top": {"quaternion": [1, "0.2", 0, 0], "omega": [0, 0, 5]}}
    bodies = {"top": {"inertia": [2, 2, 1], "fixed": True}}
    symbols = lb.Model(bodies=bodies, potential=3 * top.at(0, 0, 1)[2] + top.Q[1, 2], initial=start,
                       observables={"spin": top.omega[2], "turn": top.L[0]})
    texts = lb.Model(bodies=bodies, potential="3*top.at(0, 0, 1).z + top.Q[1,2]", initial=start,
                     observables={"spin": "top.omega.z", "turn": "top.L.x"})
    assert symbols == texts and symbols.run("rattle", step=0.01, steps=10).q.shape == (11, 9)
    assert lb.Model.parse(symbols.to_toml()) == symbols
    assert text.dimension == symbols.dimension


def test_points_frames_and_planar_bodies_have_symbols() -> None:
    crank, disc = lb.body("crank"), lb.body("disc", planar=True)
    bodies = {
        "crank": {
            "mass": 1,
            "inertia": [[2, 0.1, 0], [0.1, 1.5, 0], [0, 0, 1]],
            "com": [0.5, 0, 0],
            "orientation": {"euler": "zxz", "angles": [0.1, "pi/8", 0]},
            "points": {"pin": [0.5, 1, 0]},
            "frames": {"bore": {"at": [1, 0, 0], "axis": [0, 0, 2]}},
        },
        "disc": {"planar": True, "mass": 5, "inertia": 6, "angle": 0.5, "omega": 2},
    }
    symbols = lb.Model(bodies=bodies, potential=crank.point("pin")[2] + crank.axis("bore")[0] + disc.at(1, 2)[1],
                       observables={"turn": disc.angle, "spin": disc.omega, "momentum": disc.L})
    texts = lb.Model(bodies=bodies, potential="crank.pin.z + crank.bore.axis.x + disc.at(1, 2).y",
                     observables={"turn": "disc.angle", "spin": "disc.omega", "momentum": "disc.L"})
    assert symbols == texts and lb.Model.parse(symbols.to_toml()) == symbols
    run = symbols.run("rattle", step=0.01, steps=10)
    assert np.array_equal(run["disc.angle"], run["turn"])
    with pytest.raises(ValueError, match="2 coordinates"):
        disc.at(1, 2, 3)


CASES: list[tuple[dict[str, Any], type[Exception], list[str]]] = [
    ({"points": {"r": {"count": 0.5, "dimension": 2}}}, ValueError, ["points['r']", "whole number"]),
    ({"points": {"r": {"count": 2}}}, ValueError, ["points['r']", "'dimension'"]),
    ({"points": {"r": 3}}, ValueError, ["points['r']", "count"]),
    ({"families": {"for": "i in 0..1"}}, TypeError, ["families:", "list of dicts"]),
    ({"families": [{"for": "i in 0..1"}]}, TypeError, ["families[0]", "'energy'"]),
    ({"families": [{"for": "i in 0..n", "energy": "r[i].x"}]}, ValueError, ["families[0]", "r[4], which does not"]),
    ({"families": [{"for": "i in 0..1", "energy": lb.symbol("grav") * x}]}, ValueError, ["families[0]", "'grav'"]),
    ({"families": [{"for": "i in 0..1", "energy": x, "prt": "fast"}]}, ValueError, ["families[0]", "'part'"]),
    ({"definitions": {"x": 1, "height": x}}, ValueError, ["definitions['x']", "already a coordinate"]),
    ({"definitions": {"height": "r[9].x"}}, ValueError, ["definitions['height']", "numbered 0 to 3"]),
    ({"bodies": {"top": {"inertia": [1, 1, 5], "fixed": True}}}, ValueError, ["bodies['top']", "no body has"]),
    ({"bodies": {"top": 3}}, TypeError, ["bodies['top']", "dict"]),
    ({"initial": {"q": [0.5], "r": {"for": "i in 0..n", "q": [i, 0]}}}, ValueError, ["initial['r']", "r[4] does not"]),
    ({"initial": {"q": [0.5]}}, ValueError, ["initial", "points r are missing"]),
]


@pytest.mark.parametrize("changes, kind, words", CASES, ids=[f"{k}-{'-'.join(c)}" for k, (c, _, _) in enumerate(CASES)])
def test_what_is_wrong_is_named_with_its_argument(
    changes: dict[str, Any], kind: type[Exception], words: list[str]
) -> None:
    with pytest.raises(kind) as caught:
        net(**changes)
    for word in words:
        assert word in str(caught.value), str(caught.value)
    assert "`" not in str(caught.value) and "[[" not in str(caught.value)


def test_indices_have_bounds_and_names() -> None:
    with pytest.raises(ValueError, match="1, 2 or 3"):
        lb.points("r", 4)
    with pytest.raises(ValueError, match="cannot be a name"):
        lb.listed("2k")
    assert str(lb.points("r")[i + 1][2]) == "r[i + 1].z"


CHAIN = """
name = "chain"
[parameters]
n = 3
l = 0.5
[[body]]
for = "i in 1..n"
name = "link[i]"
planar = true
mass = "1 + i/10"
inertia = "l^2/12"
position = ["(i - 1)*l", 0]
com = ["l/2", 0]
points = { tip = ["l", 0] }
[[joint]]
name = "hinge[1]"
type = "revolute"
between = ["ground", "link[1]"]
at = [0, 0]
[[joint]]
for = "i in 2..n"
name = "hinge[i]"
type = "revolute"
between = ["link[i-1].tip", "link[i]"]
[dynamics]
gravity = [0, -9.81]
[[energy]]
for = "i in 2..n"
term = "(link[i].angle - link[i-1].angle)^2"
[[damper]]
for = "i in 1..n"
joint = "hinge[i]"
coefficient = 0.01
[observables]
height = "link[n].tip.y"
bend = "hinge[2].angle"
"""


def test_families_of_bodies_and_joints_are_those_of_their_text() -> None:
    link, hinge, l = lb.body("link", planar=True), lb.joint("hinge"), lb.symbol("l")
    symbols = lb.Model(
        parameters={n: 3, l: 0.5},
        bodies={"link[i]": {"for": "i in 1..n", "planar": True, "mass": 1 + i / 10, "inertia": l**2 / 12,
                            "position": [(i - 1) * l, 0], "com": [l / 2, 0], "points": {"tip": [l, 0]}}},
        joints={"hinge[1]": {"type": "revolute", "between": ["ground", "link[1]"], "at": [0, 0]},
                "hinge[i]": {"for": "i in 2..n", "type": "revolute", "between": ["link[i-1].tip", "link[i]"]}},
        gravity=[0, -9.81],
        families=[{"for": "i in 2..n", "energy": (link[i].angle - link[i - 1].angle) ** 2}],
        dampers=[{"for": "i in 1..n", "joint": "hinge[i]", "coefficient": 0.01}],
        observables={"height": link[n].point("tip")[1], "bend": hinge[2].angle},
        name="chain",
    )
    text = lb.Model.parse(CHAIN)
    options: dict[str, Any] = {"method": "spark(2)", "step": 0.01, "steps": 20}
    ours, theirs = symbols.run(**options), text.run(**options)
    for name in ("q", "p", "lam", "height", "bend"):
        assert np.array_equal(ours[name] if name in ours.observables else getattr(ours, name),
                              theirs[name] if name in theirs.observables else getattr(theirs, name)), name
    assert list(symbols.coordinates[3:6]) == ["link[2].r.x", "link[2].r.y", "link[2].angle"]
    assert symbols.set(n=5).dimension == text.set(n=5).dimension == 15
    again = lb.Model.parse(symbols.to_toml())
    assert again == symbols and np.array_equal(again.run(**options).q, ours.q)
    assert str(link[i, 2].at(0, 1)[0]) == "link[i,2].at(0, 1).x"
    assert pickle.loads(pickle.dumps(symbols)) == symbols
