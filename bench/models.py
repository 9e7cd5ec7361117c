"""Models that are generated for measurements: the same text on every machine."""

import math
import random


def _model(name, masses, bonds, positions, hinged):
    """Unit rods between unit masses in the plane, under gravity; the points `hinged` hang from the origin by a rod."""
    table = ", ".join(f"[{i},{j}]" for i, j in bonds)
    hinges = ", ".join(f"[{i}]" for i in hinged)
    xs = ", ".join(repr(x) for x, _ in positions)
    ys = ", ".join(repr(y) for _, y in positions)
    return f"""name = "{name}"

[parameters]
bonds = [{table}]
hinges = [{hinges}]
x0 = [{xs}]
y0 = [{ys}]

[points]
r = {{ count = {masses}, dimension = 2, mass = 1 }}

[[energy]]
for = "i in 0..{masses - 1}"
term = "r[i].y"

[[constraint]]
name = "hinge"
for = "(i) in hinges"
equation = "norm2(r[i]) - 1"

[[constraint]]
name = "rod"
for = "(i, j) in bonds"
equation = "norm2(r[j] - r[i]) - 1"

[initial.r]
for = "i in 0..{masses - 1}"
q = ["x0[i]", "y0[i]"]
v = [0, 0]

[run]
method = "rattle"
step = {0.2 / math.sqrt(masses)!r}
steps = 20
"""


def renumbered_chain(n):
    """The chain of problems/chain.toml with its points and its rods in random order."""
    shuffle = random.Random(1)
    number = list(range(n))
    shuffle.shuffle(number)
    positions = [None] * n
    x = y = 0.0
    for k in range(n):
        angle = math.pi / 6 * (1 + (k + 1) / n)
        x += math.sin(angle)
        y -= math.cos(angle)
        positions[number[k]] = (x, y)
    bonds = [(number[k - 1], number[k]) for k in range(1, n)]
    shuffle.shuffle(bonds)
    return _model("renumbered-chain", n, bonds, positions, [number[0]])


def random_tree(n):
    """A random recursive tree: each point hangs from one that came earlier, all equally likely, and rods lean downwards."""
    choose = random.Random(2)
    positions = [(0.5, -math.sqrt(0.75))]
    bonds = []
    for k in range(1, n):
        parent = choose.randrange(k)
        angle = choose.uniform(-1, 1)
        x, y = positions[parent]
        positions.append((x + math.sin(angle), y - math.cos(angle)))
        bonds.append((parent, k))
    return _model("random-tree", n, bonds, positions, [0])


GENERATED = {"renumbered-chain": renumbered_chain, "random-tree": random_tree}
