"""The examples in docstrings and in the README run as they stand there."""

from __future__ import annotations

import doctest
import inspect
from pathlib import Path

import pytest

import outwit

README = Path(__file__).resolve().parents[1] / "README.md"


def documented() -> dict[str, str]:
    """All docstrings by the names of what they belong to."""
    found = {"outwit": inspect.getdoc(outwit) or ""}
    for name in outwit.__all__:
        thing = getattr(outwit, name)
        if inspect.isclass(thing):
            members = {f"{name}.{member}": value for member, value in vars(thing).items()}
            found |= {name: thing.__doc__ or ""} | {
                member: value.__doc__ or ""
                for member, value in members.items()
                if not member.split(".")[1].startswith("_") and value is not None
            }
        elif inspect.isroutine(thing):
            found[name] = thing.__doc__ or ""
    return found


def test_everything_is_documented() -> None:
    assert [name for name, text in documented().items() if not text] == []


def test_examples_run() -> None:
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    for name, text in documented().items():
        globs = vars(outwit) | {"outwit": outwit}
        runner.run(parser.get_doctest(text, globs, name, None, 0))
    results = runner.summarize()
    assert results.failed == 0 and results.attempted >= 20


def test_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    results = doctest.testfile(str(README), module_relative=False)
    assert results.failed == 0 and results.attempted > 5
