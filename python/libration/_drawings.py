"""Figures and animations of a run: the interface. The implementation is in _plot.py and _animate.py."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from ._calls import guided

if TYPE_CHECKING:
    from ._movie import Movie

What = Union[None, str, Sequence[Union[str, Sequence[str]]]]
Width = Union[str, float]


class Drawings:
    """Figures and animations of a run. They need matplotlib, which is imported on first use."""

    @guided('what, width="double"')
    def plot(
        self,
        what: What = None,
        *,
        ax: Any = None,
        width: Optional[Width] = None,
        height: Optional[float] = None,
        title: Union[bool, str] = False,
        letters: bool = True,
    ) -> Any:
        """Plot a run. Returns a matplotlib Figure, which notebooks display and `savefig("run.pdf")` saves.

        what     None: the path, the energy error and the residuals, which show whether the run is reliable.
                 Otherwise one panel or a list of panels: "path", "energy", "residuals", "q", "p", "v", "lam",
                 "invariants", "observables"; the name of a coordinate, momentum, velocity, multiplier or observable
                 ("x", "p_x", "lambda_rod", "angle"), drawn over time; a pair of names, ("x", "p_x"), for a phase
                 portrait; a triple for a curve in space. Symbols are accepted instead of names. For long runs,
                 residuals are shown as maxima over short time intervals.
        ax       axes to draw into, one per panel, instead of a new figure
        width    "single" or "double" column of a journal, or inches; height in inches
        title    True: name of the model, method and step size; or a text
        letters  (a), (b), ... above the panels if there are several

        >>> run.plot()
        >>> run.plot(["path", ("x", "p_x"), "angle"], width="double").savefig("run.pdf")
        """
        given = {name: value for name, value in locals().items() if name != "self"}
        from ._plot import plot

        return plot(self, **given)

    @guided("what, seconds=5, fps=30")
    def animate(
        self,
        what: Optional[Sequence[str]] = None,
        *,
        seconds: float = 10,
        fps: int = 30,
        span: Optional[tuple[float, float]] = None,
        trail: Union[bool, float] = 1.5,
        links: Optional[Iterable[Any]] = None,
        view: tuple[float, float] = (22, -58),
        width: Width = 4.2,
        dpi: int = 100,
        file: Optional[str] = None,
        overwrite: bool = False,
    ) -> "Movie":
        """Animate a run: points, rods, bodies and joints in the plane or in space, or a point in phase space.

        Bodies that joints connect are sticks, plates, rings and wheels; others are boxes with their second moments.

        what     None: points and bodies, if there are any. A pair or triple of names: a point on that curve
        seconds  length of the animation, at `fps` frames per second
        span     times (from, to) to show; None: the run from its start, for as long as the motion can be followed
        trail    length of the trails in seconds of the animation; True: all, False: none
        links    None: rods are detected from the constraints. Otherwise pairs of points, by number or name, or of a
                 point and a fixed position: [(0, 1), ("1", "2"), (0, (0.0, 0.0))]; [] for none
        view     for motions in space: elevation and azimuth of the camera, in degrees
        file     save to a file: "run.gif", "run.html" or (with ffmpeg) "run.mp4"

        Frames are equidistant in time and interpolated linearly between recorded states, for display only.
        A notebook shows the result with a slider; `.save("run.gif")` writes it, `.frame(0).savefig("start.pdf")` saves
        one frame.

        >>> run.animate(seconds=5).save("pendulum.gif")
        """
        given = {name: value for name, value in locals().items() if name != "self"}
        from ._animate import animate

        return animate(self, **given)
