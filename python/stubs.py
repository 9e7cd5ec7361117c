#!/usr/bin/env python3
"""Writes _actions.pyi beside the compiled core: the verbs of a model with the arguments of the tables of the core.

    python/stubs.py PACKAGE_DIRECTORY

Type checkers read it in the place of _actions.py, whose **options they could not check. Called by the build; needs no
numpy.
"""

import ast
import importlib.util
import pathlib
import sys

HEADER = '''# Written by python/stubs.py from the tables of the core. Not to be edited.
from collections.abc import Iterable
from typing import Any, Callable, Mapping, Optional, Union
import os

from ._calls import MethodLike
from ._certify import Certificate, Certificates
from ._choose import Choice
from ._compare import Comparison
from ._ensemble import Ensemble
from ._fit import Fit
from ._numbers import Real
from ._run import Run

Path = Union[str, "os.PathLike[str]"]

class Actions:
'''


def loaded(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def task_of(function):
    """The task whose arguments a function takes as **options."""
    for call in function.decorator_list:
        if isinstance(call, ast.Call):
            for keyword in call.keywords:
                if keyword.arg == "task":
                    return keyword.value.value
    return None


def stub_of(function, core, signatures):
    given = function.args
    task = task_of(function)
    if task is not None:
        own = [argument.arg for argument in [*given.args, *given.kwonlyargs]]
        for keyword in signatures.keywords(core.arguments(task), own):
            given.kwonlyargs.append(ast.arg(keyword.name, ast.parse(keyword.annotation, mode="eval").body))
            given.kw_defaults.append(ast.Constant(keyword.default))
        given.kwarg = None
    return f"    def {function.name}({ast.unparse(given)}) -> {ast.unparse(function.returns)}: ...\n"


def main(directory):
    core = loaded("_core", next(directory.glob("_core.*.so")))
    signatures = loaded("_signatures", directory / "_signatures.py")
    tree = ast.parse((directory / "_actions.py").read_text(encoding="utf-8"))
    actions = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Actions")
    functions = [node for node in actions.body if isinstance(node, ast.FunctionDef)]
    text = HEADER + "".join(stub_of(function, core, signatures) for function in functions)
    target = directory / "_actions.pyi"
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
