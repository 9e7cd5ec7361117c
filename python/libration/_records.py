"""Records and tables: results of the library, with named fields."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Callable, Optional, Union, overload

WIDTH = 120
"""Columns of text that a table may take."""


NUMBER = re.compile(r"[-+]?\d[\d.,]*(e[-+]?\d+)?( \([-\d.]*\))?|nan|[-+]?inf")
"""A number as cells have it, perhaps with another one in brackets."""


class Record(Mapping[str, Any]):
    """Named values, read as attributes (record.order) or as a mapping (record["order"])."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_values", {name: _frozen(value) for name, value in values.items()})

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_values":  # copying and pickling ask before there are values
            raise AttributeError(name)
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(f"there is no '{name}'; available: {', '.join(self._values)}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("records are immutable")

    def __reduce__(self) -> Any:
        return type(self), (self._values,)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values]

    def __repr__(self) -> str:
        from ._cards import card_text

        return card_text(self)

    def _repr_html_(self) -> str:
        from ._cards import card_page

        return card_page(self)


def _frozen(value: Any) -> Any:
    if isinstance(value, Record):
        return value
    if isinstance(value, Mapping):
        return Record(value)
    if isinstance(value, list):
        return tuple(_frozen(item) for item in value)
    return value


Cell = Union[str, Callable[[Record], str]]


class Table(Sequence[Record]):
    """A sequence of records, displayed as a table.

    columns: {heading: field, or a function of the record}; other fields are available, but not shown.
    key: the field by which table["name"] finds a record.
    """

    def __init__(self, records: Sequence[Record], columns: Mapping[str, Cell], key: Optional[str] = None) -> None:
        self._records = tuple(records)
        self._columns = dict(columns)
        self._key = key

    @overload
    def __getitem__(self, which: Union[int, str]) -> Record: ...

    @overload
    def __getitem__(self, which: slice) -> Table: ...

    def __getitem__(self, which: Union[int, str, slice]) -> Union[Record, Table]:
        if isinstance(which, slice):
            return Table(self._records[which], self._columns, self._key)
        if isinstance(which, str) and self._key is not None:
            for record in self._records:
                if which in (record[self._key], record[self._key].split("(")[0]):
                    return record
            raise KeyError(f"there is no '{which}'; available: {', '.join(record[self._key] for record in self)}")
        return self._records[which]  # type: ignore[index]

    def __len__(self) -> int:
        return len(self._records)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Table) and self._records == other._records

    __hash__ = None  # type: ignore[assignment]

    def where(self, **fields: Any) -> Table:
        """The records whose fields have these values; if a field is a list, those that contain the value."""
        known = {name: None for record in self._records for name in record}
        for name in fields:
            if name not in known:
                raise TypeError(f"there is no field '{name}' to filter by; available: {', '.join(known)}")

        def fits(record: Record) -> bool:
            return all(
                value in record[name] if isinstance(record[name], tuple) and not isinstance(value, (list, tuple))
                else record[name] == _frozen(value)
                for name, value in fields.items()
            )

        return Table([record for record in self._records if fits(record)], self._columns, self._key)

    def to_dataframe(self) -> Any:
        """All fields as a pandas DataFrame; nested records become columns such as evaluations.force."""
        import pandas

        return pandas.json_normalize([plain(record) for record in self._records])

    def cells(self) -> list[list[str]]:
        """What is shown, row by row."""
        return [[_shown(record, cell) for cell in self._columns.values()] for record in self._records]

    def __repr__(self) -> str:
        return text_table(list(self._columns), self.cells()) if self._records else "(none)"

    def _repr_html_(self) -> str:
        return html_table(list(self._columns), self.cells())


def plain(value: Any) -> Any:
    """Records as dicts and tuples as lists, as JSON has them."""
    if isinstance(value, Record):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def _shown(record: Record, cell: Cell) -> str:
    value = cell(record) if callable(cell) else record[cell]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value)


def text_table(headings: Sequence[str], rows: Sequence[Sequence[str]], width: int = WIDTH) -> str:
    """Columns of text; what does not fit is broken in the last one, which is left-aligned as are words."""
    widths = [max(len(row[k]) for row in [headings, *rows]) for k in range(len(headings))]
    right = [bool(rows) and all(_is_number(row[k]) for row in rows) for k in range(len(headings))]
    indent = sum(widths[:-1]) + 2 * (len(widths) - 1)
    room = max(30, width - indent)
    lines = []
    for row in [headings, *rows]:
        aligned = [cell.rjust(size) if at_end else cell.ljust(size) for cell, size, at_end in zip(row, widths, right)]
        last = aligned[-1] if right[-1] else f"\n{' ' * indent}".join(textwrap.wrap(row[-1], room) or [""])
        lines.append("  ".join([*aligned[:-1], last]).rstrip())
    return "\n".join(lines)


def _is_number(text: str) -> bool:
    return text == "-" or NUMBER.fullmatch(text) is not None


def html_table(headings: Sequence[str], rows: Sequence[Sequence[str]], caption: str = "") -> str:
    """The same for notebooks."""
    try:
        from ._html import table_html
    except ImportError:
        return preformatted(f"{caption}\n{text_table(headings, rows)}".lstrip("\n"))
    return table_html(headings, rows, caption)


def preformatted(text: str) -> str:
    """Text as it stands, for notebooks."""
    import html

    return f"<pre>{html.escape(text)}</pre>"


def inline_svg(picture: str) -> str:
    """A picture as a part of a page: without the first line that a file has."""
    return picture[max(0, picture.find("<svg")) :]
