"""The pictures of a run: what can be asked for. How they are made stands in _plot.py and _animate.py."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Optional, Union

from ._calls import guided

if TYPE_CHECKING:
    from ._movie import Movie

What = Union[None, str, Sequence[Union[str, Sequence[str]]]]
Width = Union[str, float]


class Drawings:
    """Figures and films of a run. They need matplotlib, which is imported when it is asked for."""

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
        """Draw a run; gives a matplotlib Figure, which notebooks show and `savefig("run.pdf")` makes ready for a paper.

        what     None: the path, the energy error and the residuals, which tell whether the run can be trusted.
                 Otherwise one panel or a list of panels: "path", "energy", "residuals", "q", "p", "v", "lam",
                 "invariants", "observables"; the name of a coordinate, momentum, velocity, multiplier or observable
                 ("x", "p_x", "lambda_rod", "angle"), drawn over time; a pair of names, ("x", "p_x"), for a phase
                 portrait; a triple for a curve in space. Symbols may stand for their names. Residuals of long runs:
                 the line is the largest in each stretch of time.
        ax       axes to draw into, one for every panel, instead of a new figure
        width    "single" or "double" column of a journal, or inches; height in inches
        title    True: name of the model, method and step; or a text
        letters  (a), (b), ... above the panels where there are several

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
        """Film a run: points and rods in the plane or in space, rigid bodies as boxes, else a point in phase space.

        what     None: the motion in space where there is one. A pair or triple of names: a point on that curve
        seconds  length of the film, at `fps` frames a second
        span     times (from, to) to show; None: the run from its start, as long as the eye can follow it
        trail    how many seconds of film a trail lasts; True: all, False: none
        links    None: rods are found from the constraints. Otherwise pairs of points, by number or name, or of a point
                 and a fixed place: [(0, 1), ("1", "2"), (0, (0.0, 0.0))]; [] for none
        view     of motions in space: height and direction of the eye, in degrees
        file     save at once: "run.gif", "run.html" or (with ffmpeg) "run.mp4"

        Frames have equal distances in time; between recorded states they are interpolated linearly, for display only.
        A notebook shows the result with a slider; `.save("run.gif")` writes it, `.frame(0).savefig("start.pdf")` one of
        its pictures.

        >>> run.animate(seconds=5).save("pendulum.gif")
        """
        given = {name: value for name, value in locals().items() if name != "self"}
        from ._animate import animate

        return animate(self, **given)
