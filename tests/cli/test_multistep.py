"""The laboratory of symmetric multistep methods: coefficients, roots, verdicts, search and picture."""

import math
import re
import xml.etree.ElementTree as ElementTree

from program import ProgramTest


class Multistep(ProgramTest):
    def json_of(self, *arguments):
        result = self.libration("multistep", *arguments, "--json")
        self.assertEqual((result.status, result.stderr), (0, ""), result)
        return result.json

    def test_shows_the_method_of_the_paper(self):
        report = self.json_of(6, "-0.7", "0.4")
        self.assertEqual(report["spec"], "multistep(6, -0.7, 0.4)")
        self.assertEqual((report["k"], report["default"], report["good"], report["nearest"]), (6, False, True, None))
        exact = report["exact"]
        self.assertEqual(exact["rho"], ["1", "-13/5", "77/25", "-74/25", "77/25", "-13/5", "1"])
        self.assertEqual(exact["sigma"], ["0", "3829/3000", "-587/375", "1129/500", "-587/375", "3829/3000", "0"])
        self.assertEqual(exact["rho_tilde"], ["1", "-3/5", "22/25", "-3/5", "1"])
        self.assertEqual(exact["momentum"], ["1/60", "-2/15", "37/60", "37/60", "-2/15", "1/60"])
        self.assertEqual(report["sigma"][1], 3829 / 3000)
        self.assertTrue(report["condition_12"]["holds"] and report["condition_13"]["holds"])
        self.assertAlmostEqual(report["condition_12"]["margin"], 0.6, 12)
        self.assertAlmostEqual(report["periodicity"], 0.7215, 3)
        self.assertAlmostEqual(report["rho_roots"][0]["angle"], math.acos(0.7), 12)
        self.assertEqual([root["modulus"] for root in report["sigma_roots"]], [1, 1])

    def test_shows_the_same_in_words(self):
        text = self.libration("multistep", 6, "-0.7", "0.4").stdout
        for words in ("3829/3000", "1.2763333333333333", "(12) roots of rho", "(13) roots of sigma", "0.721756",
                      '--method "multistep(6, -0.7, 0.4)"', "1/60, -2/15, 37/60"):
            self.assertIn(words, text)
        self.assertEqual(len(re.findall(r"\bholds\b", text)), 2)
        self.assertNotIn("nearest", text)

    def test_defaults_exist_up_to_ten_steps_and_are_good(self):
        for k in (2, 4, 6, 8, 10):
            report = self.json_of(k)
            self.assertTrue(report["default"] and report["good"], k)
            self.assertEqual(len(report["a"]), k // 2 - 1)
            self.assertIn(", the default", self.libration("multistep", k).stdout)
        self.assertAlmostEqual(self.json_of(2)["periodicity"], 2, 12)

    def test_what_violates_13_is_shown_with_the_reason_and_a_way_out(self):
        report = self.json_of(6, "-0.1", "0.4")
        self.assertFalse(report["condition_13"]["holds"] or report["good"])
        self.assertIn("1.315", report["condition_13"]["fault"])
        self.assertAlmostEqual(report["sigma_roots"][-1]["modulus"], 1.31457, 5)
        self.assertIsNone(report["sigma_response"])
        better = self.json_of(6, *report["nearest"])
        self.assertTrue(better["good"])
        text = self.libration("multistep", 6, "-0.1", "0.4").stdout
        self.assertIn("Not suitable for constrained systems", text)
        self.assertIn("nearest good choice", text)

    def test_the_boundary_is_pointed_out(self):
        text = self.libration("multistep", 6, "0.66", "-0.26").stdout
        self.assertIn("Near the stability boundary", text)

    def test_numbers_may_be_written_short(self):
        self.assertEqual(self.json_of(6, "-.7", "+.4")["spec"], "multistep(6, -0.7, 0.4)")

    def test_implicit_methods(self):
        report = self.json_of(2, "--beta", "0.1")
        self.assertEqual((report["spec"], report["default"]), ("multistep(2, beta=0.1)", False))
        self.assertEqual(report["exact"]["sigma"], ["1/10", "4/5", "1/10"])
        self.assertAlmostEqual(report["periodicity"], 2 / math.sqrt(0.6), 12)
        self.assertFalse(self.json_of(2, "--beta", "0.083333333333333333")["condition_13"]["holds"])

    def test_search_finds_good_ones_and_compares_what_was_given(self):
        found = self.json_of(6, "--search")["candidates"]
        self.assertTrue(found)
        self.assertEqual([rating["merit"] for rating in found], sorted((r["merit"] for r in found), reverse=True))
        for rating in found:
            self.assertTrue(self.json_of(6, *rating["a"])["good"], rating)
        text = self.libration("multistep", 6, "--search").stdout
        self.assertIn("the default", text)
        self.assertIn("violates (12) or (13)  given", self.libration("multistep", 6, "-0.1", "0.4", "--search").stdout)
        self.assertTrue(self.json_of(12, "--search")["candidates"])  # no defaults there

    def test_region_draws_a_picture(self):
        result = self.libration("multistep", 6, "--region", "region.svg")
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertIn("region.svg", result.stdout)
        text = (self.dir / "region.svg").read_text(encoding="utf-8")
        ElementTree.fromstring(text)
        for words in ("condition (13)", "(A) of the paper", "(B) of the paper", "the default (-0.5, 0.8)"):
            self.assertIn(words, text)
        self.refused("6", "--region", "region.svg", command="multistep", says=["--overwrite"])
        self.assertEqual(self.libration("multistep", 8, "--region", "region.svg", "--overwrite").status, 0)
        self.assertIn("a3 = 0.7", (self.dir / "region.svg").read_text(encoding="utf-8"))

    def test_refuses_what_is_no_method(self):
        for arguments, says in (([], ["number of steps, is missing"]),
                                (["5"], ["even", "4 or 6"]),
                                (["0"], ["2 to 20"]),
                                (["-2"], ["2 to 20"]),
                                (["22"], ["2 to 20"]),
                                (["99999999999999999999"], ["K = 99999999999999999999"]),
                                (["six"], ["K = six"]),
                                (["6", "0.1"], ["2 parameters", "not 1"]),
                                (["4", "0.1", "0.2"], ["1 parameter a_j", "not 2"]),
                                (["6", "0.3", "0.3"], ["(12)", "twice", "nearest good choice is multistep(6, "]),
                                (["6", "1.5", "0"], ["1.5", "between -1 and 1", "nearest good choice"]),
                                (["6", "-1", "0"], ["between -1 and 1"]),
                                (["6", "0.1", "half"], ["a_2 = half", "-0.7"]),
                                (["6", "nan", "0.1"], ["a_1 = nan"]),
                                (["4", "--beta", "x"], ["beta = x"]),
                                (["12"], ["no default", "5 numbers", "--search"]),
                                (["16", "--search"], ["--search"]),
                                (["2", "--search"], ["--search"]),
                                (["4", "--region", "a.svg"], ["K >= 6"]),
                                (["6", "--region", "a.png"], ["--region a.png: ", ".svg"])):
            with self.subTest(arguments):
                self.refused(*arguments, command="multistep", says=says)

    def test_bad_parameters_run_with_force_only(self):
        arguments = ("run", "triple-pendulum", "--method", "multistep(6, -0.1, 0.4)", "--step", "0.01", "--steps", "200")
        self.refused(*arguments[1:], command="run", says=["(13)", "nearest good choice is multistep(6, ", "--force"])
        result = self.libration(*arguments, "--force", "--json")
        self.assertEqual(result.status, 1)
        self.assertEqual(result.json["method"], "multistep(6, -0.1, 0.4)")
        self.assertTrue(125 <= result.json["failure"]["step"] <= 145, result.json["failure"])

    def test_a_step_beyond_the_interval_of_periodicity_is_warned_about(self):
        near = self.libration("run", "triple-pendulum", "--method", "multistep(4)", "--step", "0.01", "--steps", "10")
        self.assertNotIn("warning", near.stderr)
        far = self.libration("run", "triple-pendulum", "--method", "multistep(4)", "--step", "1.5", "--steps", "10")
        self.assertIn("interval of periodicity", far.stderr)
        self.assertIn("can be stable", far.stderr)

    def test_parasitic_components_can_be_watched(self):
        watch = ("--watch", "triple-pendulum", "--step", "0.01")
        result = self.libration("multistep", 6, "-0.7", "0.4", *watch, "--duration", "50", "--json")
        self.assertEqual((result.status, result.stderr), (0, ""), result)
        found = result.json
        self.assertEqual([c["of"] for c in found["components"]], ["positions"] * 2 + ["multipliers"] * 2)
        self.assertEqual(len(found["t"]), 20)
        for component in found["components"]:
            sizes = component["largest"]
            self.assertLess(max(sizes[10:]), 10 * max(sizes[:10]))  # (B) grows by 1e10
        text = self.libration("multistep", 6, "-0.7", "0.4", *watch, "--duration", "5").stdout
        self.assertIn("h^2 |G^T nu|", text)
        grows = self.libration("multistep", 6, "-0.1", "0.4", *watch, "--steps", "300")
        self.assertEqual(grows.status, 1)
        self.assertIn("outside the unit circle", grows.stdout)
        for arguments, says in ((["2", *watch], ["k >= 4"]), (["6", *watch, "--steps", "17"], ["after 18 steps"]), (["6", *watch, "--search"], ["--search"]),
                                (["6", "--step", "0.1"], ["--watch"]),
                                (["6", "--watch", "charged-particle"], ["separable"])):
            with self.subTest(arguments):
                self.refused(*arguments, command="multistep", says=says)
