"""Sweeps that are reduced: the same bits as of all points, wherever parts of them are computed."""

import concurrent.futures
import multiprocessing
import subprocess

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


def test_a_journal_keeps_no_states_of_an_executor(model, tmp_path):
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        with pytest.raises(TypeError, match="takes a `journal` or an `executor`, and not both"):
            model.sweep(AXES, reduce=REDUCTIONS, journal=tmp_path / "j", executor=pool)
    assert not (tmp_path / "j").exists()


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
        one = _wave.Study(model._handle, ["n=1..10"], ["total"], [])
        one.set_reductions(list(reductions))
        return one

    one, other = study("best 3 of total"), study("best 4 of total")
    state = one.reduce_part(0, 5, b"", None)
    with pytest.raises(wm.Error, match="5 of 10 points"):
        one.take_state(state)
        one.finish_pass()
    with pytest.raises(wm.Error, match="are there already"):
        one.take_state(state)
    for wrong in (b"", b"nonsense", state[:-1], other.reduce_part(5, 10, b"", None) + b"x"):
        with pytest.raises(wm.Error, match="cannot be taken"):
            one.take_state(wrong)
    with pytest.raises(wm.Error, match="plan"):
        one.reduce_part(0, 5, b"nonsense", None)


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
