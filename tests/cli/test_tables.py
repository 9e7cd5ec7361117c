"""Families of constraints over nested ranges and over tables of indices."""

import csv

from program import ProgramTest


class Csv(ProgramTest):
    def test_names_with_two_indices_stay_in_one_column(self):
        result = self.run_json("net", "--steps", "2", "--out", "a.csv")
        with open(self.dir / "a.csv", newline="", encoding="ascii") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 3)
        self.assertEqual({len(row) for row in rows}, {1 + 2 * 72 + 44 + 3 + 3})
        self.assertEqual(float(rows[-1]["lambda_across[3,4]"]), result["lambda"][3 * 5 + 4])
        self.assertEqual(rows[-1]["corner_z"], rows[-1]["r[23].z"])
