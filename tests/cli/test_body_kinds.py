"""Bodies with frames of their own, flat, slender and planar ones: refusals, certificates, gradients, ensembles, files."""

import h5py
from bad_models import BadModelTest, changed

STONE = """\
[parameters]
J = 2
off = 0.1

[[body]]
name = "stone"
mass = 3
inertia = [["J", 0.1, 0], [0.1, 1.5, 0.2], [0, 0.2, 1]]
com = ["off", 0, 0]
position = [1, 0, 0]
orientation = { axis = [0, 1, 1], angle = "pi/6" }
omega = [0.3, -0.2, 2]
points = { tip = [0, 0, 1] }
frames = { hole = { at = [1, 0, 0], axis = [0, 0, 1], x = [1, 0, 0] } }

[dynamics]
potential = "stone.r.z + norm2(stone.tip)"

[run]
method = "rattle"
step = 0.01
steps = 20
"""

# Hinged by a constraint of the user, in a field: nothing of them is solved by the algorithm for nine coordinates.
PLATE = """\
[[body]]
name = "plate"
mass = 2
inertia = [1, 2, 3]
com = [1, 0, 0]
orientation = { axis = [1, 2, 3], angle = 0.5 }
omega = [0.3, 1, -0.5]

[dynamics]
potential = "2*plate.at(1, 0, 0.5).z + plate.r.x*plate.Q[2,3]"
constraints = { pin = "plate.at(0, 0, 0)" }

[run]
method = "rattle"
step = 0.05
duration = 1
"""

ROD = """\
[[body]]
name = "rod"
mass = 2
inertia = [0, 2, 2]
com = [1, 0, 0]
orientation = { axis = [1, 2, 3], angle = 0.5 }
omega = [0, 1, -0.5]

[dynamics]
potential = "2*rod.r.z + rod.at(2, 0, 0).x*rod.r.y"
constraints = { pin = "rod.at(0, 0, 0)" }

[run]
method = "rattle"
step = 0.05
duration = 1
"""

DISC = """\
[parameters]
m = 3
J = 0.7

[[body]]
name = "disc"
planar = true
mass = "m"
inertia = "J"
com = [0.2, -0.1]
position = [1, 0.5]
angle = 0.4
velocity = [0.3, -0.2]
omega = 1.5
points = { pin = [1, 0.25] }

[dynamics]
potential = "2*norm2(disc.pin) + 3*disc.r.y"

[run]
method = "rattle"
step = 0.01
steps = 20
"""


class ABadBody(BadModelTest):
    def test_has_an_inertia_that_is_impossible(self):
        for inertia, says in (("[1, 1, 3]", ["no body", "I_3 is larger than I_1 + I_2", "d_3 = -0.5"]),
                              ("[1, -1, 1]", ["I_2 of plate is -1"]), ("[0, 0, 0]", ["no moment of inertia", "[points]"]),
                              ("[[1, 0, 0], [0.5, 2, 0], [0, 0, 3]]", ["not symmetric", "entry (2,1) is 0.5"]),
                              ("[[1, 1, 0], [1, 2, 0], [0, 0, 4]]", ["no body", "principal moments", "I_3 is larger"]),
                              ("[[-1, 0.1, 0], [0.1, 1, 0], [0, 0, 1]]", ["principal moment", "I_1 of plate is -1.0"]),
                              ("[1, 2]", ["2 entries", "three principal moments"]),
                              ("3", ["must be a list"])):
            with self.subTest(inertia):
                self.points_at(changed("inertia = [1, 2, 3]", f"inertia = {inertia}", PLATE), inertia, *says)

    def test_has_rows_of_another_size(self):
        text = changed("inertia = [1, 2, 3]", "inertia = [[1, 0], [0, 2]]", PLATE)
        self.points_at(text, "[1, 0]", "symmetric matrix", "three rows")

    def test_has_no_mass(self):
        self.points_at(changed("mass = 2", "mass = 0", PLATE), "0\ninertia", "the mass of plate is 0", "positive")

    def test_is_fixed_and_placed(self):
        for line, word, says in (("com = [1, 0, 0]", "[1, 0, 0]", "inertia is that about the fixed point"),
                                 ("position = [1, 0, 0]", "[1, 0, 0]", "remove its position"),
                                 ("velocity = [1, 0, 0]", "[1, 0, 0]", "remove its position and velocity")):
            with self.subTest(line):
                body = f'[[body]]\nname = "b"\nfixed = true\ninertia = [2, 1.5, 1]\n{line}\n'
                self.points_at(body, word, says)

    def test_starts_twice_or_wrongly(self):
        twice = STONE + "\n[initial.stone]\nquaternion = [1, 0, 0, 0]\nr = [0, 0, 0]\n"
        self.refused(self.write(twice), says=["stone is given twice", "[[body]]"])
        good = 'orientation = { axis = [0, 1, 1], angle = "pi/6" }'
        for bad, says in (("[0, 0, 0, 0]", "not a rotation"), ("{ axis = [0, 0, 0], angle = 1 }", "axis"),
                          ("{ axis = [0, 0, 1] }", "needs the angle"), ("[1, 0, 0]", "quaternion [w, x, y, z]"),
                          ('{ euler = "zzx", angles = [1, 2, 3] }', "sequence of axes"),
                          ("{ euler = \"zxz\" }", "'angles'"), ("{ rpy = [1, 2] }", "rpy"), ("{ ypr = [1, 2, 3] }", "rpy"),
                          ("[[1, 0, 0], [0, 1, 0], [0, 0, -1]]", "reflection")):
            with self.subTest(bad):
                self.refused(self.write(changed(good, f"orientation = {bad}", STONE)), says=[says])
        skewed = changed("{ axis = [1, 2, 3], angle = 0.5 }", "[[1, 0, 0], [0, 1, 0], [0, 0.1, 1]]", ROD)
        self.refused(self.write(skewed), says=["orientation of rod is not a rotation", "1.01 instead of 1"])
        self.refused(self.write(changed("orientation = { axis = [1, 2, 3], angle = 0.5 }", "angle = 1", ROD)),
                     says=["rod is not planar", "orientation"])

    def test_names_points_that_mean_nothing(self):
        for formula, says in (("stone.tpi.z", "did you mean 'tip'?"), ("stone.hole.axes.z", ".axis is its direction"),
                              ("v_stone.tip.z", "depends on the velocities"), ("stone.tip", "a number is expected"),
                              ("stone.tip(1).z", "takes no arguments")):
            with self.subTest(formula):
                self.refused(self.write(changed('"stone.r.z + norm2(stone.tip)"', f'"{formula}"', STONE)), says=[says])
        for points, says in (("{ Q = [0, 0, 1] }", "stone.Q means something else"), ("{ tip = [0, 1] }", "3 numbers"),
                             ("{ hole = [0, 0, 1], tip = [0, 0, 0] }", "two points or frames of stone are called 'hole'"),
                             ('{ "t-p" = [0, 0, 1], tip = [0, 0, 0] }', "letters, digits")):
            with self.subTest(points):
                self.refused(self.write(changed("{ tip = [0, 0, 1] }", points, STONE)), says=[says])
        hole = "{ at = [1, 0, 0], axis = [0, 0, 1], x = [1, 0, 0] }"
        for bad, says in (("{ axis = [0, 0, 0] }", "length 0"), ("{ x = [0, 0, 2] }", "along the axis"),
                          ("{ axes = [0, 0, 1] }", "did you mean 'axis'?"), ("3", "must be a table")):
            with self.subTest(bad):
                self.refused(self.write(changed(hole, bad, STONE)), says=[says])

    def test_is_slender_and_asked_for_its_other_axes(self):
        for formula in ("rod.at(0, 1, 0).z", "rod.Q[1,2]", "rod.quaternion.w", "v_rod.at(1, 0, 1).x"):
            with self.subTest(formula):
                text = ROD + f'[observables]\nseen = "{formula}"\n'
                self.refused(self.write(text), says=["nothing determines the rotation of rod about its own axis",
                                                     "small moment of inertia"])

    def test_is_planar_and_described_in_space(self):
        for old, new, says in (("inertia = \"J\"", "inertia = [1, 1, 1]", "one moment of inertia"),
                               ("inertia = \"J\"", "inertia = 0", "the moment of inertia of disc is 0"),
                               ("com = [0.2, -0.1]", "com = [0.2, -0.1, 0]", "2 numbers"),
                               ("angle = 0.4", "orientation = [1, 0, 0, 0]", "disc is planar"),
                               ("omega = 1.5", "omega = [0, 0, 1.5]", "must be a number"),
                               ("3*disc.r.y", "3*disc.at(0, 0, 1).y", "write disc.at(x, y)"),
                               ("3*disc.r.y", "3*disc.r.z", "no component 'z'"),
                               ("3*disc.r.y", "disc.Q[1,1]", "'disc' has no 'Q'")):
            with self.subTest(new):
                self.refused(self.write(changed(old, new, DISC)), says=[says])


class ABody(BadModelTest):
    def orders(self, model, method):
        result = self.libration("certify", method, model, "--json")
        self.assertEqual(result.status, 0, result)
        return result

    def test_of_each_kind_keeps_the_order_of_methods(self):
        for name, text in (("plate", PLATE), ("rod", ROD), ("stone", STONE)):
            for method in ("rattle", "lobatto(3)", "compose(rattle, suzuki)"):
                with self.subTest(f"{name} {method}"):
                    self.orders(self.write(text, f"{name}.toml"), method)

    def test_holds_its_constraints_to_round_off(self):
        for text, rows in ((PLATE, 6), (ROD, 4)):
            model = self.write(text)
            checked = self.libration("check", model, "--json")
            self.assertTrue(checked.json["ok"], checked)
            self.assertEqual((checked.json["constraints"], checked.json["rank"]), (rows, rows))
            run = self.libration("run", model, "--step", 0.01, "--steps", 1000, "--json").json
            self.assertLess(run["constraint"]["max"], 4e-15)
            # RATTLE's energy error is of order h^2 = 1e-4 and does not drift.
            self.assertLess(run["energy"]["max_error"], 1e-3)

    def test_is_read_again_from_its_file(self):
        for text in (STONE, PLATE, ROD, DISC):
            model = self.write(text)
            whole = self.libration("run", model, "--steps", 20, "--json").json
            self.libration("run", model, "--steps", 7, "--out", "a.h5", "--overwrite")
            resumed = self.libration("run", model, "--resume", "a.h5", "--steps", 20, "--json")
            self.assertEqual((resumed.status, resumed.json["q"]), (0, whole["q"]), resumed)
            with h5py.File(self.dir / "a.h5", "r") as file:
                self.assertEqual(file["run/q"].shape[1], len(whole["q"]))

    def test_follows_parameters_that_are_set(self):
        model = self.write(STONE)
        literal = self.write(STONE.replace("J = 2", "J = 2.2").replace("off = 0.1", "off = 0.3"), "literal.toml")
        a = self.libration("run", model, "--set", "J=2.2", "--set", "off=0.3", "--json").json
        b = self.libration("run", literal, "--json").json
        self.assertEqual((a["q"], a["p"]), (b["q"], b["p"]))
        self.assertNotEqual(a["q"], self.libration("run", model, "--json").json["q"])

    def test_is_varied_in_ensembles_like_single_runs(self):
        model = self.write(STONE)
        ensemble = self.libration("ensemble", model, "--count", 3, "--vary", "off = linspace(0.1, 0.3)", "--out",
                                  "a.h5", "--json")
        self.assertEqual(ensemble.status, 0, ensemble)
        with h5py.File(self.dir / "a.h5", "r") as file:
            ends = file["ensemble/final/q"][...]
        last = self.libration("run", model, "--set", "off=0.3", "--json").json
        self.assertEqual(list(ends[-1]), last["q"])
        refused = self.libration("ensemble", model, "--count", 3, "--vary", "J = linspace(1.9, 2)", "--out", "b.h5")
        self.assertEqual(refused.status, 2, refused)
        self.assertIn("principal axes of a body are computed from the parameter 'J'", refused.stderr)

    def test_has_gradients_by_mass_inertia_and_places(self):
        text = changed('inertia = [["J", 0.1, 0], [0.1, 1.5, 0.2], [0, 0.2, 1]]', 'inertia = ["J", 1.5, 1]', STONE)
        text = text.replace("mass = 3", 'mass = "m"').replace("J = 2", "J = 2\nm = 3\nl = 1\nx0 = 1")
        text = text.replace("tip = [0, 0, 1]", 'tip = [0, 0, "l"]').replace("position = [1, 0, 0]", 'position = ["x0", 0, 0]')
        model = self.write(text)
        loss = "stone.tip.x + stone.r.z^2"
        found = self.libration("gradient", model, "--loss", loss, "--by", "J,m,off,l,x0", "--json")
        self.assertEqual(found.status, 0, found)
        flat = changed('inertia = ["J", 1.5, 1]', 'inertia = ["J", 1, "J + 1"]', text)
        for name, body, by in (("full", text, ("J", "m", "off", "l", "x0")), ("flat", flat, ("J", "off", "l"))):
            path = self.write(body, f"{name}.toml")
            exact = self.libration("gradient", path, "--loss", loss, "--by", ",".join(by), "--json").json["gradient"]
            for parameter in by:
                at = {"J": 2.0, "m": 3.0, "off": 0.1, "l": 1.0, "x0": 1.0}[parameter]
                d = 1e-4
                values = [
                    self.libration("gradient", path, "--loss", loss, "--by", parameter, "--set",
                                   f"{parameter}={at + sign*d!r}", "--json").json["loss"]
                    for sign in (1, -1)
                ]
                # Central differences: d^2 times a third derivative of some units, and round-off 1e-15/d.
                self.assertAlmostEqual(exact[parameter], (values[0] - values[1]) / (2 * d), delta=1e-6, msg=parameter)

    def test_with_a_full_inertia_has_no_gradient_by_it(self):
        result = self.libration("gradient", self.write(STONE), "--loss", "stone.r.z", "--by", "J", "--json")
        self.assertEqual(result.status, 2, result)
        self.assertIn("principal axes", result.stderr)
        self.assertIn("three principal moments", result.stderr)

    def test_is_converted_to_equations(self):
        for text, says in ((PLATE, r"\operatorname{diag}(2, 1)"), (DISC, r"\varphi^{\mathrm{disc}}"), (STONE, "Q_{")):
            model = self.write(text)
            (self.dir / "model.tex").unlink(missing_ok=True)
            result = self.libration("convert", model, "--out", "model.tex")
            self.assertEqual(result.status, 0, result)
            self.assertIn(says, (self.dir / "model.tex").read_text(encoding="utf-8"))
