"""What the program says of joints that roll, and which starts it repairs."""

import unittest

from test_mechanisms import EPSILON, MechanismTest
from test_rolling_joints import ball, contact


class Messages(MechanismTest):
    def test_say_what_to_do(self):
        body = ball([0, 0, 0], [0, 0, 0])
        start = ("--step", "0.1", "--steps", "1")
        joint = '[[joint]]\nname = "contact"\ntype = "rolling"\nbetween = ["ground", "ball"]\n'
        good = joint + "at = [0, 0, 0]\non = [0, 0, 1]\nradius = 0.5\n"
        for text, words in (
                (joint + "on = [0, 0, 1]\nradius = 0.5\n", "needs the key 'at'"),
                (joint + "at = [0, 0, 0]\nradius = 0.5\n", "needs the key 'on'"),
                (joint + "at = [0, 0, 0]\non = [0, 0, 1]\n", "needs the key 'radius'"),
                (good.replace("= 0.5", "= 0"), "the radius of the rolling joint contact is 0; it must be positive"),
                (good.replace("= 0.5", "= -1"), "is -1; it must be positive"),
                (good.replace("= 0.5", '= "ball.r.x"'), "ball.r.x"),
                (good.replace("[0, 0, 1]", "[0, 0, 0]"), "the normal of the plane of the joint contact has length zero"),
                (good + "axis = [0, 0, 0]\n", "an axis of the joint contact has length zero"),
                (good + "axis = [0, 0, 2]\n", "lies flat on the plane"),
                (good.replace("= 0.5", "= 0.4"), "does not touch the plane of the joint contact: the gap is 0.1"),
                (good.replace("= 0.5", "= 0.75"), "reaches into the plane of the joint contact by 0.25"),
                (good.replace("[0, 0, 1]", "[0, 0, -1]"), "lies on the other side of the plane"),
                (good.replace('"ground", "ball"', '"ball", "ground"'), "the second one rolls"),
                (good.replace('"ground", "ball"', '"ground", "ground"'), "between the ground and itself"),
                (good + "normal = [0, 0, 1]\n", "write 'on'"),
                (good + "slides = true\n", "a sphere has no axle"),
                (good + "pitch = 1\n", "has no 'pitch'"),
                (good + "zero = 1\n", "no single angle"),
                (good + 'motion = "t"\n', "superfluous key 'motion'"),
                (good.replace("rolling", "spherical").replace("on = [0, 0, 1]\n", ""), "a spherical joint has no 'radius'"),
                (good.replace("rolling", "spherical").replace("radius = 0.5\n", ""), "a spherical joint has no 'on'")):
            with self.subTest(words):
                self.refused_model(body + text, *start, says=[words])
        self.refused_model((body + good).replace("[0.2, 0.2, 0.2]", "[0, 0.2, 0.2]"), *start,
                           says=["nothing determines the rotation of ball"])
        self.refused_model(body + good, *start, "--method", "rattle", says=["nonholonomic constraints", "spark("])

    def test_a_gap_is_closed_by_an_assembly_or_projected(self):
        text = ball([0, 0, 0], [0, 0, 0], contact("ground", [0, 0, 0], [0, 0, 1]), at=[0, 0, 0.6])
        self.refused_model(text, "--step", "0.1", "--steps", "1", says=["the gap is 0.1", "[assembly]", "--project"])
        for model, more in ((text + "[assembly]\n", ()), (text, ("--project",))):
            row = self.last_row(model, "--step", "0.1", "--steps", "1", *more)
            self.assertAlmostEqual(row["ball.r.z"], 0.5, delta=8 * EPSILON)

    def test_a_start_that_slips_is_refused_by_the_name_of_the_row_or_projected(self):
        text = ball([1, 0, 0], [0, 0, 0], contact("ground", [0, 0, 0], [0, 0, 1]))
        self.refused_model(text, "--step", "0.1", "--steps", "1", says=["contact.slip[1]", "= 1 ", "--project"])
        row = self.last_row(text, "--step", "0.1", "--steps", "1", "--project")
        # The kinetic energy of what is removed is least: m v + I w/R is kept, v = R w.
        self.assertAlmostEqual(row["v_ball.r.x"], 5 / 7, delta=1e-14)


if __name__ == "__main__":
    unittest.main()
