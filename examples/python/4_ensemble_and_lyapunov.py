# %% [markdown]
# # Chaos, measured twice
#
# Two starts of one double pendulum: with small angles it swings regularly, from above it is wild. How chaotic is it?
# Two measurements that know nothing of each other: the Lyapunov exponent from the tangent map of the method, along
# one trajectory; and an ensemble of neighbours that start within a hundred-millionth of a degree and spread.

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
# The angles of the rods at the start are parameters, and the initial positions are formulas of them: whatever the
# angles are, the start satisfies the constraints.

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


starts = {"regular": pendulum("pi/6", "-pi/6"), "wild": pendulum(2, 2.5)}

# %% [markdown]
# ## One trajectory and its tangent map
# Two degrees of freedom leave four dimensions in phase space: four exponents. They come in pairs, +a and -a, because
# the method is symplectic, and one pair is zero, because the energy is kept and the time of the start does not
# matter. An analysis also says how far its numbers can be trusted.

# %%
exponents = {}
for name, model in starts.items():
    run = model.run("rattle", step=0.01, duration=1000, every=5000)
    exponents[name] = run.analyse("lyapunov", count="all")
    print(f"{name}: {exponents[name].verdict}")
    print("   ", [f"{exponents[name][f'exponent_{k}']:+.4f}" for k in range(1, 5)])

wild = exponents["wild"]
# Far above its own error: the motion is chaotic. The other start shows a hundredth of it at most; of regular motion,
# whose neighbours part linearly, log(t)/t is left.
assert wild.exponent_1 > 5 * wild.error_1
assert exponents["regular"].exponent_1 < np.log(1000) / 1000
# What is left of pairs and zeros is what a time average over t = 900 has not yet forgotten of the first basis: a few
# e-folds of the tangent vectors.
assert abs(wild.exponent_1 + wild.exponent_4) < 5 / 900
assert abs(wild.exponent_2) < 5 / 900 and abs(wild.exponent_3) < 5 / 900

# %% [markdown]
# ## Neighbours
# A hundred pendulums whose second angle differs by at most 1e-10, each a lane of generated code. Their standard
# deviation grows like exp(a t) while it is small, where a is the growth over this stretch of the trajectory, until it
# has the size of the pendulum.

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
times, deviation = spread["wild"]
plt.semilogy(times, np.minimum(deviation[0] * np.exp(wild.exponent_1 * times), 2), "k--", label="exponent, long time")
plt.xlabel("t")
plt.ylabel("standard deviation of the positions")
plt.legend()
plt.tight_layout()
show("spread")

growth = {name: deviation[-1] / deviation[0] for name, (_, deviation) in spread.items()}
print("growth of the deviation in 100 time units:", growth)
# Regular neighbours part linearly: some hundred times in a hundred time units. Wild ones fill what they can reach,
# two rods of length one.
assert growth["regular"] < 1e3
assert deviation[-1] > 0.5

# %% [markdown]
# Do the two measurements agree? The rate of growth until the deviation is 1e-2, beside the exponent over the same
# stretch of time; the long average is another number, for the growth changes from place to place.

# %%
end = int(np.argmax(deviation > 1e-2))
rate = np.polyfit(times[:end], np.log(deviation[:end]), 1)[0]
local = starts["wild"].run("rattle", step=0.01, duration=float(times[end]), every=100).analyse("lyapunov")
print(f"neighbours {rate:.3f}, tangent map over the same {times[end]:g} time units {local.exponent_1:.3f}, "
      f"over a long time {wild.exponent_1:.3f} +- {wild.error_1:.3f}")
# The deviation swings with the pendulum, by a factor of ten or so: over some 20 e-folds that is log(10)/20 of the
# rate at each end.
assert abs(rate - local.exponent_1) < 2 * np.log(10) / 20 * local.exponent_1
