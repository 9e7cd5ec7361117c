"""Mistakes that can be made on the command line, in Python and in a model file: what each face is given.

A mistake has a name and, for each face where it can be made, how it is made there: the arguments of the program, an
expression of Python, or a line of the model file and what stands in its place. MODEL is the model file, `model` the
same written with lb.Model.
"""

from __future__ import annotations

from typing import NamedTuple, Optional, Tuple

FILE = """\
name = "rod"

[parameters]
g = 1.0
l = 1.0

[coordinates]
q = ["x", "y"]

[dynamics]
mass = 1.0
potential = "g*y"
constraints = { rod = "x^2 + y^2 - l^2" }

[initial]
q = [1, 0]
v = [0, 0]

[run]
method = "rattle"
step = 0.01
steps = 10
"""


class Mistake(NamedTuple):
    """How it is made in each face; None: it cannot be made there."""

    name: str
    command: Optional[str] = None
    python: Optional[str] = None
    file: Optional[Tuple[str, str]] = None


MISTAKES = [
    # Step and length.
    Mistake("step is zero", "run MODEL --step 0", "model.run(step=0)", ("step = 0.01", "step = 0")),
    Mistake("step is not finite",
            "run MODEL --step nan",
            "model.run(step=float('nan'))",
            ("step = 0.01", 'step = "log(-1)"')),
    Mistake("step is no number", "run MODEL --step fast", "model.run(step='fast')", ("step = 0.01", 'step = "fast"')),
    Mistake("step is a list", None, "model.run(step=[0.1, 0.2])", ("step = 0.01", "step = [0.1, 0.2]")),
    Mistake("step is missing",
            None,
            "lb.Model(q=[x, y], mass=1, potential=y, initial={'q': [1, 0]}).run()",
            ("step = 0.01\n", "")),
    Mistake("length is missing",
            None,
            "lb.Model(q=[x, y], mass=1, potential=y, initial={'q': [1, 0]}).run(step=0.1)",
            ("steps = 10\n", "")),
    Mistake("steps are negative", "run MODEL --steps -3", "model.run(steps=-3)", ("steps = 10", "steps = -3")),
    Mistake("steps are not whole", "run MODEL --steps 2.5", "model.run(steps=2.5)", ("steps = 10", "steps = 2.5")),
    Mistake("steps are too many",
            "run MODEL --steps 99999999999999999999",
            "model.run(steps=10**20)",
            ("steps = 10", "steps = 1e20")),
    Mistake("duration has the other sign",
            "run MODEL --duration -1",
            "model.run(duration=-1)",
            ("steps = 10", "duration = -1")),
    Mistake("duration is not finite",
            "run MODEL --duration inf",
            "model.run(duration=float('inf'))",
            ("steps = 10", 'duration = "1/0"')),
    Mistake("duration has too many steps",
            "run MODEL --duration 1e300",
            "model.run(duration=1e300)",
            ("steps = 10", "duration = 1e300")),
    Mistake("duration and steps",
            "run MODEL --duration 1 --steps 4",
            "model.run(duration=1, steps=4)",
            ("steps = 10", "steps = 10\nduration = 1")),
    Mistake("method is unknown", "run MODEL --method ratle", "model.run('ratle')", ('"rattle"', '"ratle"')),
    Mistake("method is no text", None, "model.run(3)", ('"rattle"', "3")),
    Mistake("method does not fit", "run MODEL --method verlet", "model.run('verlet')", ('"rattle"', '"verlet"')),
    Mistake("method knows no forces",
            "run friction-pendulum --method rattle",
            "lb.load('friction-pendulum').run('rattle')"),
    Mistake("method needs a split potential",
            "run pendulum --method respa(2)",
            "model.run('respa(2)')",
            ('"rattle"', '"respa(2)"')),
    Mistake("method is doubtful",
            "run triple-pendulum --method multistep(6,-0.1,0.4)",
            "lb.load('triple-pendulum').run('multistep(6, -0.1, 0.4)')"),
    # Output.
    Mistake("every is zero", "run MODEL --every 0 --out a.h5", "model.run(every=0)"),
    Mistake("every is no number", "run MODEL --every x", "model.run(every='x')"),
    Mistake("monitor is negative", "run MODEL --monitor -1", "model.run(monitor=-1)"),
    Mistake("at and every", "run MODEL --at 0:0.01:0.1 --every 2 --out a.h5", "model.run(at='0:0.01:0.1', every=2)"),
    Mistake("at without a file", "run MODEL --at 0,1"),
    Mistake("at has no constant", "run MODEL --at 0,x --out a.h5", "model.run(at='0,x')"),
    Mistake("at has a range of two", "run MODEL --at 0:1 --out a.h5", "model.run(at='0:1')"),
    Mistake("at lacks a time", "run MODEL --at 0,,1 --out a.h5", "model.run(at='0,,1')"),
    Mistake("at is before the start", "run MODEL --at -1 --out a.h5", "model.run(at=[-1.0])"),
    Mistake("at is empty", None, "model.run(at=[])"),
    Mistake("out ends in txt", "run MODEL --out a.txt", "model.run(out='a.txt')"),
    Mistake("out exists", "run MODEL --out there.h5", "model.run(out='there.h5')"),
    Mistake("out exists as a table", "run MODEL --out there.csv", "model.run(out='there.csv')"),
    Mistake("events_out without events", "run MODEL --events-out e.csv"),
    Mistake("backend is unknown", "run MODEL --backend fast", "model.run(backend='fast')"),
    # Conditions, events, steps that choose their length.
    Mistake("stop_if is a number", "run MODEL --stop-if x", "model.run(stop_if='x')"),
    Mistake("stop_if does not end", "run MODEL --stop-if 'x < 0 and'", "model.run(stop_if='x < 0 and')"),
    Mistake("event without expression", "run MODEL --event rising", "model.run(events='rising')"),
    Mistake("event with a bad name", "run MODEL --event 'a b: x'", "model.run(events='a b: x')"),
    Mistake("event rises and falls", "run MODEL --event 'x rising falling'", "model.run(events='x rising falling')"),
    Mistake("event of an unknown name",
            "run MODEL --event 'z rising'",
            "model.run(events='z rising')",
            ("[run]", '[[events]]\nname = "e"\nwhen = "z"\n\n[run]')),
    Mistake("event without when",
            None,
            "lb.Model(q=[x], mass=1, initial={'q': [1]}, events={'e': {'direction': 'rising'}})",
            ("[run]", '[[events]]\nname = "e"\n\n[run]')),
    Mistake("event with a wrong terminal",
            None,
            "lb.Model(q=[x], mass=1, initial={'q': [1]}, events={'e': {'when': x, 'terminal': 'yes'}})",
            ("[run]", '[[events]]\nname = "e"\nwhen = "x"\nterminal = "yes"\n\n[run]')),
    Mistake("adaptive is unknown", "run MODEL --adaptive fast --tol 1e-6", "model.run(adaptive='fast', tol=1e-6)"),
    Mistake("adaptive without tol", "run MODEL --adaptive standard", "model.run(adaptive='standard')"),
    Mistake("tol without adaptive", "run MODEL --tol 1e-8", "model.run(tol=1e-8)"),
    Mistake("tol is too large",
            "run MODEL --method lobatto(3) --adaptive standard --tol 2",
            "model.run('lobatto(3)', adaptive='standard', tol=2)"),
    Mistake("estimator is unknown",
            "run MODEL --adaptive standard --tol 1e-6 --estimator best",
            "model.run(adaptive='standard', tol=1e-6, estimator='best')"),
    Mistake("method cannot choose its steps",
            "run MODEL --adaptive standard --tol 1e-6",
            "model.run(adaptive='standard', tol=1e-6)"),
    # Values of the model.
    Mistake("set has no value", "run MODEL --set g", "model.set(g=None)"),
    Mistake("set of an unknown name", "run MODEL --set gg=2", "model.set(gg=2)", ("[run]", "[set]\ngg = 2\n\n[run]")),
    Mistake("set twice", "run MODEL --set g=1 --set g=2", "model.set({'g': 1}, g=2)"),
    Mistake("set is not finite", "run MODEL --set g=1/0", "model.set(g='1/0')", ("g = 1.0", 'g = "1/0"')),
    Mistake("set is no formula", "run MODEL --set g=1+", "model.set(g='1+')", ("g = 1.0", 'g = "1+"')),
    Mistake("momentum beside velocity", "run MODEL --set p_x=1", "model.set(p_x=1)"),
    Mistake("start violates the constraints",
            "run MODEL --set x=2",
            "model.set(x=2).run()",
            ("q = [1, 0]", "q = [2, 0]")),
    # The model.
    Mistake("initial values are missing",
            None,
            "lb.Model(q=[x, y], mass=1, potential=y)",
            ("[initial]\nq = [1, 0]\nv = [0, 0]\n", "")),
    Mistake("initial values are too few",
            None,
            "lb.Model(q=[x, y], mass=1, initial={'q': [1]})",
            ("q = [1, 0]", "q = [1]")),
    Mistake("initial key is unknown",
            None,
            "lb.Model(q=[x, y], mass=1, initial={'r': [1, 0]})",
            ("v = [0, 0]", "r = [0, 0]")),
    Mistake("mass is missing", None, "lb.Model(q=[x, y], potential=y, initial={'q': [1, 0]})", ("mass = 1.0\n", "")),
    Mistake("mass is negative",
            None,
            "lb.Model(q=[x, y], mass=-1, initial={'q': [1, 0]})",
            ("mass = 1.0", "mass = -1.0")),
    Mistake("formula does not end",
            None,
            "lb.Model(q=[x, y], mass=1, potential='g*', initial={'q': [1, 0]})",
            ('"g*y"', '"g*"')),
    Mistake("formula has an unknown name",
            None,
            "lb.Model(q=[x, y], mass=1, potential='k*y', initial={'q': [1, 0]})",
            ('"g*y"', '"k*y"')),
    Mistake("force without class",
            None,
            "lb.Model(q=[x, y], mass=1, initial={'q': [1, 0]}, forces={'f': {'on': {x: 1}}})",
            ("[run]", '[[forces]]\nname = "f"\non = { x = "1" }\n\n[run]')),
    Mistake("spark with an unknown letter",
            None,
            "lb.Model(q=[x, y], mass=1, initial={'q': [1, 0]}, spark={'position': 'Z'})",
            ("[run]", '[spark]\nposition = "Z"\n\n[run]')),
    Mistake("class of a force under another name",
            None,
            "lb.Model(q=[x, y], mass=1, initial={'q': [1, 0]}, forces={'f': {'class': 'damping', 'on': {x: 1}}})",
            ("[initial]", '[[forces]]\nname = "f"\nclass = "damping"\non = { x = "-v_x" }\n[initial]')),
    Mistake("force over points that do not exist",
            None,
            "lb.Model(points={'r': {'count': 2, 'dimension': 2, 'mass': 1}}, initial={'r': {'q': [[0, 0], [1, 0]]}}, "
            "forces=[{'name': 'f', 'class': 'dissipative', 'for': 'i in 0..2', 'on': {'r[i]': '-v_r[i]'}}])"),
    Mistake("masses of points are too few",
            None,
            "lb.Model(points={'r': {'count': 3, 'dimension': 2, 'mass': [1, 2]}}, initial={'r': {'q': []}})",
            ("[dynamics]", "[points]\nr = { count = 3, dimension = 2, mass = [1, 2] }\n\n[dynamics]")),
    # Habits.
    Mistake("velocity as a derivative",
            "run MODEL --event x_dot",
            "lb.Model(q=[x, y], mass=1, initial={'q': [1, 0]}, observables={'speed': lb.symbol('x_dot')})",
            ("[initial]", '[observables]\nspeed = "x_dot"\n[initial]')),
    Mistake("velocity with a prime",
            "run MODEL --event \"x'\"",
            None,
            ("[initial]", '[observables]\nspeed = "x\'"\n[initial]')),
    Mistake("velocity in a constraint",
            None,
            "lb.Model(q=[x, y], mass=1, initial={'q': [1, 0]}, constraints=['x*v_x'])",
            ("x^2 + y^2 - l^2", "x*v_x + y*v_y")),
    Mistake("time by its name",
            "run MODEL --event 'x - time'",
            "lb.Model(q=[x, y], mass=1, initial={'q': [1, 0]}, potential=y * lb.symbol('time'))",
            ("g*y", "g*y*cos(time)")),
    Mistake("product without a sign",
            "run MODEL --event '2 x'",
            "lb.Model(q=[x, y], mass=1, initial={'q': [1, 0]}, potential='2 x')",
            ("g*y", "2 x")),
    Mistake("decimal comma", "run MODEL --set g=9,81", "model.set(g='9,81')", ("step = 0.01", "step = 0,01")),
    Mistake("angle in degrees",
            "run MODEL --set 'g=30 deg'",
            "model.set(g='30 deg')",
            ("q = [1, 0]", 'q = ["30 deg", 0]')),
    Mistake("formula without quotes", None, None, ('potential = "g*y"', "potential = g*y")),
    Mistake("names without quotes", None, None, ('q = ["x", "y"]', "q = [x, y]")),
    Mistake("field without an equation", None, "lb.Model(q=[x, y], field={'q': {x: y}}, initial={'q': [1, 0]})"),
    Mistake("run key is unknown",
            None,
            "lb.Model(q=[x], mass=1, initial={'q': [1]}, run={'stepp': 1})",
            ("step = 0.01", "stepp = 0.01")),
    Mistake("problem is unknown", "run pendulm", "lb.load('pendulm')"),
    Mistake("file is not there", "run no/such.toml", "lb.load('no/such.toml')"),
    # Ensembles.
    Mistake("ensemble without variation", "ensemble MODEL --count 3", "model.ensemble(count=3)"),
    Mistake("ensemble without count",
            "ensemble MODEL --vary 'g = uniform(1, 2)'",
            "model.ensemble(vary={'g': 'uniform(1, 2)'})"),
    Mistake("count is zero",
            "ensemble MODEL --vary 'g = uniform(1, 2)' --count 0",
            "model.ensemble(vary={'g': 'uniform(1, 2)'}, count=0)"),
    Mistake("seed is negative",
            "ensemble MODEL --vary 'g = uniform(1, 2)' --count 2 --seed -1",
            "model.ensemble(vary={'g': 'uniform(1, 2)'}, count=2, seed=-1)"),
    Mistake("threads are too many",
            "ensemble MODEL --vary 'g = uniform(1, 2)' --count 2 --threads 5000",
            "model.ensemble(vary={'g': 'uniform(1, 2)'}, count=2, threads=5000)"),
    Mistake("distribution is unknown",
            "ensemble MODEL --vary 'g = unifrom(1, 2)' --count 2",
            "model.ensemble(vary={'g': 'unifrom(1, 2)'}, count=2)"),
    Mistake("distribution lacks an end",
            "ensemble MODEL --vary 'g = uniform(1)' --count 2",
            "model.ensemble(vary={'g': 'uniform(1)'}, count=2)"),
    Mistake("variation of an unknown name",
            "ensemble MODEL --vary 'k = uniform(1, 2)' --count 2",
            "model.ensemble(vary={'k': 'uniform(1, 2)'}, count=2)"),
    Mistake("every without trajectories",
            "ensemble MODEL --vary 'g = uniform(1, 2)' --count 2 --every 2",
            "model.ensemble(vary={'g': 'uniform(1, 2)'}, count=2, every=2)"),
    Mistake("vary and from", "ensemble MODEL --vary 'g = uniform(1, 2)' --from a.csv --count 2"),
    Mistake("ensemble into a table",
            "ensemble MODEL --vary 'g = uniform(1, 2)' --count 2 --out a.csv",
            "model.ensemble(vary={'g': 'uniform(1, 2)'}, count=2, out='a.csv')"),
    Mistake("ensemble resumed with more", "ensemble --resume there.h5 --count 3"),
    # Restarts.
    Mistake("restart with another step", "run --resume run.h5 --step 0.5"),
    Mistake("restart with another method", "run --resume run.h5 --method lobatto(2)"),
    Mistake("restart with another model", "run kepler --resume run.h5"),
    Mistake("restart that is shorter", "run --resume run.h5 --steps 3", "lb.resume('run.h5', steps=3)"),
    Mistake("restart of no file", "run --resume none.h5", "lb.resume('none.h5')"),
    Mistake("restart of another file", "run --resume there.h5", "lb.resume('there.h5')"),
    # Studies.
    Mistake("certify with a negative step", "certify rattle MODEL --step -1", "model.certify('rattle', step=-1)"),
    Mistake("compare with steps that do not divide",
            "compare MODEL --steps-list 0.3 --duration 1",
            "model.compare('rattle', steps=0.3, duration=1)"),
    Mistake("compare with a negative duration",
            "compare MODEL --duration -1",
            "model.compare('rattle', duration=-1)"),
    Mistake("analysis is unknown", "analyse run.h5 --what drfit", "lb.open('run.h5').analyse('drfit')"),
    Mistake("analysis needs every step",
            "analyse thin.h5 --what modified-energy",
            "lb.open('thin.h5').analyse('modified-energy')"),
    Mistake("item is unknown", "reproduce 009-fig1", "lb.reproduce('009-fig1')"),
    Mistake("again without a directory", "reproduce 001-fig3.1 --again", "lb.reproduce('001-fig3.1', again=True)"),
    # Commands and arguments.
    Mistake("command is unknown", "rnu"),
    Mistake("option is unknown", "run MODEL --stpe 1", "model.run(stpe=1)"),
    Mistake("option is given twice", "run MODEL --step 1 --step 2"),
    Mistake("model is missing", "run"),
]
