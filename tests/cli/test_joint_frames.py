"""Joints between frames: rows that are sines vanish half a turn off, too, but joints start as the frames describe them."""

import math
import unittest

from test_mechanisms import EPSILON, MechanismTest

FRAME = "{ at = [0, 0, 0], axis = [0, 0, 1], x = [1, 0, 0] }"


def body(name, orientation="", frame=FRAME):
    return f'[[body]]\nname = "{name}"\nmass = 1\ninertia = [1, 2, 2.5]\n{orientation}\nframes = {{ f = {frame} }}\n'


def turned(axis, angle):
    return f"orientation = {{ axis = {axis}, angle = {angle} }}"


def joint(kind, more=""):
    return f'[[joint]]\nname = "j"\ntype = "{kind}"\nbetween = ["base.f", "arm.f"]\n{more}\n'


GROUND = '[[joint]]\nname = "weld"\ntype = "fixed"\nbetween = ["ground", "base"]\nat = [0, 0, 0]\n'
RUN = '[run]\nmethod = "rattle"\nstep = 0.01\nsteps = 10\n'
START = ("--step", "0.01", "--steps", "0")
SHORT = ("--step", "0.01", "--steps", "10")
AXES = "[observables]\n" + "".join(
    f'{name} = "base.f.axis.{c}*arm.f.axis.{c}"\n' for name, c in (("ax", "x"), ("ay", "y"), ("az", "z"))) + \
    'aligned = "arm.at(1, 0, 0).x*base.at(1, 0, 0).x + arm.at(1, 0, 0).y*base.at(1, 0, 0).y + ' \
    'arm.at(1, 0, 0).z*base.at(1, 0, 0).z"\n'

# Cosines of frames that the assembly aligned to round-off.
ROUNDING = 100 * EPSILON


class Motions(MechanismTest):
    MODEL = GROUND.join((body("base") + body("arm"), joint("revolute", 'motion = "pi + t"'))) + \
        '[observables]\nangle = "j.angle"\ncosine = "arm.Q[1,1]"\naxes = "arm.Q[3,3]"\n'

    def test_turn_the_bodies_to_where_they_start(self):
        row = self.last_row(self.MODEL, *SHORT)
        self.assertAlmostEqual(row["angle"], math.pi + 0.1, delta=ROUNDING)
        self.assertAlmostEqual(row["cosine"], math.cos(math.pi + 0.1), delta=ROUNDING)
        # Half a turn about another axis, which has the least inertia, would reverse that of the hinge.
        self.assertAlmostEqual(row["axes"], 1, delta=ROUNDING)

    def test_that_start_several_turns_away_count_from_there(self):
        row = self.last_row(self.MODEL.replace("pi + t", "5*pi + t"), *SHORT)
        self.assertAlmostEqual(row["angle"], 5 * math.pi + 0.1, delta=10 * ROUNDING)

    def test_half_a_turn_off_are_refused_where_nothing_assembles_them(self):
        self.refused_model(self.MODEL + RUN, "--project",
                           says=["the joint j starts at j.angle = 0, but its motion at 3.141592654", "turn a body or a frame"])

    def test_of_frames_that_agree_are_left_as_they_are(self):
        self.write(self.MODEL.replace("pi + t", "t") + RUN)
        self.assertLess(self.run_json("model.toml", "--project")["start"]["q"], ROUNDING)


class Welds(MechanismTest):
    def test_are_assembled_on_their_own_side(self):
        for kind, more in (("fixed", ""), ("prismatic", "")):
            for axis, angle in (("[0, 0, 1]", "pi"), ("[1, 0, 0]", "pi"), ("[1, 1, 1]", "pi"), ("[0, 0, 1]", "3"), ("[1, 2, 0]", "2.5")):
                with self.subTest(kind=kind, axis=axis, angle=angle):
                    row = self.last_row(body("base") + body("arm", turned(axis, f'"{angle}"')) + joint(kind, more) + AXES, *SHORT)
                    self.assertAlmostEqual(row["ax"] + row["ay"] + row["az"], 1, delta=ROUNDING)
                    self.assertAlmostEqual(row["aligned"], 1, delta=ROUNDING)

    def test_half_a_turn_off_are_refused_where_nothing_assembles_them(self):
        text = body("base") + body("arm", turned("[0, 0, 1]", '"pi"')) + joint("fixed") + RUN
        self.refused_model(text, "--project",
                           says=["the fixed joint j starts with arm.f turned by 180 degrees against base.f", "turn a body or a frame"])

    def test_that_are_closed_by_definition_do_not_start_elsewhere(self):
        # --set replaces the start of the body, half a turn from where the joint was made.
        text = body("base") + GROUND + RUN
        quaternion = ("--set", "base.Q[1,1]=-1", "--set", "base.Q[2,2]=-1")
        self.refused(self.write(text), *quaternion, says=["the fixed joint weld starts with base turned by 180 degrees against ground"])

    def test_that_only_close_half_a_turn_off_are_named(self):
        # Two welds of the same bodies that contradict each other: all rows hold, but not both joints.
        text = (body("base") + body("arm", frame="{ at = [0, 0, 0], axis = [0, 0, 1], x = [-1, 0, 0] }") + joint("fixed") +
                joint("fixed").replace('"j"', '"k"').replace('"base.f", "arm.f"', '"base", "arm"').replace("[[joint]]", "[[joint]]\nat = [0, 0, 0]"))
        self.refused_model(text + RUN, says=["fixed joint", "turned by 180 degrees"])

    def test_of_rods_keep_their_direction(self):
        rod = body("arm", turned("[0, 0, 1]", '"pi"')).replace("[1, 2, 2.5]", "[0, 2, 2]")
        row = self.last_row(body("base") + rod + joint("fixed") +
                            '[observables]\nalong = "arm.Q[1,1]*base.Q[1,1] + arm.Q[2,1]*base.Q[2,1] + arm.Q[3,1]*base.Q[3,1]"\n', *SHORT)
        self.assertAlmostEqual(row["along"], 1, delta=ROUNDING)

    def test_ways_to_close_are_all_on_that_side(self):
        text = GROUND.join((body("base") + body("arm"), joint("fixed")))
        found = self.libration("check", self.write(text), "--json").json["assembly"]["branches"]
        self.assertEqual(len(found), 1)


class Hinges(MechanismTest):
    def test_may_have_axes_in_opposite_directions(self):
        # The axis of a hinge has no preferred end in a drawing: the nearer side is kept, the angle is that about the first axis.
        arm = body("arm", 'omega = [0, 0, -2]', frame="{ axis = [0, 0, -1], x = [1, 0, 0] }")
        row = self.last_row(GROUND.join((body("base") + arm, joint("revolute"))) + '[observables]\nangle = "j.angle"\nrate = "j.rate"\n', *SHORT)
        self.assertAlmostEqual(row["rate"], -2, delta=ROUNDING)
        # A step of rattle turns a free body by the angle whose sine is h omega.
        self.assertAlmostEqual(row["angle"], -10 * math.asin(0.02), delta=ROUNDING)


class Planar(MechanismTest):
    def frames(self, kind, x, angle=0, more=""):
        return f"""\
[[body]]
name = "base"
planar = true
mass = 1
inertia = 1
angle = 0.25
frames = {{ f = {{ at = [0.5, 0], x = [1, 0] }} }}
[[body]]
name = "arm"
planar = true
mass = 1
inertia = 1
position = ["0.5*cos(0.25)", "0.5*sin(0.25)"]
angle = {angle}
frames = {{ f = {{ at = [0, 0]{x} }} }}
[[joint]]
name = "ground"
type = "revolute"
between = ["ground", "base"]
at = [0, 0]
[[joint]]
name = "j"
type = "{kind}"
between = ["base.f", "arm.f"]
{more}
[observables]
between = "arm.angle - base.angle"
""".replace('name = "ground"', 'name = "foot"', 1)

    def test_a_hinge_has_the_angle_of_the_x_axes(self):
        for x, angle, expected in ((", x = [0, 2]", 0, math.pi / 2 - 0.25), (", x = [-1, -1]", 3, 3 - 0.75 * math.pi - 0.25), ("", 1, 0.75)):
            with self.subTest(x=x, angle=angle):
                row = self.last_row(self.frames("revolute", x, angle, "zero = 0.5") + 'angle = "j.angle"\n', *START)
                self.assertAlmostEqual(row["angle"], expected + 0.5, delta=ROUNDING)

    def test_a_weld_keeps_the_x_axes_parallel(self):
        for x, expected in ((", x = [0, 1]", -math.pi / 2), ("", 0)):
            row = self.last_row(self.frames("fixed", x), *START)
            self.assertAlmostEqual(row["between"], expected, delta=ROUNDING)

    def test_a_motion_turns_the_bodies_to_where_it_starts(self):
        row = self.last_row(self.frames("revolute", ", x = [0, 1]", more='motion = "2 + t"') + 'angle = "j.angle"\n', *SHORT)
        self.assertAlmostEqual(row["angle"], 2.1, delta=ROUNDING)
        self.assertAlmostEqual(row["between"], 2.1 - math.pi / 2, delta=ROUNDING)


if __name__ == "__main__":
    unittest.main()
