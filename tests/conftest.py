"""What tests of many files share. They are in English, whatever language the environment asks for."""

import os

import pytest
from hypothesis import HealthCheck, settings

from pyramide_cli.messages import language_of
from tests.calling import Call, caller

if language_of(os.environ) != "en":
    os.environ["LC_ALL"] = "C.UTF-8"

# No test fails for a slow machine. All else stays as it is, so also what CI=true says.
settings.register_profile("any machine", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")


@pytest.fixture
def call(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Run the program inside the test's process."""
    return caller(capfdbinary, monkeypatch)
