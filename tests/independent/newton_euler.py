"""Accelerations and joint wrenches of a mechanism from its model file, by Newton's and Euler's equations.

Nothing of Libration: unknowns are the accelerations of the centers of mass, the angular accelerations, and the force and
torque that each joint transmits. For every body m a = m g + F and I alpha + omega x I omega = M about its center of mass;
for every joint the second derivative of its condition, written with vectors:

    points coincide            a_2(p) - a_1(p) = 0 with a(p) = a + alpha x s + omega x (omega x s)
    axis n of body 1 shared    e (alpha_2 - alpha_1) = e (omega_1 x n) rate for e across n, rate = n (omega_2 - omega_1)
    no relative rotation       alpha_2 - alpha_1 = 0
    point on a line of body 1  e (a_2(p) - a_1(p) - 2 omega_1 x w) = 0, w = v_2(p) - v_1(p)
    point on a plane of body 1 the same with its normal for e
    axes a, b perpendicular    n (alpha_2 - alpha_1) + n' (omega_2 - omega_1) = 0, n = a x b
    distance                   d (a_2 - a_1) + |w|^2 = 0
    screw                      e (a_2(p) - a_1(p) - 2 omega_1 x w) = pitch/(2 pi) e (alpha_2 - alpha_1), e along the axis
    rolling                    e (a_2(P) - a_1(P)) = e (omega_1 x (P' - p') - omega_2 x a' - omega_2 x (omega_2 x s)) for the normal and two
                               tangents e: the contact P = c + a moves by P' = c' + a' against the material, s from the center
                               of mass to the center c, p a point of the plane; see `rolling`
    gear, rack, mimic          the second derivative of one coordinate is a multiple of that of another; these are
                               n (alpha_2 - alpha_1) about an axis, and e (a_2(p) - a_1(p) - 2 omega_1 x w) along one

Accelerations are unique, also if conditions are redundant. Wrenches are not, then: `wrenches` returns those of least norm, the root of
the sum of |F|^2 + |M|^2/length^2, and which components are the same in all solutions.

A state is {body: (r, Q, v, omega)}: center of mass, axes of the body's frame as columns, both in the world; velocity of the center in the
world and angular velocity in the body's frame.
"""

import math
import tomllib

import numpy as np

RANK = 1e-9        # singular values below this share of the largest are round-off: the smallest others are above 1e-3 here
FUNCTIONS = {name: getattr(math, name) for name in
             ("sqrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "hypot", "pi")}


def number(value, parameters):
    """A number of a model file, or a formula: its own `^` is the only operator that Python writes differently."""
    if not isinstance(value, str):
        return float(value)
    return float(eval(value.replace("^", "**"), {"__builtins__": {}}, {**FUNCTIONS, **parameters}))


def parameters_of(document):
    given, known = dict(document.get("parameters", {})), {}
    while len(known) < len(given):
        before = len(known)
        for name in given.keys() - known.keys():
            try:
                known[name] = number(given[name], known)
            except NameError:
                pass
        assert len(known) > before, given.keys() - known.keys()
    return known


def rotation(axis, angle):
    n = np.array(axis) / np.linalg.norm(axis)
    K = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def of_quaternion(q):
    w, x, y, z = np.array(q) / np.linalg.norm(q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


class Body:
    """Mass, inertia and com in the frame of the body, and the frame at the start."""

    def __init__(self, block, vector, scalar):
        in_space = lambda key: np.pad(vector(block.get(key, [0, 0, 0])), (0, 3))[:3]
        self.name, self.planar = block["name"], block.get("planar", False)
        self.mass, self.com = scalar(block.get("mass", 0)), in_space("com")
        self.origin, self.origin_velocity = in_space("position"), in_space("velocity")
        self.points = {name: np.pad(vector(at), (0, 1))[:3] for name, at in block.get("points", {}).items()}
        inertia = block["inertia"]
        if self.planar:
            # Turns about other axes do not occur: their moments of inertia are arbitrary.
            self.inertia = np.eye(3) * scalar(inertia)
            self.frame = rotation([0, 0, 1], scalar(block.get("angle", 0)))
            self.omega = np.array([0, 0, scalar(block.get("omega", 0))])
            return
        rows = isinstance(inertia[0], list)
        self.inertia = np.array([vector(row) for row in inertia]) if rows else np.diag(vector(inertia))
        orientation = block.get("orientation", [1, 0, 0, 0])
        if isinstance(orientation, dict):
            self.frame = rotation(vector(orientation["axis"]), scalar(orientation["angle"]))
        elif isinstance(orientation[0], list):
            self.frame = np.array([vector(row) for row in orientation])
        else:
            self.frame = of_quaternion(vector(orientation))
        self.omega = in_space("omega")

    def start(self):
        arm = self.frame @ self.com
        return (self.origin + arm, self.frame, self.origin_velocity + np.cross(self.frame @ self.omega, arm), self.omega)


class Motion:
    """Of one body in the world; the ground has no name and does not move."""

    def __init__(self, body, state):
        self.name = body.name if body else None
        r, Q, v, omega = state if body else (np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3))
        self.r, self.Q, self.v, self.omega = np.array(r), np.array(Q), np.array(v), np.array(Q) @ np.array(omega)
        self.com, self.planar = (body.com, body.planar) if body else (np.zeros(3), False)

    def place(self, local):
        return self.r + self.Q @ (local - self.com)

    def velocity(self, place):
        return self.v + np.cross(self.omega, place - self.r)

    def centripetal(self, place):
        return np.cross(self.omega, np.cross(self.omega, place - self.r))


class Mechanism:
    def __init__(self, text):
        document = tomllib.loads(text)
        for section in ("force", "forces", "damper", "spring", "points", "coordinates"):
            assert section not in document, f"[[{section}]] is not known here"
        known = parameters_of(document)
        self.scalar = lambda value: number(value, known)
        self.vector = lambda values: np.array([number(value, known) for value in values])
        self.bodies = {block["name"]: Body(block, self.vector, self.scalar) for block in document["body"]}
        self.frames = {block["name"]: {name: (np.array(f.get("at", [0, 0, 0])), np.array(f.get("axis", [0, 0, 1])))
                                       for name, f in block.get("frames", {}).items()} for block in document["body"]}
        self.gravity = np.pad(self.vector(document["dynamics"]["gravity"]), (0, 1))[:3]
        self.joints = [joint for joint in document["joint"] if "of" not in joint]
        self.couplings = [joint for joint in document["joint"] if "of" in joint]

    def start(self):
        return {name: body.start() for name, body in self.bodies.items()}

    def ends_of(self, joint):
        """Body (None: the ground) and point in its frame, of both ends."""
        ends = []
        for text in joint["between"]:
            name, _, point = text.partition(".")
            body = self.bodies.get(name)
            if point:
                ends.append((body, body.points[point]))
            else:
                at = np.pad(self.vector(joint["at"]), (0, 1))[:3]
                ends.append((body, body.frame.T @ (at - body.origin) if body else at))
        return ends

    def local_axes(self, joint, body):
        frame = body.frame if body else np.eye(3)
        given = joint["axes"] if "axes" in joint else [joint.get("axis", joint.get("normal", [0, 0, 1]))]
        return [frame.T @ (axis / np.linalg.norm(axis)) for axis in map(self.vector, given)]

    def conditions(self, joint, state):
        """Directions (force, torque) in the world that the joint transmits, with the right-hand sides, and its place."""
        if joint["type"] == "rolling":
            return self.rolling(joint, state)
        (first, p), (second, s) = self.ends_of(joint)
        one, two = (Motion(body, state[body.name] if body else None) for body in (first, second))
        place, kind = two.place(s), joint["type"]
        axis = one.Q @ self.local_axes(joint, first)[0]
        across = np.linalg.svd(axis[None])[2][1:]
        relative, turning = two.velocity(place) - one.velocity(place), two.omega - one.omega
        offset = -(two.centripetal(place) - one.centripetal(place))
        zero, rows = np.zeros(3), []
        planar = any(body and body.planar for body in (first, second))
        if kind == "distance":
            d = place - one.place(p)
            direction = d / np.linalg.norm(d)
            w = two.velocity(place) - one.velocity(one.place(p))
            curved = two.centripetal(place) - one.centripetal(one.place(p))
            assert first is None, "the first point of a distance is one of the ground here"
            return [(direction, zero, -direction @ curved - w @ w / np.linalg.norm(d))], place, one, two
        if kind in ("prismatic", "point-on-line", "point-on-plane", "screw"):
            across = across if kind != "point-on-plane" else [axis]
            across = across if not planar else [np.cross([0, 0, 1], axis)]
            rows += [(e, zero, e @ (offset + 2 * np.cross(one.omega, relative))) for e in across]
        elif not planar:
            rows += [(e, zero, e @ offset) for e in (*across, axis)]
        else:
            rows += [(e, zero, e @ offset) for e in np.eye(3)[:2]]
        if kind == "screw":
            rows += [(axis, -self.scalar(joint["pitch"]) / (2 * math.pi) * axis,
                      axis @ (offset + 2 * np.cross(one.omega, relative)))]
        if kind in ("revolute", "screw") and not planar:
            rows += [(zero, e, e @ np.cross(one.omega, axis) * (axis @ turning)) for e in across]
            if "motion" in joint:       # in proportion to time
                rows += [(zero, axis, 0.0)]
        elif kind == "universal":
            a, b = axis, two.Q @ self.local_axes(joint, second)[1]
            n, slope = np.cross(a, b), np.cross(np.cross(one.omega, a), b) + np.cross(a, np.cross(two.omega, b))
            rows += [(zero, n / np.linalg.norm(n), -slope @ turning / np.linalg.norm(n))]
        elif kind in ("prismatic", "fixed"):
            rows += [(zero, e, 0.0) for e in np.eye(3)]
        else:
            assert kind in ("revolute", "spherical", "point-on-line", "point-on-plane"), kind
        return rows, place, one, two

    def rolling(self, joint, state):
        """Normal, radius and axle as the file gives them, at the start. The slip of the material points at the contact,
        v_2 + omega_2 x (P - r_2) - v_1 - omega_1 x (P - r_1), is zero at all times, and so is its derivative."""
        first, second = (self.bodies.get(text.partition(".")[0]) for text in joint["between"])
        mark = joint["between"][0].partition(".")[2]
        n_local = unit(self.frames[first.name][mark][1]) if mark else (first.frame.T if first else np.eye(3)) @ unit(self.vector(joint["on"]))
        one, two = (Motion(body, state[body.name] if body else None) for body in (first, second))
        n, R = one.Q @ n_local, self.scalar(joint["radius"])
        n_rate = np.cross(one.omega, n)
        if "axis" in joint:
            u = two.Q @ second.frame.T @ unit(self.vector(joint["axis"]))
            c, c_rate = n @ u, n_rate @ u + n @ np.cross(two.omega, u)
            up, size = n - c * u, math.sqrt(1 - c * c)
            arm = -R / size * up
            arm_rate = -R / size * (n_rate - c_rate * u - c * np.cross(two.omega, u) + c * c_rate / size**2 * up)
        else:
            arm, arm_rate = -R * n, -R * n_rate
        center = two.place(np.zeros(3))
        place = center + arm
        moved = two.velocity(center) + arm_rate - one.v
        value = (np.cross(one.omega, moved) - np.cross(two.omega, arm_rate) - np.cross(two.omega, np.cross(two.omega, center - two.r)))
        across = np.linalg.svd(n[None])[2][1:]
        return [(e, np.zeros(3), e @ value) for e in (n, *across)], place, one, two

    def coupled(self, coupling, state):
        """What a unit along its second coordinate does: (force, torque) and place of joints in the world, on the second of each
        two bodies, and the value that the sum of their accelerations has; the wrench that the coupling reports is the last one."""
        factor = next((self.scalar(coupling[key]) for key in ("ratio", "radius", "factor") if key in coupling), 1.0)
        parts, value = [], 0.0
        for name, amount in zip(coupling["of"], (-factor, 1.0)):
            joint = next(joint for joint in self.joints if joint["name"] == name.partition(".")[0])
            _, place, one, two = self.conditions(joint, state)
            turns = joint["type"] == "revolute" or name.endswith(".angle")
            planar = one.planar or two.planar
            axis = np.array([0, 0, 1.0]) if turns and planar else one.Q @ self.local_axes(joint, self.ends_of(joint)[0][0])[0]
            force, torque = (np.zeros(3), amount * axis) if turns else (amount * axis, np.zeros(3))
            parts.append((force, torque, place, one, two))
            relative = two.velocity(place) - one.velocity(place)
            value += force @ (2 * np.cross(one.omega, relative) - two.centripetal(place) + one.centripetal(place))
        return parts, value

    def equations(self, state):
        """Masses as blocks, loads, one row per transmitted component, its right-hand side, and (joint, force, torque) of each row."""
        names = list(self.bodies)
        mass, load = np.zeros((6 * len(names),) * 2), np.zeros(6 * len(names))
        for k, (name, body) in enumerate(self.bodies.items()):
            motion = Motion(body, state[name])
            inertia = motion.Q @ body.inertia @ motion.Q.T
            mass[6 * k:6 * k + 3, 6 * k:6 * k + 3] = body.mass * np.eye(3)
            mass[6 * k + 3:6 * k + 6, 6 * k + 3:6 * k + 6] = inertia
            load[6 * k:6 * k + 3] = body.mass * self.gravity
            load[6 * k + 3:6 * k + 6] = -np.cross(motion.omega, inertia @ motion.omega)
        rows, right, labels = [], [], []
        for joint in self.joints:
            conditions, place, one, two = self.conditions(joint, state)
            for force, torque, value in conditions:
                row = np.zeros(6 * len(names))
                for sign, motion in ((1, two), (-1, one)):
                    if motion.name:
                        k = 6 * names.index(motion.name)
                        row[k:k + 3] += sign * force
                        row[k + 3:k + 6] += sign * (np.cross(place - motion.r, force) + torque)
                rows.append(row)
                right.append(value)
                labels.append((joint["name"], force, torque))
        for coupling in self.couplings:
            parts, value = self.coupled(coupling, state)
            row = np.zeros(6 * len(names))
            for force, torque, place, one, two in parts:
                for sign, motion in ((1, two), (-1, one)):
                    if motion.name:
                        k = 6 * names.index(motion.name)
                        row[k:k + 3] += sign * force
                        row[k + 3:k + 6] += sign * (np.cross(place - motion.r, force) + torque)
            rows.append(row)
            right.append(value)
            labels.append((coupling["name"], *parts[-1][:2]))
        for k, body in enumerate(self.bodies.values()):
            for i in (2, 3, 4) if body.planar else ():     # the plane itself
                rows.append(np.eye(6 * len(names))[6 * k + i])
                right.append(0.0)
                labels.append((None, np.zeros(3), np.zeros(3)))
        return mass, load, np.array(rows), np.array(right), labels

    def accelerations(self, state):
        """{body: (of the center, angular, both in the world)}; they minimize Gauss's constraint."""
        mass, load, rows, right, _ = self.equations(state)
        # Slender bodies have no inertia about their axis; its value does not matter, because a joint holds them.
        mass = mass + RANK * np.trace(mass) / len(mass) * null_projector(np.vstack([mass, rows])) + spin_of_slender(mass)
        root = np.linalg.cholesky(mass)
        free = np.linalg.solve(mass, load)
        step = np.linalg.lstsq(np.linalg.solve(root, rows.T).T, right - rows @ free, rcond=RANK)[0]
        a = free + np.linalg.solve(root.T, step)
        return {name: (a[6 * k:6 * k + 3], a[6 * k + 3:6 * k + 6]) for k, name in enumerate(self.bodies)}

    def condition(self, state):
        """Of the matrix whose solution are the multipliers: by this factor a solver in double precision may amplify round-off."""
        mass, _, rows, _, _ = self.equations(state)
        root = np.linalg.cholesky(mass + spin_of_slender(mass))
        s = np.linalg.svd(np.linalg.solve(root, rows.T), compute_uv=False)
        s = s[s > RANK * s[0]]
        return (s[0] / s[-1])**2

    def wrenches(self, state, length):
        """{joint: (force, torque, [(force direction, torque direction, value, is determined)])}, on its second body, of least norm."""
        mass, load, rows, _, labels = self.equations(state)
        found = self.accelerations(state)
        needed = mass @ np.concatenate([np.concatenate(found[name]) for name in self.bodies]) - load
        scale = np.array([1.0 if np.any(force) or joint is None else length for joint, force, _ in labels])
        balance = rows.T * scale
        values = np.linalg.lstsq(balance, needed, rcond=RANK)[0]
        determined = np.einsum("ij,ij->j", *[range_projector(balance.T)] * 2)
        result = {}
        for (joint, force, torque), value, factor, share in zip(labels, values, scale, determined):
            if joint is not None:
                total = result.setdefault(joint, [np.zeros(3), np.zeros(3), []])
                total[0] = total[0] + value * factor * force
                total[1] = total[1] + value * factor * torque
                total[2].append((force, torque, value * factor, bool(share > 1 - RANK)))
        return result

    def imbalance(self, state, wrenches):
        """The largest |m a - m g - F| of all bodies, and |I alpha + omega x I omega - M|, for wrenches {joint: (force, torque)} on second bodies at the
        joint, from wherever they are; relative to the largest force and torque on any body."""
        found, worst, sizes = self.accelerations(state), np.zeros(2), np.full(2, 1e-300)
        forces = {name: -body.mass * (found[name][0] - self.gravity) for name, body in self.bodies.items()}
        torques = {}
        for name, body in self.bodies.items():
            motion = Motion(body, state[name])
            inertia = motion.Q @ body.inertia @ motion.Q.T
            torques[name] = -(inertia @ found[name][1] + np.cross(motion.omega, inertia @ motion.omega))
        acting = []
        for joint in self.joints:
            acting.append((*(np.array(part) for part in wrenches[joint["name"]][:2]), *self.conditions(joint, state)[1:]))
        for coupling in self.couplings:
            parts, _ = self.coupled(coupling, state)
            reported, unit = np.concatenate(wrenches[coupling["name"]][:2]), np.concatenate(parts[-1][:2])
            amount = reported @ unit
            sizes = np.maximum(sizes, np.linalg.norm(amount))
            worst = np.maximum(worst, np.linalg.norm(reported - amount * unit))     # it acts on nothing but the coordinate
            acting += [(amount * force, amount * torque, *rest) for force, torque, *rest in parts]
        for force, torque, place, one, two in acting:
            for sign, motion in ((1, two), (-1, one)):
                if motion.name:
                    arm = np.cross(place - motion.r, force) + torque
                    forces[motion.name] = forces[motion.name] + sign * force
                    torques[motion.name] = torques[motion.name] + sign * arm
                    sizes = np.maximum(sizes, [np.linalg.norm(force), np.linalg.norm(arm)])
        for name, body in self.bodies.items():
            force, torque = forces[name], torques[name]
            if body.planar:
                force, torque = force * [1, 1, 0], torque * [0, 0, 1]
            worst = np.maximum(worst, [np.linalg.norm(force), np.linalg.norm(torque)])
        return worst / sizes


def unit(vector):
    return np.array(vector, dtype=float) / np.linalg.norm(vector)


def range_projector(matrix):
    """Onto the span of the columns of its transpose, the rows: columns e_k of length 1 are what they determine."""
    _, s, rows = np.linalg.svd(matrix.T, full_matrices=False)
    kept = rows[s > RANK * s[0]]
    return kept.T @ kept


def null_projector(matrix):
    _, s, rows = np.linalg.svd(matrix)
    kept = rows[len(s[s > RANK * s[0]]):]
    return kept.T @ kept


def spin_of_slender(mass):
    """Something in the directions in which the mass matrix has nothing."""
    values, vectors = np.linalg.eigh(mass)
    empty = vectors[:, values < RANK * values[-1]]
    return empty @ empty.T * values[-1]
