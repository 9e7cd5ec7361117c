"""The certificate of a method: a table for people, an object for programs, a page for the documentation."""

import re

import program
from program import ProgramTest

CLAIMS = ["order of q", "order of p", "order of lambda", "symmetry", "symplecticity", "position residual", "hidden residual",
          "energy", "momentum map", "volume", "gradient", "explicitness"]

OSCILLATOR = """
name = "oscillator"
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1.0
potential = "(x^2 + y^2)/2 + x^2*y"
[initial]
q = [0.2, 0.1]
v = [0.1, 0.3]
"""


class Certify(ProgramTest):
    def test_prints_claims_measurements_and_the_ladder(self):
        result = self.libration("certify", "rattle", "double-pendulum")
        self.assertEqual((result.status, result.stderr), (0, ""))
        for claim in CLAIMS:
            self.assertRegex(result.stdout, rf"(?m)^  {claim} ")
        self.assertRegex(result.stdout, r"(?m)^  order of lambda +2 +2\.0\d +confirmed$")
        self.assertRegex(result.stdout, r"(?m)^  volume +- +- +not applicable$")
        self.assertRegex(result.stdout, r"(?m)^ +40 +0\.125 +\d\.\d\de-\d\d")

    def test_starts_on_the_constraints_of_its_own_precision(self):
        # 17 digits are off the circle by 1e-17, which is far in quadruple precision.
        model = self.write('''
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1
potential = "y"
constraints = ["x^2 + y^2 - 1"]
[initial]
q = [0.644217687237691, -0.7648421872844885]
v = ["0.4*0.7648421872844885", "0.4*0.644217687237691"]
''')
        result = self.libration("certify", "lobatto(3)", model)
        self.assertEqual(result.status, 0, result.stdout)
        self.assertRegex(result.stdout, r"(?m)^  symmetry +yes .* confirmed$")

    def test_as_json_has_one_entry_for_every_problem_that_fits(self):
        result = self.libration("certify", "verlet", "--json")
        self.assertEqual(result.status, 0)
        certificates = result.json["certificates"]
        self.assertEqual([c["model"] for c in certificates], ["henon-heiles", "kepler", "reversible-field", "toda"])
        for certificate in certificates:
            self.assertTrue(certificate["confirmed"])
            self.assertEqual([c["claim"] for c in certificate["claims"]], CLAIMS)
            self.assertLessEqual({c["verdict"] for c in certificate["claims"]}, {"confirmed", "not applicable"})
            self.assertLess(certificate["reference"]["accuracy"], 1e-30)
            errors = [rung["q"] for rung in certificate["ladder"]]
            self.assertEqual(errors, sorted(errors, reverse=True))

    def test_of_a_model_of_the_user(self):
        result = self.libration("certify", "verlet", self.write(OSCILLATOR), "--step", "0.5", "--json")
        self.assertEqual(result.status, 0)
        (certificate,) = result.json["certificates"]
        verdicts = {c["claim"]: c["verdict"] for c in certificate["claims"]}
        self.assertEqual({verdicts[claim] for claim in ("order of q", "order of p", "symmetry", "symplecticity", "energy")},
                         {"confirmed"})

    def test_contradicts_a_momentum_that_the_model_only_says_is_kept(self):
        text = OSCILLATOR + '[observables]\nL = "x*p_y - y*p_x"\ninvariants = ["L"]\n'
        result = self.libration("certify", "verlet", self.write(text), "--step", "0.5", "--json")
        self.assertEqual(result.status, 1)
        (certificate,) = result.json["certificates"]
        self.assertFalse(certificate["confirmed"])
        self.assertEqual([c["claim"] for c in certificate["claims"] if c["verdict"] == "contradicted"], ["momentum map"])

    def test_refuses_what_cannot_be_certified(self):
        for arguments, says in ((["verlet", "pendulum"], "without constraints"),
                                (["ratle"], "did you mean 'rattle'"),
                                (["rattle", "pendullum"], "pendulum"),
                                ([], "which method"),
                                (["rattle", "--all"], "omit METHOD"),
                                (["rattle", "--step", "0.1"], "need a MODEL"),
                                (["rattle", "pendulum", "--step", "-1"], "positive")):
            with self.subTest(arguments):
                result = self.libration("certify", *arguments)
                self.assertEqual((result.status, result.stdout), (2, ""))
                self.assertIn(says, result.stderr)

    def test_page_of_the_documentation_is_up_to_date(self):
        page = (program.SOURCE_DIR / "docs" / "certificates.md").read_text(encoding="utf-8")
        self.assertIn("`libration certify --all --markdown`", page)
        rows = re.findall(r"(?m)^\| `([^`]+)` \| (\S+) \|.*\| ([^|]+) \|$", page)
        self.assertTrue(rows)
        named = {method.split("(")[0] for method, _, _ in rows}
        self.assertEqual(named, {record["spec"].split("(")[0]
                                 for record in self.libration("methods", "--json").json["methods"]})


LATE_KINK = """
name = "late-kink"
[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1.0
potential = "(x^2 + y^2)/2 + 0.1*x*y + x^4/100 + if(x > 0.6, x - 0.6, 0)"
[initial]
q = [0.05, 1]
v = [0, 0.1]
[run]
step = 0.005
duration = 30
"""


class Window(ProgramTest):
    def verdicts(self, *arguments):
        (certificate,) = self.libration("certify", *arguments, "--json").json["certificates"]
        return certificate["window"], {c["claim"]: c["verdict"] for c in certificate["claims"]}

    def test_covers_the_duration_of_the_model_and_is_printed(self):
        model = self.write(LATE_KINK)
        window, verdicts = self.verdicts("verlet", model)
        self.assertEqual((window["length"], window["duration"], window["kinks"]), (30, 30, True))
        self.assertNotEqual(verdicts["order of q"], "confirmed")
        self.assertIn("Orders over 0 <= t <= 30, across kinks", self.libration("certify", "verlet", model).stdout)

    def test_of_a_smooth_model_confirms(self):
        window, verdicts = self.verdicts("verlet", self.write(LATE_KINK.replace("0.6", "6")))
        self.assertEqual((window["length"], window["kinks"]), (30, False))
        self.assertEqual(verdicts["order of q"], "confirmed")

    def test_as_given_is_kept(self):
        window, verdicts = self.verdicts("verlet", self.write(LATE_KINK), "--duration", "2")
        self.assertEqual((window["length"], window["shorter"]), (2, "as given"))
        self.assertEqual(verdicts["order of q"], "confirmed")

    def test_names_a_kink_that_comes_later(self):
        chaotic = LATE_KINK.replace("0.1*x*y + x^4/100", "x^2*y - y^3/3").replace("[0.05, 1]", "[0, -0.1]").replace(
            "[0, 0.1]", "[0.45, 0.1]").replace("if(x > 0.6, x - 0.6, 0)", "if(t > 300, x, 0)").replace("= 30", "= 400").replace("0.005", "0.05")
        window, verdicts = self.verdicts("verlet", self.write(chaotic))
        self.assertLess(window["length"], 300)
        self.assertIn("at t = 300", window["later"])
        self.assertEqual(verdicts["order of q"], "not measurable")

    def test_small_steps_do_not_contradict_what_they_cannot_show(self):
        # The defect of the tangent map is below the round-off of double, but not of quadruple precision.
        _, verdicts = self.verdicts("multistep(8)", "henon-heiles", "--step", "0.001")
        self.assertEqual(verdicts["symplecticity"], "confirmed")
        _, verdicts = self.verdicts("multistep(8)", "henon-heiles", "--step", "0.0001")
        self.assertEqual(verdicts["symplecticity"], "not measurable")
