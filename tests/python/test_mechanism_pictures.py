"""Mechanisms in figures and animations: links, joints, guides and rings are where the states say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

import libration as lb  # noqa: E402
from libration._linkage import Linkage  # noqa: E402
from libration._mechanism import hull  # noqa: E402
from libration._scene import Box, Square  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:some constraints are redundant:libration.LibrationWarning")

SHORT = {"seconds": 0.5, "fps": 10, "span": (0, 0.4)}  # frames at 0, 0.1, ..., 0.4


@pytest.fixture(autouse=True)
def no_figure_stays_open() -> Any:
    yield
    plt.close("all")


def marked(film: Any, name: str) -> list[np.ndarray[Any, Any]]:
    """The corners of the artists of this name, [corner][axis]."""
    (linkage,) = [actor for actor in film._actors if isinstance(actor, Linkage)]
    found = [artist for artist in linkage.artists if artist.get_gid() == name]
    assert found, name
    return [np.stack(line.get_data_3d() if hasattr(line, "get_data_3d") else line.get_data(), axis=1) for line in found]


def test_planar_bodies_are_drawn_in_the_plane_with_their_pins() -> None:
    run = lb.load("five-bar").run("rattle", step=0.01, duration=0.4)
    film = run.animate(**SHORT)
    assert not hasattr(film.frame(0).axes[0], "get_zlim")
    film.frame(3)
    x, y, angle = run.q[30][3:6]  # the left rod, sqrt(0.85) long, from the left knee to the top
    along = np.sqrt(0.85) / 2 * np.array([np.cos(angle), np.sin(angle)])
    ends = np.array([[x, y] - along, [x, y] + along])
    # Times of frames are multiples of 0.1, and so are those of states, but for round-off: 1e-12 of the motion.
    np.testing.assert_allclose(marked(film, "joint top")[0], ends[1:], atol=1e-11)
    np.testing.assert_allclose(marked(film, "joint left_knee")[0], ends[:1], atol=1e-11)
    (stick,) = marked(film, "body 1")
    np.testing.assert_allclose(stick[np.argsort(stick @ along)], ends, atol=1e-11)
    np.testing.assert_allclose(marked(film, "joint right")[0], [[0.8, 0]], atol=1e-11)


def test_joints_in_space_are_where_the_points_of_the_bodies_are() -> None:
    model = lb.load("spatial-slider-crank")
    run = model.run("rattle", step=0.005, duration=0.4)
    film = run.animate(**SHORT)
    film.frame(2)
    crank, slider = run.q[40][:12], run.q[40][24:27]
    pin = crank[:3] + crank[3:].reshape(3, 3) @ [0, 0.08, 0]
    np.testing.assert_allclose(marked(film, "joint ball")[0][0], pin, atol=1e-11)
    np.testing.assert_allclose(marked(film, "joint guide")[0][0], slider, atol=1e-11)
    (guide,) = marked(film, "joint guide: guide")
    np.testing.assert_allclose(guide[:, 1:], 0, atol=1e-11)
    shown = run.q[:81, 24]  # the guide reaches further than the slider
    assert guide[:, 0].min() < shown.min() - 1e-3 and guide[:, 0].max() > shown.max() + 1e-3
    first, second = (ends[1] - ends[0] for ends in marked(film, "joint fork: axis"))
    assert abs(first @ second) < 1e-10 * np.linalg.norm(first) * np.linalg.norm(second)  # a universal joint keeps it
    np.testing.assert_allclose(np.cross(first, [1, 0, 0]), 0, atol=1e-12)


def test_an_axis_is_a_line_through_its_hinge() -> None:
    run = lb.load("door").run("rattle", step=0.01, duration=0.4)
    film = run.animate(**SHORT)
    film.frame(4)
    lean = np.array([0.28, 0, np.sqrt(1 - 0.28**2)])
    (axis,) = marked(film, "joint lower: axis")
    np.testing.assert_allclose(axis.mean(axis=0), 0.3 * lean, atol=1e-11)
    np.testing.assert_allclose(np.cross(axis[1] - axis[0], lean), 0, atol=1e-11)
    (leaf,) = marked(film, "body 0")
    handle = run.q[40][:3] - run.q[40][3:].reshape(3, 3) @ [0.45, 0, 1] + run.q[40][3:].reshape(3, 3) @ [0.9, 0, 1]
    assert min(np.linalg.norm(corner - handle) for corner in leaf) < 1e-11


def test_slender_bodies_take_the_direction_of_an_axis_from_the_body_that_has_one() -> None:
    run = lb.load("double-pendulum-rods").run("rattle", step=0.01, duration=0.4)
    film = run.animate(**SHORT)
    film.frame(4)
    (axis,) = marked(film, "joint elbow: axis")
    np.testing.assert_allclose((axis[1] - axis[0])[:2], 0, atol=1e-11)
    upper = 2 * run.q[40][:3]  # the center of mass is halfway between hinge and elbow
    np.testing.assert_allclose(marked(film, "joint elbow")[0][0], upper, atol=1e-11)
    (stick,) = marked(film, "body 1")  # to the tip, where no joint is
    np.testing.assert_allclose(np.linalg.norm(stick[1] - stick[0]), 0.8, atol=1e-11)


def test_bodies_that_turn_about_one_point_are_rings_through_their_axes() -> None:
    run = lb.load("gimbal").run("rattle", step=0.01, duration=0.4)
    film = run.animate(**SHORT)
    film.frame(4)
    (outer,), (inner,), (rotor,) = (marked(film, f"ring {body}") for body in range(3))
    # All mass of a ring at one distance: 2 m r^2 is the sum of the principal moments.
    np.testing.assert_allclose(np.linalg.norm(outer, axis=1), np.sqrt(0.075 / 2 / 1.5), rtol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(inner, axis=1), np.sqrt(0.04 / 2 / 1.0), rtol=1e-12)
    (mount,), (pivot,), (spin,) = (marked(film, f"joint {name}: axis") for name in ("mount", "pivot", "spin"))
    np.testing.assert_allclose(outer @ np.cross(mount[1] - mount[0], pivot[1] - pivot[0]), 0, atol=1e-11)
    np.testing.assert_allclose(inner @ np.cross(spin[1] - spin[0], pivot[1] - pivot[0]), 0, atol=1e-11)
    # The rotor is a wheel about its axis: from its center of mass a spoke, which turns with it, and the rim.
    centre, columns = run.q[40][24:27], run.q[40][27:].reshape(3, 3)
    np.testing.assert_allclose(rotor[0], centre, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(rotor[1:] - centre, axis=1), np.sqrt(0.022 / 2 / 2.0), rtol=1e-9)
    np.testing.assert_allclose((rotor[1:] - centre) @ (spin[1] - spin[0]), 0, atol=1e-9)
    np.testing.assert_allclose(np.cross(rotor[1] - centre, columns[:, 0]), 0, atol=1e-9)


def test_screws_points_on_lines_and_planes_are_drawn_and_couplings_have_no_place() -> None:
    solid = {"mass": 1, "inertia": [1, 1, 1]}
    model = lb.Model(
        bodies={"wheel": solid, "nut": {**solid, "position": [1, 0, 0]}, "bead": {**solid, "position": [0, 1, 0]},
                "puck": {**solid, "position": [2, 1, 0]}},
        joints=[
            {"name": "hinge", "type": "revolute", "between": ["ground", "wheel"], "at": [0, 0, 0], "axis": [0, 0, 1]},
            {"name": "thread", "type": "screw", "between": ["ground", "nut"], "at": [1, 0, 0], "axis": [0, 0, 1],
             "pitch": 0.7},
            {"name": "mesh", "type": "gear", "of": ["hinge", "thread.angle"], "ratio": -1.5},
            {"name": "wire", "type": "point-on-line", "between": ["ground", "bead"], "at": [0, 1, 0],
             "axis": [1, 0, 1]},
            {"name": "table", "type": "point-on-plane", "between": ["ground", "puck"], "at": [2, 1, 0],
             "normal": [0, 1, 0]},
        ],
        gravity=[0, 0, -9.81],
        bushings=[{"between": ["ground", "puck"], "at": [2, 1, 0], "stiffness": 5, "rotational_stiffness": 1}],
        observables={"turned": lb.joint("hinge").angle, "torque": lb.joint("mesh").torque[2]},
    )
    run = model.run("rattle", step=0.005, duration=0.4)
    film = run.animate(**SHORT)
    film.frame(4)
    # The nut falls by m z'' + (1 + 1/1.5^2) (2 pi/0.7)^2 z'' = -m g; rattle is exact to some (h w)^2 of that.
    fall = -9.81 / (1 + (1 + 1 / 1.5**2) * (2 * np.pi / 0.7) ** 2) * 0.4**2 / 2
    np.testing.assert_allclose(marked(film, "joint thread")[-1], [[1, 0, fall]], atol=1e-5 * abs(fall) + 1e-12)
    np.testing.assert_allclose(run["turned"][-1], -fall * 2 * np.pi / 0.7 / 1.5, rtol=1e-4)
    along = -9.81 / 4 * 0.4**2 * np.array([1, 0, 1])
    np.testing.assert_allclose(marked(film, "joint wire")[-1], [[0, 1, 0] + along], atol=1e-10)
    assert marked(film, "joint table")
    (linkage,) = [actor for actor in film._actors if isinstance(actor, Linkage)]
    assert not any("mesh" in str(artist.get_gid()) for artist in linkage.artists)
    run.plot("path")


def test_bodies_that_roll_are_wheels_with_a_spoke_that_touch_the_plane() -> None:
    ball, wheel = 0.4 * 2 * 0.5**2, [0.2, 0.35, 0.2]
    model = lb.Model(
        bodies={"ball": {"mass": 2, "inertia": 3 * [ball], "position": [0, 0, 0.5], "velocity": [1, 0, 0],
                         "omega": [0, 2, 0]},
                "wheel": {"mass": 3, "inertia": wheel, "position": [0, 3, 0.7], "velocity": [1.4, 0, 0],
                          "omega": [0, 2, 0]}},
        joints={"under": {"type": "rolling", "between": ["ground", "ball"], "at": [0, 0, 0], "on": [0, 0, 1],
                          "radius": 0.5},
                "rim": {"type": "rolling", "between": ["ground", "wheel"], "at": [0, 0, 0], "on": [0, 0, 1],
                        "radius": 0.7, "axis": [0, 1, 0]}},
        gravity=[0, 0, -9.81],
        observables={"load": lb.joint("rim").force[2], "x": lb.joint("rim").point[0]},
    )
    run = model.run("spark(3)", step=0.01, duration=0.4)
    np.testing.assert_allclose(run["load"], 3 * 9.81, rtol=1e-12)
    np.testing.assert_allclose(run["x"], 1.4 * run.t, atol=1e-12)
    film = run.animate(**SHORT)
    film.frame(3)
    # Straight ahead both roll without forces: the angle is 2 t but for the error of the method, (w h)^4/100 = 2e-9.
    for number, name, radius, y, speed in ((0, "under", 0.5, 0, 1), (1, "rim", 0.7, 3, 1.4)):
        (ring,) = marked(film, f"ring {number}")
        centre = np.array([0.3 * speed, y, radius])
        np.testing.assert_allclose(ring[0], centre, atol=1e-8)
        np.testing.assert_allclose(np.linalg.norm(ring[1:] - centre, axis=1), radius, rtol=1e-8)
        np.testing.assert_allclose(marked(film, f"joint {name}")[0], [centre - [0, 0, radius]], atol=1e-8)
        spoke = radius * np.array([np.cos(0.6), 0, -np.sin(0.6)])
        np.testing.assert_allclose(ring[1] - centre, spoke, atol=1e-8)
        if name == "rim":  # across the axle; that of a sphere is across its z axis
            np.testing.assert_allclose((ring[1:] - centre) @ [0, 1, 0], 0, atol=1e-8)
    run.plot("path")


def test_the_path_panel_shows_the_mechanism_at_the_end() -> None:
    run = lb.load("five-bar").run("rattle", step=0.01, duration=0.4)
    (ax,) = run.plot("path").axes
    joints = {line.get_gid(): np.stack(line.get_data(), axis=1) for line in ax.lines if line.get_gid()}
    assert {f"joint {name}" for name in ("left", "left_knee", "top", "right_knee", "right")} <= set(joints)
    x, y, angle = run.q[-1][3:6]
    top = [x + np.sqrt(0.85) / 2 * np.cos(angle), y + np.sqrt(0.85) / 2 * np.sin(angle)]
    np.testing.assert_allclose(joints["joint top"], [top], atol=1e-14)


def test_a_planar_body_without_joints_is_a_square() -> None:
    model = lb.Model(bodies={"disc": {"planar": True, "mass": 3, "inertia": 2, "omega": 1, "velocity": [1, 0]}})
    run = model.run("rattle", step=0.1, duration=0.4)
    film = run.animate(**SHORT)
    (square,) = [actor for actor in film._actors if isinstance(actor, Square)]
    # Of a uniform square with half sides a: I = m 2 a^2/3; it is turned by its angle.
    corner = square.corners[4][2] - run.q[4][:2]
    np.testing.assert_allclose(np.linalg.norm(corner), np.sqrt(2), rtol=1e-12)
    np.testing.assert_allclose(np.arctan2(corner[1], corner[0]), np.pi / 4 + run.q[4][2], atol=1e-11)


def test_the_outline_of_points_leaves_out_what_is_inside() -> None:
    square = np.array([[0, 0, 0], [1, 0, 1], [0.5, 0.3, 0.5], [1, 1, 1], [0, 1, 0], [0, 0, 0], [0.5, 0, 0.5]])
    corners = hull(square)
    assert len(corners) == 4
    assert {tuple(square[k]) for k in corners} == {(0, 0, 0), (1, 0, 1), (1, 1, 1), (0, 1, 0)}
    sides = np.linalg.norm(np.diff(square[[*corners, corners[0]]], axis=0), axis=1)
    np.testing.assert_allclose(np.sort(sides), [1, 1, np.sqrt(2), np.sqrt(2)])  # no diagonal
    line = np.array([[0, 0], [2, 2], [1, 1], [-1, -1]])
    assert sorted(hull(line)) == [1, 3]
    assert hull(np.ones((3, 3))) == [0]
