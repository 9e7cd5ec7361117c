"""Claims of methods, measured."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional, Union, overload

from . import _core
from ._calls import MethodLike, guided, method_text, method_texts
from ._errors import speaking_of
from ._model_argument import ModelLike, core_model, is_model
from ._numbers import Real
from ._options import request
from ._records import Record, Table, html_table, text_table

FINDING_COLUMNS = {"claim": "claim", "claimed": "claimed", "measured": "measured", "verdict": "verdict"}


class Certificate:
    """The claims of a method and the values measured on one model."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.method: str = content["method"]
        """The specification."""
        self.model: str = content["model"]
        """The name of the model."""
        self.ok: bool = content["confirmed"]
        """Whether no claim is contradicted."""
        self.findings = Table([Record(claim) for claim in content["claims"]], FINDING_COLUMNS, "claim")
        """One record per claim: claim, claimed, measured, verdict; certificate.findings["order of q"]."""
        self.reference = Record(content["reference"])
        """The reference solution for the errors: source, accuracy."""
        self.window = Record(content["window"])
        """The time window of the measured orders: length, duration of the model, shorter (why), kinks, later, text."""
        self.constrained: bool = content["constrained"]
        """Whether the model has constraints."""
        self.ladder = Table([Record(rung) for rung in content["ladder"]], _ladder_columns(self.constrained))
        """The runs with decreasing step sizes: steps, h, failed, errors of q, p, lambda, and residuals."""

    @property
    def contradicted(self) -> list[str]:
        """The claims that the measurement contradicts."""
        return [finding.claim for finding in self.findings if finding.verdict == "contradicted"]

    def __repr__(self) -> str:
        return f"{self.method} on {self.model}\n\n{self.findings!r}\n\n{self._source()}\n{self.ladder!r}{self._units()}"

    def _repr_html_(self) -> str:
        heading = f"{self.method} on {self.model}"
        findings = html_table(list(FINDING_COLUMNS), self.findings.cells(), heading)
        ladder = html_table(list(_ladder_columns(self.constrained)), self.ladder.cells(), self._source())
        return f"<div>{findings}{ladder}</div>"

    def _source(self) -> str:
        known = f", accurate to {self.reference.accuracy:.0e}" if self.reference.accuracy else ""
        source = f"{self.reference.source}{known}"
        return f"Orders over {self.window.text}\nRelative errors at the final time against {source}"

    def _units(self) -> str:
        return "\n|g| and |G v| during the run, in units of their round-off." if self.constrained else ""


def _ladder_columns(constrained: bool) -> dict[str, Any]:
    def number(name: str, digits: str) -> Any:
        def shown(rung: Record) -> str:
            return "step size too large" if rung.failed else "-" if rung[name] is None else format(rung[name], digits)

        return shown

    columns = {"steps": "steps", "h": lambda rung: f"{rung.h:.4g}", "q": number("q", ".2e"), "p": number("p", ".2e")}
    if constrained:
        columns["lambda"] = number("lambda", ".2e")
        columns["|g|"] = number("position", ".1e")
        columns["|G v|"] = number("hidden", ".1e")
    return columns


class Certificates(Sequence[Certificate]):
    """The certificates of one method on all problems that it can run, or of several methods."""

    def __init__(self, certificates: Sequence[Certificate]) -> None:
        self._certificates = tuple(certificates)

    @overload
    def __getitem__(self, which: int) -> Certificate: ...

    @overload
    def __getitem__(self, which: str) -> Any: ...

    @overload
    def __getitem__(self, which: slice) -> Certificates: ...

    def __getitem__(self, which: Union[int, str, slice]) -> Union[Certificate, Certificates]:
        if isinstance(which, slice):
            return Certificates(self._certificates[which])
        if isinstance(which, str):
            found = [one for one in self._certificates if which in (one.model, one.method)]
            if not found:
                known = ", ".join([*self.methods, *self.models])
                raise KeyError(f"there is no certificate for '{which}'; available: {known}")
            return found[0] if len(found) == 1 else Certificates(found)
        return self._certificates[which]

    def __len__(self) -> int:
        return len(self._certificates)

    @property
    def models(self) -> list[str]:
        """The names of the problems."""
        return list(dict.fromkeys(certificate.model for certificate in self._certificates))

    @property
    def methods(self) -> list[str]:
        """The methods."""
        return list(dict.fromkeys(certificate.method for certificate in self._certificates))

    @property
    def ok(self) -> bool:
        """Whether no claim is contradicted on any problem."""
        return all(certificate.ok for certificate in self._certificates)

    @property
    def contradicted(self) -> list[tuple[str, str]]:
        """Model and claim of each contradiction."""
        return [(one.model, claim) for one in self._certificates for claim in one.contradicted]

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        """One row per certificate: the claims with the measured orders, and what is not confirmed."""
        claims = list(dict.fromkeys(finding.claim for one in self._certificates for finding in one.findings))
        rows = []
        for certificate in self._certificates:
            open_claims = [f"{f.claim}: {f.verdict}" for f in certificate.findings
                           if f.verdict not in ("confirmed", "not applicable")]
            found = {finding.claim: _claim_cell(finding) for finding in certificate.findings}
            cells = [found.get(claim, "-") for claim in claims]
            rows.append([certificate.method, certificate.model, *cells, ", ".join(open_claims) or "all confirmed"])
        headings = ["method", "model", *claims, "verdict"]
        # What is the same everywhere stands above the table.
        return (headings, rows) if len(self.methods) > 1 else (headings[1:], [row[1:] for row in rows])

    def _heading(self) -> str:
        return self.methods[0] if len(self.methods) == 1 else self.models[0] if len(self.models) == 1 else ""

    def __repr__(self) -> str:
        if not self._certificates:
            return "(none)"
        headings, rows = self._cells()
        columns = [k for k, heading in enumerate(headings) if heading in ("method", "model", "verdict")
                   or heading.startswith("order")]
        chosen = [[row[k] for k in columns] for row in rows]
        return f"{self._heading()}\n\n{text_table([headings[k] for k in columns], chosen)}".lstrip("\n")

    def _repr_html_(self) -> str:
        if not self._certificates:
            return "(none)"
        headings, rows = self._cells()
        return html_table(headings, rows, self._heading())


def _claim_cell(finding: Record) -> str:
    if finding.verdict == "not applicable":
        return "-"
    return f"{finding.claimed} ({finding.measured})" if finding.claim.startswith("order") else str(finding.claimed)


@guided('"rattle", model, step=0.1')
def certify(
    method: Union[MethodLike, Iterable[MethodLike]],
    model: Optional[ModelLike] = None,
    *,
    step: Optional[Real] = None,
    duration: Optional[Real] = None,
    project: bool = False,
    force: bool = False,
) -> Union[Certificate, Certificates]:
    """Measure the claims of a method: order, symmetry, symplecticity, residuals, energy, momenta.

    >>> lb.certify("rattle", "double-pendulum").ok
    True

    method: a text or a record of lb.methods(); a list of methods gives several certificates.
    model: a Model, the name of a built-in problem or a file; default: all problems that the method can run.
    step: the largest step size; duration: the time over which errors are measured. Both need a model.
    project: start from the initial values moved onto the constraints, as a run with project=True; needs a model.
    force: accept methods that are known not to work.

    Ctrl-C takes effect when the measurement on the current model is finished.
    """
    if model is None and (step is not None or duration is not None or project):
        raise _core.InputError("step, duration and project require a model; give model=..., too")
    if is_model(method):
        raise TypeError("the first argument of certify() is the method: lb.certify(method, model)")
    core = None if model is None else core_model(model)
    options = request("certify", {"step": step, "duration": duration, "project": project, "force": force})
    several = not isinstance(method, str) and not hasattr(method, "spec") and method is not None
    with speaking_of(model):
        certificates = [
            Certificate(content)
            for spec in (method_texts(method) if several else [method_text(method)])
            for content in json.loads(_core.certify_json(core, {**options, "method": spec}))["certificates"]
        ]
    return Certificates(certificates) if model is None or several else certificates[0]
