"""Closed forms of machines: where geometry alone says what a mechanism does. Nothing of Libration.

    delta_platform   the platform of a delta robot from the angles of its motors: where three spheres meet
    jansen_leg       the joints of Theo Jansen's leg from the angle of the crank: circles that meet, and triangles
    whipple          eigenvalues of a bicycle from its 25 parameters (Meijaard, Papadopoulos, Ruina, Schwab 2007, Appendix A)
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


BICYCLE = SimpleNamespace(
    w=1.02, c=0.08, tilt=math.pi / 10, g=9.81, r_R=0.3, m_R=2.0, R_xx=0.0603, R_yy=0.12, x_B=0.3, z_B=-0.9, m_B=85.0, B_xx=9.2,
    B_xz=2.4, B_zz=2.8, x_H=0.9, z_H=-0.7, m_H=4.0, H_xx=0.05892, H_xz=-0.00756, H_zz=0.00708, r_F=0.35, m_F=3.0, F_xx=0.1405, F_yy=0.28)


def whipple_matrices(b=BICYCLE):
    """M, C1, K0 and K2 of M q'' + v C1 q' + (g K0 + v^2 K2) q = 0, q = (lean, steer)."""
    s, cs = math.sin(b.tilt), math.cos(b.tilt)
    mass = b.m_R + b.m_B + b.m_H + b.m_F
    x = (b.x_B * b.m_B + b.x_H * b.m_H + b.w * b.m_F) / mass
    z = (-b.r_R * b.m_R + b.z_B * b.m_B + b.z_H * b.m_H - b.r_F * b.m_F) / mass
    T_xx = b.R_xx + b.B_xx + b.H_xx + b.F_xx + b.m_R * b.r_R**2 + b.m_B * b.z_B**2 + b.m_H * b.z_H**2 + b.m_F * b.r_F**2
    T_xz = b.B_xz + b.H_xz - b.m_B * b.x_B * b.z_B - b.m_H * b.x_H * b.z_H + b.m_F * b.w * b.r_F
    T_zz = b.R_xx + b.B_zz + b.H_zz + b.F_xx + b.m_B * b.x_B**2 + b.m_H * b.x_H**2 + b.m_F * b.w**2
    m_A = b.m_H + b.m_F
    x_A, z_A = (b.x_H * b.m_H + b.w * b.m_F) / m_A, (b.z_H * b.m_H - b.r_F * b.m_F) / m_A
    A_xx = b.H_xx + b.F_xx + b.m_H * (b.z_H - z_A)**2 + b.m_F * (b.r_F + z_A)**2
    A_xz = b.H_xz - b.m_H * (b.x_H - x_A) * (b.z_H - z_A) + b.m_F * (b.w - x_A) * (b.r_F + z_A)
    A_zz = b.H_zz + b.F_xx + b.m_H * (b.x_H - x_A)**2 + b.m_F * (b.w - x_A)**2
    u = (x_A - b.w - b.c) * cs - z_A * s
    A_ll = m_A * u * u + A_xx * s * s + 2 * A_xz * s * cs + A_zz * cs * cs
    A_lx, A_lz = -m_A * u * z_A + A_xx * s + A_xz * cs, m_A * u * x_A + A_xz * s + A_zz * cs
    mu = b.c / b.w * cs
    S_F = b.F_yy / b.r_F
    S_T, S_A = b.R_yy / b.r_R + S_F, m_A * u + mu * mass * x
    coupled = A_lx + mu * T_xz
    M = [[T_xx, coupled], [coupled, A_ll + 2 * mu * A_lz + mu**2 * T_zz]]
    K0 = [[mass * z, -S_A], [-S_A, -S_A * s]]
    K2 = [[0, (S_T - mass * z) / b.w * cs], [0, (S_A + S_F * s) / b.w * cs]]
    C1 = [[0, mu * S_T + S_F * cs + T_xz / b.w * cs - mu * mass * z],
          [-(mu * S_T + S_F * cs), A_lz / b.w * cs + mu * (S_A + T_zz / b.w * cs)]]
    return tuple(map(np.array, (M, C1, K0, K2)))


def whipple(speed):
    """Eigenvalues, sorted by their real parts, then by their imaginary ones."""
    M, C1, K0, K2 = whipple_matrices()
    stiffness = BICYCLE.g * K0 + speed**2 * K2
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, stiffness), -np.linalg.solve(M, speed * C1)]])
    return np.sort_complex(np.linalg.eigvals(A))


# Published in Table 2 of the paper.
WHIPPLE = {4: [-12.15861426576447, -1.42944427361326, 0.41325331521125 - 3.07910818603206j, 0.41325331521125 + 3.07910818603206j],
           5: [-14.07838969279822, -0.77534188219585 - 4.46486771378823j, -0.77534188219585 + 4.46486771378823j, -0.32286642900409],
           8: [-20.27940894394569, -2.69348683581097 - 8.46037971396931j, -2.69348683581097 + 8.46037971396931j, 0.14327879765713]}
