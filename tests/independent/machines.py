"""Closed forms of machines: where geometry alone says what a mechanism does. Nothing of Libration.

    delta_platform   the platform of a delta robot from the angles of its motors: where three spheres meet
    jansen_leg       the joints of Theo Jansen's leg from the angle of the crank: circles that meet, and triangles
    whipple          eigenvalues of a bicycle from its 25 parameters (Meijaard, Papadopoulos, Ruina, Schwab 2007, Appendix A)
    klingel          wavelength of the sinusoidal motion of a conical wheelset (Klingel 1883)
"""

import math
from types import SimpleNamespace

import numpy as np


def delta_platform(angles, base=0.12, arm=0.3, rod=0.6, platform=0.06):
    """The lower of the two points at the distance `rod` from three centers: elbows, moved inward by the radius of the platform."""
    centers = []
    for turn, theta in zip((0, 2 * math.pi / 3, 4 * math.pi / 3), angles):
        outward = np.array([math.cos(turn), math.sin(turn), 0])
        centers.append((base + arm * math.cos(theta) - platform) * outward - np.array([0, 0, arm * math.sin(theta)]))
    a, b, c = centers
    x = (b - a) / np.linalg.norm(b - a)
    y = c - a - x @ (c - a) * x
    y /= np.linalg.norm(y)
    d, i, j = np.linalg.norm(b - a), x @ (c - a), y @ (c - a)
    along, across = d / 2, (i**2 + j**2 - i * d) / (2 * j)
    up = np.cross(x, y)
    height = math.sqrt(rod**2 - along**2 - across**2)
    return a + along * x + across * y - math.copysign(height, up[2]) * up


HOLY = dict(a=38.0, b=41.5, c=39.3, d=40.1, e=55.8, f=39.4, g=36.7, h=65.7, i=49.0, j=50.0, k=61.9, l=7.8, m=15.0)


def meet(p, r, q, s):
    """Where the circles about p with the radius r and about q with the radius s meet: to the left of the way from p to q."""
    d = abs(q - p)
    along = (r * r - s * s + d * d) / (2 * d)
    return p + (along + 1j * math.sqrt(r * r - along * along)) * (q - p) / d


def jansen_leg(theta):
    """Joints as complex numbers, in units of the holy numbers; the crank turns about 0."""
    n = SimpleNamespace(**HOLY)
    tip, pivot = n.m * complex(math.cos(theta), math.sin(theta)), complex(-n.a, -n.l)
    top = meet(pivot, n.b, tip, n.j)
    knee = meet(tip, n.k, pivot, n.c)
    back = meet(pivot, n.d, top, n.e)
    heel = meet(knee, n.g, back, n.f)
    foot = meet(knee, n.i, heel, n.h)
    return dict(tip=tip, pivot=pivot, top=top, knee=knee, back=back, heel=heel, foot=foot)
