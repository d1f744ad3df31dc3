"""Machines that are fitted: the bytes of `wave fit -o`, and what is refused."""

import json
import subprocess

import conftest
import pytest

import wavemodel as wm

BENCHMARKS = conftest.SOURCE / "tests/cli/fixtures/benchmarks"
OSU = str(conftest.SOURCE / "examples/sweep3d/osu_latency.txt")


@pytest.mark.parametrize(
    ("tool", "files", "words", "options"),
    [
        ("osu", [OSU], [], {}),
        ("osu", [OSU], ["--segments", "2", "--assume", "o=1.2us", "--name", "Xe", "--errors", "absolute"],
         {"segments": 2, "assume": {"o": "1.2us"}, "name": "Xe", "errors": "absolute"}),
        ("osu", [OSU], ["--sizes", "0 B..4 KiB", "--keep-outliers", "--confidence", "0.9", "--protocol", "eager"],
         {"sizes": "0 B..4 KiB", "keep_outliers": True, "confidence": 0.9, "protocols": "eager"}),
        ("osu", [str(BENCHMARKS / "osu_latency.txt"), str(BENCHMARKS / "osu_mbw_mr.txt")], [], {}),
        ("csv", [str(BENCHMARKS / "pairs.txt")], ["--pairs", "1,16"], {"pairs": [1, 16]}),
        ("imb", [str(BENCHMARKS / "imb.txt")], [], {}),
        ("netgauge", [str(BENCHMARKS / "netgauge.txt")], [], {}),
        ("auto", [OSU, str(BENCHMARKS / "imb.txt")], ["--tables", "1,4,5"], {"tables": [1, 4, 5]}),
    ],
)
def test_the_text_is_what_the_program_writes(tmp_path, tool, files, words, options):
    output = tmp_path / "cluster.wave"
    command = [conftest.PROGRAM, "fit", tool, *files, *words, "-o", output, "--format", "json"]
    printed = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    fit = wm.fit_machine(tool, files, output=output, **options)
    assert fit.text == output.read_text()
    tables = printed["tables"]
    if "segments" in tables:  # times of one pair
        wanted = tables["parameters"]
        for at, column in enumerate(wanted["columns"]):
            assert fit.parameters[column["name"]].tolist() == [row[at] for row in wanted["rows"]]
        assert fit.notes == [note for note, in tables["notes"]["rows"]]
        assert len(fit.set_aside) == len(tables["set_aside"]["rows"])
    assert "<table" in fit._repr_html_()


def test_places_are_told_for_each_file(tmp_path):
    output, far = tmp_path / "cluster.wave", str(BENCHMARKS / "osu_latency.txt")
    command = [conftest.PROGRAM, "fit", "osu", "--within", "node", OSU, "--within", "none", far, "-o", output]
    subprocess.run(command, capture_output=True, check=True)
    fit = wm.fit_machine("osu", [OSU, far], within=["node", "none"], output=output)
    assert fit.text == output.read_text() and fit.parameters["within"].tolist()[0] == "node"


def test_a_model_uses_a_fitted_machine():
    fit = wm.fit_machine("osu", OSU, output="cluster.wave", name="Cluster")
    text = "wave 1\nimport cluster { Cluster }\nmodel M { let net = Cluster(); output t = net.total(1 KiB) }"
    assert 0 < wm.loads(text, modules={"cluster": fit.text}).run().t < 1e-3


def test_collectives_are_fitted_to_tables(tmp_path):
    file = tmp_path / "broadcast.csv"
    rows = [(p, s, (3 + 0.01 * s) * (p.bit_length() - 1)) for p in (2, 4, 8, 16) for s in (8, 64, 512)]
    file.write_text("processes,size [B],time [us]\n" + "".join(f"{p},{s},{t}\n" for p, s, t in rows))
    fit = wm.fit_machine("csv", file, operation="broadcast")
    assert fit.collectives["operation"].tolist() == ["broadcast"] and "log2(p)" in fit.collectives["formula"][0]


def test_tables_are_read_with_decimal_commas_and_without_rows_that_lack_a_number(tmp_path):
    rows = [(2**k, 2 + 0.001 * 2**k) for k in range(3, 15)]
    plain, other = tmp_path / "plain.csv", tmp_path / "other.csv"
    plain.write_text("size [B],time [us]\n" + "".join(f"{s},{t:.3f}\n" for s, t in rows))
    lines = "".join(f"{s};{t:.3f}\n".replace(".", ",") for s, t in rows)
    other.write_text("size [B];time [us]\n32768;NA\n" + lines)
    fit = wm.fit_machine("csv", other, decimal=",", skip_missing=True)
    assert fit.parameters["value"].tolist() == wm.fit_machine("csv", plain).parameters["value"].tolist()


@pytest.mark.parametrize(
    ("kind", "tool", "files", "options", "text"),
    [
        (wm.Error, "osu", "nowhere.txt", {}, "cannot read `nowhere.txt`"),
        (wm.Error, "osu", "/dev/zero", {}, "not a plain file"),
        (wm.Error, "osu", [], {}, "name a file"),
        (wm.Error, "ous", OSU, {}, "neither a kind of benchmark nor a model"),
        (wm.Error, "imb", OSU, {}, "osu"),
        (wm.Error, "osu", OSU, {"segments": 21}, "`segments`"),
        (wm.Error, "osu", OSU, {"confidence": 1}, "`confidence`"),
        (wm.Error, "osu", OSU, {"name": "cluster"}, "is no name for a machine"),
        (wm.Error, "osu", OSU, {"within": ["node", "node"]}, "`within`"),
        (wm.Error, "osu", OSU, {"within": ["planet"]}, "no level that a fit knows"),
        (wm.Error, "osu", OSU, {"processes": [2, 3]}, "2 numbers for 1 files"),
        (wm.Error, "osu", OSU, {"sizes": "8"}, "takes a range of sizes"),
        (wm.Error, "osu", OSU, {"assume": {"o": "1"}}, "takes a parameter and a time"),
        (wm.Error, "osu", OSU, {"pairs": [3]}, "of which there are no times"),
        (wm.Error, "auto", OSU, {"tables": [2]}, "`tables` asks for table 2, and there is 1"),
        (wm.Error, "osu", OSU, {"sizes": "1 B..2 B"}, "E0"),
        (ValueError, "osu", OSU, {"errors": "squares"}, "`squares`"),
        (ValueError, "csv", OSU, {"decimal": ";"}, "`decimal`"),
        (TypeError, "osu", OSU, {"colour": 1}, "colour"),
    ],
)
def test_what_cannot_be_fitted_is_refused(refuses, kind, tool, files, options, text):
    assert text in refuses(kind, wm.fit_machine, tool, files, **options)
