# %% [markdown]
# # Choosing a method
#
# Which method is the cheapest for a given error, and which methods are reliable over long times? Two measurements on
# a double pendulum in regular motion answer these questions: a work-precision diagram over a short time, and the
# energy over a long one.

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


pendulum = lb.load("double-pendulum")
print(lb.method("rattle").summary)

# %% [markdown]
# ## Work-precision diagram
# `compare` runs all methods over the same time and measures their errors with a reference in quadruple precision.

# %%
methods = ["rattle", "compose(rattle, suzuki4)", "compose(rattle, kahanli8)", "lobatto(3)", "multistep(6)"]
comparison = lb.compare(pendulum, methods, steps=[0.08, 0.04, 0.02], duration=4)
print(comparison)
comparison.plot()
show("work")

# %% [markdown]
# The slopes are the orders. Halving the step size divides the error by 2^order:

# %%
errors = {method: np.array([row.error_q for row in comparison.rows if row.method == method])
          for method in comparison.methods}
for method, error in errors.items():
    print(f"{method:28} order {lb.method(method).order}, measured {np.log2(error[:-1] / error[1:])}")
rattle, suzuki = errors["rattle"], errors["compose(rattle, suzuki4)"]
# The next term of the error is h^2 times smaller: at h = 0.04 it changes the order by a few h^2.
assert abs(np.log2(rattle[1] / rattle[2]) - 2) < 0.05
assert abs(np.log2(suzuki[1] / suzuki[2]) - 4) < 0.1

# %% [markdown]
# For low accuracy a simple method is the cheapest. For high accuracy, high order pays:

# %%
for bound in [1e-2, 1e-9]:
    best = comparison.best(bound)
    print(f"error below {bound:g}: {best.method}, step {best.step}, {best.evaluations.force} force evaluations")
assert "kahanli8" in comparison.best(1e-9).method
# One step of the composition consists of seventeen steps of RATTLE, which would need step sizes of about 1e-5 here.
assert comparison.best(1e-2).evaluations.force < 200

# %% [markdown]
# ## Energy drift over a long time
# Small errors over a short time say nothing about long times. `radau(2)` is a good method of order three, but
# designed for other problems: it is dissipative. Its energy is compared with that of RATTLE, which has only order two.

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
    """Mean energy error of the last tenth of the run, in units of the maximum error of its first tenth."""
    tenth = len(run.t) // 10
    return float(abs(run.energy_error[-tenth:].mean()) / abs(run.energy_error[:tenth]).max())


print("growth of the energy error:", growth(tame), "and", growth(fading))
# Bounded: the mean at the end does not exceed the maximum at the beginning. A steady loss is ten times as large at
# the end.
assert growth(tame) < 1
assert growth(fading) > 5

# %% [markdown]
# ## Certificates
# RATTLE claims to be symplectic and to have a bounded energy error; `radau(2)` claims neither. Both certificates are
# confirmed: each method is judged by its own claims.

# %%
certificates = {method: lb.certify(method, pendulum) for method in ["rattle", "radau(2)"]}
for certificate in certificates.values():
    print(certificate, "\n")
    assert certificate.ok

# %% [markdown]
# A method that is not applicable is refused, and the message names suitable ones. Verlet is for unconstrained models:

# %%
try:
    pendulum.run("verlet", step=0.01, duration=1)
except lb.InputError as refusal:
    print(refusal)
    assert "rattle" in str(refusal)
else:
    raise AssertionError("verlet took constraints")
