"""run.animate(): what moves, where it is at each frame, and the files and pages that are made of it."""

from __future__ import annotations

import os
import stat
from typing import Any

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
Image = pytest.importorskip("PIL.Image")

import matplotlib.pyplot as plt  # noqa: E402

import libration as lb  # noqa: E402
from libration._scene import Box, Dots, Rods, Trail  # noqa: E402
from libration._space import body_sides, links_of, space_of  # noqa: E402

SHORT = {"seconds": 0.5, "fps": 10}


@pytest.fixture(scope="module")
def double() -> Any:
    return lb.load("double-pendulum").run(step=0.02, duration=4)


@pytest.fixture(autouse=True)
def settings_and_figures_stay_as_they_were() -> Any:
    before = dict(matplotlib.rcParams)
    yield
    assert dict(matplotlib.rcParams) == before
    assert plt.get_fignums() == []


def actors(film: Any, kind: type) -> list[Any]:
    return [actor for actor in film._actors if isinstance(actor, kind)]


def test_points_are_where_the_run_has_them(double: Any) -> None:
    film = double.animate(span=(0, 2), **SHORT)
    np.testing.assert_allclose(film.times, np.linspace(0, 2, 5))
    (dots,) = actors(film, Dots)
    film.frame(2)
    shown = dots.artists[0].get_offsets()
    np.testing.assert_allclose(np.ravel(shown), double.q[50], atol=1e-12)  # t = 1 is a recorded state


def test_between_records_frames_are_interpolated() -> None:
    run = lb.load("pendulum").run(step=0.1, duration=1)
    film = run.animate(span=(0, 0.1), seconds=0.3, fps=10)
    (dots,) = actors(film, Dots)
    film.frame(1)
    np.testing.assert_allclose(dots.artists[0].get_offsets()[0], (run.q[0] + run.q[1]) / 2, atol=1e-15)


def test_rods_are_found_from_the_constraints(double: Any) -> None:
    film = double.animate(span=(0, 2), **SHORT)
    (rods,) = actors(film, Rods)
    film.frame(4)
    first, second = rods.artists[0].get_segments()
    np.testing.assert_allclose(rods.artists[1].get_xydata(), [[0, 0]], atol=1e-9)
    q = double.q[100].reshape(2, 2)
    np.testing.assert_allclose(first, [q[0], [0, 0]], atol=1e-9)
    np.testing.assert_allclose(second, [q[0], q[1]], atol=1e-9)


@pytest.mark.parametrize(
    ("problem", "count", "pivots"),
    [("chain", 10, 1), ("cloth", 55, 6), ("four-bar", 5, 3), ("polymer", 15, 0), ("henon-heiles", 0, 0),
     ("rolling-disk", 0, 0), ("pendulum-redundant", 0, 0), ("stiff-spring-pendulum", 0, 0)],
)
def test_only_constraints_of_distance_are_rods(problem: str, count: int, pivots: int) -> None:
    run = lb.load(problem).run(steps=3)
    space = space_of(run.model)
    links = links_of(run.model, space, run.t, run.q)
    assert len(links) == count
    fixed = [end for _, end in links if not isinstance(end, int)]
    assert len(fixed) == pivots
    if problem == "cloth":  # the rail is the x axis
        expected = [[k, 0, 0] for k in range(6)]
        np.testing.assert_allclose([pivot[-1] for pivot in fixed], expected, atol=1e-12)


@pytest.mark.parametrize(
    ("constraint", "rods"),
    [("x^2 + y^2 - 1", 1), ("3*((x - 2)^2 + y^2 - 5)", 1), ("x^2 + 2*y^2 - 1", 0), ("y - x + 1", 0), ("x*y", 0)],
)
def test_a_rod_is_a_circle_and_nothing_else(tmp_path: Any, constraint: str, rods: int) -> None:
    path = tmp_path / "bead.toml"
    path.write_text(f'''[coordinates]
q = ["x", "y"]
[dynamics]
mass = 1
constraints = ["{constraint}"]
[initial]
q = [1, 0]
''')
    if constraint.startswith("3"):
        path.write_text(path.read_text().replace("[1, 0]", "[0, 1]"))
    run = lb.load(str(path)).run(method="rattle", step=0.1, steps=2)
    links = links_of(run.model, space_of(run.model), run.t, run.q)
    assert len(links) == rods
    if rods:
        expected = [2, 0] if constraint.startswith("3") else [0, 0]
        np.testing.assert_allclose(links[0][1], [expected] * 3, atol=1e-12)


def test_rods_can_be_given_and_left_out(double: Any) -> None:
    assert actors(double.animate(links=[], **SHORT), Rods) == []
    (rods,) = actors(double.animate(links=[(0, "2"), ("1", (0.0, 1.0))], **SHORT), Rods)
    assert rods.ends.shape == (5, 2, 2, 2) and rods.pivots.shape == (5, 1, 2)
    with pytest.raises(ValueError, match="0 to 1"):
        double.animate(links=[(0, 7)], **SHORT)
    with pytest.raises(ValueError, match="2 coordinates, not 3"):
        double.animate(links=[(0, (0.0, 1.0, 2.0))], **SHORT)


def test_trails_fade_and_end_at_the_point(double: Any) -> None:
    film = double.animate(span=(0, 2), trail=0.2, **SHORT)
    trail = actors(film, Trail)[0]
    film.frame(4)
    (lines,) = trail.artists
    segments, colours = lines.get_segments(), lines.get_color()
    np.testing.assert_allclose(segments[-1][-1], double.q[100, :2], atol=1e-12)
    np.testing.assert_allclose(segments[0][0], double.q[50, :2], atol=1e-12)  # two frames back
    assert np.all(np.diff(np.asarray(colours)[:, 3]) > 0)
    assert actors(double.animate(trail=False, **SHORT), Trail) == []


def test_limits_hold_all_that_moves_and_units_are_equally_long(double: Any) -> None:
    ax = double.animate(**SHORT).figure.axes[0]
    assert ax.get_aspect() == 1
    before = ax.get_xlim(), ax.get_ylim()
    film = double.animate(span=(0, 4), **SHORT)
    film.frame(-1)
    (low_x, high_x), (low_y, high_y) = film.figure.axes[0].get_xlim(), film.figure.axes[0].get_ylim()
    x, y = double.q[:, ::2], double.q[:, 1::2]
    assert low_y < 0 < high_y and low_y < y[::40].min() and low_x < x[::40].min() and high_x > x[::40].max()
    assert before == (ax.get_xlim(), ax.get_ylim())


def test_a_body_is_a_box_that_turns_with_it() -> None:
    run = lb.load("rigid-body-on-spring").run(step=0.1, duration=2)
    film = run.animate(span=(0, 2), **SHORT)
    (box,) = actors(film, Box)
    film.frame(4)
    corners = box._quads(4).reshape(-1, 3)
    np.testing.assert_allclose(corners.mean(axis=0), run.q[-1, :3], atol=1e-12)
    body = space_of(run.model).bodies[0]
    # Of a uniform box with half sides a: I_1 = m (a_2^2 + a_3^2)/3.
    a = body_sides(run.model, 0)
    np.testing.assert_allclose([(a[1] ** 2 + a[2] ** 2) / 3, (a[0] ** 2 + a[2] ** 2) / 3], [0.4, 0.3], rtol=1e-9)


def test_without_space_a_point_runs_along_its_curve() -> None:
    run = lb.load("pendulum-angle").run(duration=5)
    film = run.animate(**SHORT)
    name = run.model.coordinates[0]
    ax = film.figure.axes[0]
    assert ax.get_ylabel() == f"$p_{{{ax.get_xlabel().strip('$')}}}$"
    np.testing.assert_allclose(ax.get_lines()[0].get_xydata(), np.column_stack([run.q[:, 0], run.p[:, 0]]))
    assert run.animate((name, f"v_{name}"), **SHORT).figure.axes[0].get_ylabel().startswith("$v_")
    with pytest.raises(ValueError, match="did you mean"):
        run.animate((name, f"p_{name}x"), **SHORT)


def test_long_runs_are_shown_as_far_as_the_eye_can_follow() -> None:
    run = lb.load("pendulum").run(step=0.05, duration=500)
    film = run.animate(seconds=2, fps=10)
    (dots,) = actors(film, Dots)
    jumps = np.linalg.norm(np.diff(dots.where[:, 0], axis=0), axis=1)
    assert film.times[-1] < 100 and np.mean(jumps) < 0.2
    assert run.animate(seconds=1, fps=2, span=(0, 500)).times[-1] == 500


def test_the_clock_shows_the_time_of_the_frame(double: Any) -> None:
    film = double.animate(span=(0, 2), **SHORT)
    film.frame(3)
    assert film._clock.get_text() == "1.50"
    with pytest.raises(IndexError, match="frames 0 to 4"):
        film.frame(5)


def test_gifs_have_all_frames_and_the_right_speed(double: Any, tmp_path: Any) -> None:
    path = tmp_path / "film.gif"
    film = double.animate(span=(0, 2), file=str(path), **SHORT)
    with Image.open(path) as gif:
        assert gif.n_frames == len(film) == 5 and gif.info["duration"] == 100
        assert gif.convert("RGB").getpixel((1, 1)) == (255, 255, 255)
        first = np.asarray(gif.convert("RGB")).astype(int)
        gif.seek(4)
        assert np.max(np.abs(np.asarray(gif.convert("RGB")) - first)) > 100  # something moved
    with pytest.raises(FileExistsError, match="overwrite=True"):
        film.save(path)
    film.save(path, overwrite=True)


def test_notebooks_get_a_player_of_modest_size(double: Any) -> None:
    page = double.animate(span=(0, 2), seconds=1, fps=10)._repr_html_()
    assert page.count("iVBORw0KGgo") == 10 and "@" not in page.split("const frames")[0]
    # Ten seconds at thirty frames stay below 5 MB.
    assert len(page) / 10 * 300 < 5_000_000


def test_films_too_large_for_a_notebook_show_fewer_frames(double: Any) -> None:
    film = double.animate(**SHORT)
    whole = film._player(float("inf"))
    part = film._player(len(whole) / 2)
    assert whole.count("iVBORw0KGgo") == 5 and 1 <= part.count("iVBORw0KGgo") < 5
    assert "frame is shown" in part and "frame is shown" not in whole


def test_pages_stand_alone(double: Any, tmp_path: Any) -> None:
    path = tmp_path / "film.html"
    double.animate(**SHORT).save(path)
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>") and "http" not in text and text.count("iVBORw0KGgo") == 5


def test_mp4_is_given_to_ffmpeg_frame_by_frame(double: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "bin" / "ffmpeg"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\nfor last; do :; done\necho "$@" > "$last.options"\ncat > "$last"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    film = double.animate(**SHORT)
    film.save(tmp_path / "film.mp4")
    options = (tmp_path / "film.mp4.options").read_text().split()
    width, height = map(int, options[options.index("-s") + 1].split("x"))
    assert width % 2 == height % 2 == 0
    assert (tmp_path / "film.mp4").stat().st_size == 5 * 4 * width * height
    program.write_text("#!/bin/sh\necho no such codec >&2\nexit 3\n")
    with pytest.raises(RuntimeError, match="no such codec"):
        film.save(tmp_path / "other.mp4")


def test_what_cannot_be_saved_is_said(double: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    film = double.animate(**SHORT)
    with pytest.raises(ValueError, match=r"\.gif, \.html or \.mp4"):
        film.save(tmp_path / "film.avi")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RuntimeError, match="ffmpeg"):
        film.save(tmp_path / "film.mp4")


def test_impossible_films_are_refused(double: Any) -> None:
    for bad, message in (({"seconds": 0}, "must be positive"), ({"fps": 1000}, "frames per second"),
                         ({"span": (0, 99)}, "not a part of the run"), ({"seconds": 1e6}, "too many"),
                         ({"trail": -1}, "number of seconds"), ({"what": "x1"}, "pair or triple")):
        with pytest.raises(ValueError, match=message):
            double.animate(**bad)


def test_runs_backwards_in_time_are_filmed_backwards() -> None:
    run = lb.load("pendulum").run(step=-0.1, duration=-2)
    film = run.animate(span=(0, -2), **SHORT)
    assert film.times[0] == 0 and film.times[-1] == pytest.approx(-2)
    (dots,) = actors(film, Dots)
    film.frame(-1)
    np.testing.assert_allclose(dots.artists[0].get_offsets()[0], run.q[-1], atol=1e-12)
    assert np.all(np.diff(run.animate(**SHORT).times) < 0)
