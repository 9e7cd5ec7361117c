"""Gradients, states between nodes and certificates of mechanisms that exchange the redundant rows that they carry."""

from program import SOURCE_DIR, ProgramTest
from test_redundant import DOOR, ONE_HINGE

# From 8 rad/s the cranks make two and a half turns in two seconds, and pass a place where the rows of the start are
# dependent twice a turn.
CRANKS = SOURCE_DIR / "tests/files/mechanisms/three-cranks-in-space.toml"
PLANAR_CRANKS = SOURCE_DIR / "tests/files/mechanisms/three-cranks.toml"


class Gradients(ProgramTest):
    # What the tangents grow to, 16, times round-off, times the 400 steps of a run, some 1e-12 relative.
    ROUND_OFF = 1e-11

    def by_gravity(self, *arguments):
        result = self.libration("gradient", CRANKS, "--by", "g", *arguments, "--json")
        self.assertEqual(result.status, 0, result)
        return result.json["loss"], result.json["gradient"]["g"]

    def slope(self, *arguments):
        """Central differences; their error is that of the square of the change, and round-off divided by it."""
        change = 1e-4
        more, less = (self.by_gravity(*arguments, "--set", f"g={9.81 + sign*change}")[0] for sign in (1, -1))
        return (more - less) / (2 * change)

    def test_see_the_turns_of_now(self):
        angle, of_angle = self.by_gravity("--loss", "a1.angle")
        self.assertGreater(angle, 5)
        _, of_square = self.by_gravity("--loss", "a1.angle^2")
        self.assertAlmostEqual(of_square, 2 * angle * of_angle, delta=self.ROUND_OFF * abs(of_square))

    def test_of_integrals_see_the_turns_of_each_node(self):
        loss = ["--loss", "integral(a1.angle^2)"]
        _, found = self.by_gravity(*loss)
        self.assertAlmostEqual(found / self.slope(*loss), 1, delta=1e-7)

    def test_at_events_see_the_turns_of_now(self):
        """Where the angle is 12 its square is 144, whatever the gravity is."""
        value, found = self.by_gravity("--event", "full: a1.angle - 12", "--loss", "at(full, a1.angle^2)")
        self.assertAlmostEqual(value, 144, delta=1e-9)
        self.assertAlmostEqual(found, 0, delta=1e-9)

    def test_of_second_order_see_the_turns_of_now(self):
        def second(loss):
            arguments = ["--loss", loss, "--by", "g", "--hessian-along", "g=1", "--steps", "150", "--json"]
            result = self.libration("gradient", CRANKS, *arguments)
            self.assertEqual(result.status, 0, result)
            return result.json["loss"], result.json["gradient"]["g"], result.json["hessian_product"]["g"]

        angle, first, twice = second("a1.angle")
        _, _, of_square = second("a1.angle^2")
        expected = 2 * first**2 + 2 * angle * twice
        self.assertAlmostEqual(of_square, expected, delta=self.ROUND_OFF * abs(expected))

    def test_of_measurements_between_nodes_exchange_rows_as_the_run_does(self):
        """On the way to the times given, the dense output passes places where rows of the start are dependent."""
        rows = "".join(f"{0.0213 + k / 20},{k / 2}\n" for k in range(40))
        data = ["--data", self.write("t,a1.angle\n" + rows, "measured.csv")]
        _, found = self.by_gravity(*data)
        self.assertAlmostEqual(found / self.slope(*data), 1, delta=1e-6)

    def test_at_events_exchange_rows_as_the_run_does(self):
        """At the angle pi, where rows of the start are dependent. The time of the event moves so that the angle stays."""
        event = ["--event", "half: k1.Q[2,1]"]
        value, found = self.by_gravity(*event, "--loss", "at(half, a1.angle)")
        self.assertAlmostEqual(value, 3.141592653589793 - 1, delta=1e-12)
        self.assertAlmostEqual(found, 0, delta=1e-12)
        _, found = self.by_gravity(*event, "--loss", "at(half, t)")
        self.assertAlmostEqual(found / self.slope(*event, "--loss", "at(half, t)"), 1, delta=1e-6)


class Analyses(ProgramTest):
    def certificate(self, *arguments):
        result = self.libration("certify", *arguments, "--json")
        self.assertIn(result.status, (0, 1), result)
        return {one["claim"]: one for one in result.json["certificates"][0]["claims"]}

    def test_certificates_contradict_nothing_where_rows_are_exchanged(self):
        """On the way from the angle 1 through 0 to -2, and in the long run, which swings; steps carry rows of the start."""
        findings = self.certificate("rattle", PLANAR_CRANKS, "--step", "0.01", "--duration", "1")
        contradicted = [claim for claim, one in findings.items() if one["verdict"] == "contradicted"]
        self.assertEqual(contradicted, [], findings)
        for claim in ("order of q", "order of p", "symmetry", "symplecticity", "position residual", "hidden residual",
                      "energy", "explicitness"):
            self.assertEqual(findings[claim]["verdict"], "confirmed", findings[claim])

    def analysis(self, what, model, *arguments):
        self.run_json(model, *arguments, "--out", "run.h5", "--overwrite")
        options = ["--option", "count=all"] if what == "lyapunov" else []
        result = self.libration("analyse", "run.h5", "--what", what, *options, "--json")
        self.assertEqual(result.status, 0, result)
        return result.json["analyses"][0]["numbers"]

    def doors(self, what):
        return [self.analysis(what, self.write(text), "--step", "0.01", "--duration", "4") for text in (DOOR, ONE_HINGE)]

    def test_lyapunov_exponents_of_a_door_on_two_hinges_are_those_on_one(self):
        two, one = self.doors("lyapunov")
        self.assertEqual((two["dimension"], one["dimension"]), (2, 2))
        # The same vectors and the same manifold: 400 steps of round-off, as in the motions of both.
        for name in ("exponent_1", "exponent_2", "sum"):
            self.assertAlmostEqual(two[name], one[name], delta=1e-9)

    def test_areas_of_a_door_on_two_hinges_are_those_on_one(self):
        two, one = self.doors("transport")
        self.assertGreater(one["area_start"], 1e-6)
        for name in ("area_start", "area_1", "area_2", "area_3"):
            self.assertAlmostEqual(two[name], one[name], delta=1e-9 * one["area_start"])

    def test_of_tangents_and_of_sets_pass_where_rows_are_exchanged(self):
        numbers = self.analysis("lyapunov", CRANKS, "--duration", "1.1")
        self.assertEqual(numbers["dimension"], 2)
        self.assertLess(numbers["tangent_residual"], 1e-12)
        # A symplectic method keeps areas up to how accurately they are found.
        numbers = self.analysis("transport", CRANKS, "--duration", "0.3")
        self.assertLess(abs(numbers["change"]), 10 * numbers["error"])
