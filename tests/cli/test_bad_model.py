"""A model that is wrong: what, where, and how to mend it."""

import re

from bad_models import BadModelTest, CHAIN, CONSTRAINT, changed
from program import OSCILLATOR


class AKey(BadModelTest):
    def test_that_is_misspelt_gets_a_suggestion_at_its_place(self):
        for right, wrong in (
            ("name", "nmae"), ("[parameters]", "[paramters]"), ("[coordinates]", "[coordinate]"),
            ("[dynamics]", "[dynamic]"), ("potential", "potentail"), ("constraints", "constraint"), ("mass", "mas"),
            ("[initial]", "[inital]"), ("[run]", "[rnu]"), ("method", "methods"),
        ):
            with self.subTest(wrong):
                word, meant = wrong.strip("[]"), right.strip("[]")
                self.points_at(changed(right, wrong), word, f"unknown key '{word}'", f"did you mean '{meant}'?")


class ACondition(BadModelTest):
    def test_in_the_place_of_a_number_is_refused_at_its_place(self):
        zero = "a constraint is an expression that is zero: write x^2 + y^2 - 1 for x^2 + y^2 = 1"
        number = "a number is expected here"
        for old, new, at, *says in (
            ("x^2 + y^2 - l^2", "x^2 + y^2 == l^2", "x^2 + y^2 ==", "the constraint g1 is a condition", zero),
            ("x^2 + y^2 - l^2", "x^2 + y^2 < l^2", "x^2 + y^2 <", zero),
            ("x^2 + y^2 - l^2", "not (x < l)", "not (x", zero),
            (CONSTRAINT, 'constraints = { rod = "x < l or y < l" }', "x < l or", "the constraint rod", zero),
            (CONSTRAINT, CONSTRAINT + '\nnonholonomic = ["v_x <= 1"]', "v_x <=", "constraint k1", zero),
            (CONSTRAINT, '[[constraint]]\nequation = "x >= l"', "x >= l", zero),
            ("g*y", "g*y > 1", "g*y > 1", "the potential is a condition", number),
            ("mass = 1.0", 'mass = ["x < 1", 1]', "x < 1", "the mass is a condition", number),
            ("mass = 1.0", 'kinetic = "v_x < 1"', "v_x < 1", "the kinetic energy is a condition", number),
            ("x^2 + y^2 - l^2", "x^2 + y^2 = l^2", "= l^2", "x^2 + y^2 - 1 for x^2 + y^2 = 1"),
        ):
            with self.subTest(new):
                self.points_at(changed(old, new), at, *says)


class ANameOfAConstraint(BadModelTest):
    def test_consists_of_letters_digits_and_underscores(self):
        for new in ('constraints = { "my rod" = "x - l" }', '[[constraint]]\nname = "my rod"\nequation = "x - l"'):
            with self.subTest(new):
                message = self.refused(self.write(changed(CONSTRAINT, new)), says=["'my rod' cannot be the name"])
                self.assertIn("my_rod", message)


class ANonholonomicConstraint(BadModelTest):
    def test_that_means_nothing_is_refused_at_its_place(self):
        for line, at, *says in (
            ('nonholonomic = ["x - y"]', "x - y", "k1 contains no velocity; write it under constraints"),
            ('nonholonomic = { roll = "v_x - p_y" }', "p_y", "velocities are named v_y"),
            ('nonholonomic = ["v_x - v_z"]', "v_z", "v_z"),
            ("nonholonomic = 3", "3", "are a list"),
        ):
            with self.subTest(line):
                self.points_at(changed(CONSTRAINT, CONSTRAINT + "\n" + line), at, *says)


class AForce(BadModelTest):
    DAMPER = '\n[[forces]]\nname = "damper"\nclass = "dissipative"\non = { x = "-v_x" }'

    def test_that_means_nothing_is_refused_at_its_place(self):
        for old, new, at, *says in (
            ('"dissipative"', '"disipative"', "disipative", "did you mean 'dissipative'?"),
            ("{ x =", "{ z =", "z = ", "'z' is not a coordinate"),
            ("-v_x", "-p_x", "p_x", "velocities are named v_x"),
            ('"damper"', '"inertia"', "inertia", "choose another"),
            ("on =", "at =", "at =", "unknown key 'at'"),
        ):
            with self.subTest(new):
                self.points_at(changed(CONSTRAINT, CONSTRAINT + self.DAMPER.replace(old, new)), at, *says)

    def test_that_spark_cannot_treat_as_told_is_refused_at_its_place(self):
        for line, at, *says in (
            ('force.damper = "Z"', "Z", "choose A, B, C, C* or D"),
            ("force.damper = { B = 0.9, C = 0.2 }", "damper = {", "sum to 1.1"),
            ('force.dampr = "C"', "dampr", "did you mean 'damper'?"),
            ('force.reaction = "A"', "reaction", "cannot be treated with A"),
            ('newton = "fast"', "fast", "simplified"),
        ):
            with self.subTest(line):
                self.points_at(changed(CONSTRAINT, CONSTRAINT + self.DAMPER + "\n[spark]\n" + line), at, *says)


class ADynamics(BadModelTest):
    def test_given_twice_is_refused_with_what_to_remove(self):
        whole = 'hamiltonian = "(p_x^2 + p_y^2)/2 + g*y"'
        kinetic = 'kinetic = "(v_x^2 + v_y^2)/2"'
        field = CONSTRAINT + '\n[field]\nq = { x = "y", y = "-x" }'
        self.points_at(changed('potential = "g*y"', whole), "1.0\n" + whole[:5], "remove the mass")
        self.points_at(changed("mass = 1.0", whole), "g*y\"\n" + CONSTRAINT[:5], "remove the potential")
        self.points_at(changed("mass = 1.0", "mass = 1.0\n" + kinetic), "1.0\n" + kinetic[:5], "remove the mass")
        self.points_at(changed(CONSTRAINT, field), "1.0\npot", "remove the mass")
        self.points_at(changed('mass = 1.0\npotential = "g*y"\n' + CONSTRAINT, field), "x^2 + y^2 - l^2",
                       "cannot have constraints")

    def test_that_is_not_quadratic_in_the_velocities_points_at_the_kinetic_energy(self):
        for formula, says in (("v_x^4 + v_y^2", "quadratic"), ("v_x^2 + v_y^2 + x*v_y", "linear in v_y"),
                              ("v_x^2 + v_y^2 - g*y", "opposite sign"), ("v_x^2", "positive definite")):
            with self.subTest(formula):
                self.points_at(changed("mass = 1.0", f'kinetic = "{formula}"'), formula, says)

    def test_with_names_of_the_other_kind_says_how_they_are_called(self):
        text = changed('mass = 1.0\npotential = "g*y"', 'hamiltonian = "p_x^2 + v_y^2"')
        self.points_at(text, "v_y", "momenta are named p_y")
        text = changed("mass = 1.0", 'kinetic = "v_x^2 + p_y^2"')
        self.points_at(text, "p_y", "velocities are named v_y")

    def test_of_a_field_lacks_an_equation(self):
        text = changed('[dynamics]\nmass = 1.0\npotential = "g*y"\n' + CONSTRAINT, '[field]\nq = { x = "y" }')
        self.points_at(text, '{ x = "y" }', "no equation for y")

    def test_of_a_mass_that_depends_on_coordinates_is_ready_to_run(self):
        for mass in ('["1 + x^2", 1]', '[["1 + x^2", 0], [0, 1]]', '"2 + y"'):
            with self.subTest(mass):
                result = self.libration("check", self.write(changed("mass = 1.0", f"mass = {mass}")), "--json")
                self.assertEqual((result.status, result.json["ok"]), (0, True), result)

    def test_of_a_field_has_no_energy(self):
        shown = self.libration("check", "abc-flow")
        self.assertIn("without a Hamiltonian", shown.stdout)
        self.assertIsNone(self.libration("check", "abc-flow", "--json").json["energy"])


class ASize(BadModelTest):
    def test_of_the_initial_values_must_be_that_of_the_coordinates(self):
        for old, new in (("q = [1, 0]", "q = [1, 0, 2]"), ("q = [1, 0]", "q = [1]"), ("q = [1, 0]", "q = []"),
                         ("p = [0, 0]", "p = [0]"), ("p = [0, 0]", "v = [0, 0, 0]")):
            with self.subTest(new):
                count = new.count(",") + 1 if "[]" not in new else 0
                text = changed(old, new)
                self.points_at(text, new[4:], "2", str(count))

    def test_of_the_masses_must_be_that_of_the_coordinates(self):
        for new in ("[1, 2, 3]", "[1]", "[[1, 0], [0]]", "[[1, 0]]", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"):
            with self.subTest(new):
                self.points_at(changed("mass = 1.0", f"mass = {new}"), new)

    def test_of_a_point_must_be_its_dimension(self):
        for new in ("v = [0]", "v = [0, 0, 0]"):
            with self.subTest(new):
                self.points_at(changed("v = [0, 0]", new, CHAIN), new[4:] + "\n", "[initial.r] v", "2")

    def test_missing_parts_are_named(self):
        for old, says in (("q = [1, 0]\n", "[initial]"), ("mass = 1.0\n", "mass"), ("step = 0.01\n", "--step"),
                          ("[initial]\nq = [1, 0]\np = [0, 0]\n", "[initial]")):
            with self.subTest(old):
                self.refused_model(changed(old, ""), says=[says])

    def test_momenta_and_velocities_exclude_each_other(self):
        self.refused_model(changed("p = [0, 0]", "p = [0, 0]\nv = [0, 0]"), says=["not both"])


class AFormula(BadModelTest):
    def bad_potential(self, formula, word, *says, occurrence=1):
        marker = changed('"g*y"', formula)
        start = marker[: marker.index(formula)].count(word) if word else 0
        return self.points_at(marker, word, *says, occurrence=start + occurrence)

    def test_with_a_syntax_error_shows_line_column_and_caret(self):
        self.bad_potential('"g*)y"', ")y", "expected", "found ')'")
        self.bad_potential('"g*y + "', '"\n' + CONSTRAINT[:5], "expected", "the end")
        self.bad_potential('"g*(y"', '"\n' + CONSTRAINT[:5], "')'", "the end")
        self.bad_potential('"g y"', "y\"", "expected an operator")
        self.bad_potential('"g*y $ 2"', "$", "'$'")
        self.bad_potential('"1..2*y"', "..", "'..'")
        self.bad_potential("'g*y ** 2'", "** 2", "'^'")

    def test_with_an_error_in_a_later_element_of_a_list_points_there(self):
        self.points_at(changed(CONSTRAINT, 'constraints = ["x^2 + y^2 - l^2", "x*y - * 2"]'), "* 2", "g2")
        self.points_at(changed(CONSTRAINT, 'constraints = ["x^2 + y^2 - l^2",\n               "x*yy"]'), "yy", "'yy'")
        self.points_at(changed("q = [1, 0]", 'q = [1, "sqrt(0"]'), '"]\np', "the end")
        self.points_at(changed("mass = 1.0", 'mass = [1, "gg"]'), "gg", "'gg'")
        self.points_at(changed(CONSTRAINT, 'constraints = { rod = "x^2 + y^2 - l^2", line = "x - lin" }'), "lin\"",
                       "line", "'lin'")

    def test_of_several_lines_points_at_the_line_of_the_error(self):
        self.bad_potential('"""\ng*y\n  + gg*x\n  + 2*x"""', "gg", "'gg'", "did you mean 'g'?")
        self.bad_potential('"""g*y\n\t + (x *\n\t + * 2)*x\n"""', "* 2", "found '*'")
        self.bad_potential("'''\n\n      zzz'''", "zzz", "'zzz'")
        self.bad_potential('"""g*y \\\n    + zzz"""', "zzz", "'zzz'")

    def test_after_an_escape_or_a_letter_beyond_ascii_still_points_at_the_error(self):
        self.bad_potential('"g*\\u0079 + zzz"', "zzz", "'zzz'")
        self.bad_potential('"g*y + é*zzz"', "é", "é")
        self.points_at(changed('p = [0, 0]', 'p = [0, "zzz"] # é').replace('q = [1, 0]', 'q = [1, 0] # é'), "zzz")
        text = changed(CONSTRAINT, 'constraints = { "länge" = "x^2 + y^2 - zzz" }')
        self.refused_model(text, says=["model.toml:13:"])

    def test_with_an_unknown_name_or_function_gets_a_suggestion(self):
        self.bad_potential('"grav*y"', "grav", "unknown name 'grav'", "known are g, l, x, y")
        self.bad_potential('"sni(y)"', "sni", "unknown function 'sni'", "did you mean 'sin'?")
        self.bad_potential('"sqr(y)"', "sqr", "did you mean 'sqrt'?")
        self.bad_potential('"sin(x, y)"', "sin", "1 argument")
        self.bad_potential('"atan2(x)"', "atan2", "2 arguments")
        self.bad_potential('"g*y + p_x"', "p_x", "'p_x'")
        self.bad_potential('"g*y + lambda_1"', "lambda_1", "lambda_1")

    def test_that_is_empty_is_refused(self):
        for formula in ('""', '"  "', '"""\n"""'):
            with self.subTest(formula):
                self.refused_model(changed('"g*y"', formula), says=["model.toml:12:" if "\n" not in formula else ":1"])

    def test_with_a_number_beyond_the_range_of_doubles_is_refused(self):
        for formula in ('"y + 1e400"', '"1e999*y"', f'"y*1{"0" * 400}"'):
            with self.subTest(formula[:20]):
                self.refused_model(changed('"g*y"', formula), says=["model.toml:12:"])

    def test_of_the_wrong_kind_is_refused(self):
        for old, new in (('"g*y"', "true"), ('"g*y"', "[1]"), ("q = [1, 0]", "q = [[1], 0]"), ("mass = 1.0", "mass = {}"),
                         ("step = 0.01", "step = 1979-05-27"), ('name = "rod"', "name = 3"),
                         ('method = "rattle"', "method = 3"), ('q = ["x", "y"]', 'q = ["x", 3]'),
                         ('q = ["x", "y"]', 'q = "x"'), (CONSTRAINT, 'constraints = "x"')):
            with self.subTest(new):
                self.refused_model(changed(old, new), says=["model.toml:"])

    def test_file_that_is_no_toml_is_refused_at_its_place(self):
        for text, where in (("hello world", "model.toml:1:7"), (changed('name = "rod"', 'name = "rod'), "model.toml:1:"),
                            (changed("g = 1.0", "g = 1.0\ng = 2.0"), "model.toml:5:"), ("\0\1\2", "model.toml:1:")):
            with self.subTest(text[:20]):
                self.refused_model(text, says=[where])
        self.refused_model("", says=["model.toml"])


class AMass(BadModelTest):
    def test_that_is_not_positive_is_refused_and_named(self):
        for new, coordinate, value in (("-1", "x", "-1"), ('[0, "-2*g"]', "y", "-2"),
                                       ('[1, "-2*g"]', "y", "-2"), ('"log(-1)"', "x", "nan"), ('"1/0"', "x", "inf")):
            with self.subTest(new):
                self.refused_model(changed("mass = 1.0", f"mass = {new}"),
                                   says=["model.toml:11:", f"the mass of {coordinate} is {value}", "positive"])

    def test_that_vanishes_where_no_constraint_acts_is_refused_and_named(self):
        # At the start, (1, 0), the constraint x^2 + y^2 = 1 acts on x alone.
        for new in ("0", "[1, 0]", "[[1, 0], [0, 0]]"):
            with self.subTest(new):
                self.refused_model(changed("mass = 1.0", f"mass = {new}"),
                                   says=["model.toml:11:", "no mass and no constraint acts on y", "give it a mass"])
        self.refused_model(changed("mass = 1.0", "mass = [[1, 1], [1, 1]]").replace(CONSTRAINT, ""),
                           says=["model.toml:11:", "acts on a common change of x, y"])

    def test_that_vanishes_where_a_constraint_acts_is_accepted(self):
        for new in ("[0, 1]", "[[1, 1], [1, 1]]"):
            with self.subTest(new):
                done = self.run_json(self.write(changed("mass = 1.0", f"mass = {new}")), "--steps", "1", "--method", "lobatto(3)")
                self.assertEqual(done["status"], "completed")
                self.assertEqual([len(done[name]) for name in ("q", "p", "v", "lambda")], [2, 2, 2, 1])

    def test_of_points_is_refused_with_its_place(self):
        self.refused_model(changed('mass = "m"', 'mass = "-m"', CHAIN), says=["r[0]", "-1", "model.toml:16:"])

    def test_matrix_that_is_not_symmetric_is_refused_with_the_two_entries(self):
        self.refused_model(changed("mass = 1.0", "mass = [[1, 0.5], [0.25, 1]]"),
                           says=["model.toml:11:", "symmetric", "0.5", "0.25"])

    def test_matrix_that_is_not_positive_definite_is_refused(self):
        for matrix in ("[[1, 2], [2, 1]]", "[[1, 1], [1, 0]]", "[[-1, 0], [0, 1]]", "[[0, 0], [0, 0]]"):
            with self.subTest(matrix):
                self.refused_model(changed("mass = 1.0", f"mass = {matrix}"),
                                   says=["model.toml:11:", "positive definite"])


class InitialValues(BadModelTest):
    def test_off_the_constraints_are_refused_with_the_residual_and_project_moves_them(self):
        text = changed("q = [1, 0]", "q = [1, 0.1]")  # g = 1 + 0.01 - 1
        self.refused_model(text, says=["0.01", "g1", "--project"])
        # The nearest point of the unit circle is q/|q|, on the same ray: y/x stays 0.1 up to the roundings of a few
        # Newton steps, each of relative size 1.1e-16, and the tolerance 1e-10 of the position residual.
        result = self.run_json(self.write(text), "--project", "--steps", "0")
        self.assertAlmostEqual(result["q"][1] / result["q"][0], 0.1, delta=1e-10)
        self.assertLessEqual(result["constraint"]["max"], 1e-10)

    def test_with_a_velocity_off_the_tangent_are_refused_with_the_residual_and_project_moves_them(self):
        text = changed("p = [0, 0]", "p = [1, 2]")  # G v = 2 x v_x = 2
        self.refused_model(text, says=["|G v| = 2", "--project"])
        result = self.run_json(self.write(text), "--project", "--steps", "0")
        self.assertEqual(result["q"], [1.0, 0.0])
        self.assertAlmostEqual(result["p"][0], 0.0, delta=1e-10)
        self.assertAlmostEqual(result["p"][1], 2.0, delta=1e-10)

    def test_that_cannot_be_projected_for_redundant_constraints_are_refused_as_check_does(self):
        both = changed(CONSTRAINT, 'constraints = { a = "x^2 + y^2 - l^2", b = "2*x^2 + 2*y^2 - 2*l^2" }\nredundant = "error"')
        text = changed("q = [1, 0]", "q = [1.1, 0]", both)
        sets = ("some constraints are redundant at the initial values", "1 of 2 constraints are independent",
                "a, b are linearly dependent", "Remove one constraint of each set")
        self.refused_model(text, "--project", says=("initial positions could not be projected", *sets))
        checked = self.libration("check", self.write(text))
        for words in sets:
            self.assertIn(words, checked.stderr)

    def test_that_cannot_be_projected_are_refused(self):
        self.refused_model(changed("q = [1, 0]", "q = [0, 0]"), "--project", says=["initial positions"])

    def test_that_are_not_numbers_are_refused_with_the_coordinate(self):
        for old, new, name in (("q = [1, 0]", 'q = ["log(-1)", 0]', "x"), ("p = [0, 0]", 'p = [0, "1/0"]', "y"),
                               ("q = [1, 0]", "q = [nan, 0]", "nan"), ("p = [0, 0]", "p = [0, inf]", "inf")):
            with self.subTest(new):
                self.refused_model(changed(old, new), says=[name])

    def test_at_which_a_formula_is_undefined_are_refused_with_the_place_of_the_formula(self):
        for formula in ("log(y - 1)", "log(-1)*y", "1/y", "sqrt(-x)", "sqrt(y)", "acos(2*x)", "y^(-1/2)"):
            with self.subTest(formula):
                self.refused_model(changed('"g*y"', f'"{formula}"'), says=["not a finite number", "model.toml:12:"])

    def test_at_which_a_constraint_is_undefined_are_refused_with_its_name(self):
        for formula in ("sqrt(y - 1)", "x^2 + y^2 - 1 + 1/y", "sqrt(y)"):
            with self.subTest(formula):
                self.refused_model(changed(CONSTRAINT, f'constraints = {{ rod = "{formula}" }}'),
                                   says=["rod", "not a finite number"])


FOUR = """\
[coordinates]
q = ["x", "y", "z", "w", "u"]

[dynamics]
mass = 1
constraints = { a = "x^2 + y^2 - 1", b = "z - w", c = "C", d = "D" }
redundant = "error"

[initial]
q = [1, 0, 0, 0, 0]
p = [0, 0, 0, 0, 0]

[run]
step = 0.1
steps = 3
"""


class RedundantConstraints(BadModelTest):
    def redundant(self, c, d):
        message = self.refused_model(FOUR.replace("C", c).replace("D", d), says=["redundant"])
        rows = [row for row in message.splitlines() if "are linearly dependent" in row]
        return sorted(tuple(sorted(re.findall(r"\b[abcd]\b", row.split("are linearly dependent")[0]))) for row in rows)

    def test_that_are_proportional_are_named(self):
        self.assertEqual(self.redundant("2*x^2 + 2*y^2 - 2", "u"), [("a", "c")])

    def test_of_which_one_combines_two_others_are_named(self):
        self.assertEqual(self.redundant("u - x*y", "u + z - w - x*y"), [("b", "c", "d")])

    def test_in_two_sets_are_named_set_by_set(self):
        self.assertEqual(self.redundant("3*x^2 + 3*y^2 - 3", "2*z - 2*w"), [("a", "c"), ("b", "d")])

    def test_of_which_one_combines_all_others_are_named(self):
        self.assertEqual(self.redundant("u", "x^2 + y^2 - 1 + u - 2*(z - w)"), [("a", "b", "c", "d")])

    def test_are_counted(self):
        for c, d, count in (("2*z - 2*w", "u", 3), ("3*x^2 + 3*y^2 - 3", "2*z - 2*w", 2)):
            self.refused_model(FOUR.replace("C", c).replace("D", d), says=[f"{count} of 4 constraints are independent"])
            massless = FOUR.replace("mass = 1", "mass = [0, 1, 1, 1, 1]")
            self.refused_model(massless.replace("C", c).replace("D", d), says=["redundant", f"{count} of 4 constraints"])

    def test_that_are_independent_are_accepted(self):
        result = self.run_json(self.write(FOUR.replace("C", "u").replace("D", "z + w")))
        self.assertEqual(result["status"], "completed")

    def test_that_are_dependent_only_at_the_start_are_named(self):
        text = changed(CONSTRAINT, 'constraints = { left = "x^2 + y^2 - 1", right = "(x - 2)^2 + y^2 - 1" }')
        self.refused_model(text, says=["left, right are linearly dependent"])

    def test_whose_gradient_vanishes_are_named(self):
        self.refused_model(changed(CONSTRAINT, 'constraints = { rod = "(x^2 + y^2 - l^2)^2" }'),
                           says=["gradient of rod vanishes"])

    def test_without_coordinate_are_refused(self):
        for formula in ('"2"', '"0"', '"l - 1"', "3"):
            with self.subTest(formula):
                self.refused_model(changed(CONSTRAINT, f"constraints = [{formula}]"), says=["g1", "model.toml:13:"])

    def test_that_are_empty_texts_are_refused(self):
        self.points_at(changed(CONSTRAINT, 'constraints = ["x^2 + y^2 - l^2", ""]'), '"]\n\n[initial]', "g2")

    def test_in_hundreds_of_sets_still_fit_on_one_screen(self):
        doubled = '[[constraint]]\nname = "again"\nfor = "i in 1..n-1"\nequation = "norm2(r[i] - r[i-1]) - l^2"\n\n'
        strict = '[dynamics]\nredundant = "error"\n\n'
        self.refused_model(changed("[run]", doubled + strict + "[run]", CHAIN), "--set", "n=100", says=["rod[1], again[1]"])
        carried = self.libration("check", self.write(changed("[run]", doubled + "[run]", CHAIN)), "--set", "n=100")
        self.assertEqual(carried.status, 0, carried)
        self.assertIn("100 of 199 are independent", carried.stderr)
        self.assertLessEqual(len(carried.stderr.splitlines()), 15)


class AName(BadModelTest):
    def test_that_is_reserved_is_refused(self):
        for name in ("t", "pi", "p_x", "v_", "v_a", "lambda_", "lambda_rod"):
            with self.subTest(name):
                self.points_at(changed('q = ["x", "y"]', f'q = ["x", "{name}"]'), f'{name}"]', f"'{name}'")
                text = changed("g = 1.0", f"g = 1.0\n{name} = 2")
                self.points_at(text, f"{name} = 2", f"'{name}'")

    def test_that_is_used_twice_is_refused(self):
        self.points_at(changed('q = ["x", "y"]', 'q = ["x", "x"]'), 'x"]', "'x'", "already")
        self.refused_model(changed("g = 1.0", "g = 1.0\nx = 2"), says=["'x'", "already"])

    def test_that_is_no_name_is_refused(self):
        for name in ("2y", "a b", "", "a-b", "a,b"):
            with self.subTest(name):
                self.refused_model(changed('q = ["x", "y"]', f'q = ["x", "{name}"]'), says=["name"])
                self.refused_model(changed("g = 1.0", f'g = 1.0\n"{name}" = 2'), says=["name"])

    def test_of_an_observable_obeys_the_same_rules(self):
        for name in ("t", "pi", "p_x", "lambda_1", "x", "g", "a b", "a,b", "energy", "constraint", "hidden"):
            with self.subTest(name):
                self.refused_model(changed("[run]", f'[observables]\n"{name}" = "x"\n\n[run]'), says=[name])

    def test_of_an_invariant_must_be_an_observable(self):
        text = changed("[run]", '[observables]\nLzz = "x"\ninvariants = ["Lz"]\n\n[run]')
        self.refused_model(text, says=["'Lz'", "did you mean 'Lzz'?", "model.toml:"])

    def test_of_parameters_in_a_circle_is_refused_with_the_circle(self):
        text = changed("g = 1.0\nl = 1.0", 'g = "2*l"\nl = "k"\nk = "g + 1"')
        self.refused_model(text, says=["circularly", "g -> l -> k -> g"])
        self.refused_model(changed("g = 1.0", 'g = "g"'), says=["circularly", "g -> g"])

    def test_of_a_parameter_that_is_no_number_is_refused(self):
        for value in ('"1/0"', '"log(-1)"', "nan", "inf", '"sqrt(-l)"'):
            with self.subTest(value):
                self.refused_model(changed("g = 1.0", f"g = {value}"), says=["model.toml:4:", "g", "finite"])


class AnIndex(BadModelTest):
    def test_out_of_range_is_refused_with_the_element_and_the_limits(self):
        for old, new, element in (
            ("r[i-1]) - l^2", "r[i-2]) - l^2", "r[-1]"),
            ('for = "i in 1..n-1"', 'for = "i in 1..n"', "r[10]"),
            ('"m*g*r[i].y"', '"m*g*r[i+1].y"', "r[10]"),
            ('"r[n-1].x"', '"r[n].x"', "r[10]"),
            ('"r[n-1].x"', '"r[-1].x"', "r[-1]"),
            ('[initial.r]\nfor = "i in 0..n-1"', '[initial.r]\nfor = "i in 0..n"', "r[10]"),
            ("[run]", '[[energy]]\nbonds = [[0, 1], [1, 20]]\nfor = "(i, j) in bonds"\nterm = "r[j].x"\n\n[run]', "r[20]"),
        ):
            with self.subTest(new):
                self.refused_model(changed(old, new, CHAIN), says=["model.toml:", element, "0 to 9"])

    def test_of_a_list_out_of_range_is_refused(self):
        self.refused("argon", "--set", "n=8", says=["x0[7]", "0 to 6"])

    def test_that_is_no_integer_is_refused(self):
        for old, new in (('"m*g*r[i].y"', '"m*g*r[i/2].y"'), ('for = "i in 1..n-1"', 'for = "i in 1..n/3"'),
                         ('for = "i in 1..n-1"', 'for = "i in 0.5..n-1"')):
            with self.subTest(new):
                self.refused_model(changed(old, new, CHAIN), says=["model.toml:", "//" if "/" in new else "integer"])

    def test_named_twice_is_refused(self):
        self.refused_model(changed('for = "i in 1..n-1"', 'for = "i in 1..n-1, i in 2..3"', CHAIN),
                           says=["model.toml:29:", "'i'"])

    def test_range_that_cannot_be_read_is_refused_at_its_place(self):
        text = changed('for = "i in 1..n-1"', 'for = "i on 1..n-1"', CHAIN)
        self.points_at(text, "on 1", "expected 'in'")
        self.refused_model(changed('for = "i in 1..n-1"', "for = 3", CHAIN), says=["model.toml:29:", "'for'"])
        self.refused_model(changed('[initial.r]\nfor = "i in 0..n-1"', "[initial.r]\nfor = 3", CHAIN),
                           says=["model.toml:38:", "'for'"])
        self.refused_model(changed('for = "i in 1..n-1"', 'for = "(i, j) in bonds"', CHAIN), says=["'bonds'"])

    def test_that_leaves_points_without_initial_value_is_refused(self):
        self.refused_model(changed('[initial.r]\nfor = "i in 0..n-1"', '[initial.r]\nfor = "i in 0..n-2"', CHAIN),
                           says=["r[9].x", "[initial]"])

    def test_count_or_dimension_that_makes_no_sense_is_refused(self):
        for value in ("0", "-1", "2.5"):
            with self.subTest(value):
                self.refused("chain", "--set", f"n={value}", says=["count", "whole number from 1 on"])
        self.refused_model(changed("dimension = 2", "dimension = 4", CHAIN), says=["model.toml:16:", "1, 2 or 3"])


class Check(BadModelTest):
    def test_reports_every_fault_with_status_2(self):
        model = self.write(changed("q = [1, 0]", "q = [1, 0.1]"))
        result = self.libration("check", model)
        self.assertEqual(result.status, 2)
        self.assertIn("--project", result.stderr)
        report = self.libration("check", model, "--json")
        self.assertEqual(report.status, 2)
        self.assertFalse(report.json["ok"])
        self.assertEqual(len(report.json["faults"]), 1)

    def test_says_that_a_good_model_is_ready(self):
        result = self.libration("check", self.write(OSCILLATOR))
        self.assertEqual((result.status, result.stderr), (0, ""))
        self.assertIn("ready to run", result.stdout)

    def test_refuses_a_model_that_cannot_be_read_like_run(self):
        self.refused(self.write(changed("potential", "potentail")), command="check", says=["did you mean 'potential'?"])

    def test_accepts_every_built_in_problem(self):
        for problem in self.libration("problems", "--json").json["problems"]:
            with self.subTest(problem["name"]):
                result = self.libration("check", problem["name"], "--json")
                self.assertEqual(result.status, 0, result)
                self.assertTrue(result.json["ok"])
