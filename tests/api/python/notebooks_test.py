"""The notebooks of the examples: they run from end to end, and their numbers are those of the program."""

import ast
import csv
import json
import os
import subprocess
import sys

import conftest
import nbformat
import pytest

FOLDER = conftest.SOURCE / "examples/notebooks"
UNITS = {"s": 1, "ms": 1e-3, "us": 1e-6, "B": 1, "GB": 1e9, None: 1}
PIPELINE = {"net": "Azure()", "p": "8", "layers": "64", "t_F": "5 ms", "t_B": "10 ms", "activation": "16 MiB",
            "kept": "128 MiB"}


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """Executes a notebook, and gives it with its outputs. Every error but those that it announces ends it."""
    done = {}

    def execute(name):
        if name not in done:
            folder = tmp_path_factory.mktemp(name)
            package = os.path.dirname(os.path.dirname(sys.modules["wavemodel"].__file__))
            command = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", f"{name}.ipynb", "--output-dir",
                       folder]
            made = subprocess.run(command, cwd=FOLDER, env={**os.environ, "PYTHONPATH": package}, capture_output=True, text=True)
            assert made.returncode == 0, made.stderr[-3000:]
            done[name] = nbformat.read(folder / f"{name}.ipynb", 4)
        return done[name]

    return execute


def checked(notebook):
    """What the cells that are tagged for it give."""
    cells = [cell for cell in notebook.cells if "checked" in cell.metadata.get("tags", [])]
    return [ast.literal_eval(cell.outputs[-1]["data"]["text/plain"]) for cell in cells]


def model_in_cell(notebook, name, folder):
    """The text of a model, as a file."""
    text = next(cell.source for cell in notebook.cells if cell.source.startswith(f"%%wave {name}"))
    file = folder / f"{name}.wave"
    file.write_text(text.split("\n", 1)[1])
    return file


def wave(*arguments):
    return subprocess.run([conftest.PROGRAM, *arguments], capture_output=True, text=True, check=True, cwd=FOLDER).stdout


def run(model, given, *options):
    """The single outputs that the program prints, in SI units."""
    definitions = [part for name, value in given.items() for part in ("-D", f"{name}={value}")]
    outputs = json.loads(wave("run", model, *definitions, *options, "--format", "json"))["tables"]
    return {name: one["value"] * UNITS[one.get("unit")] for name, one in outputs.items() if "value" in one}


def test_notebooks_are_kept_without_outputs():
    files = sorted(FOLDER.glob("*.ipynb"))
    assert len(files) == 3
    for file in files:
        cells = [cell for cell in nbformat.read(file, 4).cells if cell.cell_type == "code"]
        assert all(cell.outputs == [] and cell.execution_count is None for cell in cells), file


def test_the_first_model_has_the_times_of_wave_run(executed, tmp_path):
    notebook = executed("first_model")
    file = model_in_cell(notebook, "jacobi", tmp_path)
    first, second = checked(notebook)
    assert first == pytest.approx(run(file, {"p": 64}), rel=1e-14)
    wanted = run(file, {"p": 128, "net": "Alps(L = 1 us)"})
    assert second == pytest.approx({name: wanted[name] for name in second}, rel=1e-14)


def test_an_error_in_a_notebook_has_no_traceback(executed):
    shown = [one for cell in executed("first_model").cells for one in cell.get("outputs", []) if one.output_type == "error"]
    assert len(shown) == 1 and "E0406" in shown[0].traceback[-1] and len(shown[0].traceback) == 2


def test_the_machine_is_as_good_as_wave_validate_says(executed, tmp_path):
    notebook = executed("benchmark_to_decision")
    validated, sending = checked(notebook)
    text = wave("validate", "../max_rate/max_rate.wave", "--data", "../max_rate/blue_waters.csv", "--measured", "time",
                "--where", "pairs > 1 and pairs < 16", "--format", "json")
    table = json.loads(text)["tables"]["configurations"]
    at = [column["name"] for column in table["columns"]].index("error")
    errors = [abs(row[at]) for row in table["rows"]]
    assert validated["rows"] == len(errors) == 238
    assert validated["mean"] == pytest.approx(sum(errors) / len(errors), rel=1e-9)
    assert validated["largest"] == pytest.approx(max(errors), rel=1e-9)
    file = model_in_cell(notebook, "face", tmp_path)
    one, two = (run(file, {"face": "256 KiB", "senders": n}, "-I", "../max_rate")["time"] for n in (1, 2))
    assert sending == pytest.approx({"one": one, "two": two, "saved": 1 - two / one}, rel=1e-12)


def test_the_plan_is_the_best_of_wave_sweep(executed, tmp_path):
    notebook = executed("planning_training")
    pipeline, best = checked(notebook)
    assert pipeline["most_kept"] == 8 * 128 * 2**20 and pipeline["gpipe_kept"] == 128 * 128 * 2**20
    for name, schedule in (("gpipe_bubble", "gpipe"), ("bubble", "one_forward_one_back")):
        wanted = run("std.training.schedules", {**PIPELINE, "m": 128, "schedule": schedule}, "--model", "Schedule")
        assert pipeline[name] == pytest.approx(wanted["bubble"], rel=1e-14)
    file = model_in_cell(notebook, "plan", tmp_path)
    wave("sweep", file, "--vary", "p=[1, 2, 4, 8, 16, 32, 64]", "--out", tmp_path / "plans.csv")
    with open(tmp_path / "plans.csv") as stream:
        plans = [row for row in csv.DictReader(stream) if float(row["memory [GB]"]) <= 80]
    chosen = min(plans, key=lambda row: float(row["total [s]"]))
    assert best == {"p": int(chosen["p"]), "total": pytest.approx(float(chosen["total [s]"]), rel=1e-14),
                    "memory": pytest.approx(float(chosen["memory [GB]"]), rel=1e-14)}


@pytest.mark.parametrize("name", ["first_model", "benchmark_to_decision", "planning_training"])
def test_charts_are_there_for_those_who_know_vega_lite_and_for_all_others(executed, name):
    charts = [one.data for cell in executed(name).cells for one in cell.get("outputs", [])
              if "application/vnd.vegalite.v5+json" in one.get("data", {})]
    assert charts and all("image/png" in one and one["text/plain"] for one in charts)
