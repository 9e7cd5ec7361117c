"""Certificates in Python are those of the program."""

from __future__ import annotations

import pathlib

import libration as lb
import pytest
from command_line import answer
from libration._records import plain

MODEL = """
name = "soft"
[parameters]
k = 1
[coordinates]
q = ["x"]
[dynamics]
mass = 1
potential = "k*x^2/2 + x^4/8"
[initial]
q = [0.5]
[run]
step = 0.1
duration = 10
"""


def content(certificate: lb.Certificate) -> dict[str, object]:
    return {
        "method": certificate.method,
        "model": certificate.model,
        "confirmed": certificate.ok,
        "claims": [plain(finding) for finding in certificate.findings],
        "constrained": certificate.constrained,
        "window": plain(certificate.window),
        "reference": plain(certificate.reference),
        "ladder": [plain(rung) for rung in certificate.ladder],
    }


def test_a_certificate_on_a_built_in_problem_is_that_of_the_program() -> None:
    certificate = lb.certify("rattle", "spherical-pendulum")
    assert [content(certificate)] == answer("certify", "rattle", "spherical-pendulum")["certificates"]
    assert certificate.ok and certificate.contradicted == []
    assert certificate.findings["order of q"].claimed == "2"


def test_a_model_that_is_the_built_in_one_has_its_exact_solution() -> None:
    by_name, by_model = lb.certify("verlet", "kepler"), lb.certify("verlet", lb.load("kepler"))
    assert content(by_name) == content(by_model)
    assert "Kepler" in by_name.reference.source


def test_a_changed_model_of_the_same_name_has_not() -> None:
    text = lb.load("henon-heiles").to_toml()
    changed = lb.Model.parse(text + "\n# another text\n", "henon-heiles")
    assert "Taylor" in lb.certify("verlet", "henon-heiles").reference.source
    assert "Taylor" not in lb.certify("verlet", changed).reference.source


def test_a_file_and_its_options_agree_with_the_program(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "soft.toml"
    path.write_text(MODEL, encoding="utf-8")
    expected = answer("certify", "verlet", path, "--step", 0.2, "--duration", 4)["certificates"]
    assert [content(lb.certify("verlet", path, step=0.2, duration=4))] == expected
    assert [content(lb.load(path).certify("verlet", step=0.2, duration=4))] == expected


def test_a_certificate_names_the_time_over_which_orders_were_measured(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "soft.toml"
    path.write_text(MODEL, encoding="utf-8")
    certificate = lb.certify("verlet", path)
    assert (certificate.window.length, certificate.window.duration) == (10, 10)
    for text in (repr(certificate), certificate._repr_html_()):
        assert "Orders over 0" in text


def test_without_a_model_all_fitting_problems_are_certified() -> None:
    certificates = lb.certify("symplectic-euler")
    assert [content(one) for one in certificates] == answer("certify", "symplectic-euler")["certificates"]
    assert certificates.ok and certificates.contradicted == []
    assert certificates[certificates.models[0]] is certificates[0]
    with pytest.raises(KeyError, match="kepler"):
        certificates["keppler"]


def test_certificates_are_shown_with_claims_and_verdicts() -> None:
    certificate = lb.certify("verlet", "kepler")
    for text in (repr(certificate), certificate._repr_html_()):
        assert "verlet on kepler" in text and "symplecticity" in text and "confirmed" in text
    both = lb.certify("symplectic-euler")
    for model in both.models:
        assert model in repr(both) and model in both._repr_html_()


def test_errors_say_what_to_do() -> None:
    with pytest.raises(lb.InputError, match="did you mean 'rattle'"):
        lb.certify("ratle")
    with pytest.raises(lb.InputError, match="model="):
        lb.certify("rattle", step=0.1)
    with pytest.raises(lb.InputError, match="positive"):
        lb.certify("verlet", "kepler", step=-1)
    with pytest.raises(lb.InputError, match="constraints"):
        lb.certify("verlet", "pendulum")
    with pytest.raises(TypeError, match="expected a Model"):
        lb.certify("rattle", 3)  # type: ignore[arg-type]
