"""run.plot(): what the figures show, in which scale, with which labels, and that nothing outside of them changes."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

import libration as lb  # noqa: E402
from libration import _style  # noqa: E402
from libration._plot import band_plot, comparison_plot, ensemble_plot, histogram_plot, plot, scatter_plot  # noqa: E402


@pytest.fixture(scope="module")
def pendulum() -> Any:
    return lb.load("pendulum").run(step=0.02, duration=10)


@pytest.fixture(scope="module")
def spherical() -> Any:
    return lb.load("spherical-pendulum").run(step=0.02, duration=10)


@pytest.fixture(autouse=True)
def settings_stay_as_they_were() -> Any:
    before = dict(matplotlib.rcParams)
    yield
    assert dict(matplotlib.rcParams) == before
    plt.close("all")


def drawn(ax: Any) -> list[Any]:
    """The curves of axes: neither markers nor guides."""
    return [line for line in ax.get_lines() if line.get_linestyle() == "-" and len(line.get_xdata()) > 2]


def test_the_default_figure_tells_whether_a_run_can_be_trusted(pendulum: Any) -> None:
    figure = pendulum.plot()
    path, energy, residuals = figure.axes
    assert (path.get_xlabel(), path.get_ylabel()) == ("$x$", "$y$")
    assert path.get_aspect() == 1
    assert "H - H_0" in energy.get_ylabel()
    assert residuals.get_yscale() == "log" and energy.get_yscale() == "linear"
    labels = [text.get_text() for text in residuals.get_legend().get_texts()]
    assert labels == ["$|g|$", r"$|G\,v|$", "machine epsilon"]
    np.testing.assert_array_equal(drawn(energy)[0].get_ydata(), pendulum.energy_error)
    assert energy.get_xlim() == residuals.get_xlim() == (0, 10)
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["(a)", "(b)", "(c)"]


def test_the_power_of_ten_stands_in_the_label_and_the_data_keep_their_units(pendulum: Any) -> None:
    figure = pendulum.plot("energy")
    (ax,) = figure.axes
    figure.canvas.draw()
    largest = np.max(np.abs(pendulum.energy_error))
    power = int(np.floor(np.log10(largest)))
    assert ax.get_ylabel() == rf"$10^{{{-power}}}\,(H - H_0)$"
    places, texts = ax.get_yticks(), [label.get_text() for label in ax.get_yticklabels()]
    for place, text in zip(places, texts):
        assert float(text.strip("$").replace("\\mathdefault{", "").replace("}", "").replace("\N{MINUS SIGN}", "-")) == \
            pytest.approx(place / 10.0**power, abs=1e-9)


def test_the_path_shows_the_rod_to_its_pivot(pendulum: Any) -> None:
    ax = pendulum.plot("path").axes[0]
    (rods,) = ax.collections
    np.testing.assert_allclose(rods.get_segments(), [[pendulum.q[-1], [0, 0]]], atol=1e-12)


def test_a_moving_pivot_is_found_where_it_is_at_the_end() -> None:
    run = lb.load("driven-pendulum").run(step=0.02, duration=2)
    ax = run.plot("path").axes[0]
    (rods,) = ax.collections
    pivot = rods.get_segments()[0][1]
    np.testing.assert_allclose(pivot, [0.3 * np.sin(1.5 * 2), 0.2 * (1 - np.cos(1.5 * 2))], atol=1e-9)


def test_motions_in_space_are_drawn_in_space(spherical: Any) -> None:
    figure = spherical.plot("path")
    ax = figure.axes[0]
    assert ax.name == "3d" and ax.get_zlabel() == "$z$"
    sides = [np.ptp(getattr(ax, f"get_{name}lim")()) for name in "xyz"]
    assert np.ptp(ax._box_aspect / sides) < 1e-12 * np.max(ax._box_aspect / sides)


def test_a_rigid_body_is_shown_by_the_path_of_its_axis() -> None:
    run = lb.load("heavy-top").run(step=0.1, duration=5)
    ax = run.plot("path").axes[0]
    x, y, z = ax.get_lines()[0].get_data_3d()
    Q = run.q.reshape(-1, 3, 3)
    np.testing.assert_array_equal(np.column_stack([x, y, z]), Q[:, :, 2])


def test_groups_names_pairs_and_triples_are_panels(spherical: Any) -> None:
    figure = spherical.plot(["q", "lam", "invariants", "observables", "p_x", ("x", "p_x"), ("x", "y", "v_z")])
    q, lam, invariants, observables, p_x, pair, triple = figure.axes
    assert [len(drawn(ax)) for ax in (q, lam, invariants, observables, p_x)] == [3, 1, 1, 2, 1]
    assert lam.get_ylabel() == r"$\lambda_{\mathrm{rod}}$" and p_x.get_ylabel() == "$p_{x}$"
    np.testing.assert_array_equal(drawn(p_x)[0].get_ydata(), spherical.p[:, 0])
    change = spherical.invariants["Lz"] - spherical.invariants["Lz"][0]
    np.testing.assert_array_equal(drawn(invariants)[0].get_ydata(), change)
    np.testing.assert_array_equal(drawn(pair)[0].get_xydata(), np.column_stack([spherical.q[:, 0], spherical.p[:, 0]]))
    assert pair.get_ylabel() == "$p_{x}$" and triple.get_zlabel() == "$v_{z}$"


def test_symbols_stand_for_their_names(spherical: Any) -> None:
    x, p_x = lb.symbol("x"), lb.symbol("p_x")
    assert spherical.plot((x, p_x)).axes[0].get_ylabel() == "$p_{x}$"
    assert [ax.get_ylabel() for ax in spherical.plot([x, "p_x"]).axes] == ["$x$", "$p_{x}$"]


def test_a_tuple_of_names_is_one_curve_and_a_list_several_panels(spherical: Any) -> None:
    assert len(spherical.plot(("x", "p_x")).axes) == 1
    assert len(spherical.plot(["x", "p_x"]).axes) == 2
    assert len(spherical.plot(("energy", "residuals")).axes) == 2


def test_models_without_space_show_their_coordinates_over_time() -> None:
    run = lb.load("pendulum-angle").run(duration=5)
    coordinates, energy = run.plot().axes
    assert coordinates.get_xlabel() == "" and energy.get_xlabel() == "$t$"  # one time axis, labelled once
    np.testing.assert_array_equal(drawn(coordinates)[0].get_ydata(), run.q[:, 0])


def test_fields_without_an_energy_have_no_energy_panel() -> None:
    run = lb.load("abc-flow").run(duration=5)
    assert len(run.plot().axes) == 1
    with pytest.raises(ValueError, match="field without an energy"):
        run.plot("energy")
    with pytest.raises(ValueError, match="no constraints"):
        run.plot("residuals")


def test_many_lines_have_a_scale_of_colours_and_no_legend() -> None:
    run = lb.load("chain", n=6).run(duration=2)
    ax = run.plot("q").axes[0]
    assert len(drawn(ax)) == 12 and ax.get_legend() is None
    assert len({matplotlib.colors.to_hex(line.get_color()) for line in drawn(ax)}) == 12


def test_unknown_names_are_refused_with_suggestions(pendulum: Any) -> None:
    with pytest.raises(ValueError, match="'enrgy': did you mean 'energy'"):
        pendulum.plot("enrgy")
    with pytest.raises(ValueError, match="'p_X'.*'p_x'"):
        pendulum.plot(("x", "p_X"))
    with pytest.raises(ValueError, match="two or three names"):
        pendulum.plot([("x", "y", "p_x", "p_y")])
    with pytest.raises(ValueError, match="names no panel"):
        pendulum.plot([])
    with pytest.raises(ValueError, match="'single', 'double'"):
        pendulum.plot(width="triple")
    with pytest.raises(ValueError, match="no invariants"):
        pendulum.plot("invariants")


def test_pyplot_knows_a_figure_and_a_plot_that_fails_leaves_none(pendulum: Any) -> None:
    with pytest.raises(ValueError):
        pendulum.plot("nothing")
    assert plt.get_fignums() == []
    assert pendulum.plot() is plt.gcf()


def test_given_axes_are_drawn_into(pendulum: Any, spherical: Any) -> None:
    figure, axes = plt.subplots(2)
    assert pendulum.plot(["energy", "residuals"], ax=axes) is figure
    assert len(drawn(axes[0])) == 1 and axes[1].get_yscale() == "log"
    with pytest.raises(ValueError, match="3 panels need 3 axes"):
        pendulum.plot(ax=axes)
    with pytest.raises(ValueError, match="projection"):
        spherical.plot("path", ax=axes[0])
    plt.close(figure)


@pytest.mark.parametrize("ending", ["pdf", "svg", "png"])
def test_figures_are_saved_for_print(pendulum: Any, tmp_path: Any, ending: str) -> None:
    path = tmp_path / f"run.{ending}"
    pendulum.plot(width="single").savefig(path)
    content = path.read_bytes()
    assert content.startswith({"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG"}[ending])
    if ending == "svg":
        assert b"<text" in content  # words stay words
    if ending == "pdf":
        assert b"/Type3" not in content  # journals refuse those fonts


def test_widths_are_those_of_journals(pendulum: Any) -> None:
    assert pendulum.plot(width="single").get_figwidth() == pytest.approx(86 / 25.4, abs=0.01)
    assert pendulum.plot(width=5.5, height=2).get_size_inches() == pytest.approx([5.5, 2])


def test_a_notebook_shows_the_figure_once(pendulum: Any, monkeypatch: Any) -> None:
    figure = pendulum.plot("energy")
    with pytest.raises(NotImplementedError):  # a terminal prints the repr
        figure._ipython_display_()
    shown: list[Any] = []
    notebook = SimpleNamespace(Image=lambda **options: options, display=shown.append)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(display=notebook))
    monkeypatch.setitem(sys.modules, "IPython.display", notebook)
    monkeypatch.setattr(_style, "in_notebook", lambda: True)
    figure._ipython_display_()
    assert shown[0]["data"].startswith(b"\x89PNG") and len(shown) == 1
    assert plt.get_fignums() == []  # at the end of the cell nothing is left to be shown


def test_a_million_rows_give_a_small_file_with_all_extremes(pendulum: Any, tmp_path: Any) -> None:
    count = 10**6
    t = np.linspace(0, 1, count)
    noise = np.random.default_rng(1).normal(size=count)
    noise[123456], noise[654321] = 40, -50
    model = SimpleNamespace(name="long", coordinates=("s",), multipliers=(), observables=())
    column = noise[:, None]
    run = SimpleNamespace(
        t=t, q=column, p=column, v=column, lam=np.zeros((count, 0)), energy=noise, energy_error=noise, model=model,
        residuals=SimpleNamespace(constraint=0 * t, hidden=0 * t), invariants={}, observables={}, status="completed",
        summary={}, method="verlet", step=1e-6, steps=count - 1,
    )
    figure = plot(run, "s")
    line = drawn(figure.axes[0])[0]
    assert len(line.get_ydata()) < 10000
    assert (line.get_ydata().min(), line.get_ydata().max()) == (-50, 40)
    figure.savefig(tmp_path / "long.pdf")
    assert (tmp_path / "long.pdf").stat().st_size < 300_000


def test_a_run_that_failed_says_so_in_its_figure(pendulum: Any) -> None:
    class Failed:
        status = "failed"

        def __getattr__(self, name: str) -> Any:
            return getattr(pendulum, name)

    ax = plot(Failed(), "energy").axes[0]
    assert "failed" in [text.get_text() for text in ax.texts]


def test_residuals_that_pass_through_zero_do_not_stretch_the_axis() -> None:
    run = lb.load("pendulum").run("rattle", step=0.01, steps=100000)
    smallest = [np.percentile(values[values > 0], 25) for values in (run.residuals.constraint, run.residuals.hidden)]
    assert min(smallest) < 1e-21
    low, high = run.plot("residuals").axes[0].get_ylim()
    assert 1e-20 < low < 1e-18 and high >= run.residuals.hidden.max()
    # Two residuals of different size are both seen.
    run = lb.load("pendulum").run("bdf(2)", step=0.01, steps=10000)
    low, high = run.plot("residuals").axes[0].get_ylim()
    assert low < run.residuals.constraint.max() / 10 < 1e-12 and high > run.residuals.hidden.max() > 1e-6


def test_a_guide_of_machine_epsilon_is_drawn_only_where_residuals_are_that_small(pendulum: Any) -> None:
    def guides(run: Any, what: str = "residuals") -> list[float]:
        lines = run.plot(what).axes[0].get_lines()
        return [line.get_ydata()[0] for line in lines if line.get_label() == "machine epsilon"]

    assert guides(pendulum) == [np.finfo(float).eps] and guides(pendulum, "energy") == []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert guides(lb.load("pendulum").run("gauss(2)", step=0.02, duration=2)) == []


def test_residuals_that_are_all_zero_are_drawn_without_complaint(pendulum: Any, tmp_path: Any) -> None:
    class Exact:
        residuals = SimpleNamespace(constraint=0 * pendulum.t, hidden=0 * pendulum.t)
        summary: dict[str, Any] = {}

        def __getattr__(self, name: str) -> Any:
            return getattr(pendulum, name)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        figure = plot(Exact(), "residuals")
        figure.savefig(tmp_path / "exact.png")
    low, high = figure.axes[0].get_ylim()
    assert low < np.finfo(float).eps < high


def comparison() -> dict[str, Any]:
    def row(method: str, step: float, error: Any, status: str = "completed") -> dict[str, Any]:
        return {"method": method, "step": step, "error_q": error, "error_p": error and error / 2, "error_lambda": None,
                "energy_error": error, "evaluations": {"force": round(10 / step)}, "seconds": 1 / step,
                "status": status}

    return {"rows": [row("rattle", 0.1, 1e-2), row("rattle", 0.05, 2.5e-3), row("lobatto(3)", 0.2, 0.5, "failed"),
                     row("lobatto(3)", 0.1, 1e-5)]}


def test_comparisons_show_error_against_work_and_failures() -> None:
    ax = comparison_plot(comparison()).axes[0]
    assert ax.get_xscale() == ax.get_yscale() == "log"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["rattle", "lobatto(3)", "failed"]
    lines = {line.get_label(): line for line in ax.get_lines()}
    np.testing.assert_array_equal(lines["rattle"].get_xydata(), [[100, 1e-2], [200, 2.5e-3]])
    np.testing.assert_array_equal(lines["lobatto(3)"].get_xydata(), [[100, 1e-5]])
    crosses = [line for line in ax.get_lines() if line.get_marker() == "x" and len(line.get_xdata())]
    assert [list(line.get_xdata()) for line in crosses] == [[50]]
    assert comparison_plot(comparison(), by="seconds", of="energy_error").axes[0].get_xlabel() == "seconds"
    with pytest.raises(ValueError, match="choose 'evaluations'"):
        comparison_plot(comparison(), by="time")


def test_ensembles_are_bands_and_dots(tmp_path: Any) -> None:
    t, values = np.linspace(0, 1, 50), np.sort(np.random.default_rng(0).normal(size=(50, 5)), axis=1)
    ax = band_plot(t, values, name="x1").axes[0]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["5 to 95 %", "25 to 75 %", "median"]
    np.testing.assert_array_equal(drawn(ax)[0].get_ydata(), values[:, 2])
    dots = scatter_plot(values[:, 0], values[:, 1], names=("x", "p_x"), values=t, value_name="H0")
    assert len(dots.axes) == 2 and dots.axes[0].get_ylabel() == "$p_{x}$"
    bars = histogram_plot(1e-7 * values.ravel(), name="energy_error").axes[0]
    assert sum(patch.get_height() for patch in bars.patches) == 250
    with pytest.raises(ValueError, match="shape"):
        band_plot(t, values.T)


def test_an_ensemble_shows_its_channels_over_time_and_its_ends() -> None:
    ensemble = lb.load("pendulum").ensemble(vary={"g": [0.9, 1.0, 1.1, 1.2]}, step=0.02, duration=2)
    figure = ensemble_plot(ensemble)
    assert [ax.get_ylabel() for ax in figure.axes][:2] == ["$x$", "$y$"]
    np.testing.assert_array_equal(drawn(figure.axes[0])[0].get_ydata(), ensemble.quantile(50, "x"))
    dots = ensemble_plot(ensemble, ("g", "y")).axes[0].collections[0].get_offsets()
    np.testing.assert_array_equal(dots, np.column_stack([[0.9, 1.0, 1.1, 1.2], ensemble.q[:, 1]]))
    with pytest.raises(ValueError, match="did you mean"):
        ensemble_plot(ensemble, "energy_eror")


def output_of(program: str) -> str:
    command = [sys.executable, "-B", "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ).stdout


def test_without_matplotlib_the_error_says_what_to_install() -> None:
    program = ("import sys; sys.modules['matplotlib'] = None\n"
               "import libration as lb\n"
               "try: lb.load('pendulum').run(duration=1).plot()\n"
               "except ImportError as error: print(error)")
    assert "pip install matplotlib" in output_of(program)


def test_importing_the_package_does_not_import_matplotlib() -> None:
    program = "import sys, libration; print('matplotlib' in sys.modules)"
    assert output_of(program).strip() == "False"
