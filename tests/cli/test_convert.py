"""`libration convert`: models as LaTeX documents."""

import re

from program import ProgramTest

# Commands that LaTeX and amsmath have, and those that the document itself defines.
KNOWN = set(r"""documentclass usepackage newcommand providecommand begin end section noindent allowdisplaybreaks sbox displaystyle wd
ifdim textwidth resizebox usebox else fi fit lt gt frac sqrt dot hat sum partial nabla left right lVert rVert lvert rvert lfloor rfloor langle
rangle mathrm mathbf operatorname text cdot ldots vdots le ge ne in land lor lnot bmod qquad quad sin cos tan exp ln arcsin arccos arctan
sinh cosh tanh min max textbackslash textasciicircum textasciitilde textless textgreater
alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi omega varphi varepsilon
Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega ell""".split())


def fault_in(text):
    """What LaTeX would complain of: braces and environments that do not close, unknown commands, characters that mean something."""
    depth, environments = 0, []
    for token in re.finditer(r"\\begin\{(\w+\*?)\}|\\end\{(\w+\*?)\}|\\([A-Za-z]+)|\\.|[{}]|[^\x00-\x7f]|%.*", text):
        begin, end, command = token.groups()
        if begin:
            environments.append(begin)
        elif end:
            if not environments or environments.pop() != end:
                return f"\\end{{{end}}} without \\begin"
        elif command and command not in KNOWN:
            return f"unknown command \\{command}"
        elif token.group() in "{}":
            depth += 1 if token.group() == "{" else -1
            if depth < 0:
                return "a closing brace too many"
        elif ord(token.group()[0]) > 0x17F:  # inputenc knows the letters of European languages
            return f"the character {token.group()}"
    outside = re.sub(r"\\begin\{align\*\}.*?\\end\{align\*\}", "", text.split("\\begin{document}")[-1], flags=re.S)
    outside = re.sub(r"\$[^$]*\$|\\.", "", outside)
    special = re.search(r"[_^&#$%~]", outside)
    if special:
        return f"{special.group()} outside of a formula"
    return "an open brace" if depth else f"open {environments}" if environments else ""


class Convert(ProgramTest):
    def text(self, *arguments):
        result = self.libration("convert", *arguments)
        self.assertEqual((result.status, result.stderr), (0, ""), result)
        return result.stdout

    def test_the_check_sees_faults(self):
        for text in (r"\frac{a}{b", r"a}", r"\begin{align*} x", r"\end{align*}", r"\unknown", "x_1", "50% & more", "漢"):
            self.assertNotEqual(fault_in(text), "", text)

    def test_writes_every_problem_as_a_document(self):
        names = [problem["name"] for problem in self.libration("problems", "--json").json["problems"]]
        self.assertGreater(len(names), 30)
        for name in names:
            with self.subTest(name):
                text = self.text(name)
                self.assertTrue(text.startswith("\\documentclass"))
                self.assertTrue(text.endswith("\\end{document}\n"))
                self.assertEqual(fault_in(text), "")
                self.assertIn("\\section*{Equations of motion}\n\\begin{align*}", text)
                self.assertLess(len(text), 80_000)  # some thirty bodies in space

    def test_says_what_the_model_says(self):
        text = self.text("pendulum", "--set", "l=2.5", "--set", "x=2.5")
        for line in (r"\section*{pendulum}", r"H &= \frac{p_{x}^{2} + p_{y}^{2}}{2 m} + g m y",
                     r"0 &= x^{2} + y^{2} - l^{2} \qquad (\lambda_{\mathrm{rod}})",
                     r"\dot{p}_{y} &= -g m - 2 \lambda_{\mathrm{rod}} y", r"l &= \frac{5}{2}", r"x(0) &= \frac{5}{2}", r"\dot{x}(0) &= 0",
                     r"\mathrm{tension} &= 2 l \lambda_{\mathrm{rod}}"):
            self.assertIn(line, text)
        self.assertEqual(text.count("\nx(0) &="), 1, "a value that was replaced is not shown")

    def test_a_large_model_is_as_long_as_a_small_one(self):
        small, large = self.text("chain"), self.text("chain", "--set", "n=100000")
        self.assertLess(len(large) - len(small), 100)
        self.assertIn(r"\sum_{i=0}^{99999}", large)
        many = ", ".join(f'"x{k}"' for k in range(500))
        self.write(f'name = "many"\n[coordinates]\nq = [{many}]\n[dynamics]\nmass = 1\n[initial]\nq = [{", ".join(["1"] * 500)}]\n')
        text = self.text("model.toml")
        self.assertLess(len(text), 20_000)
        self.assertIn("\\vdots", text)

    def test_escapes_what_a_user_writes(self):
        self.write('name = "50%_of #1 & {more}"\ndescription = "a^b ~ c \\\\ <d> $ θ é"\n[coordinates]\nq = ["θ"]\n[dynamics]\n'
                   'mass = 1\npotential = "θ^2/2"\n[initial]\nq = [1]\n')
        text = self.text("model.toml")
        self.assertEqual(fault_in(text), "")
        self.assertIn(r"\section*{50\%\_of \#1 \& \{more\}}", text)
        self.assertIn(r"\textless{}d\textgreater{} \$ $\theta$ é", text)

    def test_writes_a_file_and_replaces_it_only_on_demand(self):
        result = self.libration("convert", "pendulum", "--out", "p.tex")
        self.assertEqual((result.status, result.stdout), (0, ""), result)
        self.assertEqual((self.dir / "p.tex").read_text(encoding="utf-8"), self.text("pendulum"))
        self.refused("kepler", "--out", "p.tex", command="convert", says=["p.tex exists", "--overwrite"])
        self.assertEqual(self.libration("convert", "kepler", "--out", "p.tex", "--overwrite").status, 0)
        self.assertEqual((self.dir / "p.tex").read_text(encoding="utf-8"), self.text("kepler"))

    def test_is_json_on_demand(self):
        self.assertEqual(self.libration("convert", "pendulum", "--json").json,
                         {"model": "pendulum", "format": "latex", "text": self.text("pendulum")})

    def test_refuses_what_it_does_not_know(self):
        self.refused("pendulum", "--to", "word", command="convert", says=["unknown format 'word'", "latex"])
        self.refused("pendulun", command="convert", says=["did you mean 'pendulum'"])
        self.refused("pendulum", "--overwrite", command="convert", says=["--out"])
        self.refused("pendulum", "--out", "p.pdf", command="convert", says=[".tex"])
        self.refused(command="convert", says=["MODEL is missing"])
        self.assertEqual(self.text("pendulum", "--to", "latex"), self.text("pendulum"))
