"""Structure-preserving integration of constrained mechanical systems over very long times.

>>> import libration as lb
>>> model = lb.load("pendulum")
>>> run = model.run("rattle", step=0.01, duration=100)
>>> run.plot()

Models      load(name): a built-in problem, see problems(), or a file; Model(q=..., potential=..., constraints=...):
            from expressions in coordinates("x y") and parameters("g l"), or from functions; body and joint for
            mechanisms; points, listed and sum_over for indexed quantities; external(...) for functions that cannot be
            traced
Runs        model.run(method, step=..., duration=...) returns a Run: run.t, run.q, run.p, run.lam, run.energy_error,
            run.plot(), run.animate(), run.analyse(name), run.to_dataframe(), run.save(path); open(path), resume(path)
Ensembles   model.ensemble(vary={...}, count=...) returns an Ensemble
Gradients   gradient(model, loss, by=[...]) and jacobian(model, data, by=[...]) give exact derivatives of a run
Fits        model.fit(table, by=[...]) estimates parameters and initial values from measurements and returns a Fit;
            torch.loss and jax.loss give losses to the optimizers of PyTorch and JAX
Methods     methods(), method("lobatto(3)"), certify(method, model), compare(model, methods), choose(model, error=...)
Papers      items(), reproduce("001-fig3.1")
Errors      InputError, FileError, IntegrationError, Interrupted; LibrationWarning

Guide: docs/python.md. See also help(lb.Model), help(lb.Model.run), help(lb.Run.plot).
"""

import typing as _typing
from importlib import import_module as _import_module

from . import _core, _expressions, _functions
from ._analysis import Analysis
from ._certify import Certificate, Certificates, certify
from ._check import Check
from ._choose import Choice, choose
from ._compare import Comparison, compare
from ._ensemble import Ensemble
from ._errors import FileError, InputError, IntegrationError, Interrupted, LibrationWarning
from ._expressions import *
from ._external import External, external
from ._fit import Fit
from ._functions import *
from ._gradient import Gradient, Jacobian, gradient, jacobian
from ._indexed import body, joint, listed, points, sum_over
from ._model import Model, load
from ._registry import analyses, document, method, methods, problems
from ._reproduce import Items, items, reproduce
from ._run import Run, open, resume

__version__ = _core.version

__all__ = [
    "Analysis",
    "Certificate",
    "Certificates",
    "Check",
    "Choice",
    "Comparison",
    "Ensemble",
    "External",
    "FileError",
    "Fit",
    "Gradient",
    "InputError",
    "IntegrationError",
    "Interrupted",
    "Items",
    "Jacobian",
    "LibrationWarning",
    "Model",
    "Run",
    "analyses",
    "body",
    "certify",
    "choose",
    "compare",
    "external",
    "gradient",
    "items",
    "jacobian",
    "joint",
    "listed",
    "load",
    "method",
    "methods",
    "open",
    "points",
    "problems",
    "reproduce",
    "resume",
    "sum_over",
]
__all__ += _expressions.__all__
__all__ += _functions.__all__

if _typing.TYPE_CHECKING:
    from . import jax, torch
else:

    def __getattr__(name):
        """The bridges to other packages are imported where they are used."""
        if name in ("torch", "jax"):
            return _import_module(f"libration.{name}")
        raise AttributeError(f"module 'libration' has no attribute {name!r}")


# What there is stands in the registries; so docstrings take it from there.
document(Model.run, "Methods (for details: lb.methods(), lb.method(spec)):\n\n{methods}")
document(load, "Built-in problems:\n\n{problems}")
document(Run.analyse, "Analyses:\n\n{analyses}")
del document
