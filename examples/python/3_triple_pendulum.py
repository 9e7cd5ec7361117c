# %% [markdown]
# # The triple pendulum of Console, Hairer and Lubich
#
# Three point masses hang on three rigid rods, one below the other, and are released at rest at 30, 45 and 90 degrees.
# This is the first example of *Symmetric multistep methods for constrained Hamiltonian systems* (Numer. Math. 124,
# 2013). The methods of that paper reach order six and eight with one force evaluation a step, and keep the energy
# over very long times, although they are not symplectic. The price is a condition on their coefficients, and what
# happens without it is spectacular. Both sides of the story are computed here.

# %%
import os
import pathlib

import matplotlib.pyplot as plt
import numpy as np

import libration as lb

out = os.environ.get("LIBRATION_EXAMPLE_OUT")


def show(name: str) -> None:
    """Shows the figure, or writes it where the environment says."""
    if out is None:
        plt.show()
    else:
        pathlib.Path(out).mkdir(parents=True, exist_ok=True)
        plt.savefig(pathlib.Path(out, f"{name}.png"), dpi=120)
        plt.close("all")


# %% [markdown]
# ## The model
# Cartesian coordinates, one constraint a rod, and a Python function for the potential: it is called once, with
# symbols instead of numbers, and what it returns is the formula.

# %%
names = lb.coordinates("x1 y1 x2 y2 x3 y3")


def rods(q):
    """Squared lengths of the three rods, less one."""
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
# It is the built-in problem `triple-pendulum`, written anew. Two descriptions of one system need not agree to the
# last bit; here they do, because both end in the same formulas.

# %%
short = dict(method="rattle", step=0.01, duration=1)
difference = np.abs(triple.run(**short).q - lb.load("triple-pendulum").run(**short).q).max()
print("difference from the built-in problem", difference)
# Formulas that are equal on paper may be added up in another order: round-off, which a time unit multiplies little.
assert difference < 1e-13

# %% [markdown]
# ## Method (A): order six at the price of order two
# The energy error on [0, 100], for four steps. An independent program with the data of the paper gives 2.56e-4,
# 1.34e-6, 1.22e-8 and 1.74e-10.

# %%
method_a = "multistep(6, -0.7, 0.4)"
steps = [0.04, 0.02, 0.01, 0.005]
runs = {h: triple.run(method_a, step=h, duration=100) for h in steps}
errors = np.array([np.abs(runs[h].energy_error).max() for h in steps])
for h, error in zip(steps, errors):
    forces = runs[h].summary["evaluations"]["force"] / runs[h].steps
    print(f"h = {h:<6} largest energy error {error:.2e}   {forces:.2f} forces a step")
# The expected numbers have three digits.
assert np.allclose(errors, [2.56e-4, 1.34e-6, 1.22e-8, 1.74e-10], rtol=0.006)

orders = np.log2(errors[:-1] / errors[1:])
print("orders", orders)
# It comes down to six from above, as the independent program sees it too: 7.6, 6.8, 6.1.
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
# Does it really not drift? Twenty times as long, and the judgement of the `drift` analysis instead of our eyes: a
# drift would make the slope times the length of the run as large as the error itself.

# %%
long = triple.run(method_a, step=0.01, duration=2000, every=2)
drift = long.analyse("drift", of="energy_error")
print(drift)
largest = np.abs(long.energy_error).max()
slope = np.polyfit(long.t, long.energy_error, 1)[0]
print("largest error", largest, " slope times length, as a part of it", slope * 2000 / largest)
# Three digits from an independent program; the motion is chaotic, but its largest errors come early.
assert abs(largest - 2.43e-8) < 0.03 * 2.43e-8
assert abs(slope) * 2000 < 0.05 * largest

# %% [markdown]
# ## Method (B): one coefficient away
# The only difference is a1 = -0.1 instead of -0.7. Without constraints the method would be as good as the first. With
# them, the multipliers obey a recursion of their own whose roots are those of sigma, and a pair of them lies outside
# the unit circle, at 1.31457. Round-off in the multipliers grows by this factor in every step: from 1e-16 to 1 in
# about log(1e16)/log(1.31457) = 135 steps, whatever the step size. The library refuses such a method; `force`
# insists.

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
    # One power of ten of the first round-off is ln(10)/ln(1.31457) = 8.4 steps.
    assert abs(exploded.steps - predicted) < 10

plt.figure(figsize=(9, 3.5))
for h, exploded in explosions.items():
    plt.semilogy(exploded.step_numbers, np.abs(exploded.energy_error) + 1e-17, label=f"h = {h}")
plt.semilogy(np.arange(130), 1e-17 * 1.31457 ** np.arange(130), "k--", label="1.31457^n")
plt.xlabel("step number")
plt.ylabel("|H - H0|")
plt.title("Method (B): the explosion counts steps, not time")
plt.legend()
plt.tight_layout()
show("explosion")

# %% [markdown]
# ## Against RATTLE, at equal cost
# Both methods need one force a step, so equal steps are equal cost.

# %%
rattle = triple.run("rattle", step=0.01, duration=100)
gain = np.abs(rattle.energy_error).max() / errors[2]
print("energy error of RATTLE over that of method (A), h = 0.01:", gain)
# RATTLE: 9e-5 (its error is of order h^2 = 1e-4), method (A): 1.22e-8.
assert gain > 1000

# %% [markdown]
# What does it look like? The path of the lowest mass over the first 100 time units.

# %%
plt.figure(figsize=(5, 5))
plt.plot(runs[0.01].q[:, 4], runs[0.01].q[:, 5], linewidth=0.4)
plt.gca().set_aspect("equal")
plt.xlabel("x3")
plt.ylabel("y3")
plt.tight_layout()
show("path")
