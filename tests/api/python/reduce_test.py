"""Sweeps that are reduced: the same bits as of all points, wherever parts of them are computed."""

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys

import conftest
import numpy
import pandas
import pytest

import wavemodel as wm

MODEL = """wave 1
model M {
  param n: int
  param L: time = 1 us
  param mode: fast | slow = fast
  output total = n * L * (if mode == slow then 2 else 1) in ms
  output share = if n mod 100 == 7 then error("a seven") else (n * 37) mod 101 / 101
}
"""
AXES = {"n": "1..600", "mode": ["fast", "slow"]}
REDUCTIONS = [
    "best 5 of total",
    "pareto of total, max share",
    "histogram of share in 10 bins from 0 to 1",
    "mean, sum and extremes of share by mode",
    "quantiles 10%, 50%, 90% of share exact",
]


@pytest.fixture
def model():
    return wm.loads(MODEL)


def run(command, folder, *more):
    return subprocess.run([conftest.PROGRAM, *command, *more], cwd=folder, capture_output=True, timeout=60).returncode


def same(one, other):
    assert list(one) == list(other)
    for name in one:
        pandas.testing.assert_frame_equal(one[name], other[name], check_exact=True)


def test_reductions_are_those_of_all_points(model):
    points = model.sweep(AXES).df
    reduced = model.sweep(AXES, reduce=REDUCTIONS)
    assert reduced.points == len(points) and list(reduced) == REDUCTIONS
    best = points["total"].sort_values(kind="stable")[:5]
    assert reduced[REDUCTIONS[0]]["total"].tolist() == best.tolist()
    assert reduced[REDUCTIONS[0]]["at row"].tolist() == (best.index + 1).tolist()
    assert reduced[REDUCTIONS[0]].attrs["units"]["total"] == points.attrs["units"]["total"]
    share = points["share"].dropna()
    assert reduced[REDUCTIONS[2]]["points counted"].tolist() == numpy.histogram(share, 10, (0, 1))[0].tolist()
    slow = reduced[REDUCTIONS[3]].set_index("mode").loc["slow"]
    of_slow = points[points["mode"] == "slow"]["share"].dropna()
    assert slow["points counted"] == len(of_slow)
    assert slow["share mean"] == pytest.approx(of_slow.mean(), rel=1e-12)
    exact = numpy.quantile(share, [0.1, 0.5, 0.9], method="inverted_cdf")
    assert reduced[REDUCTIONS[4]]["share"].tolist() == exact.tolist()


def test_one_reduction_is_a_frame(model):
    reduced = model.sweep(AXES, reduce="best 3 of max share")
    assert reduced.df["share"].is_monotonic_decreasing and len(reduced.df) == 3
    assert repr(reduced) == "<1200 points reduced to best 3 of max share>"
    with pytest.raises(TypeError, match="2 reductions"):
        model.sweep(AXES, reduce=REDUCTIONS[:2]).df


def test_executors_give_the_same_bits(model):
    whole = model.sweep(AXES, reduce=REDUCTIONS)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        same(model.sweep(AXES, reduce=REDUCTIONS, executor=pool), whole)
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        same(model.sweep(AXES, reduce=REDUCTIONS, executor=pool), whole)


def test_each_pass_over_the_points_reports_its_progress():
    near = wm.loads("wave 1\nmodel M { param n: int\n output t = 1 + n / 1e9 }")
    reduction, told = "quantiles 10%, 50% of t exact", []
    whole = near.sweep(n="1..1200", reduce=reduction)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        same(near.sweep(n="1..1200", reduce=reduction, executor=pool, progress=lambda *one: told.append(one)), whole)
    assert whole.df["t"].tolist() == [1 + 120 / 1e9, 1 + 600 / 1e9]
    begins = [i for i, (done, _) in enumerate(told) if done == 0]
    assert len(begins) > 1 and begins[0] == 0 and {points for _, points in told} == {1200}
    for begin, end in zip(begins, [*begins[1:], len(told)]):
        assert told[begin:end] == sorted(told[begin:end]) and told[end - 1] == (1200, 1200)


def test_a_study_that_the_program_declares_is_reduced(tmp_path):
    text = MODEL + "study Growth of M {\n  vary n in 1..600\n  vary mode in [fast, slow]\n  show total, share\n}\n"
    (tmp_path / "m.wave").write_text(text)
    program = wm.open_program(tmp_path / "m.wave")
    whole = program.study("Growth", reduce=REDUCTIONS)
    same(whole, program.model().sweep(AXES, show=["total", "share"], reduce=REDUCTIONS))
    assert program.study(reduce=REDUCTIONS[0]).points == 1200
    same(program.study("Growth", reduce=REDUCTIONS, journal=tmp_path / "j"), whole)
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        same(program.study("Growth", reduce=REDUCTIONS, executor=pool, workers=2), whole)
    with pytest.raises(ValueError, match="`reduce` is empty"):
        program.study("Growth", reduce=[])


def pools():
    yield concurrent.futures.ThreadPoolExecutor(2)
    yield concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork"))
    yield concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn"))


def test_a_journal_goes_on_on_other_executors_and_on_none(model, tmp_path):
    whole, seen, journal = model.sweep(AXES, reduce=REDUCTIONS), [0], tmp_path / "j"

    class Stop(Exception):
        pass

    def stop(done, points):
        if done >= seen[-1] + 200:
            seen.append(done)
            raise Stop

    for pool in pools():
        began = []
        with pool, pytest.raises(Stop):
            model.sweep(
                AXES, reduce=REDUCTIONS, journal=journal, executor=pool, workers=2,
                progress=lambda *one: began.append(one[0]) or stop(*one),
            )
        assert began[0] == seen[-2] < seen[-1]  # what was found before is not lost
    told = []
    same(model.sweep(AXES, reduce=REDUCTIONS, journal=journal, progress=lambda done, points: told.append(done)), whole)
    assert seen[-1] <= max(told[:2])
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        same(model.sweep(AXES, reduce=REDUCTIONS, journal=journal, executor=pool), whole)


NEAR = "wave 1\nmodel M { param n: int\n output t = 1 + sum(i in 1..1000: (i * n) mod 7) / 1e9 + n / 1e9 }"
OF_NEAR = ["quantiles 10%, 50% of t exact", "mean, sum and extremes of t", "best 3 of max t"]
KILLED = f"""
import concurrent.futures, multiprocessing, sys, wavemodel as wm
m = wm.loads({NEAR!r}, shortcuts=False, engine="interpreter", threads=1)
if __name__ == "__main__":
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as pool:
        m.sweep(n="1..20000", reduce={OF_NEAR!r}, journal=sys.argv[1], executor=pool, workers=2,
                progress=lambda done, points: print(done, flush=True))
"""


@pytest.mark.parametrize("passes", [0, 1])
def test_a_client_that_is_killed_goes_on_on_another_executor(passes, tmp_path):
    journal, script = tmp_path / "j", tmp_path / "client.py"
    script.write_text(KILLED)
    command = [sys.executable, script, journal]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as client:
        begun, last = -1, 0
        for line in client.stdout:
            begun, last = begun + (int(line) == 0), int(line)
            if begun >= passes and last > 4000:
                break
        os.killpg(client.pid, signal.SIGKILL)
    model, told = wm.loads(NEAR, threads=1), []
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        found = model.sweep(
            n="1..20000", reduce=OF_NEAR, journal=journal, executor=pool, progress=lambda *one: told.append(one)
        )
    assert begun == passes and told[0][0] >= last
    same(found, wm.loads(NEAR).sweep(n="1..20000", reduce=OF_NEAR))


def test_a_journal_continues(model, tmp_path):
    class Stop(Exception):
        pass

    def stop(done, points):
        if done >= 300:
            raise Stop

    whole = model.sweep(AXES, reduce=REDUCTIONS)
    with pytest.raises(Stop):
        model.sweep(AXES, reduce=REDUCTIONS, journal=tmp_path / "j", progress=stop)
    same(model.sweep(AXES, reduce=REDUCTIONS, journal=tmp_path / "j"), whole)
    same(model.sweep(AXES, reduce=REDUCTIONS, journal=tmp_path / "j"), whole)
    with pytest.raises(wm.Error, match="E0702"):
        model.sweep(AXES, reduce=REDUCTIONS[:1], journal=tmp_path / "j")


def test_a_text_that_is_no_reduction_is_an_error_with_its_place(model):
    with pytest.raises(wm.Error, match="no column `totl`") as info:
        model.sweep(AXES, reduce="best 3 of totl")
    assert info.value.code == "E0700"
    with pytest.raises(wm.Error, match="is missing"):
        model.sweep(AXES, reduce="best 3")
    with pytest.raises(TypeError, match="`reduce` is of type int, and takes a str or a list of str"):
        model.sweep(AXES, reduce=3)
    with pytest.raises(TypeError, match="`reduce` holds a int"):
        model.sweep(AXES, reduce=[3])
    with pytest.raises(ValueError, match="`reduce` is empty, and takes one reduction or several"):
        model.sweep(AXES, reduce=[])
    with pytest.raises(TypeError, match="`show` is of type int"):
        model.sweep(AXES, show=3)


def test_states_of_others_are_refused(model):
    from wavemodel import _wave

    def study(*reductions):
        options = [("vary", "n=1..10"), ("show", "total"), *(("reduce", one) for one in reductions)]
        return _wave.Question(model._handle, "sweep", options)

    one, other = study("best 3 of total"), study("best 4 of total")
    part = one.compute(0, 5, b"")
    one.add(0, 5, part)
    about = one.points()
    assert (about["open"], about["plan"], about["count"]) == ([(5, 10)], b"", 10)
    with pytest.raises(wm.Error, match="is there already"):
        one.add(0, 5, part)
    for wrong in (b"", b"nonsense", part[:-1], one.compute(5, 10, b"") + b"x"):
        with pytest.raises(wm.Error, match="is damaged"):
            one.add(5, 10, wrong)
    with pytest.raises(wm.Error, match="holds other points"):
        one.add(5, 10, part)
    with pytest.raises(wm.Error, match="is of another study"):
        one.add(5, 10, other.compute(5, 10, b""))
    with pytest.raises(wm.Error, match="plan"):
        one.compute(0, 5, b"nonsense")
    assert one.points() == about
    one.add(5, 10, one.compute(5, 10, b""))
    assert one.points()["open"] == []
    result, _, error = one.run(None)
    assert error is None and memoryview(result.reals(0, result.output(0)["columns"] - 1, 0)).tolist() == [1e-6, 2e-6, 3e-6]


def test_columns_of_the_program_are_mapped(tmp_path):
    text = MODEL.replace("output share", "output word = if n < 3 then \"é\" else \"dörfer\"\n  output share")
    (tmp_path / "m.wave").write_text(text.replace("mod 101 / 101", "mod 101"))
    command = ["sweep", "m.wave", "--vary", "n=1..600", "--vary", "mode=[fast, slow]"]
    assert run(command, tmp_path, "--out", "points.csv") == 1  # some points fail
    assert run(command, tmp_path, "--out", "columns/") == 1
    rows = pandas.read_csv(tmp_path / "points.csv")
    columns = wm.columns(tmp_path / "columns")
    assert list(columns) == ["n", "mode", "total", "word", "share"] and columns.points == 1200
    assert columns.units["total"] == "ms"
    for name, values in columns.items():
        heading = f"{name} [{columns.units[name]}]" if columns.units[name] else name
        there = rows[heading].notna()
        assert numpy.array_equal(numpy.ma.compressed(values[there]), rows[heading][there].to_numpy())
    assert isinstance(columns["total"], numpy.memmap)
    assert columns["share"].mask.tolist() == rows["share"].isna().tolist()
    assert (columns.codes != 0).tolist() == rows["error"].notna().tolist()
    assert columns.df["word"].tolist() == rows["word"].tolist()
    assert columns.df["error"].str[:5].tolist() == rows["error"].fillna("").str[:5].tolist()
    for i in (1, 2):
        assert run(command, tmp_path, "--shard", f"{i}/2", "--out", f"{i}.part") == 0
    assert run(["merge", "2.part", "1.part"], tmp_path, "--out", "merged/") == 1
    for file in (tmp_path / "columns").iterdir():
        assert (tmp_path / "merged" / file.name).read_bytes() == file.read_bytes()


def test_a_folder_of_other_things_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        wm.columns(tmp_path)
    (tmp_path / "columns.json").write_text("[]")
    with pytest.raises(ValueError, match="says nothing of columns"):
        wm.columns(tmp_path)
    (tmp_path / "columns.json").write_text(
        '{"columns": [{"name": "a", "file": "../a.npy"}], "points": 1, "error": "error.npy"}'
    )
    with pytest.raises(ValueError, match="outside"):
        wm.columns(tmp_path)["a"]


@pytest.mark.parametrize("settings", [{"threads": 1}, {"threads": 3}, {"engine": "interpreter", "shortcuts": False}])
def test_threads_and_engines_do_not_show(model, settings):
    same(wm.loads(MODEL, **settings).sweep(AXES, reduce=REDUCTIONS), model.sweep(AXES, reduce=REDUCTIONS))
