# %% [markdown]
# # Choosing a method
#
# Which method is the cheapest for the error that you can bear, and which of them can be trusted over a long time? Two
# questions, two measurements, on a double pendulum that swings regularly: first error against work over a short time,
# then the energy over a long one.

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


pendulum = lb.load("double-pendulum")
print(lb.method("rattle").summary)

# %% [markdown]
# ## Error against work
# `compare` runs all methods over the same time and measures their errors against a solution in quadruple precision.

# %%
methods = ["rattle", "compose(rattle, suzuki4)", "compose(rattle, kahanli8)", "lobatto(3)", "multistep(6)"]
comparison = lb.compare(pendulum, methods, steps=[0.08, 0.04, 0.02], duration=4)
print(comparison)
comparison.plot()
show("work")

# %% [markdown]
# The slopes are the orders. Half the step divides the error by 2^order:

# %%
errors = {method: np.array([row.error_q for row in comparison.rows if row.method == method])
          for method in comparison.methods}
for method, error in errors.items():
    print(f"{method:28} order {lb.method(method).order}, measured {np.log2(error[:-1] / error[1:])}")
rattle, suzuki = errors["rattle"], errors["compose(rattle, suzuki4)"]
# The next term of the error is h^2 times smaller: at h = 0.04 it moves the order by some h^2.
assert abs(np.log2(rattle[1] / rattle[2]) - 2) < 0.05
assert abs(np.log2(suzuki[1] / suzuki[2]) - 4) < 0.1

# %% [markdown]
# For a rough answer the cheapest method is a simple one. For a precise one, order pays:

# %%
for bound in [1e-2, 1e-9]:
    best = comparison.best(bound)
    print(f"error below {bound:g}: {best.method}, step {best.step}, {best.evaluations.force} forces")
assert "kahanli8" in comparison.best(1e-9).method
# Seventeen steps of RATTLE make one of the composition: at this precision RATTLE would need steps of some 1e-5.
assert comparison.best(1e-2).evaluations.force < 200

# %% [markdown]
# ## The long run
# Small errors over a short time say nothing about a long one. `radau(2)` is a fine method of order three, made for
# other problems; it damps. Here is its energy beside that of RATTLE, which has order two only.

# %%
tame = pendulum.run("rattle", step=0.12, duration=1200, every=10)
fading = pendulum.run("radau(2)", step=0.12, duration=1200, every=10)
for run in (tame, fading):
    print(f"{run.method:10} {run.analyse('drift').verdict}")

plt.figure(figsize=(9, 3.5))
plt.plot(fading.t, fading.energy_error, linewidth=0.8, label="radau(2), order 3")
plt.plot(tame.t, tame.energy_error, linewidth=0.4, label="rattle, order 2")
plt.xlabel("t")
plt.ylabel("H - H0")
plt.legend()
plt.tight_layout()
show("long")


def growth(run: lb.Run) -> float:
    """Mean energy error of the last tenth of the run, in units of the largest error of its first tenth."""
    tenth = len(run.t) // 10
    return float(abs(run.energy_error[-tenth:].mean()) / abs(run.energy_error[:tenth]).max())


print("growth of the energy error:", growth(tame), "and", growth(fading))
# Bounded: the mean of the end is no larger than the peaks of the beginning. A steady loss is ten times as large at
# the end.
assert growth(tame) < 1
assert growth(fading) > 5

# %% [markdown]
# ## Claims can be checked
# RATTLE claims to be symplectic and to keep the energy bounded; `radau(2)` claims neither. Both certificates are
# clean: a method is judged by what it says of itself.

# %%
certificates = {method: lb.certify(method, pendulum) for method in ["rattle", "radau(2)"]}
for certificate in certificates.values():
    print(certificate, "\n")
    assert certificate.ok

# %% [markdown]
# A method that cannot do the job at all is refused, with the names of those that can. Verlet knows no constraints:

# %%
try:
    pendulum.run("verlet", step=0.01, duration=1)
except lb.InputError as refusal:
    print(refusal)
    assert "rattle" in str(refusal)
else:
    raise AssertionError("verlet took constraints")
