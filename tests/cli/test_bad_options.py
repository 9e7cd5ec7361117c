"""Options, commands, methods and problems that do not exist or make no sense."""

from bad_models import changed
from program import PENDULUM, ProgramTest


class AnOption(ProgramTest):
    def setUp(self):
        super().setUp()
        self.model = self.write(PENDULUM)

    def test_with_a_bad_number_is_refused_with_its_name_or_value(self):
        for arguments, says in (
            (["--step", "0"], ["--step 0: ", "other than 0"]), (["--step", "nan"], ["nan"]), (["--step", "inf"], ["inf"]),
            (["--step", "text"], ["--step", "text"]), (["--step", ""], ["--step"]), (["--step", "0,01"], ["0,01"]),
            (["--step", "0.01x"], ["0.01x"]), (["--step"], ["--step"]), (["--steps", "-3"], ["-3", "negative"]),
            (["--steps", "2.5"], ["2.5", "whole"]), (["--steps", "99999999999999999999"], ["--steps", "999"]),
            (["--duration", "-1"], ["-1", "0.01", "sign"]), (["--step=-0.01", "--duration", "1"], ["-0.01", "sign"]),
            (["--duration", "nan"], ["duration"]), (["--duration", "inf"], ["duration"]),
            (["--duration", "1e300"], ["1e+300"]), (["--duration", "1", "--steps", "4"], ["--duration", "--steps", "not both"]),
            (["--every", "0"], ["--every 0: it must be at least 1"]), (["--every", "x"], ["--every", "x"]), (["--monitor", "-1"], ["--monitor -1: "]),
        ):
            with self.subTest(arguments):
                self.refused(self.model, *arguments, "--out", "a.h5", says=says)

    def test_that_stops_a_run_is_a_condition(self):
        self.refused(self.model, "--stop-if", "x", says=["--stop-if x", "'x' is a number", "write a condition such as x < 0"])
        self.refused(self.model, "--stop-if", "x < 0 and", says=["the stop condition"])
        for condition in ("x < 2", "if(x < 2, 1, 0)", "not (x > 2)", "(x < 2)*(y < 2)", "max(x < 2, y < 2)"):
            with self.subTest(condition):
                self.assertEqual(self.libration("run", self.model, "--stop-if", condition, "--json").json["status"], "stopped")

    def test_in_the_model_file_is_judged_alike(self):
        for old, new in (("step = 0.01", "step = 0"), ("step = 0.01", 'step = "log(-1)"'), ("steps = 10", "steps = -4"),
                         ("steps = 10", "steps = 4.5"), ("steps = 10", "duration = -4"),
                         ("steps = 10", "steps = 10\nduration = 1"), ('method = "rattle"', 'method = "ratle"'),
                         ('method = "rattle"', 'method = "verlet"')):
            with self.subTest(new):
                self.refused(self.write(changed(old, new), "other.toml"))

    def test_that_is_unknown_gets_a_suggestion(self):
        self.refused(self.model, "--evry", "3", says=["'--evry'", "did you mean '--every'?"])
        self.refused(self.model, "--mehtod=rattle", says=["did you mean '--method'?"])
        self.refused("--jsn", command="methods", says=["did you mean '--json'?"])

    def test_of_a_later_version_does_not_exist(self):
        for option in ("--report=a.html", "--drop-redundant"):
            with self.subTest(option):
                self.refused(self.model, option, says=[option.split("=", maxsplit=1)[0]])

    def test_given_twice_or_too_much_is_refused(self):
        self.refused(self.model, "--step", "0.1", "--step", "0.2", says=["--step"])
        self.refused(self.model, "extra", says=["'extra'"])
        self.refused(self.model, "--set", "g=1", "--set", "g=2", says=["--set", "g"])

    def test_set_with_an_unknown_name_gets_a_suggestion(self):
        self.refused("pendulum", "--set", "ll=2", says=["'ll'", "did you mean 'l'?"])
        self.refused("kepler", "--set", "nothing=2", says=["'nothing'"])

    def test_set_that_is_malformed_is_refused(self):
        for value in ("g", "g=", "=1", "g=1+", "g=l", "g=x", "g=nan", "g=sin", "g=t", "g=i", "g=1=2"):
            with self.subTest(value):
                self.refused(self.model, "--set", value, says=["--set"])

    def test_set_to_no_finite_number_blames_the_option_and_not_the_file(self):
        self.refused(self.model, "--set", "g=1/0", says=["--set g=1/0"])

    def test_out_with_another_ending_is_refused(self):
        for name in ("a.txt", "a", "a.hdf5", "h5", "a.h5.gz", ""):
            with self.subTest(name):
                self.refused(self.model, "--out", name, says=["--out"])


class ACommandMethodOrProblem(ProgramTest):
    def test_that_is_unknown_gets_a_suggestion(self):
        self.refused(command="rnu", says=["'rnu'", "did you mean 'run'?"])
        self.refused("pendulum", command="chekc", says=["did you mean 'check'?"])
        self.refused("pendulm", says=["'pendulm'", "did you mean 'pendulum'?"])
        self.refused("pendulm", command="check", says=["did you mean 'pendulum'?"])
        self.refused("pendulum", "--method", "ratle", says=["'ratle'", "did you mean 'rattle'?"])

    def test_of_a_later_version_does_not_exist(self):
        for command in ("report", "view", "merge"):
            with self.subTest(command):
                self.refused("x", command=command, says=[f"'{command}'"])

    def test_without_constraints_is_refused_on_a_constrained_model_and_names_those_that_would_do(self):
        for method in ("verlet", "leapfrog"):
            with self.subTest(method):
                self.refused("pendulum", "--method", method, says=[method, "constraints", "rattle", "shake"])

    def test_with_constraints_only_is_refused_on_a_free_model_and_names_those_that_would_do(self):
        self.refused("kepler", "--method", "shake", says=["shake", "constraints", "verlet", "rattle"])

    def test_that_knows_no_forces_is_refused_on_a_model_with_forces_and_names_those_that_do(self):
        for method in ("rattle", "lobatto(3)", "multistep(4)", "bdf(2)"):
            with self.subTest(method):
                self.refused("friction-pendulum", "--method", method, says=[method, "[[forces]]", "spark(2)"])

    def test_with_parameters_it_does_not_take_is_refused(self):
        for method in ("rattle(3)", "rattle()", "rattle(", "verlet(1, 2)", "", "rattle)", "3"):
            with self.subTest(method):
                self.refused("pendulum", "--method", method, "--out", "a.csv")

    def test_of_a_family_with_a_number_out_of_range_is_told_the_range(self):
        for method, what, low, high in (
            ("lobatto(1)", "stages", 2, 40), ("lobatto(x)", "stages", 2, 40), ("lobatto(99)", "stages", 2, 40),
            ("lobatto(-2)", "stages", 2, 40), ("lobatto(2.5)", "stages", 2, 40), ("gauss(0)", "stages", 1, 40),
            ("respa(0)", "inner steps", 1, 1000), ("bdf(7)", "order", 1, 6), ("bdf(0)", "order", 1, 6),
        ):
            with self.subTest(method):
                self.refused("pendulum", "--method", method, "--out", "a.csv",
                             says=[method, what, f"whole number from {low} to {high}"])

    def test_of_a_family_with_too_few_or_too_many_parameters_is_told_how_to_write_it(self):
        for method, example in (("lobatto", "lobatto(2)"), ("lobatto(2, 3)", "lobatto(2)"), ("respa", "respa(2)"),
                                ("respa(2, 3)", "respa(2)"), ("gauss(1, 2)", "gauss(1)")):
            with self.subTest(method):
                family = method.split("(", maxsplit=1)[0]
                self.refused("sprung-pendulum", "--method", method, "--out", "a.csv", says=[f"write {family}(", example])

    def test_built_on_another_that_does_not_fit_is_told_which_do(self):
        for method, says in (
            ("compose(rattle)", ["write compose(BASE, SCHEME)", "compose(rattle, kahanli8)"]),
            ("compose", ["write compose(BASE, SCHEME)"]),
            ("compose(rattle, yoshida4, 3)", ["write compose(BASE, SCHEME)"]),
            ("compose(shake, yoshida4)", ["shake is not a one-step method", "such as rattle"]),
            ("compose(radau(2), yoshida4)", ["radau(2) is not symmetric", "such as rattle"]),
            ("compose(rattle, yoshid4)", ["'yoshid4'", "did you mean 'yoshida4'?"]),
            ("compose(rattle, nothing)", ["'nothing'", "triplejump", "kahanli8"]),
            ("compose(ratle, yoshida4)", ["'ratle'", "did you mean 'rattle'?"]),
            ("constrain(radau(2))", ["'radau(2)'", "symplectic", "such as verlet"]),
        ):
            with self.subTest(method):
                self.refused("pendulum", "--method", method, "--out", "a.csv", says=says)

    def test_that_is_missing_is_asked_for(self):
        self.refused(says=["MODEL is missing"])
        self.refused(command="check", says=["MODEL"])

    def test_file_that_does_not_exist_is_status_3(self):
        self.refused("nothing.toml", status=3, says=["nothing.toml", "No such file"])
        self.refused("no/thing", status=3, says=["no/thing"])
        self.refused(f"{self.dir}/", status=3, says=["directory"])
