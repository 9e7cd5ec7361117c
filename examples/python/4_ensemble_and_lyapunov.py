# %% [markdown]
# # Lyapunov exponents: chaos measured in two ways
#
# A double pendulum moves regularly when released at small angles, and chaotically when released from above. How chaotic
# is it? Two independent measurements: the Lyapunov exponent from the tangent map of the method, along
# one trajectory; and the spread of an ensemble of neighbors that start within a hundred-millionth of a degree.

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
# The initial angles of the rods are parameters, and the initial positions are formulas of them: for any angles, the
# initial values satisfy the constraints.

# %%
q = np.array(lb.coordinates("x1 y1 x2 y2"))
angles = lb.parameters("theta1 theta2")
masses = q.reshape(2, 2)
directions = np.array([[lb.sin(angle), -lb.cos(angle)] for angle in angles])


def pendulum(theta1: object, theta2: object) -> lb.Model:
    """A double pendulum, released at rest with these angles from the downward vertical."""
    return lb.Model(
        name="double",
        q=q,
        mass=1,
        potential=masses[:, 1].sum(),
        constraints=[lb.norm2(masses[0]) - 1, lb.norm2(masses[1] - masses[0]) - 1],
        parameters=dict(zip(angles, [theta1, theta2])),
        initial={"q": directions.cumsum(axis=0).ravel(), "v": [0] * 4},
    )


starts = {"regular": pendulum("pi/6", "-pi/6"), "chaotic": pendulum(2, 2.5)}

# %% [markdown]
# ## One trajectory and its tangent map
# Two degrees of freedom give a phase space of dimension four, and four exponents. They form pairs, +a and -a, because
# the method is symplectic, and one pair is zero, because the energy is conserved and the system is autonomous.
# The analysis also estimates the errors of its numbers.

# %%
exponents = {}
for name, model in starts.items():
    run = model.run("rattle", step=0.01, duration=1000, every=5000)
    exponents[name] = run.analyse("lyapunov", count="all")
    print(f"{name}: {exponents[name].verdict}")
    print("   ", [f"{exponents[name][f'exponent_{k}']:+.4f}" for k in range(1, 5)])

chaotic = exponents["chaotic"]
# Far above its error: the motion is chaotic. For regular motion, where neighbors diverge linearly, log(t)/t remains.
assert chaotic.exponent_1 > 5 * chaotic.error_1
assert exponents["regular"].exponent_1 < np.log(1000) / 1000
# The deviations from pairs and zeros are the influence of the initial basis on a time average over t = 900: a few
# e-folds of the tangent vectors.
assert abs(chaotic.exponent_1 + chaotic.exponent_4) < 5 / 900
assert abs(chaotic.exponent_2) < 5 / 900 and abs(chaotic.exponent_3) < 5 / 900

# %% [markdown]
# ## Ensemble of neighbors
# A hundred pendulums whose second angles differ by at most 1e-10, one per SIMD lane of generated code. While it is
# small, their standard deviation grows like exp(a t), where a is the local growth rate of the trajectory, until it
# reaches the size of the pendulum.

# %%
spread = {}
for name, model in starts.items():
    middle = model.parameters["theta2"]
    angle = middle + 1e-10 * np.linspace(-1, 1, 101)
    many = model.ensemble("rattle", vary={"theta2": angle}, step=0.01, duration=100, monitor=50)
    assert set(many.status) == {"completed"}
    deviations = np.array([many.deviation(str(name)) for name in q])
    spread[name] = many.times, np.sqrt((deviations**2).sum(axis=0))

plt.figure(figsize=(9, 4))
for name, (times, deviation) in spread.items():
    plt.semilogy(times, deviation, label=name)
times, deviation = spread["chaotic"]
line = np.minimum(deviation[0] * np.exp(chaotic.exponent_1 * times), 2)
plt.semilogy(times, line, "k--", label="long-time exponent")
plt.xlabel("t")
plt.ylabel("standard deviation of the positions")
plt.legend()
plt.tight_layout()
show("spread")

growth = {name: deviation[-1] / deviation[0] for name, (_, deviation) in spread.items()}
print("growth of the deviation in 100 time units:", growth)
# Regular neighbors diverge linearly: by a factor of some hundred in a hundred time units. Chaotic ones spread over the
# accessible region, two rods of length one.
assert growth["regular"] < 1e3
assert deviation[-1] > 0.5

# %% [markdown]
# Do the two measurements agree? Compare the growth rate until the deviation is 1e-2 with the exponent over the same
# time; the long-time average differs, because the growth rate varies along the trajectory.

# %%
end = int(np.argmax(deviation > 1e-2))
rate = np.polyfit(times[:end], np.log(deviation[:end]), 1)[0]
local = starts["chaotic"].run("rattle", step=0.01, duration=float(times[end]), every=100).analyse("lyapunov")
print(f"neighbors {rate:.3f}, tangent map over the same {times[end]:g} time units {local.exponent_1:.3f}, "
      f"over a long time {chaotic.exponent_1:.3f} +- {chaotic.error_1:.3f}")
# The deviation oscillates with the pendulum, by a factor of about ten: over some 20 e-folds that is log(10)/20 of the
# rate at each end.
assert abs(rate - local.exponent_1) < 2 * np.log(10) / 20 * local.exponent_1
