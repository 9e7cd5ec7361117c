# %% [markdown]
# # The triple pendulum of Console, Hairer and Lubich
#
# Three point masses hang on three rigid rods, one below the other, and are released at rest at 30, 45 and 90 degrees.
# This is the first example of *Symmetric multistep methods for constrained Hamiltonian systems* (Numer. Math. 124,
# 2013). The methods of that paper have order six and eight with one force evaluation per step, and conserve the
# energy over very long times, although they are not symplectic. Their coefficients must satisfy a condition; if it is
# violated, the method diverges within some hundred steps. Both cases are computed here.

# %%
import os
import pathlib

import matplotlib.pyplot as plt
import numpy as np

import libration as lb

out = os.environ.get("LIBRATION_EXAMPLE_OUT")


def show(name: str) -> None:
    """Show the figure, or save it to the directory $LIBRATION_EXAMPLE_OUT."""
    if out is None:
        plt.show()
    else:
        pathlib.Path(out).mkdir(parents=True, exist_ok=True)
        plt.savefig(pathlib.Path(out, f"{name}.png"), dpi=120)
        plt.close("all")


# %% [markdown]
# ## The model
# Cartesian coordinates, one constraint per rod, and a Python function for the potential: it is called once, with
# symbols instead of numbers, and returns the formula.

# %%
names = lb.coordinates("x1 y1 x2 y2 x3 y3")


def rods(q):
    """Squared lengths of the three rods minus one."""
    ends = np.vstack([[0, 0], q.reshape(3, 2)])
    return [lb.norm2(end - begin) - 1 for begin, end in zip(ends[:-1], ends[1:])]


triple = lb.Model(
    name="triple",
    q=names,
    mass=1,
    potential=lambda q: q[1::2].sum(),
    constraints=rods,
    initial={
        "q": ["1/2", "-sqrt(3)/2", "1/2 + sqrt(2)/2", "-sqrt(3)/2 - sqrt(2)/2", "3/2 + sqrt(2)/2",
              "-sqrt(3)/2 - sqrt(2)/2"],
        "p": [0] * 6,
    },
)
print(triple.to_toml())

# %% [markdown]
# It is equivalent to the built-in problem `triple-pendulum`. Two descriptions of one system need not be bitwise
# identical; here they are, because both lead to the same formulas.

# %%
short = dict(method="rattle", step=0.01, duration=1)
difference = np.abs(triple.run(**short).q - lb.load("triple-pendulum").run(**short).q).max()
print("difference from the built-in problem", difference)
# Mathematically equal formulas may be evaluated in another order: round-off, amplified only little in one time unit.
assert difference < 1e-13

# %% [markdown]
# ## Method (A): order six at the cost of order two
# The energy error on [0, 100], for four step sizes. An independent program with the data of the paper gives 2.56e-4,
# 1.34e-6, 1.22e-8 and 1.74e-10.

# %%
method_a = "multistep(6, -0.7, 0.4)"
steps = [0.04, 0.02, 0.01, 0.005]
runs = {h: triple.run(method_a, step=h, duration=100) for h in steps}
errors = np.array([np.abs(runs[h].energy_error).max() for h in steps])
for h, error in zip(steps, errors):
    forces = runs[h].summary["evaluations"]["force"] / runs[h].steps
    print(f"h = {h:<6} maximum energy error {error:.2e}   {forces:.2f} force evaluations per step")
# The expected numbers have three digits.
assert np.allclose(errors, [2.56e-4, 1.34e-6, 1.22e-8, 1.74e-10], rtol=0.006)

orders = np.log2(errors[:-1] / errors[1:])
print("orders", orders)
# The order approaches six from above, as with the independent program: 7.6, 6.8, 6.1.
assert np.all(np.diff(orders) < 0) and 5.9 < orders[-1] < 6.3

# %% [markdown]
# This is Fig. 2 of the paper: the energy error with h = 0.01. It oscillates and does not drift.

# %%
plt.figure(figsize=(9, 3.5))
plt.plot(runs[0.01].t, runs[0.01].energy_error, linewidth=0.5, color="black")
plt.xlabel("t")
plt.ylabel("H - H0")
plt.title("Method (A), h = 0.01")
plt.tight_layout()
show("energy")

# %% [markdown]
# Is there really no drift? The `drift` analysis examines a run that is twenty times as long: with a drift, the slope
# times the duration would be as large as the error itself.

# %%
long = triple.run(method_a, step=0.01, duration=2000, every=2)
drift = long.analyse("drift", of="energy_error")
print(drift)
largest = np.abs(long.energy_error).max()
slope = np.polyfit(long.t, long.energy_error, 1)[0]
print("maximum error", largest, " slope times duration, relative to it", slope * 2000 / largest)
# Three digits from an independent program; the motion is chaotic, but its largest errors occur early.
assert abs(largest - 2.43e-8) < 0.03 * 2.43e-8
assert abs(slope) * 2000 < 0.05 * largest

# %% [markdown]
# ## Method (B): unstable multipliers
# The only difference is a1 = -0.1 instead of -0.7. Without constraints the method would be as good as the first. With
# constraints, the multipliers satisfy a recursion whose roots are those of sigma, and a pair of them lies outside
# the unit circle, with modulus 1.31457. Round-off in the multipliers grows by this factor in every step: from
# 1e-16 to 1 in about log(1e16)/log(1.31457) = 135 steps, regardless of the step size. The library
# refuses such a method unless `force=True` is given.

# %%
explosions = {}
for h in [0.01, 0.005, 0.0025]:
    try:
        triple.run("multistep(6, -0.1, 0.4)", step=h, duration=100, force=True)
    except lb.IntegrationError as failure:
        explosions[h] = failure.run
        print(f"h = {h:<6} failed after step {failure.run.steps}, t = {failure.run.t[-1]:.3f}")
assert len(explosions) == 3
predicted = np.log(1e16) / np.log(1.31457)
for exploded in explosions.values():
    # A factor of ten in the initial round-off corresponds to ln(10)/ln(1.31457) = 8.4 steps.
    assert abs(exploded.steps - predicted) < 10

plt.figure(figsize=(9, 3.5))
for h, exploded in explosions.items():
    plt.semilogy(exploded.step_numbers, np.abs(exploded.energy_error) + 1e-17, label=f"h = {h}")
plt.semilogy(np.arange(130), 1e-17 * 1.31457 ** np.arange(130), "k--", label="1.31457^n")
plt.xlabel("step number")
plt.ylabel("|H - H0|")
plt.title("Method (B): growth per step, independent of the step size")
plt.legend()
plt.tight_layout()
show("explosion")

# %% [markdown]
# ## Comparison with RATTLE at equal cost
# Both methods need one force evaluation per step, so equal step sizes mean equal cost.

# %%
rattle = triple.run("rattle", step=0.01, duration=100)
gain = np.abs(rattle.energy_error).max() / errors[2]
print("ratio of the energy errors of RATTLE and method (A), h = 0.01:", gain)
# RATTLE: 9e-5 (its error is of order h^2 = 1e-4), method (A): 1.22e-8.
assert gain > 1000

# %% [markdown]
# The path of the lowest mass over the first 100 time units:

# %%
plt.figure(figsize=(5, 5))
plt.plot(runs[0.01].q[:, 4], runs[0.01].q[:, 5], linewidth=0.4)
plt.gca().set_aspect("equal")
plt.xlabel("x3")
plt.ylabel("y3")
plt.tight_layout()
show("path")
