"""Sweeps that go on where they ended, and those whose parts are evaluated elsewhere: the same bits in the same order."""

import concurrent.futures
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time

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
  output word = if n mod 3 == 0 then "three" else "other"
  output checked = if n mod 100 == 7 then error("a seven") else n * 0.1
  output even = n mod 2 == 0
}
study Growth of M {
  vary n in [1, 2, 4]
  show total
}
"""
AXES = {"n": "1..600", "mode": ["fast", "slow"]}


def same(one, other):
    pandas.testing.assert_frame_equal(one.df, other.df, check_exact=True)
    assert one.units == other.units and one.points == other.points and one.codes.tolist() == other.codes.tolist()
    for name in one:
        assert one[name].dtype == other[name].dtype
        assert one[name].dtype == object or one[name].tobytes() == other[name].tobytes()


EXECUTORS = {
    "threads": lambda: concurrent.futures.ThreadPoolExecutor(3),
    "fork": lambda: concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork")),
    "spawn": lambda: concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")),
}


@pytest.mark.parametrize("kind", EXECUTORS)
def test_a_sweep_on_an_executor_is_that_sweep(kind):
    model = wm.loads(MODEL).bind(L=2.5e-7)
    told = []
    with EXECUTORS[kind]() as executor:
        parts = model.sweep(AXES, executor=executor, progress=lambda done, points: told.append((done, points)))
        again = model.sweep(n=[1], executor=executor)
    with pytest.raises(TypeError, match="leave `executor` out"):
        parts.plot("t")
    same(parts, model.sweep(AXES))
    assert told[0] == (0, 1200) and told[-1] == (1200, 1200) and told == sorted(told) and len(told) > 2
    same(again, model.sweep(n=[1]))


@pytest.mark.parametrize("kind", ["threads", "fork"])
def test_a_study_of_the_program_and_a_file_work_on_an_executor(kind, tmp_path):
    file = tmp_path / "m.wave"
    file.write_text(MODEL)
    program = wm.open_program(file)
    with EXECUTORS[kind]() as executor:
        same(program.study("Growth", executor=executor), program.study("Growth"))


def test_a_program_that_changed_meanwhile_is_an_error(tmp_path, refuses):
    file = tmp_path / "m.wave"
    file.write_text(MODEL)
    model = wm.load(file)
    file.write_text(MODEL.replace("n * 0.1", "n * 0.2"))
    with EXECUTORS["fork"]() as executor:
        with pytest.raises(wm.Error) as caught:
            model.sweep(AXES, executor=executor)
    assert caught.value.code == "E0702" and "has changed" in str(caught.value)


LONG = "wave 1\nmodel M { param n: int\n output t = sum(i in 1..n: i * n mod 7) }"


@pytest.mark.parametrize("kind", EXECUTORS)
def test_an_exception_of_a_part_is_that_of_the_sweep(kind):
    model = wm.loads(LONG, shortcuts=False, engine="interpreter", threads=1, seconds=0.2)
    with EXECUTORS[kind]() as executor:
        with pytest.raises(wm.Error) as caught:
            model.sweep(n=[1, 2, 3, 2000000000], executor=executor)
        assert caught.value.code == "E0610" and caught.value.status == "limit"
        assert model.sweep(n=[1, 2], executor=executor)["t"].tolist() == [1, 6]


def test_errors_can_be_sent():
    with pytest.raises(wm.Error) as caught:
        wm.loads("wave 1\nmodel M { output total = 2 * L }")
    sent = pickle.loads(pickle.dumps(caught.value))
    assert (str(sent), sent.status, sent.code) == (str(caught.value), "failed", "E0201")


@pytest.mark.parametrize("what", ["interrupt", "progress"])
def test_what_ends_a_sweep_ends_its_parts_in_threads(what):
    model = wm.loads(LONG, shortcuts=False, engine="interpreter", threads=1, seconds=60)

    def ends(done, points):
        if what == "progress" and done > 0:
            raise KeyboardInterrupt

    with EXECUTORS["threads"]() as executor:
        begin = time.monotonic()
        if what == "interrupt":
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            model.sweep(n=[1] * 10 + [2000000000] * 70, executor=executor, progress=ends)
        assert time.monotonic() - begin < 10
        assert executor.submit(lambda: 1).result(timeout=5) == 1


def test_a_sweep_goes_on_from_its_journal(tmp_path):
    model, journal, told = wm.loads(MODEL), tmp_path / "points.journal", []
    whole = model.sweep(AXES)

    def ends(done, points):
        if done > 100:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        model.sweep(AXES, journal=journal, progress=ends)
    size = journal.stat().st_size
    again = wm.loads(MODEL)
    same(again.sweep(AXES, journal=journal, progress=lambda done, points: told.append(done)), whole)
    assert told[0] == 0 < 10 < told[1] and told[-1] == 1200 and journal.stat().st_size > size
    size = journal.stat().st_size
    same(again.sweep(AXES, journal=str(journal)), whole)
    assert journal.stat().st_size == size


def test_an_interrupt_keeps_the_journal(tmp_path):
    journal = tmp_path / "points.journal"
    model = wm.loads(LONG, shortcuts=False, engine="interpreter", threads=1)

    def interrupts(done, points):
        if done > 20:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        model.sweep(n="50000..50400", journal=journal, progress=interrupts)
    told = []
    found = model.sweep(n="50000..50400", journal=journal, progress=lambda done, points: told.append(done))
    assert told[0] == 0 < 5 < told[1] and told[-1] == 401
    same(found, wm.loads(LONG).sweep(n="50000..50400"))


def test_the_program_goes_on_from_the_journal_of_a_sweep(tmp_path):
    (tmp_path / "m.wave").write_text(MODEL)

    def ends(done, points):
        if done > 300:
            raise RuntimeError("enough")

    code = wm.load(tmp_path / "m.wave").bind(L="2 us")
    with pytest.raises(RuntimeError):
        code.sweep(n="1..2000", show=["total"], journal=tmp_path / "x.csv.journal", progress=ends)
    asked = ["--model", "M", "-D", "L=2 us", "--vary", "n=1..2000", "--show", "total"]
    command = [conftest.PROGRAM, "sweep", tmp_path / "m.wave", *asked, "-o"]
    resumed = subprocess.run([*command, tmp_path / "x.csv", "--resume", "--verbose"], capture_output=True, text=True)
    kept = re.search(r"(\d+) were in the journal", resumed.stderr)
    assert resumed.returncode == 0 and kept and int(kept[1]) > 20, resumed.stderr
    subprocess.run([*command, tmp_path / "y.csv"], check=True, capture_output=True)
    assert (tmp_path / "x.csv").read_bytes() == (tmp_path / "y.csv").read_bytes()


def test_a_sweep_that_is_killed_goes_on(tmp_path):
    journal = tmp_path / "points.journal"
    code = f"""
import wavemodel as wm
m = wm.loads({LONG!r}, shortcuts=False, engine="interpreter", threads=1)
s = m.sweep(n="30000..30400", journal={str(journal)!r})
print(s["t"].tobytes().hex())
"""
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as killed:
        for _ in range(1000):
            time.sleep(0.01)
            if journal.exists() and journal.stat().st_size > 3000:
                break
        killed.kill()
    model = wm.loads(LONG)
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    assert told == model.sweep(n="30000..30400")["t"].tobytes().hex()


def test_journals_are_refused_as_by_the_program(ping, tmp_path, refuses):
    journal = tmp_path / "points.journal"
    ping.sweep(n=[1, 2], show=["total"], journal=journal)
    text = refuses(wm.Error, ping.sweep, n=[1, 2, 3], show=["total"], journal=journal)
    assert "holds results of another study" in text and "`--vary n` has changed" in text
    with concurrent.futures.ThreadPoolExecutor(1) as executor:
        refuses(TypeError, ping.sweep, n=[1, 2], journal=journal, executor=executor)
    assert "cannot be written" in refuses(wm.Error, ping.sweep, n=[1], journal=tmp_path / "no" / "x")


def test_a_value_of_numpy_reaches_other_processes(ping):
    bound = ping.bind(L=numpy.float64(3e-6))
    with EXECUTORS["spawn"]() as executor:
        same(bound.sweep(n=[1, 2, 3], show=["total"], executor=executor), bound.sweep(n=[1, 2, 3], show=["total"]))
