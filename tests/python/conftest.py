"""Makes a test that was skipped visible to ctest, which counts it as not run; in CI every test must run."""

from __future__ import annotations

import os

import pytest

skipped: list[str] = []


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
