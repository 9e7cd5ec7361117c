# %% [markdown]
# # A pendulum in five minutes
#
# A mass on a rigid rod, released from the horizontal. It is the smallest constrained system: two coordinates, one
# constraint. This notebook defines the model, integrates it, and compares the result with the exact solution.
#
# This file opens as a notebook in VS Code and Jupyter (each `# %%` starts a cell) and runs as a script. Figures are
# displayed, or saved to the directory `$LIBRATION_EXAMPLE_OUT`.

# %%
import math
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
# The potential energy and the constraint are given as formulas. There are no equations of motion to derive:
# derivatives of any order are computed exactly from these formulas.

# %%
x, y = lb.coordinates("x y")
g, l = lb.parameters("g l")
pendulum = lb.Model(
    name="five-minutes",
    q=[x, y],
    mass=1,
    potential=g * y,
    constraints={"rod": x**2 + y**2 - l**2},
    observables={"angle": lb.atan2(x, -y)},
    parameters={g: 1, l: 1},
    initial={"q": [l, 0], "v": [0, 0]},
)
print(pendulum.to_toml())

# %% [markdown]
# The text above is the model: `pendulum.save("pendulum.toml")` writes it to a file for the command line.
#
# ## A run
# RATTLE is the standard method: order two, symplectic, time-reversible. 100 time units are about thirteen periods.

# %%
run = pendulum.run("rattle", step=0.05, duration=100)
print(run.t.shape, run.q.shape, run.lam.shape)
print("maximum energy error", np.abs(run.energy_error).max())
print("maximum |g(q)|      ", np.abs(run.residuals.constraint).max())

# %% [markdown]
# The length of the rod is constant to round-off, because the method solves for it in every step. The energy is not
# conserved exactly, but its error is bounded for all times and proportional to h^2.

# %%
run.plot()
show("run")

# The mass ends every step on the constraint; |g| is a difference of numbers of size 1, each known to 1.1e-16.
assert np.abs(run.residuals.constraint).max() < 1e-14
coarse = np.abs(run.energy_error).max()
fine = np.abs(pendulum.run("rattle", step=0.025, duration=100).energy_error).max()
print("halving the step size divides the energy error by", coarse / fine)
# Order two: 4, with a correction that is h^2 times smaller than the error itself.
assert 3.8 < coarse / fine < 4.2

# %% [markdown]
# ## Comparison with the exact period
# The period of a pendulum is known: for release from the horizontal it is 4 K(1/2) sqrt(l/g), where K is the
# complete elliptic integral of the first kind, computed by the arithmetic-geometric mean. A method of order eight
# with long steps locates the times at which the mass passes the lowest point, between the steps.

# %%
a, b = 1.0, math.sqrt(0.5)
while abs(a - b) > 1e-15:
    a, b = (a + b) / 2, math.sqrt(a * b)
period = 4 * (math.pi / (2 * a))
print("exact period", period)

precise = pendulum.run("compose(rattle, kahanli8)", step=0.1, duration=100, events=["x"])
passages = precise.events[0].t
exact = period / 4 + period / 2 * np.arange(len(passages))
print(len(passages), "crossings, maximum error of their times", np.abs(passages - exact).max())
# Two crossings per period; the first after a quarter of it.
assert len(passages) == int((100 - period / 4) / (period / 2)) + 1
# Order eight at h = 0.1: an error of order 1e-8 times a constant of order one, growing at most linearly over 13
# periods.
assert np.abs(passages - exact).max() < 1e-7

# %% [markdown]
# ## Certificate: the claims of the method, measured
# Every method states its order, whether it is symmetric and symplectic, and how it treats energy and constraints. A
# certificate measures these claims, here on our own pendulum.

# %%
certificate = lb.certify("rattle", pendulum)
print(certificate)
assert certificate.ok

# %% [markdown]
# ## Save the run
# HDF5 files contain the model, the method and all columns. `lb.open` reads them, `lb.resume` continues the run;
# the result is bitwise identical to that of one long run.

# %%
file = pathlib.Path(out or ".", "pendulum.h5")
run.save(file, overwrite=True)
again = lb.open(file)
assert np.array_equal(again.q, run.q)
