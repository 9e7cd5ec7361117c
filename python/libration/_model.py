"""Models: mechanical systems with constraints."""

from __future__ import annotations

import difflib
import os
from pathlib import Path
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._actions import Actions
from ._assemble import Sections, build, rebuilt
from ._check import Check
from ._core import FileError, InputError
from ._core import Model as CoreModel
from ._core import initial_values
from ._errors import explained
from ._external import External
from ._files import write_text
from ._options import flag, request
from ._overrides import Overrides, joined, overrides_of, plain_text, without_section
from ._paths import path_text

Formula = Any
"""An expression, a number, an exact text such as "sqrt(3)/2", or, where documented, a function."""

_ARGUMENTS = (
    "q points bodies joints angles mass gravity potential constraints redundant length families nonholonomic kinetic "
    "hamiltonian field springs dampers bushings forces spark observables invariants events definitions tables "
    "parameters initial assembly name description source run"
).split()


class Model(Actions):
    """A mechanical system with constraints, initial values and default run settings.

    >>> x, y = lb.coordinates("x y")
    >>> pendulum = lb.Model(q=[x, y], mass=1, potential=y, constraints=[x**2 + y**2 - 1], initial={"q": [1, 0]})

    Every formula may be an expression, a number, a text ("sqrt(3)/2", exact in any precision), or a function, which is
    called once with numpy arrays of symbols: potential(q), mass(q), constraints(q), kinetic(q, v), hamiltonian(q, p),
    each also with the time t as a last argument. Functions for observables, invariants, events and forces receive their
    arguments by name: q, p, v, t, lam. A model is immutable: `set` returns a new one.

    q: the coordinates, in order; functions receive these.
    points: {"r": {"count": n, "dimension": 2, "mass": 1}}, used as lb.points("r", 2)[i] or in texts as r[i].x. The
        mass may be a list, one per point, or a formula of i.
    bodies: rigid bodies, {"top": {"inertia": [2, 1.5, 1], "fixed": True}}, used as lb.body("top").at(0, 0, 1).
    joints: between bodies, [{"name": "hinge", "type": "revolute", "between": ["ground", "arm"], "at": [0, 0, 0],
        "axis": [0, 0, 1]}], used as lb.joint("hinge").angle; of "type": "rolling" with "radius" and "on", the normal.
    angles: angles that count turns, by their sine and cosine, {"turn": {"sine": y, "cosine": x}}, and perhaps "start".
        Texts use them as turn and v_turn, expressions as lb.symbol("turn").
    mass: a number, a list, or a matrix, which may depend on q and t. Alternatives: `kinetic`, `hamiltonian`, `field`.
    gravity: an acceleration, [0, -9.81, 0], which acts on all points and bodies.
    potential: U(q), or its parts {"slow": ..., "fast": ..., "stiff": ...}.
    constraints: expressions that vanish, a list or {name: formula}; `nonholonomic`: likewise, with velocities. A
        vector, {"joint": r[0] - r[1]}, gives one constraint per component, joint.x and joint.y.
    redundant: "carry" (the default): of redundant constraints an independent set is carried; or "error".
    length: what weighs forces against torques in reactions that redundant joints do not determine.
    families: terms over an index, [{"for": "i in 1..n-1", "energy": formula}, {"for": "(i, j) in bonds",
        "bonds": [[0, 1]], "name": "bond", "constraint": formula}].
    field: equations of motion without a Hamiltonian, {"q": {x: formula}, "v": {x: formula}, "blocks": [[x], [y]]}.
    springs, dampers: [{"between": ["arm.tip", [2, 0, 0]], "stiffness": 40, "length": 0.5}] or with a "joint" instead of
        "between"; dampers have a "coefficient".
    bushings: [{"between": ["ground", "engine"], "at": [0, 0, 0], "stiffness": [1e5, 1e5, 2e5], "rotational_stiffness":
        300, "damping": 40, "rotational_damping": 2}], along and about the axes of a frame in the first body.
    forces: {name: {"class": "dissipative", "on": {x: formula}}}; `spark` says how the method spark treats them. Over
        indices: {name: {"for": "i in 0..n-1", "class": "dissipative", "on": {"r[i]": "-c*v_r[i]"}}}.
    observables: quantities to record, {name: formula}; `invariants`: those to be monitored as conserved.
    events: {name: formula} or {name: {"when": formula, "direction": "rising", "terminal": True}}.
    definitions: named formulas for use in texts, {name: formula}, or lists of components.
    tables: functions given by values, {"profile": {"x": [0, 1, 2], "y": [0, 5, 0], "kind": "cubic"}} or
        {"profile": {"file": "torque.csv"}}, used as lb.interp("profile", lb.t).
    parameters: {g: 9.81}; lists and formulas in i are used as lb.listed("k")[i].
    initial: {"q": [...], "v": [...]} or with momenta "p"; at rest if neither is given. Single values by name,
        {"x": 1, "v_y": 2}: those that are omitted are zero. Points and bodies by
        name: {"r": {"for": "i in 0..n-1", "q": ["i", 0]}, "top": {"quaternion": [1, 0, 0, 0], "omega": [0, 0, 1]}}.
    assembly: the initial values are a rough pose, and a run starts where the constraints hold: {} or {"hold": [formula,
        ...], "branch": 2}. `check` says what moved, and lists the ways to close.
    run: default arguments of `run`, {"method": "rattle", "step": 0.01, "duration": 100}.
    """

    __slots__ = ("_core", "_source_name", "_external", "_sections")
    _core: CoreModel
    _source_name: str
    _external: Dict[str, External]
    _sections: Optional[Sections]  # of the arguments of lb.Model; None where the model was read from a text

    def __init__(
        self,
        q: Any = None,
        *,
        points: Optional[Mapping[str, Any]] = None,
        bodies: Optional[Mapping[str, Any]] = None,
        joints: Any = None,
        angles: Optional[Mapping[str, Any]] = None,
        gravity: Optional[Sequence[Formula]] = None,
        mass: Formula = None,
        potential: Formula = None,
        constraints: Any = None,
        redundant: Optional[str] = None,
        length: Any = None,
        families: Optional[Sequence[Mapping[str, Any]]] = None,
        nonholonomic: Any = None,
        kinetic: Formula = None,
        hamiltonian: Formula = None,
        field: Any = None,
        springs: Optional[Sequence[Mapping[str, Any]]] = None,
        dampers: Optional[Sequence[Mapping[str, Any]]] = None,
        bushings: Any = None,
        forces: Any = None,
        spark: Optional[Mapping[str, Any]] = None,
        observables: Optional[Mapping[str, Formula]] = None,
        invariants: Optional[Mapping[str, Formula]] = None,
        events: Optional[Mapping[str, Any]] = None,
        definitions: Optional[Mapping[str, Any]] = None,
        tables: Optional[Mapping[str, Any]] = None,
        parameters: Optional[Mapping[Any, Any]] = None,
        initial: Optional[Mapping[str, Any]] = None,
        assembly: Optional[Mapping[str, Any]] = None,
        name: str = "model",
        description: str = "",
        source: str = "",
        run: Optional[Mapping[str, Any]] = None,
        **unknown: Any,
    ) -> None:
        given = locals()
        for argument in unknown:
            raise TypeError(f"Model() has no argument '{argument}'{_suggestion(argument, _ARGUMENTS)}")
        core, external, sections = build({argument: given[argument] for argument in _ARGUMENTS})
        self._keep(core, "model", external, sections)

    def _keep(
        self, core: CoreModel, source_name: str, external: Dict[str, External], sections: Optional[Sections]
    ) -> None:
        object.__setattr__(self, "_core", core)
        object.__setattr__(self, "_source_name", source_name)
        object.__setattr__(self, "_external", external)
        object.__setattr__(self, "_sections", sections)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _ARGUMENTS or hasattr(type(self), name):
            raise AttributeError(f"models are immutable; create another one with lb.Model(..., {name}=...)")
        raise AttributeError(f"models are immutable; model.set({name}=...) returns a new one with other values")

    @classmethod
    def _of(
        cls,
        core: CoreModel,
        source_name: str,
        external: Optional[Dict[str, External]] = None,
        sections: Optional[Sections] = None,
    ) -> "Model":
        model = cls.__new__(cls)
        model._keep(core, source_name, external or {}, sections)
        return model

    @classmethod
    def load(
        cls, name: "Union[str, os.PathLike[str]]", parameters: Optional[Mapping[Any, Any]] = None, **more: Any
    ) -> "Model":
        """A built-in problem, or a model file; see `load`."""
        overrides = overrides_of(parameters, more)
        path = path_text(name)
        if isinstance(name, os.PathLike) and "/" not in path and not path.endswith(".toml"):
            path = "./" + path
        return cls._of(CoreModel.load(path, overrides), path)

    @classmethod
    def parse(cls, text: str, name: str = "model") -> "Model":
        """A model from the text of a model file; `name` is used if the text has none, and in messages."""
        return cls._of(CoreModel.parse(text, name, []), name)

    @property
    def name(self) -> str:
        """The name of the model."""
        return self._core.name

    @property
    def description(self) -> str:
        """A description in one sentence."""
        return self._core.description

    @property
    def source(self) -> str:
        """The source, e.g. a paper."""
        return self._core.source

    @property
    def coordinates(self) -> "Tuple[str, ...]":
        """The names of the coordinates, in the order of q."""
        return tuple(self._core.coordinates)

    @property
    def dimension(self) -> int:
        """The number of coordinates."""
        return self._core.dimension

    @property
    def multipliers(self) -> "Tuple[str, ...]":
        """The names of the Lagrange multipliers, one per constraint."""
        return tuple(self._core.multipliers)

    @property
    def parameters(self) -> "Dict[str, Any]":
        """The parameters with their values: numbers, lists of numbers, or formulas in the index i."""
        return dict(self._core.parameters)

    @property
    def initial(self) -> "Dict[str, np.ndarray[Any, Any]]":
        """The initial values as arrays: "q", and "p" or "v", whichever the model specifies."""
        return initial_values(self._core)

    @property
    def observables(self) -> "Tuple[str, ...]":
        """The names of the observables, including invariants."""
        return tuple(name for name, _ in self._core.observables)

    @property
    def invariants(self) -> "Tuple[str, ...]":
        """The names of the observables that are monitored as conserved."""
        return tuple(name for name, invariant in self._core.observables if invariant)

    def set(self, values: Optional[Mapping[Any, Any]] = None, /, **more: Any) -> "Model":
        """A new model with other parameters or initial values: x, p_x or v_x for a coordinate x.

        >>> lb.load("pendulum").set(g=9.81, x=0.6, y=-0.8)
        >>> lb.load("chain").set({"r[0].x": 0.5})
        """
        for name, prefix in (("q", ""), ("p", "p_"), ("v", "v_")):
            if name in {*(values or {}), *more} and name not in {*self._core.coordinates, *self.parameters}:
                each = ", ".join(f"{prefix}{coordinate}=" for coordinate in self._core.coordinates[:3])
                raise TypeError(f"set() takes one value per name, and '{name}' stands for several: set {each}")
        changed = overrides_of(values, more)
        overrides = joined(self._core.overrides, changed)
        if self._sections is not None:
            core = rebuilt(self._sections, overrides, self._external)
        elif (text := without_section(self._core.text)) == self._core.text:
            core = self._core.varied(changed)
        else:
            core = CoreModel.parse(text, self._source_name, overrides)
        return self._of(core, self._source_name, self._external, self._sections)

    def check(self, *, project: bool = False) -> Check:
        """Check the model before a run: names, sizes, rank of the constraints, initial values, derivatives.

        project: at the initial values moved onto the constraints, as a run with project=True.
        """
        return Check(self._core, lambda message: explained(self, message), request("check", {"project": project}))

    def to_toml(self) -> str:
        """The text of the model file, for `libration run` and `lb.load`."""
        if self._external:
            raise InputError(
                f"the {' and the '.join(self._external)} of this model are functions that cannot be written as text "
                "(lb.external); write them as expressions to save the model"
            )
        return self._core.to_text()

    def save(self, path: "Union[str, os.PathLike[str]]", overwrite: bool = False) -> None:
        """Write the model file; the name must end in .toml."""
        target = Path(path_text(path))
        if target.suffix != ".toml":
            raise InputError(f"the name of a model file must end in .toml, not '{target.suffix}': {target}")
        text = self.to_toml()
        if not flag(overwrite, "overwrite") and target.exists():
            raise FileError(f"{target} exists; give overwrite=True to replace it")
        write_text(target, text)

    def equations(self) -> str:
        """Energy, constraints and equations of motion in LaTeX (aligned environment)."""
        lines = " \\\\\n".join(self._core.latex_equations())
        return f"\\begin{{aligned}}\n{lines}\n\\end{{aligned}}"

    def __repr__(self) -> str:
        core = self._core
        rows = len(core.multipliers)
        changed = "".join(f", {name}={value}" for name, value in core.overrides)
        coordinates = f"{core.dimension} coordinate{'s' if core.dimension != 1 else ''}"
        return f"<Model {core.name}: {coordinates}, {rows or 'no'} constraint{'s' if rows != 1 else ''}{changed}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key()[:3])

    def _key(self) -> "Tuple[Any, ...]":
        return (self.name, plain_text(self._core.text), tuple(self._core.overrides), self._external)

    def __reduce__(self) -> "Tuple[Callable[..., Model], Tuple[Any, ...]]":
        return _unpickled, (self._core.text, self._source_name, self._core.overrides, self._external, self._sections)

    def __copy__(self) -> "Model":
        return self

    def __deepcopy__(self, memo: Any) -> "Model":
        return self

    def _repr_markdown_(self) -> str:
        from ._markdown import model_markdown

        return model_markdown(self)


def load(name: "Union[str, os.PathLike[str]]", parameters: Optional[Mapping[Any, Any]] = None, **more: Any) -> Model:
    """Load a built-in problem by its name, or a model file (the path ends in .toml, or contains a slash).

    Further arguments override parameters and initial values:

    >>> lb.load("chain", n=10)
    >>> lb.load("pendulum", parameters={"g": 2})
    """
    return Model.load(name, parameters, **more)


def _unpickled(
    text: str,
    source_name: str,
    overrides: Overrides,
    external: Dict[str, External],
    sections: Optional[Sections] = None,
) -> Model:
    if sections is None:
        return Model._of(CoreModel.parse(text, source_name, overrides), source_name)
    return Model._of(rebuilt(sections, overrides, external), source_name, external, sections)


def _suggestion(name: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(name, known, 1, 0.7)
    return f": did you mean '{near[0]}'?" if near else f"; available: {', '.join(known)}"
