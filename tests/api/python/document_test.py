"""The examples of the page."""

import doctest

import conftest


def test_the_page_prints_what_it_says(monkeypatch):
    monkeypatch.chdir(conftest.SOURCE / "examples/sweep3d")
    tried = doctest.testfile(str(conftest.SOURCE / "docs/python.md"), module_relative=False,
                             optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried.failed == 0 and tried.attempted > 10
