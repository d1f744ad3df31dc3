"""Sweeps that go on where they ended: the same bits in the same order."""

import os
import pickle
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import conftest
import pytest
from points import AXES, LONG, MODEL, same

import wavemodel as wm


def test_errors_can_be_sent():
    with pytest.raises(wm.Error) as caught:
        wm.loads("wave 1\nmodel M { output total = 2 * L }")
    sent = pickle.loads(pickle.dumps(caught.value))
    assert (str(sent), sent.status, sent.code) == (str(caught.value), "failed", "E0201")


def test_sweeps_of_one_program_in_several_threads_wait_for_each_other():
    text = "wave 1\nimport std.machines.ibm_sp2 { SP2 }\nmodel M { param n: int = 2; param net: SP2 = SP2(); "
    model = wm.loads(text + "output total = n * net.total(8 B) }")
    machines = [f"SP2(L = {i} us)" for i in range(1, 12)]

    def sweep(i):
        told = []
        model.bind(n=4 + i).sweep({}, net=machines, show="total", progress=lambda done, points: told.append(done))
        return told[-1]

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(sweep, range(16), timeout=60)) == [len(machines)] * 16


def test_a_sweep_says_in_words_of_python_what_it_lacks(ping, refuses):
    text = refuses(wm.Error, ping.sweep, {})
    assert "nothing varies" in text and 'say what does: `n="1..16 by *2"`' in text and "set" not in text.split("help")[1]
    text = refuses(wm.Error, ping.program.study)
    assert "declares no study" in text and "ask a model: `program.model().sweep`" in text
    with pytest.raises(TypeError, match="`journal` is an argument"):
        ping.sweep(n=[1, 2], options={"journal": "points.journal"})
    with pytest.raises(wm.Error, match="`folders` holds a zero character"):
        wm.loads(MODEL, folders=["a\0b"])


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
    assert "holds results of another study" in text and "`n` has changed" in text
    assert "cannot be written" in refuses(wm.Error, ping.sweep, n=[1], journal=tmp_path / "no" / "x")
