"""How a mechanism is drawn, in figures and animations: links, rings, guides and joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._mechanism import SLIDING, Joint, Mechanism
from ._style import GUIDE, INK

Floats = NDArray[np.float64]

AXIS = 0.05  # half the length of an axis that is drawn, compared with the size of the picture


class Linkage:
    """Bodies as sticks, plates or rings, and their joints; `show` sets all of it to a state."""

    def __init__(
        self,
        ax: Any,
        mechanism: Mechanism,
        colours: Sequence[Any],
        size: float,
        linewidth: float = 3.0,
        **look: Any,
    ) -> None:
        self._solid = hasattr(ax, "get_zlim")
        self._moved: list[tuple[Any, Floats]] = []  # lines and plates with their corners at every state
        self.artists: list[Any] = []
        for body, corners in mechanism.rings.items():
            self._line(ax, corners, color=colours[body], linewidth=0.8 * linewidth, zorder=3, gid=f"ring {body}",
                       **look)
        for body, corners in mechanism.outlines.items():
            if corners.shape[1] > 2:
                self._plate(ax, corners, colours[body], **look)
            closed = np.concatenate([corners, corners[:, :1]], axis=1) if corners.shape[1] > 2 else corners
            width = linewidth if corners.shape[1] == 2 else 0.5 * linewidth
            self._line(ax, closed, color=colours[body], linewidth=width, zorder=3, solid_capstyle="round",
                       gid=f"body {body}", **look)
        for joint in mechanism.joints:
            rings = [mechanism.rings[body] for body in joint.bodies if body in mechanism.rings]
            reach = max([AXIS * size, *(1.1 * float(np.max(np.abs(ring[0] - joint.point[0]))) for ring in rings)])
            self._joint(ax, joint, reach, linewidth, **look)
        self.show(0)

    def show(self, frame: int) -> None:
        """Move everything."""
        for artist, corners in self._moved:
            if hasattr(artist, "set_verts"):
                artist.set_verts([corners[frame]])
            elif hasattr(artist, "set_data_3d"):
                artist.set_data_3d(*corners[frame].T)
            else:
                artist.set_data(*corners[frame].T)

    def _keep(self, artist: Any, corners: Floats) -> None:
        self.artists.append(artist)
        self._moved.append((artist, corners))

    def _line(self, ax: Any, corners: Floats, **look: Any) -> None:
        self._keep(ax.plot(*corners[0].T, **look)[0], corners)

    def _plate(self, ax: Any, corners: Floats, colour: Any, **look: Any) -> None:
        from matplotlib.collections import PolyCollection
        from mpl_toolkits.mplot3d.art3d import Poly3DCollection

        kind = Poly3DCollection if self._solid else PolyCollection
        plate = kind([corners[0]], facecolors=[colour], edgecolors="none", alpha=0.25, zorder=2.5, **look)
        ax.add_collection(plate)
        self._keep(plate, corners)

    def _joint(self, ax: Any, joint: Joint, reach: float, linewidth: float, **look: Any) -> None:
        """A dot where two bodies meet, open on the ground, with axes; a guide with a square that slides on it."""
        mark = {"marker": "o", "color": INK, "markersize": 1.2 * linewidth}
        if joint.kind in SLIDING or joint.kind.startswith("point-on"):
            mark = {"marker": "s", "color": "white", "markeredgecolor": INK, "markersize": 2 * linewidth}
        elif joint.grounded:
            mark = {"marker": "o", "color": "white", "markeredgecolor": INK, "markersize": 1.7 * linewidth}
        if joint.kind in (*SLIDING, "point-on-line"):
            self._guide(ax, joint, reach, **look)
        elif joint.kind == "distance":
            self._line(ax, np.stack([joint.first, joint.point], axis=1), color=INK, linewidth=0.5 * linewidth, zorder=4,
                       gid=f"joint {joint.name}: rod", **look)
            self._mark(ax, joint.first, f"joint {joint.name}: first", mark, **look)
        else:
            for direction in joint.directions:
                ends = [joint.point - reach * direction, joint.point + reach * direction]
                self._line(ax, np.stack(ends, axis=1), color=INK, linewidth=0.4 * linewidth, zorder=4,
                           gid=f"joint {joint.name}: axis", **look)
        at = joint.first if joint.kind == "rolling" else joint.point
        self._mark(ax, at, f"joint {joint.name}", mark, **look)

    def _mark(self, ax: Any, point: Floats, gid: str, mark: Mapping[str, Any], **look: Any) -> None:
        self._line(ax, point[:, None], linestyle="none", markeredgewidth=0.8, zorder=5, gid=gid, **mark, **look)

    def _guide(self, ax: Any, joint: Joint, reach: float, **look: Any) -> None:
        """Along the axis, as far as the second body comes, and a little further."""
        low, high = joint.travel[0] - reach, joint.travel[1] + reach
        for direction in joint.directions:
            ends = [joint.first + low * direction, joint.first + high * direction]
            self._line(ax, np.stack(ends, axis=1), color=GUIDE, linewidth=1.0, linestyle=(0, (5, 2)), zorder=2.5,
                       gid=f"joint {joint.name}: guide", **look)
