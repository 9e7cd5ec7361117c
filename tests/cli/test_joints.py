"""Joints and loads: mechanisms against closed forms and against each other, orders of convergence, gradients, messages."""

import json
import math
import unittest

import h5py

from program import ProgramTest

ROD = """\
[parameters]
l = 1.0
g = 9.81
[[body]]
name = "a"
inertia = [{thick}, "l^2/12", "l^2/12"]
mass = 1
com = ["l/2", 0, 0]
points = {{ tip = ["l", 0, 0] }}
"""

SECOND = """\
[[body]]
name = "b"
inertia = [{thick}, "l^2/12", "l^2/12"]
mass = 1
com = ["l/2", 0, 0]
position = ["l", 0, 0]
[[joint]]
name = "mid"
type = "revolute"
between = ["a", "b"]
at = ["l", 0, 0]
axis = [0, 0, 1]
"""

TOP = """\
[[joint]]
name = "top"
type = "revolute"
between = ["ground", "a"]
at = [0, 0, 0]
axis = [0, 0, 1]
"""

GRAVITY = '[dynamics]\ngravity = [0, "-g", 0]\n'

DOUBLE = ROD + TOP + SECOND + GRAVITY + """\
[observables]
up = "top.angle"
down = "mid.angle"
fx = "top.force.x"
fy = "top.force.y"
"""

PLANAR = """\
[parameters]
l = 1.0
g = 9.81
[[body]]
name = "a"
planar = true
inertia = "l^2/12"
mass = 1
com = ["l/2", 0]
[[body]]
name = "b"
planar = true
inertia = "l^2/12"
mass = 1
com = ["l/2", 0]
position = ["l", 0]
[[joint]]
name = "top"
type = "revolute"
between = ["ground", "a"]
at = [0, 0]
[[joint]]
name = "mid"
type = "revolute"
between = ["a", "b"]
at = ["l", 0]
[dynamics]
gravity = [0, "-g"]
[observables]
up = "top.angle"
down = "mid.angle"
fx = "top.force.x"
fy = "top.force.y"
"""

# The same in two angles of the rods against the horizontal, from Lagrange's function; the force at the top from the
# accelerations is left to the others.
ANGLES = """\
[parameters]
l = 1.0
g = 9.81
[coordinates]
q = ["u", "w"]
[dynamics]
kinetic = "l^2*(4*v_u^2 + v_w^2 + 3*v_u*v_w*cos(w - u))/6"
potential = "g*l*(3*sin(u) + sin(w))/2"
[observables]
up = "u"
down = "w - u"
[initial]
q = [0, 0]
"""


class JointTest(ProgramTest):
    def done(self, *arguments):
        outcome = self.libration(*arguments)
        self.assertEqual(outcome.status, 0, str(outcome))
        return outcome

    def result(self, text, *options):
        self.write(text)
        return self.done("run", "./model.toml", "--json", *options).json

    def observables(self, text, *options):
        """Of the last recorded state, by name."""
        self.result(text, "--out", "run.h5", "--overwrite", *options)
        with h5py.File(self.dir / "run.h5") as file:
            return {name: values[-1] for name, values in file["run/observables"].items()}


class DoublePendulum(JointTest):
    def test_rods_planar_bodies_bodies_in_space_and_two_angles_move_alike(self):
        # Order 8: halving the step changes the angles by less than 1e-10 in the rods' model.
        options = ("--method", "compose(rattle, kahanli8)", "--step", "0.005", "--duration", "1.5")
        rods = self.observables(DOUBLE.format(thick=0), *options)
        for other in (DOUBLE.format(thick=0.01), PLANAR):
            found = self.observables(other, *options)
            for name in ("up", "down"):
                self.assertAlmostEqual(found[name], rods[name], delta=1e-9)
            for name in ("fx", "fy"):
                self.assertAlmostEqual(found[name], rods[name], delta=1e-8)
        angles = self.observables(ANGLES, "--method", "gauss(4)", "--step", "0.005", "--duration", "1.5")
        for name in ("up", "down"):
            self.assertAlmostEqual(angles[name], rods[name], delta=1e-9)

    def test_orders_in_q_p_and_multipliers_are_those_of_the_methods(self):
        self.write(ROD.format(thick=0.05) + TOP.replace("[0, 0, 1]", "[1, 2, 3]") + GRAVITY +
                   "[run]\nstep = 0.02\nduration = 0.5\n")
        for method in ("rattle", "compose(rattle, yoshida4)", "lobatto(3)"):
            text = self.done("certify", method, "./model.toml").stdout
            lines = {line[:17].strip(): line.split() for line in text.splitlines()}
            for name in ("order of q", "order of p", "order of lambda"):
                self.assertEqual(lines[name][-1], "confirmed", text)


class Reactions(JointTest):
    def test_motor_torque_is_that_of_the_equation_of_the_crank(self):
        """A rod driven by phi = t^2: I phi'' + m g (l/2) cos(phi) about its end."""
        text = ROD.format(thick=0) + TOP + 'motion = "t^2"\n' + GRAVITY + '[observables]\ntorque = "top.torque.z"\n' \
            'fx = "top.force.x"\nfy = "top.force.y"\nangle = "top.angle"\n'
        t = 1.5
        phi, rate, change = t * t, 2 * t, 2.0
        expected = {"torque": change / 3 + 9.81 / 2 * math.cos(phi),
                    "fx": 0.5 * (-change * math.sin(phi) - rate**2 * math.cos(phi)),
                    "fy": 0.5 * (change * math.cos(phi) - rate**2 * math.sin(phi)) + 9.81,
                    "angle": phi}
        # The multipliers are those of the state, which is determined by the motion: exact at any step.
        found = self.observables(text, "--method", "rattle", "--step", "0.01", "--duration", str(t))
        for name, value in expected.items():
            self.assertAlmostEqual(found[name], value, delta=1e-10, msg=name)

    def test_momenta_change_as_the_reactions_say(self):
        """A body on a tilted hinge: d/dt of momentum and angular momentum is weight plus reaction (Newton, Euler)."""
        text = """\
[[body]]
name = "a"
inertia = [[0.3, 0.02, 0], [0.02, 0.4, -0.05], [0, -0.05, 0.5]]
mass = 2
com = [0.3, 0.1, -0.2]
omega = [0.8, 1.6, -0.8]
[[joint]]
name = "hinge"
type = "revolute"
between = ["ground", "a"]
at = [0, 0, 0]
axis = [1, 2, -1]
[dynamics]
gravity = [1, -9.81, 2]
[observables]
fx = "hinge.force.x + 2*1"
fy = "hinge.force.y - 2*9.81"
fz = "hinge.force.z + 2*2"
px = "p_a.r.x"
py = "p_a.r.y"
pz = "p_a.r.z"
mx = "a.L.x"
my = "a.L.y"
mz = "a.L.z"
dx = "hinge.torque.x + (0 - a.r.y)*hinge.force.z - (0 - a.r.z)*hinge.force.y"
dy = "hinge.torque.y + (0 - a.r.z)*hinge.force.x - (0 - a.r.x)*hinge.force.z"
dz = "hinge.torque.z + (0 - a.r.x)*hinge.force.y - (0 - a.r.y)*hinge.force.x"
rate = "hinge.rate"
"""
        self.result(text, "--method", "compose(rattle, kahanli8)", "--step", "0.005", "--steps", "80", "--out", "n.h5")
        with h5py.File(self.dir / "n.h5") as file:
            x = {name: values[:] for name, values in file["run/observables"].items()}
        h, k = 0.005, 40
        # Central differences of order 8 at step 0.005: truncation is far below the round-off 1e-15/h of momenta near 5.
        weights = (4 / 5, -1 / 5, 4 / 105, -1 / 280)
        for momentum, force in zip(("px", "py", "pz", "mx", "my", "mz"), ("fx", "fy", "fz", "dx", "dy", "dz")):
            slope = sum(w * (x[momentum][k + j] - x[momentum][k - j]) for j, w in enumerate(weights, 1)) / h
            self.assertAlmostEqual(slope, x[force][k], delta=1e-10, msg=force)
        self.assertNotAlmostEqual(x["rate"][0], x["rate"][k], delta=0.1)

    def test_a_driven_angle_counts_turns(self):
        text = ROD.format(thick=0.01) + TOP + 'motion = "2*pi*t"\n[observables]\nangle = "top.angle"\n'
        text = text.replace("points =", 'omega = [0, 0, "2*pi"]\npoints =')
        found = self.observables(text, "--method", "rattle", "--step", "0.01", "--duration", "5")
        self.assertAlmostEqual(found["angle"], 10 * math.pi, delta=1e-9)


class Loads(JointTest):
    def test_a_torsion_spring_and_a_spring_at_a_point_conserve_energy_and_a_damper_takes_it(self):
        base = ROD.format(thick=0) + TOP
        springs = '[[spring]]\njoint = "top"\nstiffness = 3\nangle = 0.5\n' \
                  '[[spring]]\nbetween = ["a.tip", [2, 0.5, 0]]\nstiffness = 4\nlength = 0.5\n'
        options = ("--method", "lobatto(3)", "--step", "0.01", "--duration", "2")
        free = self.result(base + GRAVITY + springs, *options)
        self.assertTrue(free["energy"]["conserved"])
        self.assertLess(free["energy"]["max_error"], 1e-6)
        self.assertGreater(max(map(abs, free["v"])), 0.1)
        damped = self.result(base + GRAVITY + springs + '[[damper]]\njoint = "top"\ncoefficient = 0.4\n', *options[2:])
        self.assertLess(damped["energy"]["final"], damped["energy"]["initial"] - 0.1)

    def test_torque_force_and_joint_give_the_same_motion_where_they_are_the_same_load(self):
        base = ROD.format(thick=0.01) + TOP
        loads = ('torque = { body = "a", value = [0, 0, 0.7] }',
                 'joint = "top"\nvalue = 0.7',
                 'force = { at = "a.tip", value = [0, 0.7, 0], frame = "body" }')
        ends = []
        for load in loads:
            text = base + f'[[forces]]\nname = "motor"\nclass = "driving"\n{load}\n'
            ends.append(self.result(text, "--step", "0.01", "--duration", "1")["q"])
        for other in ends[1:]:
            for one, two in zip(ends[0], other):
                self.assertAlmostEqual(one, two, delta=1e-11)


class RodAxis(JointTest):
    def test_what_acts_about_the_axis_of_a_rod_turns_the_body_that_holds_it(self):
        """A rod along x on a carrier that turns about x: the rod itself has no inertia there."""
        text = '''\
[[body]]
name = "carrier"
inertia = [0.5, 0.6, 0.7]
mass = 1
[[body]]
name = "rod"
inertia = [{thick}, 2, 2]
mass = 1
[[joint]]
name = "mount"
type = "revolute"
between = ["ground", "carrier"]
at = [0, 0, 0]
axis = [1, 0, 0]
[[joint]]
name = "hinge"
type = "revolute"
between = ["carrier", "rod"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[forces]]
name = "twist"
class = "driving"
torque = {{ body = "rod", value = [3, 0, 0] }}
[observables]
rate = "mount.rate"
torque = "hinge.torque.x"
'''
        options = ("--method", "spark(3)", "--step", "0.01", "--duration", "0.5")
        for thick in (0, 0.1):
            found = self.observables(text.format(thick=thick), *options)
            # The torque is constant, and the method is exact for a rate that is linear in time but for the orientation of order 4.
            self.assertAlmostEqual(found["rate"], 3 / (0.5 + thick) * 0.5, delta=1e-6)
        # The hinge turns the carrier against the torque that it takes from the rod, which accelerates by 3/0.6.
        self.assertAlmostEqual(found["torque"], 0.1 * 3 / 0.6 - 3, delta=1e-6)


class Parameters(JointTest):
    def test_gradients_by_parameters_in_joints_are_those_of_dual_numbers(self):
        text = ROD.format(thick=0.02).replace("l = 1.0", "l = 1.0\nax = 0.1") + TOP.replace("[0, 0, 1]", '["ax", 0.2, 1]') \
            + GRAVITY
        self.write(text)
        options = ("gradient", "./model.toml", "--loss", "a.r.y + a.r.z", "--by", "ax,l", "--step", "0.01", "--duration", "0.4")
        backward = self.done(*options, "--mode", "backward", "--json").json["gradient"]
        forward = self.done(*options, "--mode", "forward", "--json").json["gradient"]
        for name, value in forward.items():
            self.assertGreater(abs(value), 1e-3)
            self.assertAlmostEqual(backward[name] / value, 1, delta=1e-12)

    def test_backward_gradients_name_the_angle_that_prevents_them(self):
        text = DOUBLE.format(thick=0.1)
        run = ("--mode", "backward", "--by", "g,l", "--method", "rattle", "--step", "0.01", "--steps", "50")
        watched = self.libration("gradient", self.write(text), "--loss", "b.r.y", *run)
        self.assertEqual(watched.status, 2)
        self.assertIn("the model counts the turns of the angle top.angle", watched.stderr)
        spring = self.write(text + '[[spring]]\njoint = "top"\nstiffness = 1\n', "spring.toml")
        refused = self.libration("gradient", spring, "--loss", "b.r.y", *run)
        self.assertEqual(refused.status, 2)
        self.assertIn("the equations of motion use the angle top.angle", refused.stderr)

    def test_members_of_an_ensemble_are_runs(self):
        self.write(DOUBLE.format(thick=0))
        self.done("ensemble", "./model.toml", "--vary", "l=linspace(0.8,1.2)", "--count", "3", "--step", "0.01",
                      "--duration", "0.3", "--out", "e.h5")
        with h5py.File(self.dir / "e.h5") as file:
            found = []
            file.visititems(lambda name, item: found.append(name))
        self.assertTrue(found)


class Messages(JointTest):
    def check_fault(self, text, *words):
        self.write(text)
        outcome = self.libration("check", "./model.toml")
        self.assertEqual(outcome.status, 2, str(outcome))
        for word in words:
            self.assertIn(word, outcome.stderr)

    def test_mistakes_in_joints_are_named_with_the_way_out(self):
        rod = ROD.format(thick=0.1)
        for change, words in (
                (("revolute", "revolut"), ("did you mean 'revolute'",)),
                (("revolute", "hinge"), ("did you mean 'revolute'",)),
                (("revolute", "ball"), ("did you mean 'spherical'",)),
                (("revolute", "weld"), ("did you mean 'fixed'",)),
                (("axis = [0, 0, 1]", "axis = [0, 0, 1]\nlimits = [-1, 1]"), ("'limits'", "docs/limits.md")),
                (("axis = [0, 0, 1]", "axis = [0, 0, 1]\nfriction = 0.1"), ("'friction'", "docs/limits.md")),
                (("axis = [0, 0, 1]", "axis = [0, 0, 1]\ndamping = 0.1"), ("write a [[damper]]",)),
                (("axis = [0, 0, 1]", "axis = [0, 1]"), ("'axis' of the joint top has two components", "[0, 1, 0]")),
                (('"ground", "a"', '"ground", "aa"'), ("there is no body 'aa'",)),
                (('"ground", "a"', '"ground", "a.top"'), ("no point or frame 'top'", "tip")),
                (('"ground", "a"', '"ground", "ground"'), ("between the ground and itself",)),
                (('"ground", "a"', '"a", "a"'), ("between the body a and itself",)),
                (("axis = [0, 0, 1]", "axis = [0, 0, 0]"), ("length zero",)),
                (("axis = [0, 0, 1]", "normal = [0, 0, 1]"), ("write 'axis'",)),
                (("axis = [0, 0, 1]", ""), ("needs the key 'axis'",)),
                (("at = [0, 0, 0]", ""), ("needs the key 'at'",)),
                (("axis = [0, 0, 1]", "axis = [0, 0, 1]\nlength = 2"), ("has no length",)),
                (("axis = [0, 0, 1]", "axis = [0, 0, 1]\nmotion = 0.5"), ("starts at top.angle = 0", "0.5")),
                (('type = "revolute"', 'type = "spherical"'), ("no 'axis'; remove it",)),
                (('"top"', '"a"'), ("already a body",)),
                (('type = "revolute"', 'type = "universal"'), ("write 'axes'",))):
            with self.subTest(change=change):
                self.assertIn(change[0], TOP)
                self.check_fault(rod + TOP.replace(*change), *words)
        self.check_fault(rod + TOP + TOP, "already a joint")
        self.check_fault(rod + TOP.replace("revolute", "universal").replace("axis = [0, 0, 1]", "axes = [[1, 0, 0], [2, 0, 0]]"),
                         "are parallel")
        self.check_fault(rod + TOP.replace("revolute", "distance").replace("axis = [0, 0, 1]", "length = 0")
                         .replace("[0, 0, 0]", "[[0, 0, 0], [1, 0, 0]]"), "must be positive")
        self.check_fault(rod + TOP.replace("revolute", "spherical").replace("axis = [0, 0, 1]", 'motion = "t"'),
                         "only revolute, prismatic and point-on-line joints")

    def test_joints_of_bodies_in_the_plane_and_in_space_are_told_apart(self):
        planar = PLANAR.split("[[joint]]")[0]
        space = '[[body]]\nname = "s"\ninertia = [1, 1, 1]\nmass = 1\n'
        joint = '[[joint]]\nname = "j"\ntype = "prismatic"\nbetween = ["a", "s"]\nat = [0, 0, 0]\naxis = [1, 0, 0]\n'
        self.check_fault(planar + space + joint, "between a planar body and s, which moves in space")
        self.check_fault(planar + joint.replace('"s"', '"b"').replace("prismatic", "cylindrical"), "cannot connect planar bodies")
        self.check_fault(planar + joint.replace('"s"', '"b"').replace("[1, 0, 0]", "[1, 0, 1]"), "must lie in their plane")

    def test_mistakes_in_loads_are_named(self):
        base = ROD.format(thick=0.1) + TOP
        for text, words in (
                ("[dynamics]\ngravity = [1]\n", ("two or three components",)),
                ('[[spring]]\nstiffness = 1\n', ("one of the keys 'between' and 'joint'",)),
                ('[[spring]]\njoint = "to"\nstiffness = 1\n', ("did you mean 'top'",)),
                ('[[spring]]\njoint = "top"\nstiffness = 1\nlength = 1\n', ("write 'angle'",)),
                ('[[spring]]\nbetween = [[0, 0, 0], [1, 0, 0]]\nstiffness = 1\n', ("both ends of this spring are at rest",)),
                ('[[damper]]\njoint = "top"\n', ("needs the key 'coefficient'",)),
                ('[[spring]]\nbetween = ["a", [0, 0, 1]]\nstiffness = 1\n', ("'a' is a body; write a.r", "a.tip")),
                ('[[spring]]\nbetween = ["a.tip", "a.tip"]\nstiffness = 1\n', ("are the same point",)),
                ('[[forces]]\nname = "f"\nclass = "driving"\nforce = { at = "a", value = [0, 0, 1] }\n',
                 ("'a' is a body; write a.r", "a.tip")),
                ('[[forces]]\nname = "f"\nclass = "driving"\ntorque = { body = "a", value = [0, 1] }\n',
                 ("has two components", "[0, 1, 0]")),
                ("[dynamics]\ngravity = [0, -9.81]\n", ("gravity has two components", "[0, 0, -9.81]")),
                ('[[forces]]\nname = "f"\nclass = "driving"\ntorque = { body = "c", value = [0, 0, 1] }\n', ("there is no body 'c'",)),
                ('[[forces]]\nname = "f"\nclass = "driving"\ntorque = { body = "a", value = [0, 0, 1], frame = "top" }\n',
                 ('must be "world" or "body"',)),
                ('[[forces]]\nname = "f"\nclass = "driving"\njoint = "top"\n', ("needs the key 'value'",))):
            with self.subTest(text=text):
                self.check_fault(base + text, *words)
        self.check_fault('[[body]]\nname = "top"\ninertia = [1, 1, 1]\nfixed = true\n[dynamics]\ngravity = [0, 0, -1]\n',
                         "gravity cannot act on the body top")


if __name__ == "__main__":
    unittest.main()

    def test_names_that_mean_something_else_are_refused(self):
        rod = ROD.format(thick=0.1)
        self.check_fault(rod.replace('"a"', '"ground"'), "the name 'ground'", "rename the body")

    def test_the_cause_is_named_and_not_its_consequences(self):
        body = '[[body]]\nname = "a"\nmass = 1\ninertia = [0.1, 0.2, 0.25]\npoints = { tip = [1, 0, 0] }\n'
        joint = TOP.replace("axis = [0, 0, 1]", "axis = [0, 1, 0]")
        self.check_fault(body + "orientation = [[1, 0, 0], [0, 1, 0.1], [0, 0, 1]]\n" + joint,
                         "the initial orientation of the body a is not a rotation", "0.1", "nearest rotation")
        self.check_fault(body + joint + '[[spring]]\nbetween = ["a.tip", [1, 0, 0]]\nstiffness = 1\nlength = 1\n',
                         "the ends of a spring with a length meet there")

    def test_an_angle_of_zero_is_not_minus_zero(self):
        # The angle of a body that was turned by -0.
        self.write(ROD.format(thick=0.1) + TOP.replace("axis = [0, 0, 1]", "axis = [0, 0, -1]\nmotion = \"1 + t\""))
        self.assertIn("top.angle = 0, but", self.libration("check", "./model.toml").stderr)
