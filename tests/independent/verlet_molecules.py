"""Toda lattice, argon crystal and Fermi-Pasta-Ulam chain with the Störmer-Verlet method.

HairerLubichWanner2003, section 5: Toda lattice with three particles and its Lax matrix (Figs. 5.2 and 5.3), seven
argon atoms (Fig. 5.5, H and virial), Fermi-Pasta-Ulam chain with three stiff springs (Fig. 5.7).
"""

import numpy as np

from constrained_systems import KAHAN_LI6
from recipe_checks import named
from stormer_verlet import runge, verlet

TODA_START = np.array([1.0, 2, -1]), np.array([-1.5, 1, 0.5])


def toda_force(q):
    spring = np.exp(q - np.roll(q, -1))
    return np.roll(spring, 1) - spring


def toda_eigenvalues(q, p):
    """Of the symmetric Lax matrix: -p_k/2 on the diagonal, exp((q_k - q_(k+1))/2)/2 beside it, cyclically."""
    b = np.exp((q - np.roll(q, -1)) / 2) / 2
    lax = np.diag(-p / 2)
    for k in range(3):
        following = (k + 1) % 3
        lax[k, following] = lax[following, k] = b[k]
    return np.linalg.eigvalsh(lax)


def accurate_toda(h, duration):
    """Nodes of the exact solution: the composition of order 6 of KahanLi1997 with small substeps."""
    q, p = TODA_START
    f, substeps = toda_force(q), round(h / 0.0125)
    yield q, p
    for _ in range(round(duration / h)):
        for weight in KAHAN_LI6 * substeps:
            p = p + weight * h / substeps / 2 * f
            q = q + weight * h / substeps * p
            f = toda_force(q)
            p = p + weight * h / substeps / 2 * f
        yield q, p


def toda_values():
    first = toda_eigenvalues(*TODA_START)
    energy = np.sum(TODA_START[1] ** 2) / 2 + np.sum(np.exp(TODA_START[0] - np.roll(TODA_START[0], -1)))
    exact = list(accurate_toda(0.05, 50))
    deviations, growth = [], []
    for h in (0.1, 0.05):
        nodes = list(verlet(toda_force, *TODA_START, h, round(50 / h)))
        deviations.append(max(np.max(abs(toda_eigenvalues(*node) - first)) for node in nodes))
        errors = [np.linalg.norm(np.concatenate(node) - np.concatenate(other))
                  for node, other in zip(nodes, exact[::round(h / 0.05)])]
        growth += [max(errors[:len(errors) // part + 1]) for part in (4, 2, 1)]
    of_runge = list(runge(toda_force, *TODA_START, 0.05, 1000))
    errors = [np.linalg.norm(np.concatenate(node) - np.concatenate(other)) for node, other in zip(of_runge, exact)]
    runge_growth = [max(errors[:len(errors) // part + 1]) for part in (4, 2, 1)]
    with np.errstate(all="ignore"):
        nodes = enumerate(runge(toda_force, *TODA_START, 0.1, 500))
        explosion = next(n for n, (_, p) in nodes if not np.all(abs(p) < 1e6))
    return {
        **named("001-fig5.2", "Störmer-Verlet: largest deviation of an eigenvalue", deviations),
        **named("001-fig5.2", "eigenvalues of the initial state", first),
        **named("001-fig5.2", "energy of the initial state", [energy]),
        **named("001-fig5.2", "Runge, h = 0.05: largest deviation", [
            max(np.max(abs(toda_eigenvalues(*node) - first)) for node in of_runge)]),
        **named("001-fig5.2", "Runge, h = 0.1: time of the blow-up", [explosion * 0.1]),
        **named("001-fig5.3", "Störmer-Verlet: largest error", growth),
        **named("001-fig5.3", "exact solution at t = 50", np.concatenate(exact[-1])),
        **named("001-fig5.3", "Runge, h = 0.05: largest error", runge_growth),
    }


def argon_values():
    """Initial values of seven atoms, nm and nm/ns; energies in units of k_B K."""
    q = np.array([(0, 0), (0.02, 0.39), (0.34, 0.17), (0.36, -0.21), (-0.02, -0.40), (-0.35, -0.16), (-0.31, 0.21)])
    v = np.array([(-30, -20), (50, -90), (-70, -60), (90, 40), (80, 90), (-40, 100), (-80, -60)])
    mass, sigma, epsilon = 66.34e-27 / 1.380658e-23, 0.341, 119.8
    kinetic = mass * np.sum(v * v) / 2
    potential = virial = 0.0
    for i in range(7):
        for j in range(i):
            r = np.linalg.norm(q[i] - q[j])
            potential += 4 * epsilon * ((sigma / r) ** 12 - (sigma / r) ** 6)
            virial += 24 * epsilon * ((sigma / r) ** 6 - 2 * (sigma / r) ** 12)         # r U'(r)
    return named("001-fig5.5", "initial state", [kinetic + potential, kinetic, kinetic / 7, virial])


def chain_ranges(omega, h, duration=200):
    """Smallest and largest H and I of the chain, and both at the start. Plain floats, since the run is long.

    x1, x2, x3 are displacements of the pairs, y1, y2, y3 expansions of the stiff springs, u and w their momenta.
    """
    x1, x2, x3, y1, y2, y3 = 1.0, 0.0, 0.0, 1 / omega, 0.0, 0.0
    u1, u2, u3, w1, w2, w3 = 1.0, 0.0, 0.0, 1.0, 0.0, 0.0
    stiffness, half = omega * omega, h / 2
    energies, actions = [], []
    for step in range(round(duration / h) + 1):
        a, b, c, d = x1 - y1, x2 - y2 - x1 - y1, x3 - y3 - x2 - y2, x3 + y3
        A, B, C, D = a * a * a, b * b * b, c * c * c, d * d * d
        k1, k2, k3 = (B - A) * half, (C - B) * half, (-C - D) * half
        l1, l2, l3 = (A + B - stiffness * y1) * half, (B + C - stiffness * y2) * half, (C - D - stiffness * y3) * half
        if step:                                        # the second half kick of the step that ends here
            u1, u2, u3, w1, w2, w3 = u1 + k1, u2 + k2, u3 + k3, w1 + l1, w2 + l2, w3 + l3
        action = (w1 * w1 + w2 * w2 + w3 * w3 + stiffness * (y1 * y1 + y2 * y2 + y3 * y3)) / 2
        energies.append((u1 * u1 + u2 * u2 + u3 * u3) / 2 + action + (A * a + B * b + C * c + D * d) / 4)
        actions.append(action)
        u1, u2, u3, w1, w2, w3 = u1 + k1, u2 + k2, u3 + k3, w1 + l1, w2 + l2, w3 + l3
        x1, x2, x3, y1, y2, y3 = x1 + h * u1, x2 + h * u2, x3 + h * u3, y1 + h * w1, y2 + h * w2, y3 + h * w3
    return [min(energies), max(energies)], [min(actions), max(actions)], (energies[0], actions[0])


def chain_values():
    (coarse, action, starts), (fine, _, _) = chain_ranges(30, 0.5 / 30), chain_ranges(30, 0.25 / 30)
    sixty, more = chain_ranges(60, 0.5 / 60), chain_ranges(120, 0.5 / 120)
    return {
        **named("001-fig5.7", "h = 0.5/omega, omega = 30", coarse + action),
        **named("001-fig5.7", "H and I at the start", starts),
        **named("001-fig5.7", "h = 0.25/omega", fine),
        **named("001-fig5.7", "range of H, h = 0.5/omega over", [(coarse[1] - coarse[0]) / (fine[1] - fine[0])]),
        **named("001-fig5.7", "h omega = 1/2 and omega = 60, 120: smallest and largest H", sixty[0] + more[0]),
        **named("001-fig5.7", "h omega = 1/2 and omega = 60, 120: smallest and largest I", sixty[1] + more[1]),
    }


def values():
    return {**toda_values(), **argon_values(), **chain_values()}
