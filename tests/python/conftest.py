"""Every test works in a temporary directory; ctest is told of those that were skipped: in CI every test must run."""

from __future__ import annotations

import os
import pathlib

import pytest

skipped: list[str] = []


@pytest.fixture(autouse=True)
def temporary_working_directory(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test writes without naming a directory must not end up in the source tree."""
    monkeypatch.chdir(tmp_path)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped:
        skipped.append(report.nodeid)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.skipped:
        skipped.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    status = os.environ.get("LIBRATION_SKIPPED_STATUS")
    # A failure stays a failure; a file that was skipped as a whole ends as one without any test.
    if status and skipped and exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        session.exitstatus = int(status)
