"""Forces in the springs of a mechanism at rest, from its model file: every body in balance, nothing of Libration.

Unknowns are the forces and torques that the joints transmit, and the forces of springs and of supports. A spring pushes both of its points
apart; a support pushes its body upward at its center of mass. If the loads are not unique, those of least norm are returned: of a
symmetric vehicle the symmetric ones, because what is free is a twist, which is antisymmetric.
"""

import tomllib

import numpy as np

from newton_euler import Body, number, parameters_of

ACROSS = {"revolute": (3, 2), "prismatic": (2, 3), "spherical": (3, 0)}     # components of force and of torque


class Statics:
    def __init__(self, text):
        self.document = tomllib.loads(text)
        known = parameters_of(self.document)
        self.scalar = lambda value: number(value, known)
        self.vector = lambda values: np.array([number(value, known) for value in values])
        self.bodies = {block["name"]: Body(block, self.vector, self.scalar) for block in self.document["body"]}
        self.centers = {name: body.start()[0] for name, body in self.bodies.items()}
        self.gravity = self.vector(self.document["dynamics"]["gravity"])

    def column(self, body, place, force, torque, sign):
        column = np.zeros(6 * len(self.bodies))
        if body != "ground":
            k = 6 * list(self.bodies).index(body)
            column[k:k + 3] = sign * force
            column[k + 3:k + 6] = sign * (np.cross(place - self.centers[body], force) + torque)
        return column

    def reactions(self, joint):
        place, axis = self.vector(joint["at"]), self.vector(joint.get("axis", [0, 0, 1]))
        across = np.linalg.svd(axis[None])[2][1:]
        forces, torques = ACROSS[joint["type"]]
        every = np.eye(3)
        # A prescribed displacement transmits the force along the axis, too.
        rows = [(e, 0 * e) for e in (every if forces == 3 or "motion" in joint else across)]
        rows += [(0 * e, e) for e in (every if torques == 3 else across)[:torques]]
        first, second = joint["between"]
        return [self.column(second, place, *row, 1) + self.column(first, place, *row, -1) for row in rows]

    def point(self, text):
        name, point = text.split(".")
        body = self.bodies[name]
        return name, body.origin + body.frame @ body.points[point]

    def spring(self, ends):
        (first, one), (second, two) = map(self.point, ends)
        direction = (two - one) / np.linalg.norm(two - one)
        return self.column(second, two, direction, np.zeros(3), 1) + self.column(first, one, direction, np.zeros(3), -1)

    def length(self, ends):
        (_, one), (_, two) = map(self.point, ends)
        return np.linalg.norm(two - one)

    def loads(self, supports):
        """Forces of all springs, and of supports below these bodies; and what remains unbalanced, relative to the weight."""
        up = np.array([0.0, 0.0, 1.0])
        columns = [self.spring(spring["between"]) for spring in self.document["spring"]]
        columns += [self.column(name, self.centers[name], up, np.zeros(3), 1) for name in supports]
        springs = len(self.document["spring"])
        wanted = len(columns)
        columns += [column for joint in self.document["joint"] for column in self.reactions(joint)]
        weight = sum(self.column(name, self.centers[name], body.mass * self.gravity, np.zeros(3), 1)
                     for name, body in self.bodies.items())
        matrix = np.array(columns).T
        found = np.linalg.lstsq(matrix, -weight, rcond=1e-12)[0]
        rest = np.abs(matrix @ found + weight).max() / np.abs(weight).max()
        return found[:springs], found[springs:wanted], rest
