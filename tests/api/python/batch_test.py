"""Columns of values: which are taken, that each row has the bits of a run, and what is refused."""

import gc
import json
import os
import pathlib
import subprocess

import conftest
import numpy
import pandas
import pytest

import wavemodel as wm


def test_rows_have_the_bits_of_runs(ping):
    n = numpy.arange(1, 40)
    latency = 1e-6 + n * 1.37e-9
    batch = ping.batch({"n": n, "L": latency}, ["total", "costs.total", "count", "title", "fast"], twice=True)
    for row in range(len(n)):
        run = ping.run(n=n[row], L=latency[row], twice=True)
        assert batch["total"][row] == run.total and batch["costs.total"][row] == run.costs.total
        assert (batch["count"][row], batch["fast"][row], batch["title"][row]) == (run.count, run.fast, run.title)
    assert batch["count"].dtype == numpy.int64 and batch["fast"].dtype == bool


def test_rows_have_the_bits_of_wave_batch(tmp_path):
    """More rows than are evaluated at a time."""
    file, table, rows = conftest.SOURCE / "bench/library.wave", tmp_path / "rows.csv", numpy.arange(70000)
    n, m, work = 1 + rows % 64, 1 + rows // 64 % 64, 500000 + rows * 7919 % 1000003
    table.write_text("n,m,Wg [ps]\n" + "".join(f"{i},{j},{w}\n" for i, j, w in zip(n, m, work)))
    command = [conftest.PROGRAM, "batch", file, "--columns", table, "--show", "step", "--format", "json"]
    wanted = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["tables"]["rows"]["rows"]
    found = wm.load(file, threads=1).batch({"n": n, "m": m, "Wg": work / 1e12}, ["step"])
    assert found["step"].tolist() == [row[3] for row in wanted]


def test_a_batch_says_how_far_it_is_and_ends_with_an_exception_of_who_is_told(ping, refuses):
    told = []
    rows = {"n": numpy.arange(1, 200001)}
    ping.batch(rows, ["total"], progress=lambda done, all_rows: told.append((done, all_rows)))
    assert told[0] == (0, 200000) and told[-1] == (200000, 200000) and told == sorted(told)

    def ends(done, all_rows):
        raise RuntimeError("enough")

    assert refuses(RuntimeError, ping.batch, rows, ["total"], progress=ends) == "enough"
    assert ping.batch(rows, ["count"])["count"][-1] == 200001


def test_batches_that_are_ended_leave_no_memory_behind(ping, refuses):
    def resident():
        gc.collect()  # exceptions keep the frames that they came through, and these their arrays
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def ends(done, all_rows):
        if done > 0:
            raise RuntimeError("enough")

    rows, before = {"n": numpy.arange(1, 200001)}, 0
    for turn in range(110):
        refuses(RuntimeError, ping.batch, rows, ["total"], progress=ends)
        if turn == 9:
            before = resident()
    assert resident() < before + 40e6  # the columns of one batch are 1.6 MB each


def test_frames_give_frames(ping):
    frame = pandas.DataFrame({"n": [1, 2, 3], "L": [1e-6, 2e-6, 3e-6]}, index=["a", "b", "c"])
    result = ping.batch(frame, ["total", "count"], asked=True)
    assert result["total"].tolist() == [0.001, 0.004, 0.009] and list(result.index) == ["a", "b", "c"]
    assert result.attrs["units"] == {"total": "ms", "count": ""}
    assert list(ping.batch(frame)) == ["total", "count", "fast", "title", "costs.total", "costs.parts"]


@pytest.mark.parametrize(
    "column",
    [
        [3, 2, 1],
        (3, 2, 1),
        range(3, 0, -1),
        numpy.array([3, 2, 1], dtype=numpy.int16),
        numpy.array([3, 2, 1], dtype=">i8"),
        numpy.array([3, 2, 1], dtype=numpy.uint64),
        numpy.array([1, 2, 3])[::-1],
        numpy.array([[3, 0], [2, 0], [1, 0]])[:, 0],
        numpy.array([3, 2, 1], dtype=object),
        pandas.Series([3, 2, 1], dtype="Int64"),
        pandas.Series([3, 2, 1], index=[7, 8, 9]),
        memoryview(numpy.array([3, 2, 1])),
    ],
    ids=str,
)
def test_columns_of_many_kinds(ping, column):
    assert ping.batch({"n": column}, ["count"])["count"].tolist() == [4, 3, 2]


def test_texts_and_truth_values_are_columns(ping):
    columns = {"way": ["eager", "rendezvous"], "name": numpy.array(["x", "yß"]), "twice": [True, False]}
    result = ping.batch(columns, ["fast", "title", "total"])
    assert result["fast"].tolist() == [True, False] and result["title"].tolist() == ["x", "yß"]
    assert result["total"].tolist() == [16e-6, 8e-6]
    words = pandas.DataFrame({"way": pandas.Categorical(["rendezvous", "eager"])})
    assert ping.batch(words, ["fast"])["fast"].tolist() == [False, True]


def test_parameters_without_defaults_are_columns():
    model = wm.loads("wave 1\nmodel M { param n: int; param L: time; output total = n * L }")
    assert model.batch({"n": [1, 2]}, L="2 us")["total"].tolist() == [2e-6, 4e-6]
    assert model.batch({"n": [1, 2]}, L="3 us")["total"].tolist() == [3e-6, 6e-6]
    assert model.batch({"n": [1.0, 2.0], "L": [1, 2]} | {"n": [1, 2]})["total"].tolist() == [1, 4]


def test_rows_that_fail_raise_or_get_their_code(refuses):
    model = wm.loads("wave 1\nmodel M { param n: int = 1; output total = 12 div (n - 2); output twice = 0.5 * n / (n - 2) }")
    text = refuses(wm.Error, model.batch, {"n": [1, 2, 3]}, ["total"])
    assert "E0501" in text and "in row 1" in text
    codes = numpy.empty(3, dtype=numpy.int32)
    result = model.batch({"n": [1, 2, 3]}, ["total"], codes=codes)
    assert codes.tolist() == [0, 501, 0] and result["total"].tolist() == [-12, 0, 12]


def test_no_rows_are_no_mistake(ping):
    empty = ping.batch({"n": numpy.array([], dtype=numpy.int64)})
    assert [len(values) for values in empty.values()] == [0] * 6


@pytest.mark.parametrize(
    ("kind", "columns", "text"),
    [
        (wm.Error, {"k": [1]}, "`k`"),
        (wm.Error, {"n": [1.5]}, "row 0 of column `n` is 1.5, which is no whole number"),
        (wm.Error, {"twice": [1]}, "column `twice` has cells of another type"),
        (wm.Error, {"L": [1e-6, float("nan")]}, "row 1 of column `L` is no finite number"),
        (wm.Error, {"n": [1, 2], "L": [1e-6]}, "`L`"),
        (wm.Error, {"way": ["eager", "late"]}, "row 1 of column `way` is `late`"),
        (wm.Error, {}, "no columns"),
        (TypeError, {"n": 3}, "column `n` is of type int"),
        (TypeError, {"n": "3"}, "column `n` is of type str"),
        (TypeError, {"n": [1j]}, "column `n` has the type complex128"),
        (TypeError, {"n": [None, 1]}, "row 0 of column `n` holds a NoneType"),
        (TypeError, {"name": ["a", None]}, "row 1 of column `name` holds a NoneType"),
        (TypeError, {"name": ["a", "\ud800"]}, "row 1 of `name` is no str"),
        (TypeError, {"n": numpy.array(["2020-01-01"], dtype="M8[s]")}, "datetime64"),
        (TypeError, {"n": numpy.ma.masked_array([1], [True])}, "column `n` is a masked array"),
        (TypeError, {3: [1]}, "named by str, and not by int"),
        (TypeError, [1, 2], "not of type list"),
        (ValueError, {"n": [[1, 2]]}, "column `n` has 2 dimensions"),
        (ValueError, {"n": numpy.array(3)}, "dimensions"),
        (ValueError, {"n": numpy.array([1 << 63], dtype=numpy.uint64)}, "column `n` has a value"),
        (ValueError, pandas.DataFrame([[1, 2]], columns=["n", "n"]), "column `n` has 2 dimensions"),
    ],
    ids=str,
)
def test_wrong_columns_are_refused_by_name(ping, kind, columns, text):
    with pytest.raises(kind, match=text.replace("`", ".").replace("[", ".")):
        ping.batch(columns, ["total"])
    assert ping.batch({"n": [2]}, ["total"])["total"].tolist() == [4e-6]


def test_wrong_outputs_and_codes_are_refused(ping, refuses):
    assert "totals" in refuses(wm.Error, ping.batch, {"n": [1]}, ["totals"])
    assert "each" in refuses(wm.Error, ping.batch, {"n": [1]}, ["each"])
    assert "list of names" in refuses(TypeError, ping.batch, {"n": [1]}, "total")
    assert "nothing is asked" in refuses(wm.Error, ping.batch, {"n": [1]}, [])
    for codes in (numpy.zeros(2, dtype=numpy.int32), numpy.zeros(1), numpy.zeros((1, 1), dtype=numpy.int32)):
        assert "codes" in refuses(ValueError, ping.batch, {"n": [1]}, ["total"], codes=codes)
    frozen = numpy.zeros(1, dtype=numpy.int32)
    frozen.flags.writeable = False
    refuses(ValueError, ping.batch, {"n": [1]}, ["total"], codes=frozen)
    refuses(TypeError, ping.batch, {"n": [1]}, ["total"], codes=[0])


def test_a_column_has_no_value_for_all_rows(ping, refuses):
    assert "`n` is a column" in refuses(TypeError, ping.batch, {"n": [1]}, ["total"], n=3)
    assert ping.bind(n=3).batch({"n": [1]}, ["count"])["count"].tolist() == [2]


def test_a_batch_that_is_kept_refuses_what_the_first_would(ping, refuses):
    ping.batch({"n": [1]}, ["total"], L=2e-6)
    assert "`L` is of type numpy.ndarray" in refuses(TypeError, ping.batch, {"n": [1]}, ["total"], L=numpy.zeros(2))


def test_a_first_row_may_fail():
    model = wm.loads('wave 1\nmodel M { param n: int\n require n > 1, "more than one"\n output total = n * 2 }')
    codes = numpy.zeros(2, dtype=numpy.int32)
    assert model.batch({"n": [1, 2]}, codes=codes)["total"].tolist() == [0, 4] and codes.tolist()[1] == 0 != codes[0]


def test_the_extension_refuses_memory_that_does_not_fit(ping, refuses):
    from wavemodel import _wave

    batch = _wave.Batch(ping._handle)
    n, total, codes = numpy.arange(1, 4), numpy.zeros(3), numpy.zeros(3, dtype=numpy.int32)
    assert batch.run(3, {"n": n}, {"total": total}, codes, 0, None) is None and total[2] == 6e-6
    refuses(wm.Error, batch.run, 3, {"n": n[:2]}, {"total": total}, codes, 0, None)
    refuses(wm.Error, batch.run, 3, {"n": n}, {"total": total[:2]}, codes, 0, None)
    refuses(ValueError, batch.run, 3, {"n": n}, {"total": total}, codes[:2], 0, None)
    refuses(TypeError, batch.run, 3, {"n": n}, {"total": total.astype(numpy.float32)}, codes, 0, None)
    refuses(TypeError, batch.run, 3, {"n": n}, {"total": object()}, codes, 0, None)
    total.flags.writeable = False
    refuses(ValueError, batch.run, 3, {"n": n}, {"total": total}, codes, 0, None)
