"""Nonholonomic constraints: what check, run, output files and resumed runs make of them."""

from program import ProgramTest

SKATE = """
[coordinates]
q = ["x", "y", "phi"]
[dynamics]
mass = [1, 1, 0.5]
potential = "x"
nonholonomic = { blade = "v_y*cos(phi) - v_x*sin(phi)" }
[initial]
q = [0, 0, 0.5]
v = [1, 1, 1]
"""
STEPS = ("--step", "0.05", "--steps", "20")


class ARollingModel(ProgramTest):
    def test_runs_with_its_own_method_and_keeps_its_constraints(self):
        for problem, multipliers in (("rolling-disk", 2), ("chaplygin-sleigh", 1)):
            with self.subTest(problem):
                run = self.run_json(problem)
                self.assertEqual(run["method"], "spark(3)")
                self.assertEqual(len(run["lambda"]), multipliers)
                self.assertEqual(run["constraint"]["max"], 0)
                self.assertLess(run["constraint"]["hidden_max"], 1e-14)
                self.assertTrue(self.libration("check", problem, "--json").json["ok"])

    def test_that_no_velocity_can_satisfy_is_refused_with_what_to_do(self):
        model = self.write(SKATE.replace("v_y*cos(phi) - v_x*sin(phi)", "v_x^2 + v_y^2 + 1"))
        self.refused(model, *STEPS, "--project", says=["blade", "after --project, which did not converge"])

    def test_that_starts_off_its_constraint_is_refused_or_projected(self):
        model = self.write(SKATE)
        self.refused(model, *STEPS, says=["largest |k| = 0.398 (blade)", "--project"])
        run = self.run_json(model, *STEPS, "--project")
        self.assertEqual(run["method"], "spark(3)")  # without [run] method
        self.assertLess(run["constraint"]["hidden_max"], 1e-14)

    def test_is_refused_by_other_methods(self):
        self.refused("rolling-disk", "--method", "rattle", says=["nonholonomic constraints", "spark("])

    def test_has_columns_for_its_multipliers_and_can_be_resumed(self):
        self.run_json("chaplygin-sleigh", "--steps", "3", "--out", "a.csv")
        header = (self.dir / "a.csv").read_text().splitlines()[0]
        self.assertEqual(header, "t,x,y,phi,p_x,p_y,p_phi,v_x,v_y,v_phi,lambda_blade,energy,constraint,hidden,along")
        whole = self.run_json("rolling-disk", "--steps", "30", "--out", "a.h5")
        self.run_json("rolling-disk", "--steps", "11", "--out", "b.h5")
        resumed = self.run_json("--resume", "b.h5", "--steps", "30")
        for key in ("q", "p", "v", "lambda", "energy", "constraint", "steps"):
            self.assertEqual(resumed[key], whole[key], key)

    def test_whose_reactions_do_work_says_so(self):
        driven = SKATE.replace("v_x*sin(phi)", "v_x*sin(phi) - 1").replace("[1, 1, 1]", "[0, 0, 1]")
        result = self.libration("run", self.write(driven), *STEPS, "--project")
        self.assertEqual(result.status, 0, result)
        self.assertIn("not conserved: reactions of nonholonomic constraints do work", result.stdout)

    def test_whose_reactions_do_no_work_conserves_the_energy_whatever_divides_it(self):
        divided = SKATE.replace("v_y*cos(phi) - v_x*sin(phi)", "(v_y*cos(phi) - v_x*sin(phi))/sqrt(2 + x)")
        factor = SKATE.replace("v_y*cos(phi) - v_x*sin(phi)", "3/sqrt(2 + x)*(v_y*cos(phi) - v_x*sin(phi))")
        for text in (divided, factor):
            run = self.run_json(self.write(text), *STEPS, "--project")
            self.assertTrue(run["energy"]["conserved"])
        constant = SKATE.replace("v_x*sin(phi)", "v_x*sin(phi) - (0*x + 1)/sqrt(2 + x)").replace("[1, 1, 1]", "[0, 0, 1]")
        self.assertFalse(self.run_json(self.write(constant), *STEPS, "--project")["energy"]["conserved"])
