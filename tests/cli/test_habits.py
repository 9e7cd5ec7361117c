"""What people write from habit: a message that says how it is written here, and nothing where it is right."""

from bad_models import BadModelTest, changed
from program import PENDULUM

ANGLE = """\
[parameters]
g = 9.81

[coordinates]
q = ["theta", "s"]

[dynamics]
kinetic = "(v_theta^2 + v_s^2)/2"
potential = "-g*cos(theta) + s^2/2"

[observables]
speed = "v_theta"

[initial]
q = [0.5, 0.1]

[run]
step = 0.01
steps = 10
"""


class AVelocity(BadModelTest):
    def test_that_is_written_as_a_derivative_is_named(self):
        for written in ("theta_dot", "thetadot", "dtheta", "dtheta_dt", "dot_theta"):
            with self.subTest(written):
                text = changed('speed = "v_theta"', f'speed = "2*{written}"', ANGLE)
                self.points_at(text, written, f"unknown name '{written}': the velocity of theta is written v_theta")
        text = changed('speed = "v_theta"', "speed = \"theta'\"", ANGLE)
        self.points_at(text, "theta'", "the velocity of theta is v_theta")

    def test_that_is_declared_under_such_a_name_is_what_it_was_declared_as(self):
        as_parameter = changed("g = 9.81", "g = 9.81\ntheta_dot = 3\ndtheta = 4", ANGLE)
        text = changed('speed = "v_theta"', 'speed = "theta_dot*dtheta"', as_parameter)
        self.assertEqual(self.libration("run", self.write(text)).status, 0)
        as_coordinate = ANGLE.replace('"theta"', '"theta_dot"').replace("theta^2", "theta_dot^2")
        as_coordinate = as_coordinate.replace("cos(theta)", "cos(theta_dot)").replace('"v_theta"', '"v_theta_dot"')
        self.assertEqual(self.libration("run", self.write(as_coordinate)).status, 0)

    def test_is_refused_where_only_positions_count_and_its_place_is_named(self):
        holonomic = ("v_x", "constraints contain coordinates and t only", "nonholonomic")
        self.points_at(changed("x^2 + y^2 - l^2", "x*v_x + y*v_y"), "v_x", *holonomic)
        self.points_at(changed("x^2 + y^2 - l^2", "x*x_dot"), "x_dot", *holonomic)
        self.points_at(changed("g*y", "g*y + v_y"), "v_y", "potentials contain coordinates and t only", "kinetic")
        points = POINTS + '[[constraint]]\nequation = "v_r[0].x - 1"\n'
        self.points_at(points, "v_r", *("'v_r' is a velocity", *holonomic[1:]))


class Time(BadModelTest):
    def test_is_called_t(self):
        text = changed("g*y", "g*y*cos(time)")
        self.points_at(text, "time", "unknown name 'time': the time is written t")

    def test_may_be_the_name_of_a_parameter(self):
        text = changed("g*y", "g*y*cos(time)", changed("g = 1.0", "g = 1.0\ntime = 3"))
        self.assertEqual(self.libration("run", self.write(text)).status, 0)

    def test_has_no_meaning_in_initial_values_under_either_name(self):
        for name in ("t", "time"):
            self.points_at(changed("q = [1, 0]", f'q = ["1 + 0*{name}", 0]'), name + '"', "cannot be used here")


class AProduct(BadModelTest):
    def test_without_its_sign_is_written_with_it(self):
        for written, at, remedy in (
            ("2 x", "x\"\ncon", "write 2*x"), ("2x", "x\"\ncon", "write 2*x"), ("g y", "y\"\ncon", "write g*y"),
            ("2(x + y)", "(x", "write 2*(...)"), ("(x + y)(x - y)", "(x -", "write (...)*(...)"),
            ("sin(2 x)", "x)\"", "write 2*x"), ("g (x + y)", "g (x", "'g' is not a function"),
            ("2 sin(x)", "sin(x)", "write 2*sin(...)"),
        ):
            with self.subTest(written):
                self.points_at(changed("\"g*y\"", f'"{written}"'), at, remedy)

    def test_is_not_what_every_word_is_meant_as(self):
        for written in ("sum(k of 0..3, x)", "x if y else g", "x in y", "sn(x)"):
            message = self.refused_model(changed("\"g*y\"", f'"{written}"'))
            self.assertNotIn("multiplication", message)

    def test_of_a_number_and_degrees_is_an_angle_in_radians(self):
        for written in ("30 deg", "30deg", "30 degrees", "30\u00b0"):
            text = changed("q = [0.5, 0.1]", f'q = ["{written}", 0.1]', ANGLE)
            self.points_at(text, written.lstrip("30 "), "angles are in radians", "write 30*pi/180")
        self.points_at(changed("q = [0.5, 0.1]", 'q = ["30*deg", 0.1]', ANGLE), "deg", "write 30*pi/180 for 30 degrees")

    def test_with_a_parameter_called_deg_is_a_product(self):
        known = changed("g = 9.81", 'g = 9.81\ndeg = "pi/180"', ANGLE)
        text = changed("q = [0.5, 0.1]", 'q = ["30*deg", 0.1]', known)
        self.assertEqual(self.libration("run", self.write(text)).status, 0)
        self.points_at(changed("q = [0.5, 0.1]", 'q = ["30 deg", 0.1]', known), "deg\", 0.1", "write 30*deg")

    def test_with_a_function_needs_parentheses(self):
        self.points_at(changed("\"g*y\"", '"g*sin y"'), "sin", "'sin' is a function; write sin(...)")


class ADecimalComma(BadModelTest):
    def test_in_a_formula_or_a_number_is_a_point(self):
        self.points_at(changed("\"g*y\"", '"0,04*y"'), "0,04", "write 0.04")
        self.points_at(changed("\"g*y\"", '"(0,04)*y"'), "0,04", "write 0.04")
        self.points_at(changed("\"g*y\"", '"sin(0,04)*y"'), "sin", "if 0,04 is one number, write 0.04")
        self.points_at(changed("step = 0.01", "step = 0,04"), "0,04", "write step = 0.04")
        self.points_at(changed("step = 0.01", 'step = "0,04"'), "0,04", "write 0.04")
        self.refused(self.write(PENDULUM), "--set", "g=9,81", says=("write 9.81",))

    def test_between_arguments_and_elements_separates_them(self):
        for value, energy in (("max(0,04)", 4), ("max(3,5)", 5), ("hypot(3,4)", 5)):
            text = changed("potential = \"g*y\"", f'potential = "y + {value}"')
            text = changed("[initial]", f'[observables]\nu = "{value}"\n[initial]', text)
            done = self.run_json(self.write(text))
            self.assertEqual(done["energy"]["initial"], energy)
        text = changed("q = [1, 0]", "q = [1,0]")
        self.assertEqual(self.libration("run", self.write(text)).status, 0)

    def test_in_a_list_is_not_guessed_at(self):
        message = self.refused_model(changed("q = [1, 0]", "q = [0,04]"))
        self.assertNotIn("0.04", message)
        self.refused_model(changed("\"g*y\"", '"y - (1,2)"'), says=("if 1,2 is one number, write 1.2",))


class QuotesThatAreMissing(BadModelTest):
    def test_are_set_in_the_line_that_is_shown(self):
        for old, new, at, line in (
            ('potential = "g*y"', "potential = g*y", "g*y", 'write potential = "g*y"'),
            ('potential = "g*y"', "potential = g*y  # weight", "g*y", 'write potential = "g*y"'),
            ('method = "rattle"', "method = rattle", "rattle", 'write method = "rattle"'),
            ('method = "rattle"', "method = compose(rattle, yoshida4)", "compose",
             'write method = "compose(rattle, yoshida4)"'),
            ('q = ["x", "y"]', "q = [x, y]", "x, y]", 'write q = ["x", "y"]'),
            ('constraints = ["x^2 + y^2 - l^2"]', "constraints = [x^2 + y^2 - l^2]", "x^2",
             'write constraints = ["x^2 + y^2 - l^2"]'),
            ('constraints = ["x^2 + y^2 - l^2"]', "constraints = { rod = max(x, y) - l }", "max",
             'write constraints = { rod = "max(x, y) - l" }'),
            ('name = "rod"', "name = my-rod", "my-rod", 'write name = "my-rod"'),
            ("q = [1, 0]", "q = [1, 1/2]", "1/2", 'write q = [1, "1/2"]'),
        ):
            with self.subTest(new):
                self.points_at(changed(old, new), at, "formulas and names are written in quotes", line)

    def test_are_not_set_around_numbers_that_lack_a_digit(self):
        for old, new, at, line in (("q = [1, 0]", "q = [1, .5]", ".5", "write q = [1, 0.5]"),
                                   ("step = 0.01", "step = 7.", "7.", "write step = 7.0"),
                                   ("step = 0.01", "step = -.5", "-.5", "write step = -0.5")):
            with self.subTest(new):
                self.points_at(changed(old, new), at, "numbers have digits on both sides of the point", line)

    def test_are_not_the_reason_of_other_mistakes(self):
        for old, new in (
            ('potential = "g*y"', 'potential = "g*y'), ("q = [1, 0]", "q = [1, 0"), ("[run]", "[run"),
            ("step = 0.01", "step = 0.01 steps = 3"), ("step = 0.01", "step = 0.01\nstep = 0.02"),
            ('name = "rod"', "rod"),
        ):
            with self.subTest(new):
                message = self.refused_model(changed(old, new), says=("this is not TOML",))
                self.assertNotIn("quotes: write", message)


class TheClassOfAForce(BadModelTest):
    FORCE = '[[forces]]\nname = "f"\nclass = "CLASS"\non = { x = "-v_x" }\n'

    def test_is_found_under_other_names(self):
        for word, meant in (("damping", "dissipative"), ("friction", "dissipative"), ("motor", "driving"),
                            ("dissipativ", "dissipative")):
            text = PENDULUM + self.FORCE.replace("CLASS", word)
            self.points_at(text, word, f"unknown class '{word}' of a force: did you mean '{meant}'?")

    def test_is_explained_where_it_is_missing(self):
        text = PENDULUM + self.FORCE.replace('class = "CLASS"\n', "")
        message = self.refused_model(text, says=("needs the key 'class', which is one of", "dampers, friction"))
        for name in ("conservative", "dissipative", "driving", "stiff"):
            self.assertIn(name, message)


POINTS = """\
[parameters]
c = 0.25
n = 3

[points]
r = { count = "n", dimension = 2, mass = 1 }

[dynamics]
potential = "r[0].y"

[initial.r]
for = "i in 0..n-1"
q = ["i", 0]
v = [0, "1 + i"]

[run]
method = "spark(2)"
step = 0.01
steps = 10

"""


class AStartOnALine(BadModelTest):
    LINE = POINTS.replace("dimension = 2", "dimension = 1").replace("r[0].y", "r[0]^2/2 + r[1].x*norm2(r[2])")

    def test_may_be_one_number_per_point(self):
        ends = []
        for start in ('for = "i in 0..n-1"\nq = ["i"]\nv = ["1 + i"]', 'for = "i in 0..n-1"\nq = "i"\nv = "1 + i"',
                      "q = [0, 1, 2]\nv = [1, 2, 3]", "q = [[0], [1], [2]]\nv = [[1], [2], [3]]"):
            text = changed('for = "i in 0..n-1"\nq = ["i", 0]\nv = [0, "1 + i"]', start, self.LINE)
            ends.append(self.run_json(self.write(text))["q"])
        for end in ends[1:]:
            self.assertEqual(end, ends[0])

    def test_in_the_plane_is_a_list(self):
        start = 'for = "i in 0..n-1"\nq = ["i", 0]\nv = [0, "1 + i"]'
        self.points_at(changed(start, "q = [0, 1, 2]", POINTS), "0, 1, 2", "a point of r has 2 numbers")
        self.points_at(changed(start, 'for = "i in 0..n-1"\nq = "i"', POINTS), 'i"\n\n[run]', "must be a list")
