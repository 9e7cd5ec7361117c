"""What `run` returns: the JSON contract and the files."""

import csv
import json
import re
import struct

import h5py
import numpy

from program import OSCILLATOR, PENDULUM, SOURCE_DIR, ProgramTest

EVALUATIONS = {"force", "constraint", "jacobian", "newton_iterations", "factorizations"}
KEYS = {"model", "method", "order", "step", "steps", "t", "status", "q", "p", "v", "lambda", "seconds",
        "setup_seconds", "monitor", "energy", "constraint", "invariants", "evaluations", "backend", "verdict", "error_estimate", "balance"}


def bits(value):
    return struct.pack("<d", value)


def column(path, name):
    with open(path, newline="", encoding="ascii") as file:
        return [float(row[name]) for row in csv.DictReader(file)]


class TheJson(ProgramTest):
    def check_types(self, result):
        self.assertEqual(KEYS, set(result) - {"failure", "start", "angles"})  # of assemblies, and of angles that count turns
        for key in ("model", "method", "status"):
            self.assertIsInstance(result[key], str)
        for key in ("order", "steps"):
            self.assertIsInstance(result[key], int)
        for key in ("step", "t", "seconds", "setup_seconds"):
            self.assertIsInstance(result[key], (int, float))
        for key in ("q", "p", "v", "lambda"):
            self.assertTrue(all(isinstance(x, float) for x in result[key]), key)
        self.assertEqual(set(result["energy"]), {"initial", "final", "final_error", "max_error", "conserved"})
        self.assertIsInstance(result["energy"]["conserved"], bool)
        self.assertEqual(set(result["constraint"]), {"max", "hidden_max", "max_floors"})
        self.assertEqual(set(result["evaluations"]), EVALUATIONS)
        self.assertTrue(all(isinstance(n, int) for n in result["evaluations"].values()))
        self.assertEqual({key: type(value) for key, value in result["backend"].items()}, {"name": str, "reason": str})
        for invariant in result["invariants"].values():
            self.assertEqual(set(invariant), {"initial", "final", "max_error"})

    def test_has_the_keys_and_types_of_the_contract_for_every_problem(self):
        for problem in self.libration("problems", "--json").json["problems"]:
            with self.subTest(problem["name"]):
                result = self.run_json(problem["name"], "--steps", "3")
                self.check_types(result)
                text = (SOURCE_DIR / "problems" / f"{problem['name']}.toml").read_text(encoding="utf-8")
                conserved = "[field]" not in text and "[[forces]]" not in text and not re.search(r"\*t\b", re.sub("#.*", "", text))
                self.assertIs(result["energy"]["conserved"], conserved)
                self.assertEqual((result["model"], result["status"], result["steps"]), (problem["name"], "completed", 3))
                self.assertEqual([len(result[k]) for k in "qpv"], [problem["dimension"]] * 3)
                self.assertEqual(len(result["lambda"]), problem["constraints"])

    def test_what_nobody_watched_is_null(self):
        watched, never = (self.run_json("triple-pendulum", "--steps", "500", "--monitor", k) for k in "10")
        for group, key in (("energy", "max_error"), ("constraint", "max"), ("constraint", "hidden_max")):
            self.assertIsInstance(watched[group][key], float)
            self.assertIsNone(never[group][key])
        self.assertEqual([watched["monitor"], never["monitor"]], [1, 0])
        self.assertEqual(never["energy"]["final_error"], watched["energy"]["final_error"])
        angular = self.run_json("kepler", "--steps", "500", "--monitor", "0")["invariants"]
        self.assertTrue(angular and all(one["max_error"] is None for one in angular.values()))
        printed = self.libration("run", "triple-pendulum", "--steps", "500", "--monitor", "0").stdout
        self.assertIn("not monitored", printed)
        self.assertNotIn("round-off", printed)
        self.assertIn("(every 7 steps)",
                      self.libration("run", "triple-pendulum", "--steps", "500", "--monitor", "7").stdout)

    def test_an_ensemble_that_nobody_watched_states_no_maximum(self):
        arguments = ("ensemble", "pendulum", "--vary", "x=uniform(0.1,0.2)", "--count", "3", "--steps", "20", "--project",
                     "--seed", "1", "--monitor", "0")
        printed = self.libration(*arguments).stdout
        self.assertEqual(printed.count("not monitored"), 2)
        json_of = self.libration(*arguments, "--json").json
        self.assertTrue(all(one["energy_error_max"] is None for one in json_of["trajectories"]))

    def test_is_one_object_and_nothing_else_on_standard_output(self):
        result = self.libration("run", "pendulum", "--steps", "3", "--json")
        self.assertIsInstance(result.json, dict)
        self.assertTrue(result.stdout.startswith("{") and result.stdout.endswith("}\n"))

    def test_numbers_are_the_shortest_that_read_back_to_the_same_double(self):
        text = self.libration("run", "triple-pendulum", "--steps", "100", "--json", "--quiet").stdout
        seen = []
        json.loads(text, parse_float=lambda word: seen.append(word) or 0.0)
        self.assertGreater(len(seen), 20)
        for word in seen:  # repr is the shortest; the exponent may be written otherwise
            self.assertLessEqual(len(word.replace("e-0", "e-").replace("e+", "e")),
                                 len(repr(float(word)).replace("e-0", "e-").replace("e+", "e")), word)

    def test_quiet_is_silent_on_standard_error(self):
        for arguments in (["--json"], []):
            result = self.libration("run", "pendulum", "--steps", "3", "--quiet", *arguments)
            self.assertEqual((result.status, result.stderr), (0, ""))

    def test_name_of_the_model_is_that_of_the_file_unless_it_says_otherwise(self):
        self.assertEqual(self.run_json(self.write(OSCILLATOR, "swing.toml"))["model"], "swing")
        self.assertEqual(self.run_json(self.write(OSCILLATOR, "sub/swing.toml"))["model"], "swing")
        self.assertEqual(self.run_json(self.write(PENDULUM, "other.toml"))["model"], "rod")

    def test_file_without_ending_is_found_by_its_path(self):
        self.write(OSCILLATOR, "sub/swing")
        self.assertEqual(self.run_json("sub/swing")["q"], self.run_json(self.dir / "sub" / "swing")["q"])

    def test_momentum_is_mass_times_velocity(self):
        model = self.write(PENDULUM.replace("mass = 1.0", "mass = [[2, 0.5], [0.5, 1]]").replace("p = [0, 0]", "v = [0, 1]"))
        result = self.run_json(model, "--steps", "0")
        self.assertEqual((result["v"], result["p"]), ([0.0, 1.0], [0.5, 1.0]))

    def test_values_at_the_start_are_those_of_the_model_to_the_bit(self):
        model = self.write(PENDULUM.replace("q = [1, 0]", 'q = ["3/5", "-4/5"]').replace("p = [0, 0]", 'p = ["4/7", "3/7"]'))
        result = self.run_json(model, "--steps", "0")
        self.assertEqual((result["q"], result["p"], result["t"]), ([3 / 5, -4 / 5], [4 / 7, 3 / 7], 0.0))

    def test_multiplier_of_the_hanging_pendulum_is_half_its_weight(self):
        # At rest at y = -1 the force g1' lambda = 2 y lambda must balance p' = -g - 2 y lambda = 0: lambda = 1/2.
        model = self.write(PENDULUM.replace("q = [1, 0]", "q = [0, -1]"))
        for method in ("rattle", "shake"):
            result = self.run_json(model, "--method", method)
            self.assertEqual(result["q"], [0.0, -1.0])
            # One division and one product, each rounded once.
            self.assertAlmostEqual(result["lambda"][0], 0.5, delta=4 * 1.2e-16)

    def test_arrays_longer_than_10000_are_given_only_with_full(self):
        short = self.run_json("chain", "--set", "n=5001", "--steps", "1", "--step", "1e-4")
        full = self.run_json("chain", "--set", "n=5001", "--steps", "1", "--step", "1e-4", "--full")
        self.assertEqual(len(full["q"]), 10002)
        self.assertFalse(isinstance(short.get("q"), list) and len(short["q"]) > 10000)
        self.assertEqual(len(short["lambda"]), 5001)


class TheLengthOfARun(ProgramTest):
    def test_duration_is_rounded_to_whole_steps_and_the_step_is_never_changed(self):
        for duration, steps in (("0.03", 3), ("0.1", 10), ("1", 100), ("0.034", 3), ("0.036", 4)):
            with self.subTest(duration):
                result = self.run_json("pendulum", "--step", "0.01", "--duration", duration)
                self.assertEqual((result["steps"], result["step"], result["t"]), (steps, 0.01, steps * 0.01))

    def test_duration_and_the_same_number_of_steps_give_the_same_bits(self):
        a = self.run_json("triple-pendulum", "--step", "0.01", "--duration", "0.5")
        b = self.run_json("triple-pendulum", "--step", "0.01", "--steps", "50")
        self.assertEqual((a["q"], a["p"], a["lambda"], a["t"]), (b["q"], b["p"], b["lambda"], b["t"]))

    def test_duration_that_is_no_multiple_of_the_step_gives_a_warning_on_standard_error(self):
        result = self.libration("run", "pendulum", "--step", "0.01", "--duration", "0.034", "--json")
        self.assertEqual((result.status, result.json["t"]), (0, 0.03))
        self.assertIn("warning", result.stderr)
        self.assertIn("0.034", result.stderr)

    def test_duration_that_is_a_multiple_up_to_round_off_gives_no_warning(self):
        # 0.3 is not 3 * 0.1 in doubles; the contract allows 1e-9 T.
        result = self.libration("run", "pendulum", "--step", "0.1", "--duration", "0.3", "--json")
        self.assertNotIn("warning", result.stderr)
        result = self.libration("run", "pendulum", "--step", "0.1", "--duration", "0.300001", "--json")
        self.assertIn("warning", result.stderr)

    def test_command_line_replaces_both_lengths_of_the_model(self):
        model = self.write(OSCILLATOR)  # has steps = 10
        self.assertEqual(self.run_json(model)["steps"], 10)
        self.assertEqual(self.run_json(model, "--duration", "0.5")["steps"], 4)
        other = self.write(OSCILLATOR.replace("steps = 10", "duration = 2"), "other.toml")
        self.assertEqual(self.run_json(other)["steps"], 16)
        self.assertEqual(self.run_json(other, "--steps", "3")["steps"], 3)

    def test_negative_step_runs_backwards_and_returns_to_the_start(self):
        model = OSCILLATOR.replace("q = [1]", 'q = ["{}"]').replace("p = [0]", 'p = ["{}"]')
        there = self.run_json(self.write(OSCILLATOR), "--steps", "100")
        back = self.run_json(self.write(model.format(repr(there["q"][0]), repr(there["p"][0])), "back.toml"),
                             "--step=-0.125", "--duration=-12.5")
        self.assertEqual((back["steps"], back["t"]), (100, -12.5))
        # A symmetric method returns up to round-off; 200 steps of an oscillator add at most 200 * 4 roundings of 1.1e-16.
        self.assertAlmostEqual(back["q"][0], 1.0, delta=1e-13)
        self.assertAlmostEqual(back["p"][0], 0.0, delta=1e-13)

    def test_run_of_no_steps_returns_the_start(self):
        for arguments in (["--steps", "0"], ["--duration", "0"]):
            result = self.run_json(self.write(PENDULUM), *arguments)
            self.assertEqual((result["steps"], result["t"], result["q"], result["status"]), (0, 0.0, [1.0, 0.0], "completed"))

    def test_verlet_of_the_oscillator_takes_the_steps_of_its_formula(self):
        # kick-drift-kick with U = x^2/2 and h = 1/8, in exact rationals: q1 = 1 - h^2/2, p1 = -h + h^3/4.
        h = 0.125
        result = self.run_json(self.write(OSCILLATOR), "--steps", "1")
        self.assertEqual(result["q"], [1 - h * h / 2])
        self.assertEqual(result["p"], [-h + h**3 / 4])
        for method in ("leapfrog", "rattle"):
            other = self.run_json(self.write(OSCILLATOR), "--steps", "1", "--method", method)
            self.assertEqual(other["q"], result["q"])
            self.assertAlmostEqual(other["p"][0], result["p"][0], delta=1e-15)  # a few roundings of 0.125


class Parameters(ProgramTest):
    def test_set_changes_all_that_depends_on_it(self):
        model = PENDULUM.replace("l = 1.0", 'l = "2*g - 1"').replace("q = [1, 0]", 'q = ["l", 0]')
        result = self.run_json(self.write(model), "--set", "g=2", "--steps", "0")
        self.assertEqual(result["q"], [3.0, 0.0])

    def test_set_takes_a_constant_expression(self):
        model = self.write(PENDULUM.replace("q = [1, 0]", 'q = ["l", 0]'))
        for text, value in (("1/3", 1 / 3), ("2^-1", 0.5), ("sqrt(4)", 2.0), ("-(-3)", 3.0), ("1e-3", 1e-3)):
            with self.subTest(text):
                self.assertEqual(self.run_json(model, "--set", f"l={text}", "--steps", "0")["q"], [value, 0.0])

    def test_set_changes_the_size_of_a_model(self):
        for n in (1, 2, 17):
            self.assertEqual(len(self.run_json("chain", "--set", f"n={n}", "--steps", "1")["q"]), 2 * n)

    def test_model_with_the_value_written_in_gives_the_same_bits(self):
        a = self.run_json(self.write(PENDULUM), "--set", "g=9.81", "--steps", "50")
        b = self.run_json(self.write(PENDULUM.replace("g = 1.0", "g = 9.81"), "other.toml"), "--steps", "50")
        self.assertEqual((a["q"], a["p"], a["energy"]), (b["q"], b["p"], b["energy"]))


class Monitors(ProgramTest):
    def test_monitor_k_takes_the_maximum_over_every_kth_step_and_the_ends(self):
        self.run_json("pendulum", "--steps", "700", "--out", "a.csv")
        energy = column(self.dir / "a.csv", "energy")
        for k in (1, 3, 70):
            with self.subTest(k):
                watched = energy[::k] + energy[-1:]
                result = self.run_json("pendulum", "--steps", "700", "--monitor", k)
                self.assertEqual(result["energy"]["max_error"], max(abs(e - energy[0]) for e in watched))

    def test_watching_does_not_change_the_motion(self):
        states = [self.run_json("triple-pendulum", "--steps", "200", *more) for more in
                  ([], ["--monitor", "0"], ["--monitor", "7"], ["--out", "a.h5"], ["--out", "a.csv", "--every", "3"])]
        for state in states[1:]:
            for key in ("q", "p", "v", "lambda", "evaluations"):
                self.assertEqual(state[key], states[0][key], key)

    def test_invariants_are_observables_that_are_watched(self):
        extra = '[observables]\nL = "x*p_y - y*p_x"\ntwice = "2*y"\ninvariants = ["L"]\n\n[run]'
        result = self.run_json(self.write(PENDULUM.replace("[run]", extra)), "--set", "g=0", "--steps", "3")
        self.assertEqual(set(result["invariants"]), {"L"})
        result = self.run_json(self.write(PENDULUM.replace("[run]", extra)), "--steps", "100", "--out", "a.csv")
        recorded = column(self.dir / "a.csv", "L")
        self.assertEqual(result["invariants"]["L"]["initial"], recorded[0])
        self.assertEqual(result["invariants"]["L"]["final"], recorded[-1])
        self.assertEqual(result["invariants"]["L"]["max_error"], max(abs(x - recorded[0]) for x in recorded))
        self.assertEqual(column(self.dir / "a.csv", "twice"), [2 * y for y in column(self.dir / "a.csv", "y")])


class TheFiles(ProgramTest):
    def test_csv_has_the_header_of_the_contract_and_ends_with_the_json_state_to_the_bit(self):
        for method in ("rattle", "shake"):
            with self.subTest(method):
                result = self.run_json(self.write(PENDULUM), "--method", method, "--out", f"{method}.csv")
                rows = (self.dir / f"{method}.csv").read_text(encoding="ascii").splitlines()
                self.assertEqual(rows[0], "t,x,y,p_x,p_y,v_x,v_y,lambda_1,energy,constraint,hidden")
                self.assertEqual(len(rows), 1 + 11)
                last = [bits(float(word)) for word in rows[-1].split(",")]
                wanted = [result["t"], *result["q"], *result["p"], *result["v"], *result["lambda"],
                          result["energy"]["final"]]
                self.assertEqual(last[:9], [bits(x) for x in wanted])

    def test_csv_names_multipliers_after_named_constraints_and_ends_with_the_observables(self):
        model = PENDULUM.replace('["x^2 + y^2 - l^2"]', '{ rod = "x^2 + y^2 - l^2" }').replace(
            "[run]", '[observables]\nheight = "y + 1"\n\n[run]')
        self.run_json(self.write(model), "--out", "a.csv")
        header = (self.dir / "a.csv").read_text().splitlines()[0]
        self.assertEqual(header, "t,x,y,p_x,p_y,v_x,v_y,lambda_rod,energy,constraint,hidden,height")

    def test_every_k_records_every_kth_step_and_always_first_and_last(self):
        for every, steps in ((1, range(8)), (3, (0, 3, 6, 7)), (7, (0, 7)), (100, (0, 7))):
            with self.subTest(every):
                self.run_json("pendulum", "--steps", "7", "--every", every, "--out", f"{every}.csv")
                self.run_json("pendulum", "--steps", "7", "--every", every, "--out", f"{every}.h5")
                self.assertEqual(column(self.dir / f"{every}.csv", "t"), [0.01 * n for n in steps])
                with h5py.File(self.dir / f"{every}.h5", "r") as file:
                    self.assertEqual(list(file["run/t"]), [0.01 * n for n in steps])

    def test_run_of_no_steps_records_one_state(self):
        self.run_json("pendulum", "--steps", "0", "--out", "a.csv")
        self.run_json("pendulum", "--steps", "0", "--out", "a.h5")
        self.assertEqual(column(self.dir / "a.csv", "t"), [0.0])
        with h5py.File(self.dir / "a.h5", "r") as file:
            self.assertEqual(file["run/q"].shape, (1, 2))

    def test_hdf5_csv_and_json_agree_to_the_bit_for_every_method(self):
        for problem, method in (("triple-pendulum", "rattle"), ("triple-pendulum", "shake"), ("kepler", "verlet"),
                                ("kepler", "leapfrog")):
            with self.subTest(method):
                arguments = [problem, "--method", method, "--steps", "50", "--every", "4"]
                result = self.run_json(*arguments, "--out", f"{method}.h5")
                self.run_json(*arguments, "--out", f"{method}.csv")
                with open(self.dir / f"{method}.csv", newline="", encoding="ascii") as text:
                    header, *rows = csv.reader(text)
                table = numpy.array([[float(word) for word in row] for row in rows])
                with h5py.File(self.dir / f"{method}.h5", "r") as file:
                    run = file["run"]
                    for key in ("q", "p", "v", "lambda"):
                        self.assertEqual(run[key][-1].tolist(), result[key], key)
                    self.assertEqual(run["t"][-1], result["t"])
                    self.assertEqual(run["energy"][-1], result["energy"]["final"])
                    self.assertEqual(run["energy"][0], result["energy"]["initial"])
                    columns = [run["t"][()][:, None], run["q"], run["p"], run["v"], run["lambda"],
                               run["energy"][()][:, None], run["constraint"][()][:, None], run["hidden"][()][:, None]]
                    columns += [run["observables"][name][()][:, None] for name in header if name in run["observables"]]
                    whole = numpy.concatenate([numpy.asarray(block) for block in columns], axis=1)
                    self.assertEqual(whole.tobytes(), table.tobytes())
                    self.assertEqual(set(run["observables"]), set(header[-len(run["observables"]):] or []))

    def test_hdf5_has_the_attributes_of_the_contract(self):
        self.run_json("pendulum", "--steps", "5", "--step", "0.02", "--out", "a.h5")
        with h5py.File(self.dir / "a.h5", "r") as file:
            attributes = dict(file.attrs)
        self.assertEqual((attributes["model"], attributes["method"], attributes["step"], attributes["status"]),
                         ("pendulum", "rattle", 0.02, "completed"))
        self.assertEqual(f"libration {attributes['version']}\n", self.libration("--version").stdout)

    def test_hdf5_of_points_has_the_groups_of_h5md(self):
        self.run_json("chain", "--set", "n=3", "--steps", "4", "--out", "a.h5")
        with h5py.File(self.dir / "a.h5", "r") as file:
            self.assertEqual(list(file["h5md"].attrs["version"]), [1, 1])
            self.assertIn("name", file["h5md/author"].attrs)
            self.assertEqual(file["h5md/creator"].attrs["name"], "libration")
            self.assertEqual(file["particles/r/box"].attrs["dimension"], 2)
            self.assertEqual([x.decode() if isinstance(x, bytes) else x
                              for x in file["particles/r/box"].attrs["boundary"]], ["none", "none"])
            for name, run in (("position", "q"), ("velocity", "v")):
                element = file["particles/r"][name]
                self.assertEqual(element["value"].shape, (5, 3, 2))
                self.assertEqual(element["value"][()].tobytes(), file["run"][run][()].tobytes())
                self.assertEqual(list(element["step"]), [0, 1, 2, 3, 4])
                self.assertEqual(list(element["time"]), list(file["run/t"]))

    def test_energy_in_the_file_is_the_hamiltonian_of_its_row(self):
        self.run_json(self.write(OSCILLATOR), "--out", "a.csv")
        x, p, energy = (column(self.dir / "a.csv", name) for name in ("x", "p_x", "energy"))
        for q, v, e in zip(x, p, energy):
            self.assertAlmostEqual(e, (v * v + q * q) / 2, delta=4 * 1.2e-16)  # four roundings of numbers below 1

    def test_no_file_but_the_named_one_is_left(self):
        self.run_json("pendulum", "--steps", "5", "--out", "a.csv")
        self.run_json("pendulum", "--steps", "5", "--out", "a.h5")
        self.assertEqual(self.files(), ["a.csv", "a.h5"])
