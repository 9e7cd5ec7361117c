"""Named formulas of a model, and values that replace those of a model."""

import h5py

from bad_models import BadModelTest, changed
from program import PENDULUM, ProgramTest

NAMED = """\
name = "rod"

[parameters]
g = 1.0
l = 1.0

[coordinates]
q = ["x", "y"]

[definitions]
weight = "g*height"
height = "y + 0*r2"
r2 = "x^2 + y^2"
motion = "(v_x^2 + v_y^2)/2"
pull = "2*lambda_1*l"
spare = 3

[dynamics]
mass = 1.0
potential = "weight"
constraints = ["r2 - l^2"]

[observables]
total = "motion + weight"
tension = "pull + spare - 3"

[initial]
q = [1, 0]
p = [0, 0]

[run]
method = "rattle"
step = 0.01
steps = 10
"""

STATE = ("q", "p", "v", "lambda", "energy", "constraint", "evaluations")


class Definitions(ProgramTest):
    def test_change_no_bit_of_the_result(self):
        written_out = changed('potential = "g*y"', 'potential = "g*(y + 0*(x^2 + y^2))"')
        plain = self.run_json(self.write(written_out, "plain.toml"), "--steps", "500")
        named = self.run_json(self.write(NAMED, "named.toml"), "--steps", "500")
        for key in STATE:
            self.assertEqual(plain[key], named[key], key)

    def test_can_be_used_on_the_command_line(self):
        result = self.run_json(self.write(NAMED), "--steps", "500", "--stop-if", "motion > 0.1", "--event", "r2 - 2")
        self.assertEqual(result["status"], "stopped")

    def test_are_read_again_when_a_run_is_resumed(self):
        model = self.write(NAMED)
        whole = self.run_json(model, "--steps", "40")
        self.run_json(model, "--steps", "20", "--out", "a.h5")
        resumed = self.run_json("--resume", "a.h5", "--steps", "40")
        for key in STATE:
            self.assertEqual(whole[key], resumed[key], key)

    def test_of_a_long_chain_cost_what_their_graph_costs(self):
        # Written out, the last one has 2^100 operands.
        chain = 's0 = "x/4"\n' + "".join(f's{k} = "(s{k - 1}*s{k - 1} + s{k - 1})/2"\n' for k in range(1, 101))
        text = changed("[dynamics]", "[definitions]\n" + chain + "\n[dynamics]")
        result = self.run_json(self.write(changed('"g*y"', '"g*y + s100"', text)))
        self.assertEqual(result["status"], "completed")


class ADefinition(BadModelTest):
    def test_that_means_nothing_is_refused_at_its_place(self):
        for old, new, at, *says in (
            ("y + 0*r2", "y + 0*z", "z", "in the definition height", "unknown name 'z'"),
            ("y + 0*r2", "y + 0*weight", "y + 0*weight", "circularly: weight -> height -> weight"),
            ('spare = 3', 'spare = "spare + 1"', "spare + 1", "circularly: spare -> spare"),
            ("spare = 3", "x = 3", "x = 3", "'x' cannot be used", "already a coordinate"),
            ("spare = 3", "g = 3", "g = 3", "'g' cannot be used", "already a parameter"),
            ("spare = 3", "t = 3", "t = 3", "t is the time"),
            ("spare = 3", "v_a = 3", "v_a = 3", "reserved for momenta, velocities and multipliers"),
            ("spare = 3", "spare = [3]", "[3]", "expected a number or a formula"),
            ("2*lambda_1*l", "2*lambda_2*l", "lambda_2", "in the definition pull", "lambda_1"),
            ("2*lambda_1*l", "2*", "\"\n", "in the definition pull", "found the end"),
            ("total = ", "weight = ", "weight = \"motion", "already a definition"),
        ):
            with self.subTest(new):
                base = NAMED.replace(" + spare - 3", "") if "spare" in old else NAMED
                text = changed(old, new, base)
                if at == '"\n':
                    self.refused(self.write(text), says=says)
                else:
                    self.points_at(text, at, *says)

    def test_that_cannot_stand_where_it_is_used_is_named_there(self):
        for old, new, at, *says in (
            ('"weight"', '"weight + motion"', "motion\"", "in the potential", "the definition 'motion' contains 'v_x'"),
            ('"r2 - l^2"', '"r2 - pull"', "pull\"", "the definition 'pull' contains 'lambda_1'"),
            ("q = [1, 0]", 'q = ["r2", 0]', "r2\", 0", "in [initial] q", "the definition 'r2' contains 'x'"),
            ("motion + weight", "motoin + weight", "motoin", "did you mean 'motion'?"),
        ):
            with self.subTest(new):
                self.points_at(changed(old, new, NAMED), at, *says)


class InitialValues(ProgramTest):
    def test_are_set_as_if_they_stood_in_the_model(self):
        written = changed("q = [1, 0]\np = [0, 0]", 'q = ["3/5", "-4/5"]\np = [0.4, 0.3]')
        expected = self.run_json(self.write(written, "b.toml"), "--steps", "100")
        values = ("--set", "x=3/5", "--set", "y=-4/5", "--set", "p_x=0.4", "--set", "p_y=0.3")
        found = self.run_json(self.write(PENDULUM, "a.toml"), "--steps", "100", *values)
        for key in STATE:
            self.assertEqual(expected[key], found[key], key)

    def test_in_the_model_file_give_way_to_those_of_the_command_line(self):
        with_set = PENDULUM + '\n[set]\nx = "3/5"\ny = 0.8\ng = 2\n'
        result = self.run_json(self.write(with_set), "--steps", "0", "--set", "y=-4/5")
        self.assertEqual(result["q"], [0.6, -0.8])
        self.assertEqual(result["energy"]["initial"], -1.6)

    def test_are_kept_in_the_file(self):
        values = ("--set", "x=3/5", "--set", "y=-4/5")
        whole = self.run_json("pendulum", *values, "--steps", "40")
        self.run_json("pendulum", *values, "--steps", "20", "--out", "a.h5")
        with h5py.File(self.dir / "a.h5") as file:
            self.assertEqual(list(file["run/q"][0]), [0.6, -0.8])
        resumed = self.run_json("--resume", "a.h5", "--steps", "40", *values)
        for key in STATE:
            self.assertEqual(whole[key], resumed[key], key)
        self.refused("--resume", "a.h5", "--steps", "40", "--set", "x=4/5", says=["other --set values"])

    def test_of_points_have_the_names_of_coordinates(self):
        values = ("n=1", "r[0].x=0", "r[0].y=-1", "v_r[0].x=2")
        result = self.run_json("chain", *(a for v in values for a in ("--set", v)), "--steps", "0")
        self.assertEqual((result["q"], result["v"]), ([0, -1], [2, 0]))

    def test_that_are_wrong_are_refused(self):
        for values, *says in (
            (["z=1"], "no parameter 'z'", "g, l", "initial values"),
            (["p_z=1"], "no parameter 'p_z'"),
            (["x=y"], "--set x=y", "unknown name 'y'"),
            (["x="], "--set"),
            (["x=1/0"], "not a finite number"),
            (["v_x=1"], "starts x with a momentum", "set p_x instead"),
            (["x=2"], "do not satisfy the constraints", "--project"),
        ):
            with self.subTest(values):
                self.refused(self.write(PENDULUM), *(a for v in values for a in ("--set", v)), says=says)
        at_rest = self.write(changed("\np = [0, 0]", ""), "rest.toml")
        self.refused(at_rest, "--set", "p_x=1", "--set", "v_x=1", says=["either the momentum or the velocity"])
        self.refused(self.write(PENDULUM + "\n[set]\ng = [1]\n"), says=["[set] g must be a number"])

    def test_cannot_be_set_and_varied(self):
        varied = ("--vary", "x = uniform(0.6, 0.8)", "--count", "4")
        self.refused("pendulum", "--set", "x=3/5", *varied, command="ensemble", says=["is both set and varied"])
