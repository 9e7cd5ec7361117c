"""Forces beside the energy: what check and run say of them before the first step."""

from program import PENDULUM, ProgramTest

SWING = PENDULUM.replace("p = [0, 0]", "p = [0, 0.5]").replace("rattle", "spark(2)")


def with_force(kind, on):
    return SWING + f'\n[[forces]]\nname = "damper"\nclass = "{kind}"\non = {on}\n'


class AForce(ProgramTest):
    def test_that_contradicts_its_class_is_warned_of(self):
        model = self.write(with_force("dissipative", '{ y = "2*v_y" }'))
        says = "'damper' is declared dissipative but adds energy: its power is +0.5 at t = 0, v_y = 0.5"
        result = self.libration("check", model)
        self.assertEqual(result.status, 0, result)
        self.assertIn("warning: the force " + says, result.stderr)
        found = self.libration("check", model, "--json").json
        self.assertTrue(found["ok"])
        self.assertEqual(len(found["warnings"]), 1)
        self.assertIn(says, found["warnings"][0])
        for fine in (with_force("dissipative", '{ y = "-2*v_y" }'), with_force("driving", '{ y = "2*v_y" }'), SWING):
            result = self.libration("check", self.write(fine))
            self.assertEqual((result.status, result.stderr), (0, ""), result)

    def test_changes_the_energy_and_the_summary_says_so(self):
        result = self.libration("run", self.write(with_force("dissipative", '{ x = "-v_x", y = "-v_y" }')))
        self.assertEqual(result.status, 0, result)
        self.assertIn("not conserved: forces do work", result.stdout)

    def test_that_leaves_the_multipliers_undetermined_is_refused(self):
        model = self.write(with_force("stiff", '{ x = "2*x*lambda_1", y = "2*y*lambda_1" }'))
        for command in ("check", "run"):
            with self.subTest(command):
                result = self.libration(command, model)
                self.assertEqual(result.status, 2, result)
                self.assertIn("the force 'damper'", result.stderr)
