"""What is sent to other processes, or copied: the same, by what made it."""

import concurrent.futures
import copy
import datetime
import multiprocessing
import os
import pathlib
import pickle
import subprocess
import sys

import numpy
import pytest

import wavemodel as wm

TEXT = """wave 1
import std.machines.ibm_sp2 { SP2 }
type Costs { total: time, parts: int }
model M {
  param n: int = 4
  param L: time = 1 us
  param name: string = "x"
  param net: SP2 = SP2()
  grid P[i: n]
  process main on P using net { compute(L) }
  output t = n * L in us
  output latency = net.L in us
  output each = [i * L for i in 1..n]
  output costs = Costs(total = n * L, parts = n)
  output rows = [Costs(total = i * L, parts = i) for i in 1..n]
  output bad = 1 div (n - 2)
  output even = n mod 2 == 0
  output title = name
}
study S of M { vary n in [1, 2]
 show t }
"""
LIBRARY = "wave 1\nlet k = 2\n"
DATA = {"n": [1, 2, 4], "t": [2e-6, 4e-6, 8.1e-6]}
ROWS = [{"n": n, "L": n * 1e-6} for n in range(1, 9)]


def of_text(folder):
    return wm.loads(TEXT)


def of_modules(folder):
    return wm.loads("wave 1\nimport parts { k }\nmodel M { param n: int = 4; param L: time = 1 us; output t = n * L * k }",
                    modules={"parts": LIBRARY})


def of_file(folder):
    (folder / "m.wave").write_text(TEXT)
    return wm.load(folder / "m.wave")


def of_folders(folder):
    (folder / "lib").mkdir()
    (folder / "lib/parts.wave").write_text(LIBRARY)
    (folder / "m.wave").write_text("wave 1\nimport parts { k }\nmodel M { param n: int; param L: time = 1 us; output t = n * L * k }")
    return wm.load("m.wave", folders=["lib"], threads=1)


def of_library(folder):
    return wm.load("std.applications.sweep3d").bind(n=4, m=4)


def bound(folder):
    return wm.loads(TEXT).bind(net="SP2(L = 5 us)", n=numpy.int64(3), name="y", L=datetime.timedelta(microseconds=2))


MODELS = {one.__name__: one for one in (of_text, of_modules, of_file, of_folders, of_library, bound)}


def again(one):
    return pickle.loads(pickle.dumps(one))


def elsewhere(one, expression, folder):
    """What an expression of `one` is in a new process, which runs in another folder."""
    file = folder / "sent.pickle"
    file.write_bytes(pickle.dumps(one))
    code = f"import pickle\none = pickle.load(open({str(file)!r}, 'rb'))\nprint({expression})"
    made = subprocess.run([sys.executable, "-c", code], cwd="/", capture_output=True, text=True)
    return made.stdout.strip() if made.returncode == 0 else made.stderr.strip()


@pytest.mark.parametrize("kind", MODELS)
def test_a_model_is_the_same_elsewhere(kind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = MODELS[kind](tmp_path)
    given = {"n": 5}
    assert elsewhere(model, f"one.run({given})", tmp_path) == str(model.run(given))
    assert again(model).run(given) == model.run(given) and repr(again(model)) == repr(model)
    assert again(model.program).models == model.program.models
    assert elsewhere(model.run(given), "one", tmp_path) == str(model.run(given))


RESULTS = {
    "result": lambda m: m.run(n=3),
    "asked": lambda m: m.run(n=3).asked,
    "a result that failed": lambda m: m.run(n=2),
    "record": lambda m: m.run(n=3).costs,
    "quantity": lambda m: m.run(n=3).t,
    "sweep": lambda m: m.sweep(n=[1, 2, 3], name=["a", "b"]),
    "study": lambda m: m.program.study("S"),
    "validation": lambda m: m.validate(DATA),
    "fit": lambda m: m.fit(DATA, ["L"]),
    "parameters": lambda m: m.params,
    "outputs": lambda m: m.outputs,
}


@pytest.mark.parametrize("kind", RESULTS)
def test_a_result_is_equal_when_it_was_sent_or_copied(kind, tmp_path):
    model = wm.loads(TEXT).bind(net="SP2(L = 5 us)")
    one = RESULTS[kind](model)
    assert again(one) == one and type(again(one)) is type(one) and repr(again(one)) == repr(one)
    assert again(again(one)) == one
    assert copy.copy(one) == one and copy.deepcopy(one) == one
    assert elsewhere(one, "repr(one)", tmp_path) == repr(one)
    if hasattr(one, "df"):
        assert again(one).df.equals(one.df) and again(one).df.attrs == one.df.attrs and again(one).si.df.equals(one.si.df)
    if hasattr(one, "unit"):
        assert again(one).unit == one.unit


def test_a_result_that_was_sent_has_all_that_it_had(tmp_path):
    result = wm.loads(TEXT).bind(net="SP2(L = 5 us)").run(n=2)
    sent = again(result)
    assert sent.asked.t.unit == "us" and sent.asked == result.asked and sent.rows.equals(result.rows)
    assert sent.each.tolist() == result.each.tolist() and not sent.each.flags.writeable
    assert sent.even is True and sent.title == "x" and sent.latency == 5e-6
    assert sent.breakdown("t").equals(result.breakdown("t")) and sent.sensitivity("L").equals(result.sensitivity("L"))
    assert sent.timeline().spec == result.timeline().spec and sent.engine == result.engine
    assert str(sent.error) == str(result.error) and sent.error.code == "E0501"
    with pytest.raises(wm.Error, match="E0501"):
        sent.bad
    with pytest.raises(KeyError):
        sent["nope"]


def test_charts_fits_and_optima_go_on_elsewhere():
    model = wm.loads(TEXT)
    points = model.sweep(n=[1, 2, 3])
    for chart in (points.plot("t"), points.heat_map("t", "n", "latency") if False else points.plot("t", on="log"),
                  model.run().plot_breakdown("t"), model.run().timeline()):
        assert again(chart).spec == chart.spec and repr(again(chart)) == repr(chart)
    assert again(points).plot("t").spec == points.plot("t").spec
    fit = model.fit(DATA, ["L"])
    assert again(fit).model.run(n=2) == fit.model.run(n=2) and again(fit).values == fit.values
    assert again(fit).predict(DATA).tolist() == fit.predict(DATA).tolist()
    found = model.optimize("t", {"n": [1, 2, 3]})
    sent = again(found)
    assert (sent.best, sent.bound, sent.proof, sent.says) == (found.best, found.bound, found.proof, found.says)
    assert sent.df.equals(found.df) and repr(sent) == repr(found) and copy.deepcopy(found) is found


def test_machines_that_were_fitted_are_sent():
    import conftest

    fit = wm.fit_machine("osu", conftest.SOURCE / "examples/sweep3d/osu_latency.txt")
    sent = again(fit)
    assert sent.text == fit.text and sent.parameters.equals(fit.parameters) and sent.notes == fit.notes


@pytest.mark.parametrize("start", ["fork", "spawn", "forkserver"])
def test_processes_of_a_pool_run_a_model(start, tmp_path):
    model = bound(tmp_path)
    wanted = [model.run(row) for row in ROWS]
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context(start)) as pool:
        assert list(pool.map(model.run, ROWS)) == wanted
        with pytest.raises(KeyError) as caught:
            list(pool.map(model.run, [{"k": 1}]))
    assert isinstance(caught.value, wm.Error) and caught.value.code == "E0406"
    with multiprocessing.get_context(start).Pool(2) as pool:
        assert pool.map(model.run, ROWS) == wanted


def test_joblib_runs_a_model():
    joblib = pytest.importorskip("joblib")
    model = wm.loads(TEXT).bind(name="y")
    found = joblib.Parallel(n_jobs=2)(joblib.delayed(model.run)(**row) for row in ROWS)
    assert found == [model.run(row) for row in ROWS]


def test_dask_maps_a_model():
    distributed = pytest.importorskip("distributed")
    model = wm.loads(TEXT).bind(name="y")
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True) as client:
        assert client.gather(client.map(model.run, ROWS)) == [model.run(row) for row in ROWS]


@pytest.mark.parametrize("what", ["the file", "what it imports"])
def test_files_that_changed_are_an_error_and_results_stay(what, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = of_folders(tmp_path)
    sent, result = pickle.dumps(model), pickle.dumps(model.run(n=2))
    changed = tmp_path / ("m.wave" if what == "the file" else "lib/parts.wave")
    changed.write_text(changed.read_text().replace("k = 2", "k = 3").replace("n * L * k", "n * L"))
    (tmp_path / "sent.pickle").write_bytes(sent)
    (tmp_path / "result.pickle").write_bytes(result)
    code = """
import pickle, sys
import wavemodel as wm
result = pickle.load(open("result.pickle", "rb"))
print(result.t)
for ask in (lambda: pickle.load(open("sent.pickle", "rb")).run(n=2), lambda: result.breakdown()):
    try:
        ask()
    except wm.Error as error:
        print(error.code, "has changed" in str(error))
"""
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.split() == ["4e-06", "s", "E0702", "True", "E0702", "True"]
    assert pickle.loads(sent).run(n=2).t == 4e-6  # this process has it still


def test_a_file_that_is_gone_is_an_error(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = of_file(tmp_path)
    data = elsewhere(model, "one.run(n=3).t", tmp_path)
    assert data == "3e-06 s"
    (tmp_path / "sent.pickle").write_bytes(pickle.dumps(model))
    os.remove(tmp_path / "m.wave")
    code = "import pickle\ntry:\n  pickle.load(open('sent.pickle', 'rb')).run(n=3)\nexcept FileNotFoundError as e:\n  print(type(e).__name__)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path).stdout == "MissingFile\n"


def test_a_process_loads_a_program_once(tmp_path):
    model = wm.loads(TEXT).bind(name="once")
    sent = [pickle.dumps(model) for _ in range(3)]
    code = f"import pickle\nall = [pickle.loads(one) for one in {sent!r}]\nprint(all[0] is all[1] is all[2], all[0].program is all[2].program)"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed == "True True\n"


def test_a_program_that_was_not_sent_is_not_kept():
    import gc

    from wavemodel import _programs

    before = len(_programs._kept)
    for i in range(40):
        again(wm.loads(f"wave 1\nmodel M {{ output t = {i} s }}"))
    gc.collect()
    assert len(_programs._kept) <= max(before, _programs._MOST)


@pytest.mark.parametrize("error", [wm.Error, wm.UnknownName, wm.WrongType, wm.WrongValue, wm.WrongDimension, wm.OutOfTime,
                                   wm.OutOfMemory, wm.MissingFile])
def test_errors_are_sent_as_they_are(error):
    one = error(2, "error[E0601]: a `b`\n", '[{"code": "E0601", "message": "a", "help": ["c"], "notes": []}]', "\x1b[31mx")
    for sent in (again(one), copy.copy(one), again(again(one))):
        assert type(sent) is error and str(sent) == str(one) and sent.args == one.args
        assert (sent.status, sent.code, sent.help, sent.message) == ("misuse", "E0601", ["c"], "a")
