"""The notebooks as they are stored: a reader on the web sees complete outputs, and nothing of a machine.

scripts/run_notebooks executes them, each as a test of its own.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys

import nbformat
import pytest

SOURCE = pathlib.Path(os.environ["LIBRATION_SOURCE_DIR"])
SCRIPT = SOURCE / "scripts" / "run_notebooks"
NOTEBOOKS = sorted((SOURCE / "examples").glob("*.ipynb"))
LARGEST = 300_000  # what a page on the web shows without delay


def test_there_are_notebooks_and_the_guide_names_each() -> None:
    guide = (SOURCE / "docs" / "python.md").read_text(encoding="utf-8")
    assert len(NOTEBOOKS) >= 5
    for path in NOTEBOOKS:
        assert f"(../examples/{path.name})" in guide


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_stored_is_complete(path: pathlib.Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1)), "once, from start to end"
    outputs = [output for cell in code for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    assert not [output for output in outputs if output.output_type == "stream" and output.name == "stderr"]
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 2
    assert notebook.cells[0].cell_type == "markdown" and notebook.cells[0].source.startswith("# ")
    text = path.read_text(encoding="utf-8")
    assert len(text) < LARGEST
    assert not re.search(r"[ \"'(]/(home|root|tmp|work|usr|opt|var)/", text), "no path of a machine"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_figure_is_stored(path: pathlib.Path) -> None:
    """A cell that draws shows what it drew, also after figures of the package itself."""
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code" and re.search(r"plt\.(figure|subplots)\(|\.plot\(.*\);$", cell.source):
            assert [output for output in cell.outputs if "image/png" in output.get("data", {})], cell.source


def run_script(path: pathlib.Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-B", SCRIPT, path]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def small_notebook(*sources: str) -> nbformat.NotebookNode:
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])


def test_a_cell_that_fails_is_found(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "bad.ipynb"
    nbformat.write(small_notebook("x = 1", "assert x == 2"), path)
    done = run_script(path)
    assert done.returncode == 1 and "assert x == 2" in done.stderr


def test_an_output_that_differs_is_found(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "old.ipynb"
    notebook = small_notebook("print(3)")
    nbformat.write(notebook, path)
    done = run_script(path)
    assert done.returncode == 1 and "code cell 1 differs" in done.stderr, "an output that was never stored"
    notebook.cells[0].outputs = [nbformat.v4.new_output("stream", text="2\n")]
    nbformat.write(notebook, path)
    assert run_script(path).returncode == 1
    notebook.cells[0].outputs[0].text = "3\n"
    nbformat.write(notebook, path)
    done = run_script(path)
    assert done.returncode == 0, done.stderr


def test_outputs_are_stored_on_demand(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "new.ipynb"
    shutil.copyfile(NOTEBOOKS[0], path)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.cell_type == "markdown"][:1]
    notebook.cells.append(nbformat.v4.new_code_cell("import libration as lb\nlb.load('pendulum').name"))
    nbformat.write(notebook, path)
    subprocess.run([sys.executable, "-B", SCRIPT, "--store", path], timeout=120, check=True)
    assert nbformat.read(path, as_version=4).cells[1].outputs[0].data["text/plain"] == "'pendulum'"
