"""Explanations and sweeps."""

import os
import signal
import threading

import conftest
import numpy
import pytest

import wavemodel as wm


def test_a_breakdown_adds_up_to_its_output(sweep3d):
    result = sweep3d.run(n=8, m=8, **{"net.L": "5 us"})
    parts = result.breakdown("total")
    assert list(parts.columns) == ["output", "of", "where", "time", "percent"]
    assert parts["time"].sum() == pytest.approx(result.total) and set(parts["output"]) == {"total"}
    assert parts.attrs["units"]["time"] == "s"
    assert set(result.breakdown()["output"]) == {"iteration", "exact", "total"}


def test_a_critical_path_is_as_long_as_its_output(sweep3d):
    result = sweep3d.run(n=6)
    path = result.critical_path("exact")
    assert path["time"].sum() == pytest.approx(result.exact) and "compute" in set(path["kind"])


def test_sensitivities_tell_what_a_little_more_costs(sweep3d):
    result = sweep3d.run(n=8)
    table = result.sensitivity("net.L", "Wg")
    assert table.equals(result.sensitivity(["net.L", "Wg"]))
    assert {"Wg"} <= set(result.sensitivity()["parameter"]) and "net.L" not in set(result.sensitivity()["parameter"])
    slope = table[(table["parameter"] == "net.L") & (table["output"] == "total")]["derivative"].item()
    more = sweep3d.run(n=8, **{"net.L": float(sweep3d.params["net.L"].value) + 1e-6})
    assert more.total - result.total == pytest.approx(slope * 1e-6)


def test_explanations_refuse_what_they_cannot_explain(sweep3d, refuses):
    result = sweep3d.run()
    assert "totals" in refuses(wm.Error, result.breakdown, "totals")
    assert "`n`" in refuses(wm.Error, result.sensitivity, "n")
    assert "`3`" in refuses(wm.Error, result.sensitivity, "3")
    assert "not by int" in refuses(TypeError, result.sensitivity, [3])
    assert "no parameter is named" in refuses(wm.Error, result.sensitivity, [])


def test_a_sweep_takes_every_combination(ping):
    sweep = ping.sweep(n=[1, 2], L=numpy.array([1e-6, 2.5e-6]), way=["eager", "rendezvous"], name=['a "b"'])
    assert sweep.points == 8 and list(sweep)[:4] == ["n", "L", "way", "name"]
    assert sweep["total"].tolist() == [1e-6, 1e-6, 2.5e-6, 2.5e-6, 2e-6, 2e-6, 5e-6, 5e-6]
    assert sweep.df["fast"].tolist() == [True, False] * 4 and set(sweep.df["title"]) == {'a "b"'}
    assert sweep.units["total"] == "s" and not sweep.codes.any()


def test_a_sweep_has_the_bits_of_runs(sweep3d):
    latencies = [1.0000000000000002e-6, 7.3e-6, 1 / 3 * 1e-6, 2e-5]
    sweep = sweep3d.sweep({"net.L": latencies, "n": [3, 4], "net.G_l": [1e-9, 1.7e-10]}, show=["total", "exact"])
    frame = sweep.df
    for row in range(sweep.points):
        point = {name: frame[name][row] for name in ("net.L", "n", "net.G_l")}
        run = sweep3d.run(**point)
        assert (frame["total"][row], frame["exact"][row]) == (run.total, run.exact)


def test_a_sweep_shows_and_chooses_what_it_is_asked(sweep3d):
    sweep = sweep3d.sweep({"n": "1..8 by *2"}, net=["SP2()", "SP2(L = 5 us)"], show="total", where=["n > 2"])
    assert list(sweep) == ["n", "net", "total"] and sweep.points == 4
    failing = sweep3d.sweep(n=[1, 2], show=["total"])
    assert failing.codes.tolist() == [513, 0] and numpy.isnan(failing["total"][0])
    assert failing.df["error"].tolist() == ["E0513", ""]


def test_a_sweep_takes_the_values_that_are_bound(ping):
    assert ping.bind(L="3 us").sweep(n=[2])["total"].tolist() == [6e-6]


def test_sweeps_refuse_what_they_cannot_vary(ping, refuses):
    assert "`n` is of type int" in refuses(TypeError, ping.sweep, n=3)
    assert "`n` holds a NoneType" in refuses(TypeError, ping.sweep, n=[None])
    assert "`L` holds nan" in refuses(ValueError, ping.sweep, L=[float("nan")])
    assert "`show` holds a int" in refuses(TypeError, ping.sweep, n=[1], show=[1])
    assert "`n` is given twice" in refuses(TypeError, ping.sweep, {"n": [1]}, n=[2])
    for axes in ({}, {"k": [1]}, {"n": []}, {"n": [1, 2.5]}, {"n": "1.."}):
        refuses(wm.Error, ping.sweep, axes)


def test_studies_of_a_program_are_evaluated(refuses):
    program = wm.open_program(conftest.SOURCE / "examples/max_rate/max_rate.wave")
    assert program.study().points >= 16
    assert "there is no option `colour`" in refuses(wm.Error, program.study, colour="red")
    assert "says itself what varies" in refuses(wm.Error, program.study, vary="n=1..4")


def test_options_of_a_sweep_are_passed_on_by_name(ping, refuses):
    chosen = ping.sweep(n=[1, 2, 3], show="total", where=["n > 1", "n < 3"])
    assert ping.sweep(n=[1, 2, 3], options={"show": "total", "where": ["n > 1", "n < 3"]}) == chosen
    assert ping.sweep(options={"vary": "n=[1, 2, 3]"}, show="total", where=["n > 1", "n < 3"]) == chosen
    text = refuses(wm.Error, ping.sweep, n=[1], options={"vari": "n=1..4"})
    assert "there is no option `vari`" in text and "did you mean `vary`?" in text
    assert "`where` holds nan" in refuses(wm.Error, ping.sweep, n=[1], options={"where": float("nan")})
    assert "holds a zero character" in refuses(wm.Error, ping.sweep, n=[1], where="n > 0\0")
    both = wm.loads("wave 1\nmodel M { param n: int; output t = n }\nstudy S of M { vary n in 1..8 }")
    assert both.program.study(where="n > 6")["t"].tolist() == both.program.study("S", where=["n > 6"])["t"].tolist() == [7, 8]


def test_progress_is_told_and_may_end_a_sweep(ping, refuses):
    told = []
    ping.sweep(n="1..100", progress=lambda done, points: told.append((done, points)))
    assert told[0] == (0, 100) and told[-1] == (100, 100)

    def ends(done, points):
        raise RuntimeError("enough")

    assert refuses(RuntimeError, ping.sweep, n="1..100", progress=ends) == "enough"


@pytest.mark.parametrize("kind", ["sweep", "run", "batch"])
def test_keyboard_interrupts_end_what_takes_long(kind):
    model = wm.loads("wave 1\nmodel M { param n: int = 100000000000\n output t = sum(i in 1..n: i mod 7) }",
                     shortcuts=False, engine="interpreter", threads=1, seconds=1e9)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        if kind == "run":
            model.run()
        elif kind == "batch":
            model.batch({"n": [100000000000] * 100})
        else:
            model.sweep(n="100000000000..100000000100")
    assert model.run(n=1).t == 1 and model.batch({"n": [1, 2]})["t"].tolist() == [1, 3]


CHOOSE = """wave 1
import std.machines.loggp { LogGP }
model M {
  param net: LogGP = LogGP(L = 1 us, o = 1 us, g = 0, G = 0)
  param kind: a | b | both = b
  param speed: work/time = 2 Gflop/s
  grid P[i: 4]
  process pa on P using net { compute(20 Mflop / speed) }
  process pb on P using net { compute(2 Mflop / speed) }
  output step = when { kind == a: pa.time; kind == b: pb.time; else: pa.time + pb.time }
  output rate = 22 Mflop / step
}
"""


def test_critical_paths_are_of_the_processes_that_count():
    model = wm.loads(CHOOSE)
    chosen = model.run().critical_path("step")
    assert "process" not in chosen and chosen["time"].sum() == pytest.approx(1e-3)
    both = model.run(kind="both").critical_path("step")
    assert both.groupby("process")["time"].sum().to_dict() == pytest.approx({"pa": 0.01, "pb": 0.001})
    assert set(both["output"]) == {"step"}
    bars = model.run(kind="both").plot_breakdown("step").spec["data"]["values"]
    assert sum(bar["x"] for bar in bars) == pytest.approx(11)
    assert model.run(kind="a").timeline().spec["data"]["values"]


def test_derivatives_say_their_units():
    result = wm.loads(CHOOSE).run()
    times = result.sensitivity("speed")
    step, rate = (times[times["output"] == name].iloc[0] for name in ("step", "rate"))
    assert (step["derivative_unit"], rate["derivative_unit"]) == ("s/(flop/s)", "")
    assert step["derivative"] == pytest.approx(-result.step / 2e9) and step["elasticity"] == pytest.approx(-1)
    assert rate["derivative"] == pytest.approx(11) and rate["elasticity"] == pytest.approx(1)
    assert times.attrs["units"]["holds_up_by"] == "flop/s"
