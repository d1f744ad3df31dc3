"""Columns that the program wrote are a mapping as the others, which never changes."""

import copy
import pickle
import subprocess

import conftest
import pytest

import wavemodel as wm


@pytest.fixture
def columns(tmp_path):
    (tmp_path / "m.wave").write_text("wave 1\nmodel M { param n: int; output total = n * 1 ms in ms }")
    command = [conftest.PROGRAM, "sweep", "m.wave", "--vary", "n=1..4", "--out", "columns/"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    return wm.columns(tmp_path / "columns")


def test_nothing_of_them_can_be_assigned(columns):
    for name in ("points", "units", "docs", "folder", "other"):
        with pytest.raises(AttributeError, match="never changes"):
            setattr(columns, name, 3)
    with pytest.raises(TypeError, match="never changes"):
        columns["n"] = [1]
    with pytest.raises(AttributeError):
        del columns.points
    columns.units["total"] = "s"
    assert columns.points == 4 and columns.units == {"n": "", "total": "ms"} and list(columns.docs) == ["n", "total"]
    assert columns.folder.endswith("columns")


def test_an_unknown_column_is_an_unknown_name(columns, refuses):
    assert "there is no column `x`" in (text := refuses(wm.UnknownName, lambda: columns["x"])) and "`total`" in text
    assert "did you mean `total`" in refuses(KeyError, lambda: columns["totl"])
    assert columns.get("x") is None and columns.get(3) is None and "total" in columns and 3 not in columns


def test_they_are_equal_where_all_columns_are(columns):
    assert columns == wm.columns(columns.folder) and columns != {"n": [1]}
    assert pickle.loads(pickle.dumps(columns)) == columns and copy.deepcopy(columns) is columns
    assert columns._ipython_key_completions_() == ["n", "total"]
