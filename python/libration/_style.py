"""Common style of all figures: journal column widths, thin lines, colors distinguishable by color-blind readers.

Nothing here changes the user's rcParams: what is drawn is drawn, displayed and saved inside `style()`.
"""

from __future__ import annotations

import io
import re
from contextlib import AbstractContextManager
from typing import Any, Union

try:
    import matplotlib
except ImportError as error:
    raise ImportError(
        "plots and animations need matplotlib: install it with 'pip install matplotlib', "
        "or on Debian and Ubuntu with 'apt install python3-matplotlib'"
    ) from error

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ._progress import in_notebook

Width = Union[str, float]

# Those of the library's own figures, by Okabe and Ito.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9")
SCREEN_DPI = 100  # of a picture in a notebook; it is drawn twice as fine
INK = "#333333"
GUIDE = "#808080"
PALE = "#b8bec6"
ALARM = "#b3151b"

WIDTHS = {"single": 3.39, "double": 7.0}  # inches: 86 mm and 178 mm

RASTER_DPI = 450  # of rasterised lines inside vector files

RC: dict[str, Any] = {
    "figure.dpi": 150,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "savefig.dpi": RASTER_DPI,
    "font.family": "serif",
    # STIXGeneral comes with matplotlib: the same figure on every machine.
    "font.serif": ["STIXGeneral", "Times New Roman", "Times", "DejaVu Serif"],
    "font.size": 9,
    "mathtext.fontset": "stix",
    "axes.labelsize": 9,
    "axes.titlesize": 9,
    "axes.titlepad": 4,
    "axes.labelpad": 3,
    "axes.linewidth": 0.6,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.axisbelow": True,
    "axes.facecolor": "white",
    "axes.grid": False,
    "axes.formatter.limits": (-3, 4),
    "axes.formatter.use_mathtext": True,
    "axes.formatter.useoffset": False,
    "axes.unicode_minus": True,
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
    "axes.spines.top": True,
    "axes.spines.right": True,
    "axes.xmargin": 0.0,
    "axes.ymargin": 0.05,
    "text.color": INK,
    "text.usetex": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "xtick.direction": "in",
    "ytick.direction": "in",
    "xtick.top": True,
    "ytick.right": True,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "xtick.minor.size": 1.5,
    "ytick.minor.size": 1.5,
    "lines.linewidth": 0.9,
    "lines.markersize": 3.5,
    "lines.solid_joinstyle": "round",
    "lines.solid_capstyle": "round",
    "legend.fontsize": 8,
    "legend.frameon": False,
    "legend.handlelength": 1.4,
    "legend.handletextpad": 0.5,
    "legend.columnspacing": 1.2,
    "legend.borderaxespad": 0.2,
    "pdf.fonttype": 42,
    "ps.fonttype": 42,
    "svg.fonttype": "none",
    "path.simplify": True,
    "agg.path.chunksize": 20000,
}


def style() -> AbstractContextManager[None]:
    """The style of the package's figures, for a `with` block; previous settings are restored afterwards."""
    import matplotlib.pyplot as plt

    # A backend that is chosen with the first figure may change settings, for instance let notebooks show figures. That
    # must happen outside the block, or it would be undone.
    plt.draw_if_interactive()
    context: AbstractContextManager[None] = matplotlib.rc_context(RC)
    return context


class PaperFigure(Figure):  # type: ignore[misc]
    """A matplotlib figure that keeps the style of the package wherever it is shown or saved.

    It is registered with pyplot: plt.show() and plt.savefig() work, and a notebook shows it once.
    """

    def draw(self, renderer: Any) -> None:
        with style():
            super().draw(renderer)

    def savefig(self, fname: Any, **options: Any) -> None:
        """Save like matplotlib: PDF, SVG, PNG by the file extension; text and lines remain vector graphics."""
        with style():
            super().savefig(fname, **options)

    def _ipython_display_(self) -> None:
        if not in_notebook():
            raise NotImplementedError  # a terminal prints the repr, and the window stays
        import matplotlib.pyplot as plt
        from IPython.display import Image, display

        picture = io.BytesIO()
        self.savefig(picture, format="png", dpi=2 * SCREEN_DPI)
        plt.close(self)  # at the end of the cell the notebook would show it once more
        display(Image(data=picture.getvalue(), width=round(self.get_figwidth() * SCREEN_DPI)))


def new_figure(width: Width, height: float, *, listed: bool = True) -> PaperFigure:
    """An empty figure, 'single' or 'double' column or inches wide, and inches high; call inside `style()`.

    listed: registered with pyplot; otherwise only the caller has a reference to it.
    """
    size: Any = {"figsize": (inches(width), height), "layout": "constrained"}
    if listed:
        import matplotlib.pyplot as plt

        figure: PaperFigure = plt.figure(FigureClass=PaperFigure, **size)
    else:
        figure = PaperFigure(**size)
        FigureCanvasAgg(figure)
    figure.get_layout_engine().set(w_pad=0.03, h_pad=0.03, wspace=0.02, hspace=0.02)
    return figure


def inches(width: Width) -> float:
    """The width of a figure in inches."""
    if isinstance(width, str):
        if width not in WIDTHS:
            raise ValueError(f"width must be 'single', 'double' or a number of inches, not '{width}'")
        return WIDTHS[width]
    if not 1 <= float(width) <= 50:
        raise ValueError(f"the width of a figure must be 1 to 50 inches, not {width}; pixels are inches times dpi")
    return float(width)


GREEK = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split()
)


def typeset(name: str) -> str:
    """A name of a model as matplotlib's mathematics: x1 is $x_1$, theta is $\\theta$, r[3].x is $r_{3,x}$."""
    return f"${formula_of(name)}$"


def formula_of(name: str) -> str:
    """The same without the dollar signs."""
    for prefix, letter in (("p_", "p"), ("v_", "v"), ("lambda_", r"\lambda")):
        if name.startswith(prefix) and len(name) > len(prefix):
            return f"{letter}_{{{formula_of(name[len(prefix):])}}}"
    part = re.fullmatch(r"(.+?)\.([A-Za-z]\w*)(?:\[(\d+),(\d+)\])?(?:\.([xyzw]))?", name)
    if part and "[" not in part[1]:  # of a body: top.Q[1,2], top.r.x, top.L.z
        below = (part[3] or "") + (part[4] or "") + (part[5] or "")
        above = rf"\mathrm{{{_plain(part[1])}}}"
        return f"{_word(part[2])}^{{{above}}}" + (f"_{{{below}}}" if below else "")
    indexed = re.fullmatch(r"([^\[\]]+)\[([^\]]*)\](?:\.(\w+))?", name)
    if indexed:
        below = indexed[2] + (f",{indexed[3]}" if indexed[3] else "")
        return f"{_word(indexed[1])}_{{{below}}}"
    return _word(name)


def _word(name: str) -> str:
    component = re.fullmatch(r"([A-Za-z])([xyz])", name)  # Lz, wx
    if component:
        return f"{component[1]}_{{{component[2]}}}"
    split = re.fullmatch(r"(.*?[^\d_])_?(\d+)", name) or re.fullmatch(r"([^_]+)_(.+)", name)
    if split:
        return f"{_letters(split[1])}_{{{_word(split[2])}}}"
    return _letters(name)


def _letters(name: str) -> str:
    if name in GREEK:
        return "\\" + name
    if len(name) == 1 or name.isdigit():
        return _plain(name)
    return rf"\mathrm{{{_plain(name)}}}"


def _plain(name: str) -> str:
    return re.sub(r"([_#%&$])", r"\\\1", name)
