"""A model that a method cannot integrate: what it lacks, and which methods would do."""

import re

from bad_models import changed
from program import OSCILLATOR, PENDULUM, ProgramTest


class AMethod(ProgramTest):
    def refused_by_needs(self, text, method, missing, fitting, unfitting):
        """The message says what the model lacks and names suitable methods, and those do run it."""
        message = self.refused_model(text, "--method", method, says=[method.split("(")[0], missing, "suitable methods"])
        named = re.findall(r"[\w-]+(?:\([^()]*\))?", message.split("suitable methods: ")[1])
        self.assertIn(fitting, named)
        self.assertNotIn(unfitting, named)
        self.run_json("model.toml", "--method", fitting, "--steps", "2")

    def test_that_the_method_cannot_integrate_is_refused_by_its_needs(self):
        free = OSCILLATOR.replace('mass = 1.0\npotential = "x^2/2"', 'hamiltonian = "p_x^2*(1 + x^2)/2 + x^2/2"')
        on_rod = changed('mass = 1.0\npotential = "g*y"', 'hamiltonian = "(p_x^2 + p_y^2)/2 + g*y"')
        split = '[dynamics.potential]\nslow = "x"\nfast = "x^2/2"\n'
        self.refused_by_needs(on_rod, "shake", "separable Hamiltonian", "rattle", "shake")
        self.refused_by_needs(free, "leapfrog", "separable Hamiltonian", "verlet", "leapfrog")
        self.refused_by_needs(free, "volume", "blocks", "midpoint", "volume")
        self.refused_by_needs(PENDULUM, "respa(3)", "split potential", "shake", "respa(2)")
        self.refused_by_needs(OSCILLATOR, "respa(3)", "split potential", "leapfrog", "respa(2)")
        self.refused_by_needs(OSCILLATOR, "dirac-gauss(2)", "needs constraints", "gauss(1)", "dirac-gauss(1)")
        self.run_json(self.write(OSCILLATOR.replace('potential = "x^2/2"\n', split)), "--method", "respa(3)")

    def test_of_a_field_is_refused_by_methods_for_hamiltonians(self):
        for method in ("rattle", "verlet", "leapfrog", "respa(2)"):
            with self.subTest(method):
                self.refused("abc-flow", "--method", method, says=[method, "field", "suitable methods", "volume"])

    def test_that_loses_its_way_with_constraints_is_not_advised(self):
        message = self.refused_model(PENDULUM, "--method", "verlet", says=["suitable methods"])
        named = re.findall(r"[\w-]+(?:\([^()]*\))?", message.split("suitable methods: ")[1])
        self.assertIn("lobatto(2)", named)
        for counter_example in ("gauss(1)", "radau(2)", "projected-gauss(2)", "bdf(2)"):
            self.assertNotIn(counter_example, named)

    def test_that_diverges_with_constraints_is_warned_of(self):
        result = self.libration("run", self.write(PENDULUM), "--method", "gauss(2)")
        self.assertEqual(result.status, 0, result)
        self.assertIn("gauss(2): diverges with constraints", result.stderr)
        result = self.libration("run", self.write(OSCILLATOR), "--method", "gauss(2)")
        self.assertNotIn("diverges", result.stderr)

    def test_need_not_be_named(self):
        forced = '\n[[forces]]\nname = "drag"\nclass = "dissipative"\non = { x = "-v_x" }\n'
        field = '[coordinates]\nq = ["x"]\n[field]\nq = { x = "-x" }\n[initial]\nq = [1]\n[run]\nstep = 0.1\nsteps = 3\n'
        unnamed = {
            "rattle": PENDULUM,
            "verlet": OSCILLATOR,
            "spark(3)": PENDULUM + forced,
            "spark(3) ": OSCILLATOR + forced,
            "gauss(2)": field,
            "gauss(2) ": OSCILLATOR.replace("mass = 1.0", 'mass = "1 + x^2"'),
            "gauss(2)  ": OSCILLATOR.replace('mass = 1.0\npotential = "x^2/2"', 'kinetic = "(2 + x)*v_x^2"'),
            "gauss(2)   ": OSCILLATOR.replace('mass = 1.0\npotential = "x^2/2"', 'hamiltonian = "p_x^2*(1 + x^2)"'),
            "rattle ": changed('mass = 1.0\npotential = "g*y"', 'hamiltonian = "(p_x^2 + p_y^2)/2 + g*y"'),
        }
        for method, text in unnamed.items():
            with self.subTest(method):
                text = re.sub(r"^method = .*\n", "", text, flags=re.M)
                self.assertEqual(self.run_json(self.write(text))["method"], method.strip())
