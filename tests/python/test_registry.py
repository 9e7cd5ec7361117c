"""What the package says of methods, problems and analyses is what the library says."""

from __future__ import annotations

import ast
import copy
import pathlib
import pickle
import re

import libration as lb
import pytest
from command_line import answer
from libration._records import plain
from libration._registry import document

SOURCES = pathlib.Path(__file__).parents[2] / "python"


@pytest.mark.parametrize("name", ["methods", "problems"])
def test_registries_are_those_of_the_program(name: str) -> None:
    assert [plain(record) for record in getattr(lb, name)()] == answer(name)[name]


def test_analyses_are_those_of_the_program() -> None:
    assert [plain(record) for record in lb.analyses()] == answer("analyse", "--list")["analyses"]


def test_a_table_can_be_narrowed_by_any_field() -> None:
    chosen = lb.methods(symplectic=True, order=4)
    assert 0 < len(chosen) < len(lb.methods())
    assert all(method.symplectic is True and method.order == 4 for method in chosen)
    assert "rattle" in [method.spec for method in lb.methods(examples="rattle")]


def test_a_field_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(TypeError, match="symplectic"):
        lb.methods(simplectic=True)


def test_records_have_attributes_and_are_mappings_that_do_not_change() -> None:
    record = lb.methods()["rattle"]
    assert record.order == record["order"] == dict(record)["order"] == 2
    with pytest.raises(AttributeError, match="order"):
        record.oder
    with pytest.raises(AttributeError):
        record.order = 4
    assert pickle.loads(pickle.dumps(record)) == copy.deepcopy(record) == record


def test_records_are_found_by_name_position_and_slice() -> None:
    table = lb.methods()
    assert table["lobatto"] is table["lobatto(s)"]
    assert list(table[:2]) == [table[0], table[1]]
    assert table[-1] is table[len(table) - 1]
    with pytest.raises(KeyError, match="rattle"):
        table["ratle"]


def test_tables_show_every_record_in_text_and_in_notebooks() -> None:
    shown, html = repr(lb.methods()), lb.methods()._repr_html_()
    for method in lb.methods():
        assert re.search(rf"(?m)^{re.escape(method.spec)} +{re.escape(method.family.order)} ", shown)
        assert method.spec in html
    assert max(map(len, shown.splitlines())) <= 120
    assert len(lb.problems().to_dataframe()) == len(lb.problems())
    assert repr(lb.methods(order=99)) == "(none)"


def test_one_method_has_the_claims_of_its_parameters() -> None:
    assert [lb.method(f"lobatto({s})").order for s in (2, 3, 4)] == [2, 4, 6]
    assert lb.method("lobatto( 3 )").spec == "lobatto(3)"
    with pytest.raises(lb.InputError, match="did you mean 'rattle'"):
        lb.method("ratle")


def test_a_doubtful_method_says_why_it_should_not_be_used() -> None:
    assert "13" in lb.method("multistep(6, -0.1, 0.4)").constrained.doubt or lb.method("multistep(6, -0.1, 0.4)").doubt
    assert lb.method("rattle").doubt is None


def test_docstrings_are_completed_from_the_registries() -> None:
    def example() -> None:
        """Does something.

        {methods}
        """

    document(example, "Problems:\n{problems}\n\nAnalyses:\n{analyses}")
    text = example.__doc__ or ""
    assert text.startswith("Does something.\n")
    for record in [*lb.methods(), *lb.problems()]:
        name = record.spec if "spec" in record else record.name
        assert re.search(rf"(?m)^{re.escape(name)} ", text), name
    for analysis in lb.analyses():
        assert f"{analysis.name}: {analysis.summary}" in text
        assert all(f"    {option.name}: {option.meaning}" in text for option in analysis.options)


def texts_of(path: pathlib.Path) -> list[str]:
    """All string literals. In examples for people a name is a part of one; in code it is the whole."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        constants = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
        return [node.value for node in constants if isinstance(node.value, str)]
    return re.findall(r'"((?:[^"\\\n]|\\.)*)"', re.sub(r"//.*", "", text))


def test_the_package_names_no_method_and_no_problem() -> None:
    """So that a new one needs no code here."""
    names = {record.spec.split("(")[0] for record in lb.methods()} | {record.name for record in lb.problems()}
    names -= {"spark"}  # also a section of model files, and an argument of Model
    files = [*SOURCES.glob("libration/*.py"), *SOURCES.glob("core/*.cpp")]
    assert len(files) > 20
    named = {path.name: [text for text in texts_of(path) if text.split("(")[0] in names] for path in files}
    assert {name: texts for name, texts in named.items() if texts} == {}


def test_the_check_of_names_finds_them(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.py").write_text('if method == "rattle": pass\n', encoding="utf-8")
    (tmp_path / "a.cpp").write_text('if (name == "lobatto(3)") {}  // "verlet"\n', encoding="utf-8")
    assert texts_of(tmp_path / "a.py") == ["rattle"] and texts_of(tmp_path / "a.cpp") == ["lobatto(3)"]


def test_every_method_problem_and_analysis_stands_in_the_docstrings() -> None:
    for function, table, field in [
        (lb.Model.run, lb.methods(), "spec"),
        (lb.load, lb.problems(), "name"),
        (lb.Run.analyse, lb.analyses(), "name"),
    ]:
        text = function.__doc__ or ""
        missing = [r[field] for r in table if not re.search(rf"(?m)^{re.escape(r[field])}[ :]", text)]
        assert not missing and len(table) > 5
