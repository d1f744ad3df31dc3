"""Sweeps whose points an executor evaluates: the same bits, whatever is lost on the way."""

import concurrent.futures
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import types
import unittest.mock
import warnings

import numpy
import pytest
from points import AXES, LONG, MODEL, same

import wavemodel as wm
from wavemodel import _executors, _parts

EXECUTORS = {
    "threads": lambda: concurrent.futures.ThreadPoolExecutor(3),
    "fork": lambda: concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork")),
    "spawn": lambda: concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")),
}


STILL = types.SimpleNamespace(monotonic=lambda: 0.0)


class Here(concurrent.futures.Executor):
    """Computes parts at once, as another process would, and does to them what it is told. No part takes any time, so that
    how large they are does not depend on what else the machine does."""

    def __init__(self, change=lambda count, found: found):
        self.count = 0
        self.change = change

    def submit(self, function, recipe, *arguments):
        self.count += 1
        future = concurrent.futures.Future()
        try:
            sent = pickle.loads(pickle.dumps((recipe, arguments)))
            with unittest.mock.patch.object(_parts, "time", STILL):
                found = function(sent[0], *sent[1])
            future.set_result(self.change(self.count, pickle.loads(pickle.dumps(found))))
        except Exception as error:
            future.set_exception(error)
        return future


def raises(at, error):
    def change(count, found):
        if count in at:
            raise error
        return found

    return change


@pytest.mark.parametrize("workers", [None, 2])
@pytest.mark.parametrize("kind", EXECUTORS)
def test_a_sweep_on_an_executor_is_that_sweep(kind, workers):
    model = wm.loads(MODEL).bind(L=2.5e-7)
    told = []
    with EXECUTORS[kind]() as executor:
        found = model.sweep(AXES, executor=executor, workers=workers, progress=lambda *done: told.append(done))
        again = model.sweep(n=[1], executor=executor)
    same(found, model.sweep(AXES))
    assert told[0] == (0, 1200) and told[-1] == (1200, 1200) and told == sorted(told) and len(told) > 2
    same(again, model.sweep(n=[1]))
    assert found.plot("total").spec == model.sweep(AXES).plot("total").spec


@pytest.mark.parametrize("kind", ["threads", "fork"])
def test_a_study_of_the_program_and_a_file_work_on_an_executor(kind, tmp_path):
    file = tmp_path / "m.wave"
    file.write_text(MODEL)
    program = wm.open_program(file)
    with EXECUTORS[kind]() as executor:
        same(program.study("Growth", executor=executor, workers=1), program.study("Growth"))


def test_a_value_of_numpy_reaches_other_processes(ping):
    bound = ping.bind(L=numpy.float64(3e-6))
    with EXECUTORS["spawn"]() as executor:
        same(bound.sweep(n=[1, 2, 3], show=["total"], executor=executor), bound.sweep(n=[1, 2, 3], show=["total"]))


REDUCTIONS = ["best 3 of total", "mean of checked by n"]
EACH_KIND = pytest.mark.parametrize("reduce", [None, REDUCTIONS], ids=["points", "reduced"])


@EACH_KIND
def test_wrong_arguments_are_said(reduce, refuses):
    def said(kind, **named):
        return refuses(kind, wm.loads(MODEL).sweep, n=[1], reduce=reduce, **named)

    for workers in (2, -1, "2"):
        assert "`executor` has, and there is none" in said(TypeError, workers=workers)
    assert "str, and has no `submit`" in said(TypeError, executor="pool")
    assert "int, and has no `submit`" in said(TypeError, executor=7)
    with EXECUTORS["threads"]() as executor:
        for workers in (0, -1, numpy.int64(0)):
            assert f"is {workers}, and takes 1 or more" in said(ValueError, executor=executor, workers=workers)
        for workers in ("2", 2.0, True):
            assert "takes a whole number" in said(TypeError, executor=executor, workers=workers)
        refuses(wm.Error, wm.loads(MODEL).sweep, nn=[1], reduce=reduce, executor=executor)
        assert wm.loads(MODEL).sweep(n=[1], reduce=reduce, executor=executor, workers=numpy.int64(2)).points == 1


@EACH_KIND
def test_as_many_parts_are_out_as_there_are_workers(reduce):
    class Counting(concurrent.futures.ThreadPoolExecutor):
        out = most = parts = 0

        def submit(self, *arguments):
            self.out, self.parts = self.out + 1, self.parts + 1
            self.most = max(self.most, self.out)
            future = super().submit(*arguments)
            future.add_done_callback(lambda future: setattr(self, "out", self.out - 1))
            return future

    with Counting(3) as executor:
        wm.loads(MODEL).sweep(AXES, reduce=reduce, executor=executor, workers=2)
    assert executor.most == 2 and executor.parts > 4


@pytest.mark.parametrize("kind", EXECUTORS)
def test_a_point_that_takes_too_long_has_its_code_as_with_a_journal(kind):
    model = wm.loads(LONG, shortcuts=False, engine="interpreter", threads=1, seconds=2)
    with EXECUTORS[kind]() as executor:
        found = model.sweep(n=[1, 2, 3, 2000000000], executor=executor)
    assert found.codes.tolist() == [0, 0, 0, 610] and found["t"].tolist()[:2] == [1, 6]


# --- what makes the model elsewhere ---


@pytest.mark.parametrize("kind", ["fork", "spawn"])
def test_a_worker_in_another_folder_finds_the_files(kind, tmp_path, monkeypatch):
    (tmp_path / "there").mkdir()
    (tmp_path / "m.wave").write_text("wave 1\nimport part\nmodel M { param n: int = 1\n output t = part.double(n) }")
    (tmp_path / "part.wave").write_text("wave 1\nfn double(n: int): int = 2 * n")
    monkeypatch.chdir(tmp_path)
    model = wm.load("m.wave")
    context = multiprocessing.get_context(kind)
    elsewhere = dict(initializer=os.chdir, initargs=(tmp_path / "there",))
    with concurrent.futures.ProcessPoolExecutor(1, context, **elsewhere) as executor:
        assert model.sweep(n=[1, 2], executor=executor)["t"].tolist() == [2, 4]
        assert executor.submit(os.getcwd).result() == str(tmp_path / "there")


@pytest.mark.parametrize("is_text", [False, True])
def test_a_worker_whose_folder_was_removed_finds_the_files(is_text, tmp_path, monkeypatch):
    (tmp_path / "there").mkdir()
    text = "wave 1\nimport part\nmodel M { param n: int = 1\n output t = part.double(n) }"
    (tmp_path / "m.wave").write_text(text)
    (tmp_path / "part.wave").write_text("wave 1\nfn double(n: int): int = 2 * n")
    monkeypatch.chdir(tmp_path)
    model = wm.loads(text) if is_text else wm.load("m.wave")
    elsewhere = dict(initializer=os.chdir, initargs=(tmp_path / "there",))
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("fork"), **elsewhere) as executor:
        executor.submit(os.rmdir, tmp_path / "there").result()
        assert model.sweep(n=[1, 2], executor=executor)["t"].tolist() == [2, 4]
        assert model.sweep(n=[1, 2], reduce="best 1 of t", executor=executor).df["t"].tolist() == [2]
        assert executor.submit(model.run, n=3).result().t == 6
        with pytest.raises(FileNotFoundError):
            executor.submit(os.getcwd).result()


def test_absolute_paths_change_no_folder(tmp_path, monkeypatch):
    (tmp_path / "m.wave").write_text(MODEL)
    model = wm.load(tmp_path / "m.wave")
    monkeypatch.chdir(tmp_path)
    _parts._programs.clear()
    monkeypatch.setattr(os, "chdir", None)
    same(model.sweep(AXES, executor=Here()), model.sweep(AXES))


def test_a_process_loads_a_program_once():
    recipes = []
    here = Here()
    made = here.submit
    here.submit = lambda function, recipe, *rest: recipes.append(recipe) or made(function, recipe, *rest)
    _parts._programs.clear()
    model = wm.loads(MODEL)
    model.sweep(AXES, executor=here)
    [program] = _parts._programs.values()
    model.sweep(AXES, executor=here)
    assert len(recipes) > 4 and list(_parts._programs.values()) == [program]
    for n in range(6):
        model.sweep(n=[n], executor=here)
    assert len(_parts._programs) == 4


def test_a_program_that_changed_meanwhile_is_named(tmp_path):
    file = tmp_path / "m.wave"
    file.write_text(MODEL)
    model = wm.load(file)
    file.write_text(MODEL.replace("n * 0.1", "n * 0.2"))
    with EXECUTORS["fork"]() as executor:
        for reduce in (None, REDUCTIONS):
            with pytest.raises(wm.Error, match="is of another study than this") as caught:
                model.sweep(AXES, reduce=reduce, executor=executor)
            assert caught.value.code == "E0706" and "the model file has changed" in str(caught.value)
        file.write_text(MODEL)
        same(model.sweep(AXES, executor=executor), model.sweep(AXES))


def test_a_worker_without_the_file_says_so_and_where(tmp_path):
    file = tmp_path / "m.wave"
    file.write_text(MODEL)
    model = wm.load(file)
    file.unlink()
    with EXECUTORS["fork"]() as executor, pytest.raises(wm.Error, match="m.wave") as caught:
        model.sweep(AXES, executor=executor)
    assert "could not compute point 1" in str(caught.value.__cause__)


# --- parts that are checked ---


def test_the_part_of_another_study_is_refused_and_the_sweep_goes_on_without_it(tmp_path):
    journal = tmp_path / "points.journal"
    model = wm.loads(MODEL)
    others = []
    wm.loads(MODEL).bind(L=1.0).sweep(AXES, executor=Here(lambda count, found: others.append(found) or found))
    with pytest.raises(wm.Error) as caught:
        model.sweep(AXES, journal=journal, executor=Here(lambda count, found: others[2] if count == 3 else found))
    assert caught.value.code == "E0706" and "`L` is no longer there" in str(caught.value)
    same(model.sweep(AXES, journal=journal), model.sweep(AXES))


@pytest.mark.parametrize("byte", [3, 20, 70, 400, -60, -40, -1])
def test_a_damaged_part_is_refused(byte, tmp_path):
    def damage(count, found):
        if count != 3:
            return found
        begin, end, piece = found.pieces[0]
        damaged = bytearray(piece)
        damaged[byte] ^= 1
        return found._replace(pieces=[(begin, end, bytes(damaged)), *found.pieces[1:]])

    model, journal = wm.loads(MODEL), tmp_path / "points.journal"
    with pytest.raises(wm.Error, match="is damaged") as caught:
        model.sweep(AXES, journal=journal, executor=Here(damage))
    assert caught.value.code == "E0706"
    same(model.sweep(AXES, journal=journal), model.sweep(AXES))


@pytest.mark.parametrize("length", [0, 1, 200, -1])
def test_a_part_that_was_cut_short_is_refused(length):
    def cut(count, found):
        begin, end, piece = found.pieces[0]
        return found._replace(pieces=[(begin, end, piece[:length])])

    with pytest.raises(wm.Error, match="is damaged"):
        wm.loads(MODEL).sweep(AXES, executor=Here(cut))


def test_other_points_than_were_asked_for_are_refused():
    model = wm.loads(MODEL)
    found = []
    model.sweep(AXES, executor=Here(lambda count, one: found.append(one) or one))
    with pytest.raises(wm.Error, match="asked for"):
        model.sweep(AXES, executor=Here(lambda count, one: found[1] if count == 3 else one))
    renamed = found[1]._replace(begin=0, end=1, pieces=[(0, 1, found[1].pieces[0][2])])
    with pytest.raises(wm.Error, match="holds other points"):
        model.sweep(AXES, executor=Here(lambda count, one: renamed if count == 1 else one))


# --- losses ---


def test_a_part_that_was_lost_is_submitted_once_more():
    model, told = wm.loads(MODEL), []
    executor = Here(raises([2, 5], concurrent.futures.CancelledError()))
    same(model.sweep(AXES, executor=executor, progress=lambda done, points: told.append(done)), model.sweep(AXES))
    assert told == sorted(told)
    executor = Here(raises([2, 5], concurrent.futures.CancelledError()))
    assert model.sweep(AXES, reduce=REDUCTIONS, executor=executor) == model.sweep(AXES, reduce=REDUCTIONS)


def test_a_reduced_sweep_that_cannot_go_on_says_how_many_points_are_missing(refuses):
    reduced = dict(reduce=REDUCTIONS, workers=1)
    executor = Here(raises([3, 4], OSError("no route to host")))
    text = refuses(wm.Error, wm.loads(MODEL).sweep, AXES, executor=executor, **reduced)
    assert "came back from no worker, twice, and 1191 of 1200 points are missing" in text
    assert "`journal=\"points.journal\"` keeps what is found, so that the same sweep goes on" in text
    with EXECUTORS["spawn"]() as executor:

        def kills(done, points):
            for process in list(executor._processes.values()):
                os.kill(process.pid, signal.SIGKILL)

        text = refuses(wm.Error, wm.loads(MODEL).sweep, AXES, executor=executor, progress=kills, **reduced)
    assert "the executor is broken, and 12" in text or "the executor is broken, and 11" in text


@pytest.mark.parametrize("length", [0, 1, 200, -1])
def test_damaged_states_are_refused_and_not_kept(length, tmp_path):
    def cut(count, found):
        begin, end, piece = found.pieces[0]
        return found if count < 3 else found._replace(pieces=[(begin, end, piece[:length])])

    model, journal = wm.loads(MODEL), tmp_path / "state.journal"
    with pytest.raises(wm.Error, match="is damaged") as caught:
        model.sweep(AXES, reduce=REDUCTIONS, journal=journal, executor=Here(cut))
    assert caught.value.code == "E0706"
    told = []
    again = model.sweep(AXES, reduce=REDUCTIONS, journal=journal, executor=Here(), progress=lambda *one: told.append(one))
    assert again == model.sweep(AXES, reduce=REDUCTIONS) and told[0] == (9, 1200)


@EACH_KIND
def test_a_journal_that_holds_all_is_not_computed_again(reduce, tmp_path):
    model, journal, told = wm.loads(MODEL), tmp_path / "points.journal", []
    whole = model.sweep(AXES, reduce=reduce, journal=journal)
    executor = Here()
    again = model.sweep(AXES, reduce=reduce, journal=journal, executor=executor, progress=lambda *one: told.append(one))
    assert executor.count == 0 and told == [(1200, 1200)] and again == whole


def test_a_part_that_is_lost_twice_ends_the_sweep_with_what_there_is(tmp_path):
    model, journal = wm.loads(MODEL), tmp_path / "points.journal"
    with pytest.raises(wm.Error) as caught:
        model.sweep(AXES, journal=journal, workers=1, executor=Here(raises([3, 4], OSError("no route to host"))))
    text = str(caught.value)
    assert "came back from no worker, twice" in text and "OSError: no route to host" in text
    assert f"`journal='{journal}'` goes on" in text
    told = []
    same(model.sweep(AXES, journal=journal, progress=lambda done, points: told.append(done)), model.sweep(AXES))
    assert told[-1] == 1200


def test_a_pool_that_is_broken_ends_the_sweep_with_the_call_that_goes_on(tmp_path):
    model, journal = wm.loads(MODEL), tmp_path / "points.journal"
    with pytest.raises(wm.Error, match="the executor is broken") as caught:
        with EXECUTORS["spawn"]() as executor:

            def kills(done, points):
                if done > 300:
                    for process in list(executor._processes.values()):
                        os.kill(process.pid, signal.SIGKILL)

            model.sweep(AXES, journal=journal, executor=executor, workers=2, progress=kills)
    assert isinstance(caught.value.__cause__, concurrent.futures.BrokenExecutor)
    kept = []
    with EXECUTORS["threads"]() as executor:
        again = model.sweep(AXES, journal=journal, executor=executor, progress=lambda done, points: kept.append(done))
    assert kept[0] > 300
    same(again, model.sweep(AXES))


def test_an_executor_that_was_shut_down_is_said(refuses):
    executor = EXECUTORS["threads"]()
    executor.shutdown()
    text = refuses(wm.Error, wm.loads(MODEL).sweep, AXES, executor=executor)
    assert "takes no more parts" in text and "1200 of 1200 points are missing" in text and "keeps what is found" in text


@EACH_KIND
def test_a_part_that_is_late_is_named(reduce, monkeypatch):
    class Silent(concurrent.futures.Executor):
        def submit(self, *arguments):
            return concurrent.futures.Future()

    monkeypatch.setattr(_executors, "_LOOK_SECONDS", 0.001)
    monkeypatch.setattr("wavemodel._division.LATE_AT_FIRST_SECONDS", 0.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning, match="point 1 was submitted .* a worker may have ended, or none may be"):
            wm.loads(MODEL).sweep(AXES, reduce=reduce, executor=Silent())

    class Slow(Here):
        def submit(self, *arguments):
            future = concurrent.futures.Future()
            threading.Timer(0.2, lambda: future.set_result(Here.submit(self, *arguments).result())).start()
            return future

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        wm.loads(MODEL).sweep(n=[1], reduce=reduce, executor=Slow())
    assert {one.filename for one in caught} == {__file__}


@EACH_KIND
@pytest.mark.parametrize("what", ["interrupt", "progress"])
def test_what_ends_a_sweep_ends_its_parts_in_threads(what, reduce):
    model = wm.loads(LONG, shortcuts=False, engine="interpreter", threads=1, seconds=1e9)

    def ends(done, points):
        if what == "progress" and done > 0:
            raise KeyboardInterrupt

    with EXECUTORS["threads"]() as executor:
        if what == "interrupt":
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            reduced = reduce and "mean of t"
            model.sweep(n=[1] * 10 + [2000000000] * 70, reduce=reduced, executor=executor, progress=ends)
        assert executor.submit(lambda: 1).result(timeout=60) == 1


# --- the client ---

CLIENT = f"""
import concurrent.futures, multiprocessing, resource, signal, sys, wavemodel as wm
if __name__ == "__main__":
    kind, journal, room = sys.argv[1:]
    if room != "all":
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(room), int(room)))
    m = wm.loads({LONG!r}, shortcuts=False, engine="interpreter", threads=1)
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context(kind)) as pool:
        s = m.sweep(n="20000..20400", journal=journal, executor=pool, workers=2)
    print(s["t"].tobytes().hex())
"""


def client(tmp_path, kind, journal, room="all"):
    script = tmp_path / "client.py"
    script.write_text(CLIENT)
    return [sys.executable, script, kind, journal, room]


def wanted():
    return wm.loads(LONG).sweep(n="20000..20400")["t"].tobytes().hex()


def wait_for_journal(process, journal, size):
    while process.poll() is None and not (journal.exists() and journal.stat().st_size > size):
        time.sleep(0.002)


@pytest.mark.parametrize("size", [0, 5000])
def test_a_client_that_is_killed_goes_on_with_or_without_an_executor(size, tmp_path):
    journal = tmp_path / "points.journal"
    command = client(tmp_path, "fork", journal)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as killed:
        wait_for_journal(killed, journal, size)
        os.killpg(killed.pid, signal.SIGKILL)
    whole = journal.read_bytes()
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip() == wanted()
    journal.write_bytes(whole[:-5])  # cut short
    cut = wm.loads(LONG, shortcuts=False, engine="interpreter", threads=1).sweep(n="20000..20400", journal=journal)
    assert cut["t"].tobytes().hex() == wanted()


def test_a_full_disk_ends_the_sweep_and_it_goes_on_with_room(tmp_path):
    journal = tmp_path / "points.journal"
    full = subprocess.run(client(tmp_path, "fork", journal, "5000"), capture_output=True, text=True)
    assert full.returncode == 1 and "E0613" in full.stderr and "the same study goes on from there" in full.stderr
    assert 0 < journal.stat().st_size <= 5000
    again = subprocess.run(client(tmp_path, "fork", journal), capture_output=True, text=True, check=True)
    assert again.stdout.strip() == wanted()
