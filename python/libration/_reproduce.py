"""Figures and tables of papers, reproduced and compared with the printed values."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, Optional, Union, overload

from . import _core
from ._calls import guided
from ._errors import Interrupted
from ._options import request
from ._paths import path_text
from ._progress import shown_progress
from ._records import Cell, Record, Table, html_table, inline_svg, preformatted, text_table

ITEM_COLUMNS: dict[str, Cell] = {
    "item": "id",
    "what": "title",
    "verdict": "verdict",
    "seconds": lambda item: f"{item.seconds:.2g}",
}


class Item(Record):
    """One figure, table or statement of a paper.

    It has id, paper, title, place, printed, measured, tolerance, verdict, seconds, quick, remark, fault and checks,
    each with rows (label, printed, expected, measured, tolerance, passed).

    figures: as SVG texts; empty if the item was taken from an existing gallery, which contains them.
    """

    __slots__ = ("_figures",)

    def __init__(self, values: Any, figures: Sequence[str] = ()) -> None:
        super().__init__({name: value for name, value in values.items() if name != "figures"} | {
            "captions": tuple(Record(figure) for figure in values.get("figures", ()))})
        object.__setattr__(self, "_figures", tuple(figure for figure in figures if figure))

    @property
    def figures(self) -> tuple[str, ...]:
        """Figures as SVG texts."""
        return self._figures  # type: ignore[no-any-return]

    @property
    def ok(self) -> bool:
        """Whether the verdict is the expected one."""
        return bool(self["verdict"] != "FAILED")

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        rows = [
            [check.what if k == 0 else "", row.label, _text(row.printed), _text(row.measured), _criterion(check, row),
             "passed" if row.passed else "FAILED"]
            for check in self["checks"] for k, row in enumerate(check.rows)
        ]
        return ["check", "row", "printed", "measured", "criterion", "verdict"], rows

    def _heading(self) -> str:
        return f"{self['id']}: {self['title']} ({self['place']}): {self['verdict']}"

    def __repr__(self) -> str:
        fault = f"\n\n{self['fault']}" if self["fault"] else ""
        return f"{self._heading()}\n\n{text_table(*self._cells())}{fault}"

    def _repr_html_(self) -> str:
        fault = preformatted(self["fault"]) if self["fault"] else ""
        pictures = "".join(map(inline_svg, self.figures))
        return f"<div>{html_table(*self._cells(), self._heading())}{fault}{pictures}</div>"


def _criterion(check: Record, row: Record) -> str:
    """The requirement on a measured value: close to another one, or within a bound."""
    bounds = [f"{word} {check[word]:.6g}" for word in ("above", "below") if check[word] is not None]
    if row.expected is not None:
        return " and ".join([f"{_text(row.expected)} to {_text(row.tolerance)}", *bounds])
    return " and ".join(bounds) or "-"


def _text(value: Optional[float]) -> str:
    return "-" if value is None else f"{value:.6g}"


class Items(Sequence[Item]):
    """Items of papers with their verdicts."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = tuple(items)
        self._table = Table(self._items, ITEM_COLUMNS, "id")

    @overload
    def __getitem__(self, which: Union[int, str]) -> Item: ...

    @overload
    def __getitem__(self, which: slice) -> Items: ...

    def __getitem__(self, which: Union[int, str, slice]) -> Union[Item, Items]:
        if isinstance(which, slice):
            return Items(self._items[which])
        return self._table[which]  # type: ignore[return-value]

    def __len__(self) -> int:
        return len(self._items)

    @property
    def ok(self) -> bool:
        """Whether none failed."""
        return all(item.ok for item in self._items)

    def to_dataframe(self) -> Any:
        """One row per item."""
        return self._table.to_dataframe()

    def __repr__(self) -> str:
        return repr(self._table)

    def _repr_html_(self) -> str:
        return self._table._repr_html_()


def items(*names: Union[str, Iterable[str]]) -> Table:
    """The items of papers for lb.reproduce, all or those with these names, without computing them."""
    content = json.loads(_core.recipes_json(_flat(names)))["items"]
    return Table([Record(item) for item in content], {"item": "id", "what": "title", "where": "place"}, "id")


def _flat(names: Iterable[Union[str, Iterable[str]]]) -> list[str]:
    """Names one by one, in lists, or as items."""
    flat: list[str] = []
    for name in names:
        if isinstance(name, (str, os.PathLike)):
            flat.append(os.fspath(name))
        elif isinstance(name, Record):
            flat.append(name["id"])
        elif isinstance(name, Iterable):
            flat += _flat(name)
        else:
            raise TypeError("expected names of items such as \"001-fig3.1\", found an object of type "
                            f"{type(name).__name__}")
    return flat


@guided('"001-fig3.1", quick=True')
def reproduce(
    *names: Union[str, Iterable[str]],
    out: Union[None, str, os.PathLike[str]] = None,
    quick: bool = False,
    again: bool = False,
    threads: Optional[int] = None,
    progress: Any = None,
) -> Items:
    """Reproduce figures and tables of papers, and compare the measured values with the printed ones.

    >>> lb.reproduce("001-fig3.1", quick=True)

    names: items (001-fig3.1), papers (001) or your own recipes (FILE.toml); default: everything.
    out: the directory of a gallery. Finished items are kept and not repeated by the next call, unless again=True.
    quick: shorter runs, if an item defines them.
    """
    directory = None if out is None else path_text(out)
    with shown_progress(progress) as callback:
        asked = request("reproduce", {"items": _flat(names), "out": out, "quick": quick, "again": again,
                                      "threads": threads})
        text, figures, interrupted = _core.reproduce_json(asked, callback)
    found = json.loads(text)["items"]
    result = Items([Item(item, drawn) for item, drawn in zip(found, figures)])
    if interrupted:
        how = "the same call continues" if directory else 'a call with out="DIRECTORY" can be continued'
        error = Interrupted(f"interrupted: {len(result)} items are done; {how}")
        setattr(error, "items", result)
        raise error
    return result
