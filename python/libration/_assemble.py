"""Converts the arguments of lb.Model to the sections of a model, as values."""

from __future__ import annotations

import difflib
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Tuple

import numpy as np

from . import _core
from ._errors import speaking_of
from ._external import External, join
from ._given import given_blocks, given_families, given_forces, given_table, given_text, given_value, with_values
from ._initial import by_letter
from ._labels import in_order, labelled
from ._trace import one_number, symbols, trace, trace_by_name
from ._values import by_coordinate, is_list, items, leaf, names_of, nested, symbol_name, tree

Given = Mapping[str, Any]

# Sections whose formulas may contain an index, a body or a joint: they are left to the library.
INDEXED = ("points", "[body]", "[joint]", "[spring]", "[damper]", "[bushing]", "[energy]", "[constraint]")


Entries = List[Tuple[str, Any, str]]
"""Names, values, and the arguments that they come from."""
Sections = List[Tuple[str, Entries]]
"""Each with its header: "" for the top level, "[name]" for one of several blocks."""


class Built(NamedTuple):
    """A model, the functions that cannot be written as text, and the sections it was built from."""

    core: "_core.Model"
    external: Dict[str, External]
    sections: Sections


def build(given: Given) -> Built:
    """The model of these arguments; error messages name them."""
    if all(given[argument] is None for argument in ("q", "points", "bodies")):
        raise TypeError("Model() needs the coordinates: lb.Model(q=[x, y], ...)")
    sections, external = _Assembly(given).assemble()
    return Built(rebuilt(sections, [], external), external, sections)


def rebuilt(
    sections: Sections, overrides: "List[Tuple[str, str]]", external: "Mapping[str, External]"
) -> "_core.Model":
    """The same model with other values."""
    with speaking_of(sections):
        functions = join(external.get("potential"), external.get("constraints"))
        return _core.build_model(sections, overrides, functions)


class _Assembly:
    def __init__(self, given: Given) -> None:
        self._given = given
        self._names = [] if given["q"] is None else names_of(given["q"], "q")
        if not self._names and given["q"] is not None:
            raise _core.InputError("q: a model needs coordinates, such as q=[x, y]")
        self._parameters = given_table(given["parameters"], "parameters")
        self._definitions = given_table(given["definitions"], "definitions")
        angles = given_table(given["angles"], "angles")
        self._known = {*self._names, *self._parameters, *self._definitions, *angles}
        self._sections: Sections = []
        self.external: Dict[str, External] = {}

    def assemble(self) -> "Tuple[Sections, Dict[str, External]]":
        """The sections in the order of model files, and the functions that cannot be written as text."""
        given, section = self._given, self._section
        # What is said of the model as a whole belongs to no argument.
        section("", [(name, given_text(given[name], name), "") for name in ("name", "description", "source")])
        section("tables", [(name, with_values(table, place), place) for name, table, place in self._tables("tables")])
        section("parameters", self._tables("parameters"))
        section("coordinates", [("q", list(self._names) or None, "q")])
        section("points", self._tables("points"))
        for name, body in given_table(given["bodies"], "bodies").items():
            argument = f"bodies[{name!r}]"
            section("[body]", [("name", name, argument), *self._facts(body, argument)])
        for argument, joint in given_blocks(given["joints"], "joints"):
            section("[joint]", self._facts(joint, argument))
        section("angles", self._tables("angles"))
        section("definitions", self._tables("definitions"))
        section("dynamics", self._dynamics())
        for kind in ("energy", "constraint"):
            for number, family in enumerate(given_families(given["families"])):
                if kind in family:
                    section(f"[{kind}]", self._family(family, kind, f"families[{number}]"))
        for kind in ("spring", "damper", "bushing"):
            for argument, block in given_blocks(given[kind + "s"], kind + "s"):
                section(f"[{kind}]", self._facts(block, argument))
        section("field", self._field())
        for name, force, argument in given_forces(given["forces"]):
            section("[forces]", self._force(name, force, argument))
        section("spark", [(n, v, "spark") for n, v, _ in self._tables("spark")])
        section("observables", self._observables())
        for name, event in given_table(given["events"], "events").items():
            section("[events]", self._event(name, event))
        section("initial", self._initial())
        self._add_assembly()
        section("run", [(n, nested(v, "run"), "run") for n, v in given_table(given["run"], "run").items()])
        return self._sections, self.external

    def _add_assembly(self) -> None:
        """Even an empty section says that the start is assembled."""
        if self._given["assembly"] is not None:
            entries = [(name, value, "assembly") for name, value, _ in self._tables("assembly")]
            if entries:
                self._section("assembly", entries)
            else:
                self._sections.append(("assembly", []))

    def _section(self, header: str, entries: "Iterable[Tuple[str, Any, str]]") -> None:
        """Add a section with the given entries; if there are none, no section is added."""
        given = [entry for entry in entries if entry[1] is not None]
        indexed = header in INDEXED or any(name == "for" for name, *_ in given)
        for name, value, argument in () if indexed else given:
            if header != "initial" or name in ("q", "p", "v"):
                self._check_names(value, argument, ["i"] if header == "parameters" else [])
        if given:
            self._sections.append((header, given))

    def _check_names(self, value: Any, argument: str, others: "List[str]") -> None:
        """Unknown names in expressions are reported with a remedy."""
        if isinstance(value, Mapping):
            for name, item in value.items():
                self._check_names(item, f"{argument}[{name!r}]", others)
        elif isinstance(value, list):
            for item in value:
                self._check_names(item, argument, others)
        for symbol in value.symbols if isinstance(value, _core.Expression) else ():
            name = str(symbol.text)
            plain = name[2:] if name.startswith(("p_", "v_")) else name
            if plain in self._known or plain in others or not plain.isidentifier():
                continue
            if name == "t" or name.startswith("lambda_"):
                continue
            if moving := _differentiated(name, self._names):
                raise _core.InputError(
                    f"{argument}: unknown name '{name}': the velocity of {moving} is written lb.velocity({moving}), or "
                    f"v_{moving} in a text"
                )
            if name == "time":
                raise _core.InputError(f"{argument}: unknown name 'time': the time is written lb.t")
            near = difflib.get_close_matches(name, [*self._names, *self._parameters, *self._definitions], 1, 0.75)
            raise _core.InputError(
                f"{argument}: unknown name '{name}'"
                + (f": did you mean '{near[0]}'?" if near else "")
                + (
                    f"\n'{plain}' is not a coordinate of the model, q = [{', '.join(self._names)}]."
                    if plain != name
                    else f"\nGive it a value, parameters={{'{name}': ...}}, or make it a coordinate, "
                    f"q=[{', '.join([*self._names, name])}]."
                )
            )

    def _tables(self, argument: str) -> Entries:
        """What is given by name, as it is."""
        table = given_table(self._given[argument], argument)
        return [(name, nested(value, place := f"{argument}[{name!r}]"), place) for name, value in table.items()]

    def _facts(self, value: Any, argument: str) -> Entries:
        if not isinstance(value, Mapping):
            raise TypeError(f"{argument}: expected a dict, found {value!r}")
        return [(symbol_name(name, argument), given_value(item, argument), argument) for name, item in value.items()]

    def _family(self, family: "Mapping[str, Any]", kind: str, argument: str) -> Entries:
        formula = {"energy": "term", "constraint": "equation"}[kind]
        return self._facts({formula if name == kind else name: value for name, value in family.items()}, argument)

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

    def _energy(self, argument: str, letters: str) -> Any:
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

    def _rows(self, argument: str, letters: str) -> Any:
        value = self._each_traced(self._given[argument], argument, letters)
        if value is None or self._is_external(value, argument):
            return None
        if isinstance(value, Mapping):
            return nested(value, argument)
        if isinstance(value, np.ndarray):
            value = value.reshape(-1)
        return tree(value, argument) if is_list(value) else [leaf(value, argument)]

    def _dynamics(self) -> Entries:
        mass = self._in_order(self._each_traced(self._given["mass"], "mass", "q"), "mass")
        return [
            ("mass", None if mass is None else tree(mass, "mass"), "mass"),
            ("gravity", None if self._given["gravity"] is None else tree(self._given["gravity"], "gravity"), "gravity"),
            ("kinetic", self._energy("kinetic", "qv"), "kinetic"),
            ("hamiltonian", self._energy("hamiltonian", "qp"), "hamiltonian"),
            ("potential", self._energy("potential", "q"), "potential"),
            ("constraints", self._rows("constraints", "q"), "constraints"),
            ("nonholonomic", self._rows("nonholonomic", "qv"), "nonholonomic"),
            ("redundant", self._given["redundant"], "redundant"),
            ("length", leaf(self._given["length"], "length") if self._given["length"] is not None else None, "length"),
        ]

    def _field(self) -> Entries:
        field = self._given["field"]
        if field is None:
            return []
        table = dict(field) if isinstance(field, Mapping) else {"q": field}
        letters = "qv" if "v" in table else "q"
        entries: Entries = []
        for name, value in table.items():
            argument = f"field[{name!r}]"
            if name == "blocks":
                value = [names_of(block, argument) for block in items(value)]
                entries.append((symbol_name(name, argument), value, argument))
            elif value is not None:
                value = self._each_traced(value, argument, letters)
                entries.append((symbol_name(name, argument), by_coordinate(value, self._names, argument), argument))
        return entries

    def _force(self, name: str, force: Any, argument: str) -> Entries:
        if not isinstance(force, Mapping):
            raise TypeError(f"{argument}: a force is a dict such as {{'class': 'stiff', 'on': {{x: -x}}}}")
        entries: Entries = [("name", name, argument)]
        for part, value in force.items():
            if part == "on":
                value = self._named(value, argument, "q v t lam")
                value = _each(value, argument, lambda one, place: self._named(one, place, "q v t lam"))
                entries.append((part, by_coordinate(value, self._names, argument), argument))
            else:  # the class, the range, perhaps a table of indices, a load on a body
                entries.append((symbol_name(part, argument), given_value(value, f"{argument}[{part!r}]"), argument))
        return entries

    def _observables(self) -> Entries:
        entries: Entries = []
        recorded = given_table(self._given["observables"], "observables")
        watched = given_table(self._given["invariants"], "invariants")
        for argument, table in (("observables", recorded), ("invariants", watched)):
            for name, value in table.items():
                if name == "invariants":
                    raise _core.InputError(f"{argument}: an observable cannot be named 'invariants'")
                if argument == "invariants" and name in recorded:
                    raise _core.InputError(
                        f"'{name}' is given in both observables and invariants; omit it in observables"
                    )
                place = f"{argument}[{name!r}]"
                if _is_function(value):
                    value = one_number(self._named(value, place), place)
                entries.append((name, leaf(value, place), place))
        if watched:
            entries.append(("invariants", list(watched), "invariants"))
        return entries

    def _event(self, name: str, event: Any) -> Entries:
        argument = f"events[{name!r}]"
        entries: Entries = [("name", name, argument)]
        for part, value in (event if isinstance(event, Mapping) else {"when": event}).items():
            if part == "when" and _is_function(value):
                value = one_number(self._named(value, argument), argument)
            entries.append((symbol_name(part, argument), given_value(value, f"{argument}[{part!r}]"), argument))
        return entries

    def _initial(self) -> Entries:
        entries: Entries = []
        for name, value in by_letter(given_table(self._given["initial"], "initial"), self._names).items():
            argument = f"initial[{name!r}]"
            if name not in ("q", "p", "v"):
                blocks = items(value) if is_list(value) else [value]
                written = [given_value(block, argument) for block in blocks]
                entries.append((name, written if is_list(value) else written[0], argument))
                continue
            value = self._in_order(value, argument)
            if isinstance(value, np.ndarray):
                value = value.reshape(-1)
            entries.append((name, nested(value if is_list(value) else [value], argument), argument))
        return entries

    def _in_order(self, value: Any, argument: str) -> Any:
        """A list in the order of the coordinates, of values that have names; others as they are."""
        table = value if isinstance(value, Mapping) else labelled(value)
        if table is None:
            return value
        named = {symbol_name(name, argument): number for name, number in table.items()}
        return in_order(named, self._names, argument, "no value")


def _differentiated(name: str, coordinates: "List[str]") -> str:
    """The coordinate of theta_dot, thetadot, dtheta or dtheta_dt; empty for other names."""
    for coordinate in coordinates:
        if name in (f"{coordinate}_dot", f"{coordinate}dot", f"d{coordinate}", f"d{coordinate}_dt", f"d_{coordinate}"):
            return coordinate
    return ""


def _each(value: Any, argument: str, traced: "Callable[[Any, str], Any]") -> Any:
    """Lists and tables with every function in them replaced by its formula."""
    if isinstance(value, Mapping):
        return {name: _each(item, f"{argument}[{str(name)!r}]", traced) for name, item in value.items()}
    if isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.dtype == object and value.ndim):
        return [_each(item, argument, traced) for item in value]
    return one_number(traced(value, argument), argument) if _is_function(value) else value


def _is_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, (_core.Expression, External, str))
