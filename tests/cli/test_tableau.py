"""The laboratory of Runge-Kutta methods: coefficients, conditions, stability, orders, in words and as JSON."""

import math
import re

from program import SOURCE_DIR, ProgramTest


class Tableau(ProgramTest):
    def json_of(self, *arguments):
        result = self.libration("tableau", *arguments, "--json")
        self.assertEqual((result.status, result.stderr), (0, ""), result)
        return result.json

    def test_shows_lobatto_iiic(self):
        report = self.json_of("lobatto-c", 3)
        self.assertEqual((report["name"], report["stages"], report["spark"]), ("lobatto-c", 3, None))
        family, = report["families"]
        self.assertEqual(family["family"], "Lobatto IIIC")
        self.assertEqual(family["exact"]["A"], [["1/6", "-1/3", "1/6"], ["1/6", "5/12", "-1/12"], ["1/6", "2/3", "1/6"]])
        self.assertEqual((family["c"], family["b"]), ([0, 0.5, 1], [1 / 6, 2 / 3, 1 / 6]))
        self.assertEqual(family["A"][1], [1 / 6, 5 / 12, -1 / 12])
        self.assertEqual((family["B"], family["C"], family["D"], family["order"]), (4, 2, 2, 4))
        self.assertAlmostEqual(family["measured_order"]["value"], 4, 1)
        self.assertEqual(family["w_transform"]["exact"][2], ["0", "sqrt(15)/12", "5/8"])
        self.assertAlmostEqual(family["w_transform"]["sigma"], 2.5, 14)
        function = family["stability_function"]
        self.assertEqual(function["exact"]["denominator"], ["1", "-3/4", "1/4", "-1/24"])
        self.assertEqual((function["pade"], function["order"]), ([1, 3], 4))
        self.assertAlmostEqual(function["modulus_at_10i"], 0.0645, 4)
        self.assertEqual([family[key] for key in ("a_stable", "l_stable", "p_stable", "explosive",
                                                  "algebraically_stable", "dilatative")],
                         [True, True, False, False, True, False])
        self.assertEqual(family["symplectic_conjugate"], "Lobatto IIIC*")
        self.assertFalse(family["symplectic"]["holds"])
        pair, = report["pairs"]
        self.assertTrue(pair["symplectic"]["holds"])
        self.assertEqual((pair["momenta"], pair["order"], pair["constrained_order"]), ("Lobatto IIIC*", 4, None))

    def test_shows_the_same_in_words(self):
        text = self.libration("tableau", "lobatto-c", 3).stdout
        for words in ("1/2  |  1/6  5/12  -1/12", "0.41666666666666667", "B(4) C(2) D(2)", "diag(1, ..., 1, 5/2)",
                      "1 - 3/4 z + 1/4 z^2 - 1/24 z^3", "Padé approximation (1, 3)", "0.06449 at 10"):
            self.assertIn(words, text)
        self.assertRegex(text, r"A-stable +yes")
        self.assertRegex(text, r"L-stable +yes")
        self.assertRegex(text, r"P-stable +no")
        for line in text.splitlines():
            self.assertEqual(line, line.rstrip())

    def test_roots_are_found(self):
        self.assertIn("(11 + sqrt(5))/120", self.libration("tableau", "lobatto", 4).stdout)
        gauss = self.json_of("gauss", 7)["families"][0]
        self.assertEqual((gauss["exact"]["b"][3], gauss["exact"]["b"][2]), ("256/1225", None))

    def test_the_pair_shows_its_interval_of_periodicity(self):
        for stages, end in ((2, 2), (3, math.sqrt(8)), (4, 3.11271764816422), (5, 3.14044510083094)):
            pair, = self.json_of("lobatto", stages)["pairs"]
            self.assertEqual(pair["periodicity"]["kind"], "interval")
            self.assertAlmostEqual(pair["periodicity"]["end"], end, 12)
            self.assertEqual(pair["constrained_order"], {"position": 2 * stages - 2, "momentum": 2 * stages - 2})
            self.assertEqual((pair["CC"], pair["DD"]), (stages, stages))
        self.assertIn("= sqrt(8)", self.libration("tableau", "lobatto", 3).stdout)

    def test_spark_shows_all_families_and_conditions(self):
        report = self.json_of("spark", 3)
        self.assertEqual([family["family"][8:] for family in report["families"]], ["IIIA", "IIIB", "IIIC", "IIIC*", "IIID"])
        self.assertEqual([condition["name"] for condition in report["spark"]["conditions"]],
                         ["(S1)", "(21a)", "(21b)", "(21c)", "(35)", "(36)", "(37)"])
        self.assertTrue(all(condition["holds"] for condition in report["spark"]["conditions"]))
        self.assertEqual(report["spark"]["order"], {"position": 4, "momentum": 4})
        self.assertAlmostEqual(report["spark"]["measured_order"]["value"], 4, 1)
        self.assertEqual(report["families"][4]["exact"]["A"][2], ["1/12", "5/6", "1/12"])
        text = self.libration("tableau", "spark", 3).stdout
        self.assertEqual(text.count("holds, defect"), 7)

    def test_pairs_of_many_stages_are_not_p_stable(self):
        for name, stages, passed_over in (("lobatto-c", 16, 1), ("lobatto-cstar", 20, 1), ("radau", 15, 0), ("lobatto-c", 40, 8)):
            with self.subTest(name, stages=stages):
                periodicity = self.json_of(name, stages)["pairs"][0]["periodicity"]
                self.assertEqual((periodicity["kind"], periodicity["passed_over"]), ("interval", passed_over))
                self.assertAlmostEqual(periodicity["end"], (passed_over + 1) * math.pi, 12)
        self.assertRegex(self.libration("tableau", "lobatto-c", 20).stdout,
                         r"0 < mu < 6.283185307, then unstable over an interval of length 1.03e-26 \(1 earlier, narrower than round-off\)")

    def test_conditions_that_always_hold_say_so(self):
        self.assertIn("CC(1) DD(any)", self.libration("tableau", "radau", 1).stdout)
        pair, = self.json_of("radau", 1)["pairs"]
        self.assertEqual((pair["CC"], pair["DD"], pair["order"]), (1, "any", 1))
        self.assertIn("CC(1) DD(1)", self.libration("tableau", "gauss", 1).stdout)

    def test_the_documented_report_is_the_one_printed(self):
        page = (SOURCE_DIR / "docs" / "tableaux.md").read_text(encoding="utf-8")
        shown = page.split("\nprints\n\n")[1].split("\n## ")[0]
        shown = "\n".join(line.removeprefix("    ") for line in shown.splitlines())
        printed = self.libration("tableau", "lobatto-c", 3).stdout
        without_round_off = [re.sub(r"[0-9.]+e-[0-9]+", "...", text.strip()) for text in (shown, printed)]
        self.assertEqual(*without_round_off)

    def test_refuses_what_there_is_not(self):
        for arguments, says in (([], ["the tableau is missing", "lobatto-c 3"]),
                                (["gauss"], ["number of stages", "gauss 3"]),
                                (["guass"], ["did you mean 'gauss'?"]),
                                (["guass", "3"], ["'guass'", "did you mean 'gauss'?"]),
                                (["lobatto-e", "3"], ["did you mean 'lobatto-"]),
                                (["Lobatto-C", "3"], ["did you mean 'lobatto-c'?"]),
                                (["GAUSS", "3"], ["did you mean 'gauss'?"]),
                                (["lobatto-c*", "3"], ["'lobatto-c*'", "did you mean 'lobatto-cstar'?"]),
                                (["x", "3"], ["known are lobatto-a", "spark"]),
                                (["lobatto-a", "1"], ["2 to 40", "not 1"]),
                                (["spark", "41"], ["2 to 40", "not 41"]),
                                (["gauss", "0"], ["1 to 40"]),
                                (["gauss", "-3"], ["1 to 40", "-3"]),
                                (["gauss", "three"], ["S = three"]),
                                (["gauss", "3.0"], ["S = 3.0"]),
                                (["gauss", "99999999999999999999"], ["S = 99999999999999999999"]),
                                (["gauss", "3", "4"], ["'4'"])):
            with self.subTest(arguments):
                self.refused(*arguments, command="tableau", says=says)
