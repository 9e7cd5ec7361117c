"""Built-in problems of bodies and joints written in Python: their runs must have the bits of the texts."""

from __future__ import annotations

from typing import Any

import libration as lb


def rotation(*rows: "list[Any]") -> "list[list[Any]]":
    return list(rows)


def four_bar() -> lb.Model:
    """As problems/spatial-four-bar.toml has it."""
    crank, rocker = lb.joint("crank_bearing"), lb.joint("rocker_bearing")
    axis, at_b = [2, -1, 2], ["-1/15", "7/30", "1/3"]
    return lb.Model(
        name="spatial-four-bar",
        parameters={"speed": 5.5},
        gravity=[0, 0, -9.81],
        bodies={
            "crank": {
                "mass": 2.0,
                "inertia": [0.02, 0.05, 0.06],
                "com": ["47/300", "41/300", "-1/75"],
                "orientation": rotation([0, 0, 1], [1, 0, 0], [0, 1, 0]),
                "omega": ["-speed/3", "2*speed/3", "2*speed/3"],
            },
            "coupler": {
                "mass": 3.0,
                "inertia": [0.1, 0.3, 0.35],
                "com": ["101/350", "-13/350", "177/350"],
                "position": at_b,
                "orientation": rotation(
                    ["13/21", "16/21", "4/21"], ["4/21", "-8/21", "19/21"], ["16/21", "-11/21", "-8/21"]
                ),
                "velocity": ["-4*speed/15", "-4*speed/15", "2*speed/15"],
                "omega": ["6*speed/77", "2*speed/77", "-3*speed/77"],
            },
            "rocker": {
                "mass": 2.5,
                "inertia": [0.08, 0.2, 0.15],
                "com": ["283/900", "101/900", "167/900"],
                "position": [0.7, 0.65, -0.3],
                "orientation": rotation(
                    ["-14/27", "2/27", "23/27"], ["22/27", "-7/27", "14/27"], ["7/27", "26/27", "2/27"]
                ),
                "omega": ["-8*speed/33", "14*speed/33", "8*speed/33"],
            },
        },
        joints={
            "crank_bearing": {"type": "revolute", "between": ["ground", "crank"], "at": [0, 0, 0], "axis": axis},
            "crank_pin": {"type": "revolute", "between": ["crank", "coupler"], "at": at_b, "axis": axis},
            "rocker_pin": {
                "type": "revolute",
                "between": ["coupler", "rocker"],
                "at": ["19/30", "77/60", "7/30"],
                "axis": axis,
            },
            "rocker_bearing": {
                "type": "revolute",
                "between": ["ground", "rocker"],
                "at": [0.7, 0.65, -0.3],
                "axis": axis,
            },
        },
        observables={"crank_angle": crank.angle, "rocker_angle": rocker.angle},
    )


def slider_crank() -> lb.Model:
    """As problems/spatial-slider-crank.toml has it, with expressions for the speeds."""
    speed = lb.symbol("speed")
    bearing, slider = lb.joint("bearing"), lb.body("slider")
    return lb.Model(
        name="spatial-slider-crank",
        parameters={speed: 6.0},
        gravity=[0, 0, -9.81],
        bodies={
            "crank": {
                "mass": 0.12,
                "inertia": [1e-4, 1e-5, 1e-4],
                "position": [0, 0.1, 0.12],
                "orientation": rotation([1, 0, 0], [0, 0, -1], [0, 1, 0]),
                "omega": [speed, 0, 0],
                "points": {"pin": [0, 0.08, 0]},
            },
            "rod": {
                "mass": 0.5,
                "inertia": [4e-4, 4e-3, 4e-3],
                "position": [0.1, 0.05, 0.1],
                "orientation": rotation(
                    ["2/3", 0, "sqrt(5)/3"],
                    ["-1/3", "2/sqrt(5)", "2/sqrt(45)"],
                    ["-2/3", "-1/sqrt(5)", "4/sqrt(45)"],
                ),
                "velocity": ["0.02*speed", "-0.04*speed", 0],
                "omega": ["16*speed/75", "-2*speed/sqrt(125)", "8*speed/sqrt(1125)"],
                "points": {"ball": [-0.15, 0, 0], "fork": [0.15, 0, 0]},
            },
            "slider": {
                "mass": 2.0,
                "inertia": [1e-4, 1e-4, 1e-4],
                "position": [0.2, 0, 0],
                "velocity": ["0.04*speed", 0, 0],
            },
        },
        joints=[
            {
                "name": "bearing",
                "type": "revolute",
                "between": ["ground", "crank"],
                "at": [0, 0.1, 0.12],
                "axis": [1, 0, 0],
            },
            {"name": "ball", "type": "spherical", "between": ["crank", "rod"], "at": [0, 0.1, 0.2]},
            {
                "name": "fork",
                "type": "universal",
                "between": ["slider", "rod"],
                "at": [0.2, 0, 0],
                "axes": [[1, 0, 0], [0, 2, -1]],
            },
            {
                "name": "guide",
                "type": "prismatic",
                "between": ["ground", "slider"],
                "at": [0.2, 0, 0],
                "axis": [1, 0, 0],
            },
        ],
        observables={"angle": bearing.angle, "position": slider.r[0]},
    )


def door() -> lb.Model:
    """As problems/door.toml has it, with expressions."""
    m, w, h, d, g, lean, upright, start = lb.parameters("m w h d g lean upright start")
    lower = lb.joint("lower")
    axis = [lean, 0, upright]
    hinge = {"type": "revolute", "between": ["ground", "leaf"], "axis": axis, "zero": start}
    return lb.Model(
        name="door",
        parameters={m: 20.0, w: 0.9, h: 2.0, d: 0.04, g: 9.81, lean: 0.28, upright: "sqrt(1 - lean^2)",
                    start: 2 * lb.pi / 3},
        gravity=[0, 0, -g],
        bodies={
            "leaf": {
                "mass": m,
                "inertia": [m * (d**2 + h**2) / 12, m * (w**2 + h**2) / 12, m * (w**2 + d**2) / 12],
                "com": [w / 2, 0, h / 2],
                "orientation": rotation(
                    [upright * lb.cos(start), -upright * lb.sin(start), lean],
                    [lb.sin(start), lb.cos(start), 0],
                    [-lean * lb.cos(start), lean * lb.sin(start), upright],
                ),
                "points": {"handle": [w, 0, h / 2]},
            }
        },
        joints={
            "lower": {**hinge, "at": ["0.3*lean", 0, "0.3*upright"]},
            "upper": {**hinge, "at": ["1.7*lean", 0, "1.7*upright"]},
        },
        observables={"angle": lower.angle, "rate": lower.rate},
    )


WRITTEN = {"spatial-four-bar": four_bar, "spatial-slider-crank": slider_crank, "door": door}
