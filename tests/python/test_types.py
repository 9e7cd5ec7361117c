"""The package is typed: mypy --strict is content, and the stub of the core is what the core is."""

from __future__ import annotations

import ast
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest

import libration as lb
from libration import _core
from libration._expressions import FUNCTIONS

PACKAGE = pathlib.Path(os.environ["LIBRATION_SOURCE_DIR"], "python", "libration")
STUB = ast.parse((PACKAGE / "_core.pyi").read_text(encoding="utf-8"))


# All calls share it: each reads the whole package.
CACHE = tempfile.TemporaryDirectory(prefix="libration-mypy-")


def call(*command: str) -> None:
    # mypy looks for the package through MYPYPATH: PYTHONPATH is for the program that it checks.
    # There it is as it was built, with the stub that the build writes.
    environment = {**os.environ, "MYPYPATH": str(pathlib.Path(lb.__file__).parent.parent), "MYPY_CACHE_DIR": CACHE.name}
    option = "--mypy-config-file" if command[0] == "mypy.stubtest" else "--config-file"
    settings = f"{option}={PACKAGE.parent.parent / 'pyproject.toml'}"
    done = subprocess.run([sys.executable, "-m", *command, settings], env=environment, capture_output=True, text=True,
                          timeout=300, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_the_package_satisfies_mypy_strict() -> None:
    call("mypy", "--strict", "-p", "libration")


def test_the_stub_of_the_core_names_what_the_core_has() -> None:
    # Names of types are in the stub only; classes have the metaclass of pybind11, and some its __init__.
    pathlib.Path("allowed").write_text("libration\\._core\\.[A-Z]\\w+(\\.__init__)?\n", encoding="utf-8")
    options = ["--ignore-missing-stub", "--ignore-unused-allowlist", "--allowlist=allowed"]
    call("mypy.stubtest", "libration._core", *options)
    defined = {name for node in STUB.body for name in names_of(node)}
    assert {name for name in vars(_core) if not name.startswith("_")} <= defined
    for node in STUB.body:
        if isinstance(node, ast.ClassDef) and not issubclass(getattr(_core, node.name), Exception):
            members = {name for name in vars(getattr(_core, node.name)) if not name.startswith("_")}
            assert members == {name for each in node.body for name in names_of(each) if not name.startswith("_")}


def names_of(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    return [node.target.id] if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else []


def arguments_of_docstring(text: str) -> list[str]:
    """The names of the arguments in a signature of pybind11: name(self: Type, a: int, *, b: str = 'x') -> str."""
    inside = text[text.index("(") + 1:]
    names, depth, start = [], 0, 0
    for place, letter in enumerate(inside):
        if letter in "([{<":
            depth += 1
        elif letter in ")]}" or (letter == ">" and inside[place - 1] != "-"):
            depth -= 1
        if depth < 0 or (depth == 0 and letter == ","):
            names.append(re.split("[:=]", inside[start:place])[0].strip())
            start = place + 1
        if depth < 0:
            break
    return [name for name in names if name]


def arguments_of_stub(node: ast.FunctionDef) -> list[str]:
    given = node.args
    names = [argument.arg for argument in [*given.posonlyargs, *given.args]]
    names += [f"*{given.vararg.arg}"] if given.vararg else ["*"] if given.kwonlyargs else []
    names += [argument.arg for argument in given.kwonlyargs]
    return names + ([f"**{given.kwarg.arg}"] if given.kwarg else [])


def test_the_stub_of_the_core_has_the_arguments_of_the_core() -> None:
    functions = [(_core, node) for node in STUB.body if isinstance(node, ast.FunctionDef)]
    for each in STUB.body:
        if isinstance(each, ast.ClassDef):
            functions += [(getattr(_core, each.name), node) for node in each.body if isinstance(node, ast.FunctionDef)]
    compared = 0
    for owner, node in functions:
        signature = (getattr(owner, node.name).__doc__ or "").split("\n")[0]
        # Properties and what Python itself defines have no signature; arguments without a name are arg0, arg1, ...
        if not signature.startswith(f"{node.name}(") or "arg0" in signature or "arg1" in signature:
            continue
        compared += 1
        names = ["cls" if name == "type" else name for name in arguments_of_docstring(signature)]
        assert names == arguments_of_stub(node), f"{owner}.{node.name}: {signature}"
    assert compared > 20


def test_the_stub_of_the_functions_lists_every_function_with_its_summary() -> None:
    stub = ast.parse((PACKAGE / "_functions.pyi").read_text(encoding="utf-8"))
    listed = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
    assert list(listed) == list(FUNCTIONS)
    for (_, count, _), (name, node) in zip(_core.functions(), listed.items()):
        assert len([*node.args.posonlyargs, *node.args.args]) == count, name
        assert ast.get_docstring(node) == (FUNCTIONS[name].__doc__ or "").split("\n")[0], name
        assert getattr(lb, name) is FUNCTIONS[name]


PROGRAM = """
import libration as lb

x, y = lb.coordinates("x y")
model: lb.Model = lb.Model(q=[x, y], mass=1, potential=lb.sin(x) + lb.pi * y, initial={"q": [1, 0], "v": [0, 0]})
run: lb.Run = model.run("verlet", step=0.1, steps=10)
largest: float = run.energy_error.max()
try:
    lb.load("pendulum").run("ratle")
except lb.InputError as error:
    print(error, lb.__version__)
"""


def test_the_program_of_a_user_is_checked_strictly() -> None:
    pathlib.Path("right.py").write_text(PROGRAM, encoding="utf-8")
    call("mypy", "--strict", "right.py")
    for right, wrong in [("lb.InputError", "lb.InputEror"), ("steps=10", 'steps="ten"'), ("steps=10", "stepz=10"),
                         ("lb.Run =", "lb.Model =")]:
        pathlib.Path("wrong.py").write_text(PROGRAM.replace(right, wrong), encoding="utf-8")
        with pytest.raises(AssertionError, match="wrong.py"):
            call("mypy", "--strict", "wrong.py")
