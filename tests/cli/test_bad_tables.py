"""Tables of indices with faults, and sizes beyond all memory: refused before the run, with the row or the numbers."""

import os
import re
import resource
import subprocess

import program
from bad_models import BadModelTest, CHAIN, changed

# A square of four points hung on the origin, and one bond more to play with.
BONDS = """\
[dynamics]
redundant = "error"
[parameters]
bonds = [[0, 1], [1, 2], [2, 3]]

[points]
r = { count = 4, dimension = 2, mass = 1 }

[[constraint]]
name = "bond"
for = "(i, j) in bonds"
equation = "norm2(r[i] - r[j]) - 1"

[initial.r]
q = [[0, 0], [1, 0], [1, 1], [0, 1]]

[run]
method = "rattle"
step = 0.1
steps = 3
"""


def with_bond(more):
    return changed("[2, 3]]", f"[2, 3], {more}]", BONDS)


class ATable(BadModelTest):
    def test_that_is_right_is_accepted(self):
        self.assertEqual(self.run_json(self.write(with_bond("[3, 0]")))["status"], "completed")

    def test_with_an_index_out_of_range_is_refused_with_the_row(self):
        for bond, element in (("[1, 4]", "r[4]"), ("[-1, 2]", "r[-1]"), ("[0, 999999999999]", "r[999999999999]")):
            with self.subTest(bond):
                i, j = bond.strip("[]").split(", ")
                self.refused_model(with_bond(bond), says=["model.toml:12:", f"i = {i}, j = {j} (row 4 of bonds)",
                                                          element, "0 to 3"])

    def test_with_a_bond_twice_is_refused_with_both_rows(self):
        for bond in ("[1, 2]", "[2, 1]"):
            with self.subTest(bond):
                name = bond.replace(" ", "")
                self.refused_model(with_bond(bond), says=["redundant", "bond[1,2] in row 2 of bonds, "
                                                          f"bond{name} in row 4 of bonds are linearly dependent"])

    def test_with_a_bond_of_a_point_with_itself_is_refused_with_the_row(self):
        self.refused_model(with_bond("[2, 2]"), says=["gradient of bond[2,2] in row 4 of bonds vanishes"])
        text = changed("norm2(r[i] - r[j])", "norm(r[i] - r[j])", with_bond("[2, 2]"))
        self.refused_model(text, says=["bond", "not a finite number", "i = 2 j = 2"])

    def test_with_rows_that_are_no_tuples_of_integers_is_refused_at_its_place(self):
        for bond, word, says in (("[3, 0, 1]", "[3, 0, 1]", "3 elements"), ("[3]", "[3]]", "1 elements"),
                                 ("[3, 0.5]", "0.5", "integers only"), ('[3, "0"]', '0"', "integers only")):
            with self.subTest(bond):
                self.points_at(with_bond(bond), word, says)

    def test_of_triples_for_a_range_of_pairs_is_refused(self):
        text = changed("[[0, 1], [1, 2], [2, 3]]", "[[0, 1, 2]]", BONDS)
        self.refused_model(text, says=["model.toml:11:", "'bonds' have 3 elements, the range names 2"])

    def test_of_tuples_without_elements_is_refused(self):
        for count in (1, 2, 64, 200):
            with self.subTest(count):
                text = changed("[[0, 1], [1, 2], [2, 3]]", f"[{', '.join(['[]'] * count)}]", BONDS)
                self.points_at(text, "(i, j)", "the tuples of 'bonds' have 0 elements, the range names 2")

    def test_of_many_rows_is_judged_like_one_of_few(self):
        """From 64 rows on tables are read by other means."""
        points = "r = { count = 200, dimension = 2, mass = 1 }"
        start = 'for = "i in 0..199"\nq = ["i", 0]'
        rows = ", ".join(f"[{k}, {k + 1}]" for k in range(3, 190))
        def long(more):
            text = with_bond(f"{rows}, {more}").replace("r = { count = 4, dimension = 2, mass = 1 }", points)
            return changed("q = [[0, 0], [1, 0], [1, 1], [0, 1]]", start, text)
        self.assertEqual(self.run_json(self.write(long("[190, 191]")))["status"], "completed")
        self.refused_model(long("[1, 200]"), says=["model.toml:12:", "j = 200 (row 191 of bonds)", "0 to 199"])
        self.refused_model(long("[5, 4]"), says=["bond[4,5] in row 5 of bonds, bond[5,4] in row 191 of bonds are linearly dependent"])
        self.refused_model(long("[5, 5]"), says=["gradient of bond[5,5] in row 191 of bonds vanishes"])
        self.refused_model(long("[3, 4, 5]"), says=["model.toml:4:", "3 elements"])
        self.refused_model(long("[3, 0.5]"), says=["model.toml:4:", "integers only"])


class ASizeBeyondMemory(BadModelTest):
    def too_large(self, *arguments, says):
        """With 200 MB of address space to spare: refused by counting, not by an allocation that fails. The address
        sanitizer needs terabytes of it for itself and goes without a limit."""
        limit = resource.RLIM_INFINITY if "ASAN_OPTIONS" in os.environ else 300 * 2**20
        result = subprocess.run([program.LIBRATION, "run", *map(str, arguments)], cwd=self.dir, capture_output=True,
                                text=True, timeout=program.TIME_LIMIT, check=False,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))
        self.assertEqual((result.returncode, result.stdout), (2, ""), result)
        for words in (*says, "this machine has"):
            self.assertIn(words, result.stderr)

    def test_of_points_is_refused_with_the_numbers(self):
        for n, says in (("1e12", ["2e+12 coordinates", "1 PB"]), ("3e9", ["6000000000 coordinates", "3 TB"]),
                        ("1e18", ["2e+18 coordinates", "1e+03 EB"]), ("10^300", ["2e+300 coordinates"])):
            with self.subTest(n):
                self.too_large("chain", "--set", f"n={n}", says=["chain:16:", "4294967295", *says])

    def test_of_a_family_of_bodies_or_joints_is_refused_with_the_numbers(self):
        found = re.search(r"this machine has ([0-9.]+) ([GTPE]B)", self.libration("check", "body-tree", "--set", "n=1e15").stderr)
        memory = float(found[1]) * {"GB": 1e9, "TB": 1e12, "PB": 1e15, "EB": 1e18}[found[2]]
        n = int(memory / 2000)      # indices of 100 bytes would fit, members of 6 or 9 kB would not
        self.too_large("body-tree", "--set", f"n={n}", says=["body-tree:", "the family rod,", f"{n} bodies"])
        self.too_large("body-tree", "--set", f"m={n}", says=["body-tree:", "the family bar,", f"{n + 7} joints"])

    def test_of_a_product_is_refused_with_the_numbers(self):
        self.too_large("net", "--set", "n=1e5", "--set", "m=1e5", says=["net:", "3e+10 coordinates", "15 TB"])
        self.too_large("net", "--set", "n=1e15", "--set", "m=1e15", says=["3e+30 coordinates"])

    def test_of_a_range_or_a_sum_is_refused_with_the_numbers(self):
        for energy, says in (
            ('for = "i in 0..n-1, j in 0..big-1"\nterm = "r[i].x"', ["1e+13 instances", "1 PB"]),
            ('for = "i in 0..big, j in 0..big"\nterm = "1"', ["1e+12 instances", "100 TB"]),
            ('for = "i in 0..n-1"\nterm = "r[i].x*sum(k in i..big, k)"', ["1e+12 parts", "100 TB"]),
        ):
            with self.subTest(energy):
                text = changed("[run]", f"[[energy]]\n{energy}\n\n[run]", changed("n = 10 ", "big = 1e12\nn = 10 ", CHAIN))
                self.too_large(self.write(text), says=["model.toml:", *says])

    def test_of_an_index_that_overflows_is_refused(self):
        text = changed("[run]", '[[energy]]\nfor = "i in 0..big*big*big"\nterm = "r[0].x"\n\n[run]',
                       changed("n = 10 ", "big = 1e12\nn = 10 ", CHAIN))
        self.refused_model(text, says=["model.toml:", "9.2e18"])
        self.refused_model(changed("big*big*big", "big", text.replace("1e12", "1e16")),
                           says=["model.toml:", "big = 1e+16", "at most 1e15"])

    def test_of_an_index_that_cannot_be_counted_to_is_refused(self):
        most, least = 2**63 - 1, -2**63
        for table, block, says in (
            ([most - 1, most], 'for = "(a, b) in t, i in a..b"\nterm = "r[0].x"', [f"from {most - 1} to {most}", "1e+15"]),
            ([least, least + 1], 'for = "(a, b) in t, i in a..b"\nterm = "r[0].x"', [f"{least} is too large", "1e+15"]),
            ([most - 1, most], 'for = "(a, b) in t"\nterm = "r[0].x*sum(k in a..b, k)"', [f"to {most}", "1e+15"]),
            ([most - 1, most], 'for = "(a, b) in t"\nterm = "r[0].x*sum(k in 0..b, a)"', [f"to {most}", "1e+15"]),
            ([0, 1], f'for = "i in 0..{most}"\nterm = "r[0].x"', [f"contains {most}, which is too large"]),
            ([0, 1], f'for = "i in 0..1"\nterm = "r[0].x*sum(k in {2**40}*{2**20}..{2**40}*{2**20}+1, k)"',
             ["too large", "1e+15"]),
            ([least, -1], 'for = "(a, b) in t"\nterm = "r[a // b].x"', ["9.2e18"]),
            ([least, -1], 'for = "(a, b) in t"\nterm = "r[a // -1].x"', ["9.2e18"]),
        ):
            with self.subTest(block):
                text = changed("[run]", f"[[energy]]\nt = [{table}]\n{block}\n\n[run]", CHAIN)
                self.refused_model(text, says=["model.toml:", *says])

    def test_of_the_least_integer_has_remainders(self):
        for index in ("a % b", "a % -1", "a % 2"):
            with self.subTest(index):
                text = changed("[run]", f'[[energy]]\nt = [[{-2**63}, -1]]\nfor = "(a, b) in t"\nterm = "0.001*r[{index}].x"\n\n'
                               "[run]", CHAIN)
                self.assertEqual(self.run_json(self.write(text), "--steps", "2")["status"], "completed")
