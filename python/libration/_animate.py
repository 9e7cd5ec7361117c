"""`run.animate()`: the motion as an animation, in a notebook or in a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Optional, Union

import numpy as np

from ._mechanism import mechanism_of
from ._movie import Movie
from ._quantities import Floats, Quantities, as_names
from ._scene import Actor, easy_span, phase_actors, spatial_actors
from ._space import Space, given_links, links_of, space_of
from ._style import Width, inches, new_figure, style, typeset
from ._thinning import same_path

FINER = 4  # states between two frames of which trails are made


def animate(
    run: Any,
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
) -> Movie:
    """Implementation of run.animate."""
    frames = _frame_count(seconds, fps)
    if len(run.t) < 2:
        raise ValueError("an animation needs at least two recorded states; run longer, or record more states")
    quantities, what = Quantities(run), as_names(what)
    space = space_of(run.model)
    names = _phase_names(run, quantities, what) if what is not None or not space.axes else None
    if names is not None:
        states = np.column_stack([quantities[name] for name in names])
        scale = np.ptp(states, axis=0)
        paths = (states / np.where(scale > 0, scale, 1))[:, None, :]
    else:
        states = np.asarray(run.q, dtype=float)
        paths = _spatial_paths(run.model, space, states)
    times = _times(run.t, span, easy_span(paths, run.t, frames), frames)
    fine_times = np.interp(np.arange((frames - 1) * FINER + 1) / FINER, np.arange(frames), times)
    fine = _at_times(run.t, states, fine_times)
    length = _trail_length(trail, fps, frames) * FINER
    with style():
        solid = (names is not None and len(names) == 3) or (names is None and len(space.axes) == 3)
        figure = new_figure(width, (0.95 if solid else 0.8) * inches(width), listed=False)
        figure.set_dpi(dpi)
        ax = figure.add_subplot(projection="3d" if solid else None)
        if solid:
            ax.view_init(*view)
        actors: list[Actor]
        if names is not None:
            actors = phase_actors(ax, same_path(states), fine, [typeset(name) for name in names], length, FINER)
        else:
            rods = links_of(run.model, space, times, fine[::FINER]) if links is None else given_links(links, space)
            actors = spatial_actors(ax, run, space, fine, rods, length, FINER)
        film = Movie(figure, ax, actors, times, fps)
    if file is not None:
        film.save(file, overwrite=overwrite)
    return film


def _spatial_paths(model: Any, space: Space, states: Floats) -> Floats:
    """Of points, of the places of a mechanism, and of the tips of the axes of other bodies, [state][point][axis]."""
    paths, size = [space.positions(states)], len(space.axes)
    mechanism = mechanism_of(model, space, states)
    if mechanism is not None:
        rings = [corners[:, ::8] for corners in mechanism.rings.values()]
        paths += [*rings, *mechanism.outlines.values(), *mechanism.followed.values()]
    for number, body in enumerate(space.bodies):
        if mechanism is None or number not in mechanism.followed:
            centre, rotation = space.frames(states, body)
            paths.append((centre[:, None, :] + rotation.transpose(0, 2, 1))[:, :, :size])
    return np.concatenate(paths, axis=1)


def _frame_count(seconds: float, fps: int) -> int:
    for name, value in (("seconds", seconds), ("fps", fps)):
        if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
            raise TypeError(f"{name} must be a number, not an object of type {type(value).__name__}")
    if not seconds > 0 or not 1 <= fps <= 100:
        raise ValueError(
            f"seconds must be positive and fps from 1 to 100 frames per second, not seconds={seconds}, fps={fps}"
        )
    frames = max(2, round(seconds * fps))
    if frames > 20000:
        raise ValueError(f"{frames} frames are too many; reduce seconds= or fps=")
    return int(frames)


def _phase_names(run: Any, quantities: Quantities, what: Optional[Sequence[str]]) -> tuple[str, ...]:
    if what is None:
        first = run.model.coordinates[0]
        moving = np.any(run.p[:, 0])  # a field in q alone has no momenta
        return (first, f"p_{first}" if moving else f"v_{first}")
    if isinstance(what, str) or len(what) not in (2, 3):
        raise ValueError("what= must be a pair or triple of names, ('x', 'p_x') or ('x', 'y', 'z')")
    return tuple(quantities.required(name) for name in what)


def _times(t: Floats, span: Optional[tuple[float, float]], easy: Optional[float], frames: int) -> Floats:
    first, last = float(t[0]), float(t[-1])
    if span is None:
        whole = last - first
        shown = whole if easy is None else np.copysign(min(abs(whole), easy), whole)
        return np.linspace(first, first + float(shown), frames, dtype=np.float64)
    low, high = min(first, last), max(first, last)
    a, b = (float(end) for end in span)
    if not (low <= a <= high and low <= b <= high) or a == b:
        raise ValueError(f"span=({a:g}, {b:g}) is not a part of the run, which lasts from {first:g} to {last:g}")
    return np.linspace(a, b, frames, dtype=np.float64)


def _at_times(t: Floats, states: Floats, times: Floats) -> Floats:
    """States at given times, interpolated linearly between the recorded ones."""
    sign = 1.0 if t[-1] >= t[0] else -1.0  # backwards in time the rows are in falling order
    return np.column_stack([np.interp(sign * times, sign * t, column) for column in states.T])


def _trail_length(trail: Union[bool, float], fps: int, frames: int) -> int:
    if trail is True:
        return frames
    if not trail >= 0:
        raise ValueError(f"trail must be a number of seconds, True or False, not {trail}")
    return min(round(float(trail) * fps), frames)
