"""What docs/python.md and the README tell a Python user to type works as it stands."""

from __future__ import annotations

import os
import pathlib
import re
import traceback

import matplotlib.pyplot as plt
import pytest

SOURCE_DIR = pathlib.Path(os.environ["LIBRATION_SOURCE_DIR"])
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.S | re.M)


def blocks(page: str) -> list[tuple[int, str]]:
    """The Python code of a page, each block with the line on which it begins."""
    text = (SOURCE_DIR / page).read_text(encoding="utf-8")
    return [(text.count("\n", 0, found.start()) + 2, found.group(1)) for found in BLOCK.finditer(text)]


def run_page(page: str) -> dict[str, object]:
    """Runs all blocks of a page in their order, as one program."""
    names: dict[str, object] = {"__name__": "__main__"}
    for line, code in blocks(page):
        try:
            # Errors then name the line of the page.
            exec(compile("\n" * (line - 1) + code, page, "exec"), names)
        except Exception:
            pytest.fail(f"{page}, block at line {line}:\n{traceback.format_exc()}")
    plt.close("all")
    return names


@pytest.fixture(autouse=True)
def in_a_directory_of_its_own(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_guide_runs_from_top_to_bottom() -> None:
    assert len(blocks("docs/python.md")) >= 15
    run_page("docs/python.md")


def test_the_page_on_fitting_runs_from_top_to_bottom() -> None:
    names = run_page("docs/fitting.md")
    # The page shows what is printed.
    text = (SOURCE_DIR / "docs" / "fitting.md").read_text(encoding="utf-8")
    for line in str(names["fit"]).splitlines():
        assert f"    {line}".rstrip() in text, line


def test_the_readme_gets_from_nothing_to_a_certified_trajectory_in_ten_lines() -> None:
    found = [code for _, code in blocks("README.md") if "import libration" in code]
    assert len(found) == 1
    assert len([line for line in found[0].splitlines() if line.strip()]) <= 10
    names = run_page("README.md")
    assert names["certificate"].ok  # type: ignore[attr-defined]


def test_the_guide_names_pages_and_examples_that_exist() -> None:
    page = SOURCE_DIR / "docs" / "python.md"
    targets = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert len(targets) > 10
    for target in targets:
        assert (page.parent / target).exists(), target


def test_the_guide_names_nothing_that_the_package_lacks() -> None:
    import libration as lb

    for page in ("docs/python.md", "README.md"):
        text = (SOURCE_DIR / page).read_text(encoding="utf-8")
        for name in sorted(set(re.findall(r"\blb\.([a-zA-Z_]\w*)", text))):
            assert hasattr(lb, name), f"{page}: lb.{name}"


def test_the_page_on_run_files_names_all_that_is_in_a_file() -> None:
    import h5py
    import libration as lb

    page = (SOURCE_DIR / "docs" / "run-files.md").read_text(encoding="utf-8")
    lb.load("double-pendulum").run(steps=1000, events=["tip: x1"], out="run.h5")
    lb.load("chain").run(steps=3, out="points.h5")
    missing = []

    def look(name: str, node: h5py.Group | h5py.Dataset) -> None:
        general = re.sub(r"(observables|particles)/\w+", r"\1/NAME", name)
        if isinstance(node, h5py.Dataset) and f"`/{general}`" not in page and not general.startswith("particles/NAME"):
            missing.append(general)
        for attribute in [] if general.startswith(("particles", "h5md")) else node.attrs:
            whole = attribute.replace("events.tip", "events.NAME")
            if f"`{whole}`" not in page and f"`.{attribute.split('.')[-1]}`" not in page:
                missing.append(f"{general}@{whole}")

    for path in ("run.h5", "points.h5"):
        with h5py.File(path) as file:
            file.visititems(look)
            look("/", file)
    assert not missing
    run_page("docs/run-files.md")
