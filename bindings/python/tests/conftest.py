"""What several tests need."""

import pytest


def cut(source, link):
    """The link as it is written in its source."""
    return source[link.start : link.end]


def needs(module):
    """A module that a test needs; without it the test is skipped by its name."""
    return pytest.importorskip(module, reason=f"{module} is not installed")
