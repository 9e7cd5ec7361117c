"""Structure-preserving integration of constrained mechanical systems over very long times.

>>> import libration as lb
>>> model = lb.load("pendulum")
>>> run = model.run("rattle", step=0.01, duration=100)
>>> run.plot()

Models      load(name): a built-in problem, see problems(), or a file; Model(q=..., potential=..., constraints=...):
            from expressions in coordinates("x y") and parameters("g l"), or from functions; points, listed, body and
            sum_over for indexed quantities; external(...) for functions that cannot be traced
Runs        model.run(method, step=..., duration=...) returns a Run: run.t, run.q, run.p, run.lam, run.energy_error,
            run.plot(), run.animate(), run.analyse(name), run.to_dataframe(), run.save(path); open(path), resume(path)
Ensembles   model.ensemble(vary={...}, count=...) returns an Ensemble
Gradients   gradient(model, loss, by=[...]) and jacobian(model, data, by=[...]) give exact derivatives of a run
Methods     methods(), method("lobatto(3)"), certify(method, model), compare(model, methods)
Papers      items(), reproduce("001-fig3.1")
Errors      InputError, FileError, IntegrationError, Interrupted; LibrationWarning

Guide: docs/python.md. See also help(lb.Model), help(lb.Model.run), help(lb.Run.plot).
"""

from . import _core, _expressions, _functions
from ._analysis import Analysis
from ._certify import Certificate, Certificates, certify
from ._check import Check
from ._compare import Comparison, compare
from ._ensemble import Ensemble
from ._errors import FileError, InputError, IntegrationError, Interrupted, LibrationWarning
from ._expressions import *
from ._external import External, external
from ._functions import *
from ._gradient import Gradient, Jacobian, gradient, jacobian
from ._indexed import body, listed, points, sum_over
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
    "Comparison",
    "Ensemble",
    "External",
    "FileError",
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
    "compare",
    "external",
    "gradient",
    "items",
    "jacobian",
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

# What there is stands in the registries; so docstrings take it from there.
document(Model.run, "Methods (for details: lb.methods(), lb.method(spec)):\n\n{methods}")
document(load, "Built-in problems:\n\n{problems}")
document(Run.analyse, "Analyses:\n\n{analyses}")
del document
