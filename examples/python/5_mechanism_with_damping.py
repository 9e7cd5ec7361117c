# %% [markdown]
# # A mechanism with a motor and a damper
#
# A motor turns a crank; a connecting rod moves a slider back and forth, against a spring and a damper. Three
# coordinates (two angles and a position) and two constraints leave one degree of freedom. The motor supplies energy and
# the damper dissipates it, so the energy is not conserved. The energy balance can be checked instead:
# the change of the energy must equal the work of the two forces.

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
# The kinetic energy couples the angles through cos(phi1 - phi2): the mass matrix depends on the position. Each applied
# force has a class, and `spark` uses suitable coefficients for it: dissipative ones for a damper,
# their adjoint for a motor, and a symplectic pair for everything else.

# %%
phi1, phi2, x = lb.coordinates("phi1 phi2 x")
w1, w2, v = lb.velocity(phi1), lb.velocity(phi2), lb.velocity(x)
l1, l2, m1, m2, m3, J1, J2 = lb.parameters("l1 l2 m1 m2 m3 J1 J2")
torque, idle, damper, spring, rest, speed = lb.parameters("torque idle damper spring rest speed")

kinetic = (
    (J1 + m2 * l1**2) / 2 * w1**2
    + m2 * l1 * l2 / 2 * lb.cos(phi1 - phi2) * w1 * w2
    + J2 / 2 * w2**2
    + m3 / 2 * v**2
)
gravity = 9.81 * ((m1 / 2 + m2) * l1 * lb.sin(phi1) + m2 / 2 * l2 * lb.sin(phi2))
motor = torque * (1 - w1 / idle)

start = lb.pi / 4
lean = lb.asin(l1 / l2 * lb.sin(start))  # initial angle of the connecting rod

engine = lb.Model(
    name="engine",
    q=[phi1, phi2, x],
    kinetic=kinetic,
    potential=gravity + spring / 2 * (x - rest) ** 2,
    constraints={
        "height": l1 * lb.sin(phi1) + l2 * lb.sin(phi2),
        "reach": l1 * lb.cos(phi1) + l2 * lb.cos(phi2) - x,
    },
    forces={
        "motor": {"class": "driving", "on": {phi1: motor}},
        "damper": {"class": "dissipative", "on": {x: -damper * v}},
    },
    observables={"brought_in": motor * w1, "taken_out": damper * v**2},
    parameters={
        l1: 0.15, l2: 0.30, m1: 0.36, m2: 0.151104, m3: 0.075552, J1: 0.002727, J2: 0.0045339259,
        torque: 2, idle: 200, damper: 1, spring: 400, rest: 0.3, speed: 150,
    },
    initial={
        "q": [start, -lean, l1 * lb.cos(start) + l2 * lb.cos(lean)],
        "v": [speed, -speed * l1 * lb.cos(start) / (l2 * lb.cos(lean)),
              -speed * l1 * (lb.sin(start) + lb.cos(start) * lb.tan(lean))],
    },
)
print(engine.check())

# %% [markdown]
# ## Which method?
# RATTLE is for forces derived from a potential. The error message says so and names suitable methods.

# %%
try:
    engine.run("rattle", step=1e-4, duration=0.1)
except lb.InputError as refusal:
    print(refusal)
    assert "spark" in str(refusal)
else:
    raise AssertionError("RATTLE took a damper")

# %% [markdown]
# ## Energy balance
# The work of both forces is the integral of the recorded powers. Simpson's rule over the recorded nodes has order
# four, like `spark(3)`; the energy is computed by the run itself, independently of the powers.

# %%


def work(run: lb.Run) -> np.ndarray:
    """The work of motor and damper up to every second node, by Simpson's rule."""
    power = run.observables["brought_in"] - run.observables["taken_out"]
    h = run.t[1] - run.t[0]
    parts = h / 3 * (power[:-2:2] + 4 * power[1:-1:2] + power[2::2])
    return np.concatenate([[0], np.cumsum(parts)])


gaps = []
for h in [2e-4, 1e-4]:
    run = engine.run("spark(3)", step=h, duration=1)
    gaps.append(np.abs(run.energy[::2] - run.energy[0] - work(run)).max())
    print(f"h = {h:g}: energy {run.energy[0]:.3f} to {run.energy[-1]:.3f}, maximum error of the balance {gaps[-1]:.2e}")
# The powers are of size 200 and the crank turns by 0.04 in the longer of these steps. Both rules have order four:
# halving the step size divides the error by sixteen, to the accuracy of the leading term.
assert gaps[1] < 1e-4
assert 13 < gaps[0] / gaps[1] < 19

# %% [markdown]
# The constraints are satisfied to round-off, including the hidden constraints on the velocities (of size 150).

# %%
print("maximum residual", np.abs(run.residuals.constraint).max(), " hidden", np.abs(run.residuals.hidden).max())
# The largest terms are 0.45 in the first and 150*0.15 in the second: a hundred units of their round-off.
assert np.abs(run.residuals.constraint).max() < 100 * 0.45 * 1.1e-16
assert np.abs(run.residuals.hidden).max() < 100 * 22.5 * 1.1e-16

# %% [markdown]
# ## The steady state
# Below its idle speed the motor accelerates the crank, and the damper always brakes, until in every revolution the
# supplied and the dissipated energy are equal.

# %%
long = engine.run("spark(3)", step=5e-4, duration=12)
turn = 2 * np.pi / long.v[-1, 0]
late = long.t > 10
mean_in = long.observables["brought_in"][late].mean()
mean_out = long.observables["taken_out"][late].mean()
print(f"in the last two seconds {mean_in:.2f} in, {mean_out:.2f} out; crank between {long.v[late, 0].min():.1f} "
      f"and {long.v[late, 0].max():.1f} rad/s")
# The energy oscillates by some 30 within a revolution; over two seconds that is a difference of at most 15. The
# actual difference is far less, because most of the two seconds are whole revolutions.
assert abs(mean_in - mean_out) < 0.02 * mean_out
assert 0 < long.v[late, 0].mean() < 200

figure, axes = plt.subplots(2, 1, figsize=(9, 6))
axes[0].plot(long.t, long.v[:, 0], linewidth=0.4)
axes[0].set_xlabel("t")
axes[0].set_ylabel("speed of the crank")
window = run.t < 0.1
axes[1].plot(run.t[window], run.observables["brought_in"][window], label="motor")
axes[1].plot(run.t[window], -run.observables["taken_out"][window], label="damper")
axes[1].set_xlabel("t")
axes[1].set_ylabel("power")
axes[1].legend()
figure.tight_layout()
show("engine")

# %% [markdown]
# ## Without motor and damper
# With both set to zero, the same model and method conserve the energy: `spark` treats the rest of the
# system symplectically.

# %%
free = engine.set(torque=0, damper=0).run("spark(3)", step=2e-4, duration=5)
swing = np.abs(free.energy - free.energy[0])
print("maximum energy error in the first second", swing[free.t <= 1].max(), " in the last", swing[free.t >= 4].max())
# A drift over five seconds would make the last second five times worse.
assert swing[free.t >= 4].max() < 1.5 * swing[free.t <= 1].max()
