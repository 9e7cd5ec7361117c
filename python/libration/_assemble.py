"""From the arguments of lb.Model to the text of a model."""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Tuple

import numpy as np

from . import _core
from ._errors import speaking_of
from ._external import External, join
from ._labels import in_order, labelled
from ._model_text import SOURCE_NAME, ModelText, Nested, Writer, by_coordinate, names_of, nested, symbol_name
from ._toml import is_list, items, leaf, quoted, tree
from ._trace import one_number, symbols, trace, trace_by_name

Given = Mapping[str, Any]


class Built(NamedTuple):
    """A model, the functions that no text can hold, and the text that was written for it."""

    core: "_core.Model"
    external: Dict[str, External]
    text: ModelText


def build(given: Given) -> Built:
    """The model of these arguments; faults are told in their names."""
    text, external = assemble(given)
    with speaking_of(text):
        functions = join(external.get("potential"), external.get("constraints"))
        return Built(_core.Model.parse(text.text, SOURCE_NAME, [], functions), external, text)


def assemble(given: Given) -> "Tuple[ModelText, Dict[str, External]]":
    """The text of the model, and the functions that no text can hold."""
    if given["q"] is None:
        raise TypeError("Model() needs the coordinates: lb.Model(q=[x, y], ...)")
    return _Assembly(given).write()


class _Assembly:
    def __init__(self, given: Given) -> None:
        self._given = given
        self._names = names_of(given["q"], "q")
        if not self._names:
            raise _core.InputError("q: a model needs coordinates, such as q=[x, y]")
        self._parameters = _table(given["parameters"], "parameters")
        self._writer = Writer(self._names, self._parameters)
        self.external: Dict[str, External] = {}

    def write(self) -> "Tuple[ModelText, Dict[str, External]]":
        given, section = self._given, self._writer.section
        # Faults of the text as a whole are reported at its first line and belong to no argument.
        section("", [(name, _text(given[name], name), "") for name in ("name", "description", "source")])
        for_each = _constant_table(self._parameters, "parameters")
        section("parameters", [(name, value, f"parameters[{name!r}]") for name, value in for_each.items()])
        section("coordinates", [("q", [quoted(name) for name in self._names], "q")])
        section("dynamics", self._dynamics())
        section("field", self._field())
        for name, force in _table(given["forces"], "forces").items():
            section("[forces]", self._force(name, force))
        section("spark", [(n, v, "spark") for n, v in _constant_table(given["spark"], "spark").items()])
        section("observables", self._observables())
        for name, event in _table(given["events"], "events").items():
            section("[events]", self._event(name, event))
        section("initial", self._initial())
        section("run", [(n, _constant(v, "run"), "run") for n, v in _table(given["run"], "run").items()])
        return self._writer.finish(), self.external

    def _traced(self, value: Any, argument: str, letters: str) -> Any:
        """The value, or the formula of a function of q, v or p, as the letters say."""
        if not _is_function(value):
            return value
        prefixes = {"q": "", "v": "v_", "p": "p_"}
        return trace(value, argument, [symbols(self._names, prefixes[letter]) for letter in letters], letters)

    def _each_traced(self, value: Any, argument: str, letters: str) -> Any:
        """Likewise for lists and tables of formulas, whole or one by one."""
        if _is_function(value):
            return self._traced(value, argument, letters)
        return _each(value, argument, lambda one, name: self._traced(one, name, letters))

    def _named(self, value: Any, argument: str, known: str = "q p v t lam") -> Any:
        """The value, or the formula of a function whose arguments are found by their names."""
        sources = {
            "q": lambda: symbols(self._names),
            "p": lambda: symbols(self._names, "p_"),
            "v": lambda: symbols(self._names, "v_"),
            "t": lambda: _core.symbol("t"),
            "lam": self._multipliers,
        }
        if not _is_function(value):
            return value
        return trace_by_name(value, argument, {name: sources[name] for name in known.split()})

    def _multipliers(self) -> Any:
        """Their symbols are known as soon as the constraints are."""
        later = dict.fromkeys(("observables", "invariants", "events", "forces", "spark"))
        return symbols(build({**self._given, **later}).core.multipliers)

    def _energy(self, argument: str, letters: str) -> Optional[Nested]:
        value = self._given[argument]
        if value is None or self._is_external(value, argument):
            return None
        if isinstance(value, Mapping) and argument == "potential":
            return {
                symbol_name(part, argument): leaf(
                    one_number(self._traced(term, f"potential[{part!r}]", letters), argument), f"potential[{part!r}]"
                )
                for part, term in value.items()
            }
        if _is_function(value):
            value = one_number(self._traced(value, argument, letters), argument)
        return leaf(value, argument)

    def _is_external(self, value: Any, argument: str) -> bool:
        if not isinstance(value, External):
            return False
        if argument not in ("potential", "constraints"):
            raise TypeError(f"{argument}: lb.external is for the potential and for constraints only")
        self.external[argument] = value
        return True

    def _rows(self, argument: str, letters: str) -> Optional[Nested]:
        value = self._each_traced(self._given[argument], argument, letters)
        if value is None or self._is_external(value, argument):
            return None
        if isinstance(value, Mapping):
            return nested(value, argument)
        if isinstance(value, np.ndarray):
            value = value.reshape(-1)
        return tree(value, argument) if is_list(value) else [leaf(value, argument)]

    def _dynamics(self) -> "List[Tuple[str, Optional[Nested], str]]":
        mass = self._in_order(self._each_traced(self._given["mass"], "mass", "q"), "mass")
        return [
            ("mass", None if mass is None else tree(mass, "mass"), "mass"),
            ("kinetic", self._energy("kinetic", "qv"), "kinetic"),
            ("hamiltonian", self._energy("hamiltonian", "qp"), "hamiltonian"),
            ("potential", self._energy("potential", "q"), "potential"),
            ("constraints", self._rows("constraints", "q"), "constraints"),
            ("nonholonomic", self._rows("nonholonomic", "qv"), "nonholonomic"),
        ]

    def _field(self) -> "List[Tuple[str, Optional[Nested], str]]":
        field = self._given["field"]
        if field is None:
            return []
        table = dict(field) if isinstance(field, Mapping) else {"q": field}
        letters = "qv" if "v" in table else "q"
        entries: List[Tuple[str, Optional[Nested], str]] = []
        for name, value in table.items():
            argument = f"field[{name!r}]"
            if name == "blocks":
                value = [[quoted(n) for n in names_of(block, argument)] for block in items(value)]
                entries.append((name, value, argument))
            elif value is not None:
                value = self._each_traced(value, argument, letters)
                entries.append((name, by_coordinate(value, self._names, argument), argument))
        return entries

    def _force(self, name: str, force: Any) -> "List[Tuple[str, Optional[Nested], str]]":
        argument = f"forces[{name!r}]"
        if not isinstance(force, Mapping):
            raise TypeError(f"{argument}: a force is a dict such as {{'class': 'stiff', 'on': {{x: -x}}}}")
        entries: List[Tuple[str, Optional[Nested], str]] = [("name", quoted(name), argument)]
        for part, value in force.items():
            if part == "on":
                value = self._named(value, argument, "q v t lam")
                value = _each(value, argument, lambda one, place: self._named(one, place, "q v t lam"))
                entries.append((part, by_coordinate(value, self._names, argument), argument))
            else:
                entries.append((part, leaf(value, f"{argument}[{part!r}]"), argument))
        return entries

    def _observables(self) -> "List[Tuple[str, Optional[Nested], str]]":
        entries: List[Tuple[str, Optional[Nested], str]] = []
        recorded = _table(self._given["observables"], "observables")
        watched = _table(self._given["invariants"], "invariants")
        for argument, table in (("observables", recorded), ("invariants", watched)):
            for name, value in table.items():
                if name == "invariants":
                    raise _core.InputError(f"{argument}: no observable can be called 'invariants'")
                if argument == "invariants" and name in recorded:
                    raise _core.InputError(f"'{name}' stands under observables and invariants; invariants is enough")
                place = f"{argument}[{name!r}]"
                if _is_function(value):
                    value = one_number(self._named(value, place), place)
                entries.append((name, leaf(value, place), place))
        if watched:
            entries.append(("invariants", [quoted(name) for name in watched], "invariants"))
        self._writer.reserve(name for name, _, _ in entries)
        return entries

    def _event(self, name: str, event: Any) -> "List[Tuple[str, Optional[Nested], str]]":
        argument = f"events[{name!r}]"
        self._writer.reserve([name])
        entries: List[Tuple[str, Optional[Nested], str]] = [("name", quoted(name), argument)]
        for part, value in (event if isinstance(event, Mapping) else {"when": event}).items():
            if part == "when" and _is_function(value):
                value = one_number(self._named(value, argument), argument)
            truth = isinstance(value, (bool, np.bool_))
            written = str(bool(value)).lower() if truth else leaf(value, f"{argument}[{part!r}]")
            entries.append((part, written, argument))
        return entries

    def _initial(self) -> "List[Tuple[str, Optional[Nested], str]]":
        entries: List[Tuple[str, Optional[Nested], str]] = []
        for name, value in _table(self._given["initial"], "initial").items():
            argument = f"initial[{name!r}]"
            value = self._in_order(value, argument)
            if isinstance(value, np.ndarray):
                value = value.reshape(-1)
            entries.append((name, _constant(value if is_list(value) else [value], argument), argument))
        return entries

    def _in_order(self, value: Any, argument: str) -> Any:
        """A list in the order of the coordinates, of values that have names; others as they are."""
        table = value if isinstance(value, Mapping) else labelled(value)
        if table is None:
            return value
        named = {symbol_name(name, argument): number for name, number in table.items()}
        return in_order(named, self._names, argument, "no value")


def _each(value: Any, argument: str, traced: "Callable[[Any, str], Any]") -> Any:
    """Lists and tables with every function in them replaced by its formula."""
    if isinstance(value, Mapping):
        return {name: _each(item, f"{argument}[{str(name)!r}]", traced) for name, item in value.items()}
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.dtype == object and value.ndim):
        return [_each(item, argument, traced) for item in value]
    return one_number(traced(value, argument), argument) if _is_function(value) else value


def _is_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, (_core.Expression, External, str))


def _table(value: Any, argument: str) -> "Dict[str, Any]":
    """A mapping with its keys as names."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        example = _EXAMPLES.get(argument, "{name: formula}")
        raise TypeError(f"{argument}: expected a dict such as {example}, found {value!r}")
    table: Dict[str, Any] = {}
    for name, item in value.items():
        text = symbol_name(name, argument)
        if text in table:
            raise _core.InputError(f"{argument}: '{text}' is given twice, as a symbol and as a name")
        table[text] = item
    return table


_EXAMPLES = {
    "parameters": "{g: 9.81}",
    "initial": "{'q': [1, 0], 'v': [0, 0]}",
    "run": "{'method': 'rattle', 'step': 0.01, 'steps': 1000}",
    "events": "{'down': y + 1}",
    "forces": "{'damper': {'class': 'dissipative', 'on': {x: -lb.velocity(x)}}}",
}


def _text(value: Any, argument: str) -> Optional[str]:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise TypeError(f"{argument}: expected a text, found {value!r}")
    return quoted(value)


def _constant(value: Any, argument: str) -> Nested:
    """Where no definition can be used: expressions are written out."""
    return _written_out(nested(value, argument))


def _constant_table(value: Any, argument: str) -> "Dict[str, Nested]":
    return {name: _constant(item, f"{argument}[{name!r}]") for name, item in _table(value, argument).items()}


def _written_out(value: Nested) -> Nested:
    if isinstance(value, _core.Expression):
        return quoted(str(value))
    if isinstance(value, Mapping):
        return {name: _written_out(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_written_out(item) for item in value]  # type: ignore[misc]
    return value


