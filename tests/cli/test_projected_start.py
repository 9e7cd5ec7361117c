"""`--project` of the commands that study a model: they start where a run with `--project` starts."""

from program import ProgramTest

# Off the circle, and not along it.
ROUGH = """
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1.0
potential = "y"
constraints = ["x^2 + y^2 - 1"]
[initial]
q = [1, 0.3]
v = [0.5, 0.5]
[run]
step = 0.02
duration = 3
"""
# No position is on both circles.
CONTRADICTION = ROUGH.replace('["x^2 + y^2 - 1"]', '["x^2 + y^2 - 1", "(x - 9)^2 + y^2 - 1"]')


class AProjectedStart(ProgramTest):
    def test_is_checked_and_described(self):
        model = self.write(ROUGH)
        given = self.libration("check", model)
        self.assertEqual(given.status, 2)
        self.assertIn("let --project move them", given.stderr)
        self.assertNotIn("start", self.libration("check", model, "--json").json)
        shown = self.libration("check", model, "--project")
        self.assertEqual((shown.status, shown.stderr), (0, ""))
        self.assertRegex(shown.stdout, r"(?m)^  start +projected: moved q by at most 0\.0422 \(x\), p by at most "
                                       r"0\.596 \(p_x\)$")
        found = self.libration("check", model, "--project", "--json").json
        run = self.run_json(model, "--method", "rattle", "--project")
        self.assertEqual(found["start"], run["start"])
        self.assertEqual(found["energy"], run["energy"]["initial"])
        self.assertLess(found["constraint"]["max"], 1e-15)
        self.assertLess(found["constraint"]["hidden_max"], 1e-15)

    def test_of_consistent_values_stays_where_it_is(self):
        found = self.libration("check", "pendulum", "--project", "--json").json
        self.assertLess(max(found["start"]["q"], found["start"]["p"]), 1e-15)

    def test_takes_the_place_of_an_assembly_as_in_a_run(self):
        model = self.write(ROUGH + "[assembly]\n")
        found = self.libration("check", model, "--project", "--json").json
        self.assertNotIn("assembly", found)
        self.assertEqual(found["start"], self.run_json(model, "--method", "rattle", "--project")["start"])

    def test_that_does_not_exist_is_a_fault_as_in_a_run(self):
        model = self.write(CONTRADICTION)
        found = self.libration("check", model, "--project")
        self.assertEqual(found.status, 2)
        self.assertIn("not ready", found.stdout)
        self.assertIn("could not be projected", found.stderr)
        for command in (["compare", model], ["certify", "rattle", model]):
            with self.subTest(command):
                self.refused(*command[1:], "--project", command=command[0], says=["could not be projected"])

    def test_is_that_of_a_certificate(self):
        model = self.write(ROUGH)
        self.refused("rattle", model, command="certify", says=["do not satisfy the constraints", "--project"])
        result = self.libration("certify", "rattle", model, "--project", "--step", "0.1", "--duration", "1", "--json")
        self.assertEqual(result.status, 0, result)
        (certificate,) = result.json["certificates"]
        self.assertTrue(certificate["confirmed"])
        self.assertLess(certificate["reference"]["accuracy"], 1e-20)
        self.refused("rattle", "--project", command="certify", says=["--project", "need a MODEL"])

    def test_of_a_built_in_problem_does_not_use_the_exact_solution_of_another_start(self):
        result = self.libration("certify", "rattle", "spherical-pendulum", "--project", "--json")
        self.assertEqual(result.status, 0, result)
        self.assertTrue(result.json["certificates"][0]["confirmed"])
