"""The mechanisms of the comparison for programs in joint coordinates: a tree of joints, and points that coincide where a
loop is closed. The numbers are those of the model files of Libration; the formulas are written a second time, here, so
that an agreement of the motions confirms both."""

import math
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROBLEMS = HERE.parent.parent / "problems"
MODELS = {"tree-with-loops": HERE / "tree-with-loops.toml",
          "spatial-slider-crank": PROBLEMS / "spatial-slider-crank.toml",
          "spatial-four-bar": PROBLEMS / "spatial-four-bar.toml"}


def numbers(values):
    return " ".join(repr(float(value)) for value in values)


def body_line(number, mass, com, inertia, parent, joint, at, axes):
    """`number`: of the body in the model file; `inertia`: xx, yy, zz, xy, xz, yz about the center of mass; `axes`: pairs
    of an axis and the rate of the start."""
    words = ["body", str(number), numbers([mass, *com, *inertia]), str(parent), joint, numbers(at), str(len(axes))]
    return " ".join([*words, *(numbers([*axis, rate]) for axis, rate in axes)])


def loop_line(first, second, at):
    return f"loop {first} {second} {numbers(at)}"


def tree_with_loops(model):
    given = model["parameters"]
    n, m = given["n"], given["m"]

    def node(i):
        level = i.bit_length() - 1
        if i == 0:
            return 0.0, 0.0
        return given["width"] * ((i + 0.5) / 2**level - 1.5), -given["height"] * (level + 1)

    def middle(i):
        return tuple((a + b) / 2 for a, b in zip(node(i), node(i // 2)))

    def rod(number, begin, end, parent):
        length = math.dist(begin, end)
        mass = given["density"] * length
        com = [(a + b) / 2 for a, b in zip(begin, end)]
        # Only the moment about z matters in the plane.
        return body_line(number, mass, [*com, 0], [mass * length**2 / 12] * 3 + [0] * 3, parent, "revolute",
                         [*begin, 0], [((0, 0, 1), 0)])

    lines = [f"gravity {numbers([0, -given['g'], 0])}", "planar"]
    lines += [rod(i - 1, node(i // 2), node(i), i // 2 - 1) for i in range(1, n + 1)]
    for j in range(1, m + 1):
        near, far = n + 1 - j, n - 1 - j
        lines.append(rod(n + j - 1, middle(near), middle(far), near - 1))
        lines.append(loop_line(far - 1, n + j - 1, [*middle(far), 0]))
    return lines


class Spatial:
    """A model with bodies in space: numbers or constant expressions in quotes, frames and places of the start."""

    def __init__(self, model):
        self.names = {name: float(number) for name, number in model["parameters"].items()}
        self.bodies = {body["name"]: body for body in model["body"]}
        self.joints = {joint["name"]: joint for joint in model["joint"]}
        self.gravity = f"gravity {numbers(model['dynamics']['gravity'])}"

    def number(self, entry):
        return float(eval(entry, {"sqrt": math.sqrt}, self.names)) if isinstance(entry, str) else float(entry)

    def vector(self, entries):
        return [self.number(entry) for entry in entries]

    def unit(self, entries):
        v = self.vector(entries)
        return [x / math.hypot(*v) for x in v]

    def frame(self, body):
        return [self.vector(row) for row in self.bodies[body].get("orientation", [[1, 0, 0], [0, 1, 0], [0, 0, 1]])]

    def turned(self, body, v):
        return [sum(a * b for a, b in zip(row, v)) for row in self.frame(body)]

    def omega(self, body):
        return self.turned(body, self.vector(self.bodies[body].get("omega", [0, 0, 0])))

    def at(self, joint):
        return self.vector(self.joints[joint]["at"])

    def line(self, body, parent, joint, kind, axes):
        given, rows = self.bodies[body], self.frame(body)
        moments = self.vector(given["inertia"])
        inertia = [sum(rows[i][k] * moments[k] * rows[j][k] for k in range(3))
                   for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        com = [a + b for a, b in zip(self.vector(given.get("position", [0, 0, 0])),
                                     self.turned(body, self.vector(given.get("com", [0, 0, 0]))))]
        return body_line(list(self.bodies).index(body), self.number(given["mass"]), com, inertia, parent, kind,
                         self.at(joint), axes)


def rates(omega, axes):
    """Components of an angular velocity along axes that are perpendicular to each other; there must be no other."""
    along = [sum(a * w for a, w in zip(axis, omega)) for axis in axes]
    if math.dist(omega, [sum(rate * axis[k] for rate, axis in zip(along, axes)) for k in range(3)]) > 1e-13:
        raise ValueError("a body does not turn about the axes of its joint")
    return list(zip(axes, along))


def spatial_slider_crank(model):
    m = Spatial(model)
    crank, guide = m.unit(m.joints["bearing"]["axis"]), m.unit(m.joints["guide"]["axis"])
    fork = [m.unit(axis) for axis in m.joints["fork"]["axes"]]
    return [m.gravity, m.line("crank", -1, "bearing", "revolute", rates(m.omega("crank"), [crank])),
            m.line("slider", -1, "guide", "prismatic", [(guide, m.vector(m.bodies["slider"]["velocity"])[0])]),
            m.line("rod", 1, "fork", "universal", rates(m.omega("rod"), fork)), loop_line(0, 2, m.at("ball"))]


def spatial_four_bar(model):
    """Closed by a ball joint: of its three rows one is redundant, as three of those of four hinges are."""
    m = Spatial(model)
    axis = m.unit(m.joints["crank_bearing"]["axis"])
    crank, coupler, rocker = (m.omega(body) for body in ("crank", "coupler", "rocker"))
    return [m.gravity, m.line("crank", -1, "crank_bearing", "revolute", rates(crank, [axis])),
            m.line("coupler", 0, "crank_pin", "revolute", rates([a - b for a, b in zip(coupler, crank)], [axis])),
            m.line("rocker", -1, "rocker_bearing", "revolute", rates(rocker, [axis])),
            loop_line(1, 2, m.at("rocker_pin"))]


WRITERS = {"tree-with-loops": tree_with_loops, "spatial-slider-crank": spatial_slider_crank,
           "spatial-four-bar": spatial_four_bar}


def write(name, folder):
    """Writes the mechanism for the peers; returns the path."""
    with MODELS[name].open("rb") as file:
        model = tomllib.load(file)
    path = Path(folder) / f"{name}.txt"
    path.write_text("\n".join(WRITERS[name](model)) + "\n")
    return path
