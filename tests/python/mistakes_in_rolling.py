"""Mistakes in joints that roll and in families of bushings: the rest of mistakes_in_mechanisms.py."""
from __future__ import annotations

from mistakes import Mistake

PLANE = ("'on': [0, 0, 1], ", "on = [0, 0, 1]\n")

ROLLING = [
    *(
        Mistake(f"joint that rolls {name}", None,
                "lb.Model(bodies={'b': {'mass': 1, 'inertia': [1, 1, 1]}}, joints={'h': {'type': 'rolling', "
                f"'between': {between}, {plane[0]}'at': [0, 0, -1], 'radius': {radius}{python}}}}})",
                ("[coordinates]", '[[body]]\nname = "b"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = "h"\n'
                 f'type = "rolling"\nbetween = {between}\n{plane[1]}at = [0, 0, -1]\nradius = {radius}\n'
                 f"{file}[coordinates]"))
        for name, between, plane, radius, python, file in (
            ("without a plane", '["ground", "b"]', ("", ""), "1", "", ""),
            ("with a radius of zero", '["ground", "b"]', PLANE, "0", "", ""),
            ("with the ground as its body", '["b", "ground"]', PLANE, "1", "", ""),
            ("with an axle of length zero", '["ground", "b"]', PLANE, "1", ", 'axis': [0, 0, 0]",
             "axis = [0, 0, 0]\n"),
            ("and lies flat", '["ground", "b"]', PLANE, "1", ", 'axis': [0, 0, 1]", "axis = [0, 0, 1]\n"),
            ("and slides without an axle", '["ground", "b"]', PLANE, "1", ", 'slides': True", "slides = true\n"),
        )
    ),
    Mistake("joint that rolls off its plane", None,
            "lb.Model(bodies={'b': {'mass': 1, 'inertia': [1, 1, 1]}}, joints={'h': {'type': 'rolling', "
            "'radius': 0.75, 'between': ['ground', 'b'], 'on': [0, 0, 1], 'at': [0, 0, -1]}})"
            ".run('spark(3)', step=0.01, steps=1)"),
    Mistake("joint with a radius that it does not have", None,
            "lb.Model(bodies={'b': {'mass': 1, 'inertia': [1, 1, 1]}}, joints={'h': {'type': 'spherical', "
            "'between': ['ground', 'b'], 'at': [0, 0, 0], 'radius': 1}})",
            ("[coordinates]", '[[body]]\nname = "b"\nmass = 1\ninertia = [1, 1, 1]\n[[joint]]\nname = "h"\n'
             'type = "spherical"\nbetween = ["ground", "b"]\nat = [0, 0, 0]\nradius = 1\n[coordinates]')),
    Mistake("family of bushings with a member that is negative", None,
            "lb.Model(bodies={'b[i]': {'for': 'i in 1..3', 'mass': 1, 'inertia': [1, 1, 1]}}, bushings=["
            "{'for': 'i in 2..3', 'name': 'mount', 'between': ['b[i-1]', 'b[i]'], 'at': [0, 0, 0], "
            "'stiffness': '2 - i'}])",
            ("[coordinates]", '[[body]]\nfor = "i in 1..3"\nname = "b[i]"\nmass = 1\ninertia = [1, 1, 1]\n[[bushing]]\n'
             'for = "i in 2..3"\nname = "mount"\nbetween = ["b[i-1]", "b[i]"]\nat = [0, 0, 0]\nstiffness = "2 - i"\n'
             "[coordinates]")),
]
