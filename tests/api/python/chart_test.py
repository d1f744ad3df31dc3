"""Charts: their specifications, their files, and what notebooks get of them."""

import base64
import collections
import json
import os
import re
import stat
import subprocess
import types

import conftest
import pytest

import wavemodel as wm

HOSTILE = '<script>alert("x")</script>'


@pytest.fixture
def points(ping):
    return ping.sweep(n=[1, 2, 4], L=[1e-6, 2e-6], name=[HOSTILE, "b"], show=["total", "count"])


def test_a_chart_is_vega_lite_with_units_and_the_values_of_its_points(points):
    spec = points.plot("total", x="n", by="L", on="log, linear").to_dict()
    assert spec["$schema"].endswith("/vega-lite/v5.json")
    assert spec["encoding"]["y"]["axis"]["title"] == "total [ms]" and spec["encoding"]["x"]["scale"]["type"] == "log"
    drawn = {(one["x"], round(one["y"], 12)) for one in spec["data"]["values"]}
    assert drawn == {(n, round(n * L * 1e3, 12)) for n in (1, 2, 4) for L in (1e-6, 2e-6)}
    assert spec["encoding"]["color"]["title"].startswith("L")


def test_several_results_and_maps_are_charts(sweep3d):
    points = sweep3d.sweep({"n": [4, 8], "m": [4, 8]}, show="total, half = total / 2")
    lines = points.plot("total, half", x="n").spec
    assert set(lines["encoding"]["color"]["scale"]["domain"]) == {"total, 4", "total, 8", "half, 4", "half, 8"}
    shade = points.plot("total", x="n, m", on="log").spec["layer"][0]["encoding"]["color"]
    assert shade["scale"]["type"] == "log"


def test_files_of_a_chart_have_the_bytes_of_wave_sweep(sweep3d, tmp_path):
    chart = sweep3d.sweep({"n": [4, 8]}, net=["SP2()", "SP2(L = 5 us)"], show="total").plot("total", by="net")
    for end in ("svg", "png", "pdf", "json", "html"):
        chart.save(tmp_path / f"chart.{end}")
    subprocess.run(
        [conftest.PROGRAM, "sweep", conftest.SOURCE / "examples/sweep3d/sweep3d.wave", "--vary", "n=[4, 8]", "--vary",
         "net=[SP2(), SP2(L = 5 us)]", "--show", "total", "--draw", "total vs n by net", "--out", tmp_path / "points.csv",
         "--svg", tmp_path / "wave.svg", "--png", tmp_path / "wave.png", "--pdf", tmp_path / "wave.pdf"], check=True)
    for end in ("svg", "png", "pdf"):
        assert (tmp_path / f"chart.{end}").read_bytes() == (tmp_path / f"wave.{end}").read_bytes()
    assert json.loads((tmp_path / "chart.json").read_text()) == chart.spec
    assert "Content-Security-Policy" in (tmp_path / "chart.html").read_text()


def test_notebooks_get_vega_lite_and_a_drawing_in_its_size(points):
    chart = points.plot("total", x="n")
    data, metadata = chart._repr_mimebundle_()
    assert set(data) == {"text/plain", "application/vnd.vegalite.v5+json", "image/png"}
    assert data["text/plain"].startswith("Lines of total [ms] over n")
    size = re.match(r'<svg.*? width="(\d+)" height="(\d+)"', chart.to_svg())
    assert metadata["image/png"] == {"width": int(size[1]), "height": int(size[2])}
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert list(chart._repr_mimebundle_(include=["text/plain"])[0]) == ["text/plain"]
    without, metadata = chart._repr_mimebundle_(exclude=["image/png"])
    assert "image/png" not in without and metadata == {}


def test_names_of_models_are_text_in_every_form(points):
    chart = points.plot("total", x="n", by="name")
    assert HOSTILE in json.dumps(chart.spec).replace('\\"', '"')
    for form in (chart.to_svg(), chart.to_html()):
        assert "<script>alert" not in form and "alert(" in form


def test_where_nothing_draws_the_words_say_why(points, monkeypatch):
    def fails():
        raise wm.Error(1, "error[E0614]: no\n", '[{"code": "E0614", "message": "nothing draws", "help": []}]')

    chart = points.plot("total")
    drawn = chart._handle
    monkeypatch.setattr(chart, "_handle", types.SimpleNamespace(draw=lambda form: fails() if form == 2 else drawn.draw(form)))
    shown, _ = chart._repr_mimebundle_()
    assert "image/png" not in shown and shown["text/plain"].endswith("(nothing draws)")


def test_heat_maps_and_breakdowns_are_charts(points, sweep3d):
    spec = points.heat_map("total", "n", "L").spec
    assert len(spec["data"]["values"]) == 6
    result = sweep3d.run(n=8)
    bars = result.plot_breakdown("total").spec["data"]["values"]
    assert sum(bar["x"] for bar in bars) == pytest.approx(result.total)


def test_a_timeline_is_as_long_as_its_process_and_has_the_slices_of_wave_trace(tmp_path):
    given = {"net": "Azure()", "schedule": "gpipe", "p": "4", "m": "6", "t_F": "1 ms", "t_B": "2 ms", "activation": "1 MiB"}
    result = wm.load("std.training.schedules", model="Schedule").run(**given)
    chart = result.timeline("one_part.step")
    values = chart.spec["data"]["values"]
    assert chart.spec["encoding"]["x"]["axis"]["title"] == "time [ms]"
    assert max(one["e"] for one in values) * 1e-3 == pytest.approx(result.exact)
    definitions = [part for name, value in given.items() for part in ("-D", f"{name}={value}")]
    trace = subprocess.run([conftest.PROGRAM, "trace", "std.training.schedules", "--model", "Schedule", "--process", "one_part.step",
                            *definitions],
                           capture_output=True, text=True, check=True).stdout
    wanted, drawn = collections.Counter(), collections.Counter()
    for event in json.loads(trace)["traceEvents"]:
        if event["ph"] == "X" and event["cat"] != "message":  # messages are around what is seen
            wanted[event["cat"]] += event["dur"] * 1e-3
    for one in values:
        drawn[one["s"]] += one["e"] - one["x"]
    assert dict(drawn) == pytest.approx(dict(wanted)) and len(drawn) >= 3
    chart.save(tmp_path / "timeline.svg")
    assert (tmp_path / "timeline.svg").read_text().count("<path") > len(values)


def test_charts_refuse_what_they_cannot_draw(points, refuses, tmp_path):
    assert "the columns are `n`, `L`, `name`" in refuses(wm.Error, points.plot, "totals")
    assert "`on` does not take 'logs'" in refuses(ValueError, points.plot, "total", on="logs")
    assert "`on` does not take 'log, log, log'" in refuses(ValueError, points.plot, "total", on="log, log, log")
    assert "not with `.eps`" in refuses(ValueError, points.plot("total").save, tmp_path / "chart.eps")
    refuses(wm.Error, points.heat_map, "total", "n", "k")


def test_a_file_is_written_whole_or_not_at_all(points, tmp_path, monkeypatch):
    chart, file = points.plot("total"), tmp_path / "chart.json"
    chart.save(file)
    whole = file.read_bytes()
    file.write_text("before")
    file.chmod(0o640)

    def fails(*arguments):
        raise OSError("the disk is full")

    for step in ("fsync", "replace"):
        with monkeypatch.context() as context:
            context.setattr(os, step, fails)
            with pytest.raises(OSError, match="full"):
                chart.save(file)
        assert file.read_text() == "before" and os.listdir(tmp_path) == ["chart.json"]
    link = tmp_path / "link.json"
    link.symlink_to("chart.json")
    chart.save(link)
    assert link.is_symlink() and file.read_bytes() == whole and stat.S_IMODE(file.stat().st_mode) == 0o640
    file.chmod(0o440)
    if os.geteuid() != 0:
        with pytest.raises(PermissionError):
            chart.save(file)
    with pytest.raises(FileNotFoundError):
        chart.save(tmp_path / "no" / "chart.json")
    assert sorted(os.listdir(tmp_path)) == ["chart.json", "link.json"]


def test_a_chart_is_written_to_a_pipe_as_it_is(points, tmp_path):
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    points.plot("total").save(pipe)
    assert json.loads(reader.communicate()[0])["$schema"] and stat.S_ISFIFO(pipe.stat().st_mode)
