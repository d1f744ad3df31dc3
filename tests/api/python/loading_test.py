"""Versions of Python that a package is not for are told so, and a wheel has the program inside."""

import pathlib
import subprocess
import sys

import pytest

import wavemodel
from wavemodel._loading import trouble_of

HERE = f"cpython-3{sys.version_info.minor}"


@pytest.mark.parametrize(
    ("modules", "words"),
    [
        (["_wave.cpython-36-x86_64-linux-gnu.so"], "is built for CPython 3.6, and this is CPython 3."),
        (["_wave.cpython-36-x86_64-linux-gnu.so", "_wave.cpython-310-x86_64-linux-gnu.so"], "3.6 and 3.10" if HERE != "cpython-310" else "x"),
        ([f"_wave.{HERE}-x86_64-linux-gnu.so"], "cannot load libwave: no such symbol"),
        ([], "no extension module"),
        (["_wave.pyi"], "no extension module"),
    ],
)
def test_what_is_missing_is_said(modules, words, tmp_path):
    for name in modules:
        (tmp_path / name).write_text("")
    assert words in trouble_of(ImportError("no such symbol"), str(tmp_path))


def test_another_version_is_told_which_it_is_for(tmp_path):
    """The package as another version of Python sees it: with a module that is not for it."""
    package = tmp_path / "wavemodel"
    package.mkdir()
    for file in pathlib.Path(wavemodel.__file__).parent.glob("*.py"):
        (package / file.name).write_bytes(file.read_bytes())
    (package / "_wave.cpython-36-x86_64-linux-gnu.so").write_text("")
    made = subprocess.run([sys.executable, "-c", "import wavemodel"], capture_output=True, text=True, cwd=tmp_path,
                          env={"PYTHONPATH": str(tmp_path)})
    last = made.stderr.strip().splitlines()[-1]
    assert made.returncode != 0 and last.startswith("ImportError: this wavemodel is built for CPython 3.6")
    assert "circular" not in made.stderr


def test_the_program_of_a_package_without_one_is_missed(tmp_path):
    made = subprocess.run([sys.executable, "-c", "from wavemodel._program import main; main()"], capture_output=True, text=True,
                          env={"PYTHONPATH": str(pathlib.Path(wavemodel.__file__).parent.parent)})
    assert made.returncode == 1 and "cannot be run: No such file" in made.stderr


def test_the_versions_of_the_package_are_one():
    from importlib import metadata

    assert metadata.version("wavemodel") == wavemodel.__version__
