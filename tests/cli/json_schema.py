#!/usr/bin/env python3
"""Checks that the JSON of every verb that offers it is as docs/json.md says, and that the page names its tables.

usage: json_schema.py WAVE SOURCE
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys

# A command for each verb; more where its answers are of several kinds.
COMMANDS = [
    "run examples/sweep/sweep.wave --breakdown --verbose",
    "run examples/sweep/sweep.wave --unused",
    "batch examples/halo/halo.wave --columns FOLDER/grids.csv",
    "test examples/halo",
    "cost std.machines.ibm_sp2.SP2",
    "count examples/halo/halo.wave --by rank",
    "flops examples/stap/synchronous.wave",
    "sweep examples/halo/halo.wave --vary n=1..4",
    "sweep examples/halo/halo.wave --vary n=1..4 --show total --reduce 'best 2 of total' --reduce 'mean of total'",
    "fit osu examples/sweep3d/osu_latency.txt",
    "fit examples/sweep3d/weak_scaling.wave --data examples/sweep3d/cray_xe6.csv --params on_one,step",
    "validate examples/sweep3d/reference.wave --data examples/sweep3d/reference.csv -D 'Wg=1.25 us'",
    "optimize examples/halo/halo.wave --over n=1..8 --minimize total",
    "find examples/halo/halo.wave --over nx=1..128 --where 'share <= 0.5'",
    "compare examples/halo/halo.wave --with nx=64 --with nx=32",
    "diff FOLDER/before.json FOLDER/after.json",
]
# Verbs whose commands need recordings or several files; tests of their own run them.
ELSEWHERE = {"merge", "check", "infer"}
SHAPES = {"single", "record", "series", "list", "records"}


def check_value(value):
    assert value is None or isinstance(value, (bool, int, float, str)) or (
        isinstance(value, list) and all(isinstance(word, str) for word in value)), value


def check_table(name, table):
    assert table["status"] in ("evaluated", "failed") and table["shape"] in SHAPES, name
    members = set(table) - {"status", "shape", "doc"}
    if table["status"] == "failed":
        assert members == {"code"}, name
    elif table["shape"] == "single":
        assert members in ({"value"}, {"value", "unit"}), name
        check_value(table["value"])
    elif table["shape"] == "record":
        assert members == {"fields"}, name
        for field in table["fields"].values():
            assert set(field) in ({"value"}, {"value", "unit"}), name
            check_value(field["value"])
    else:
        assert members == {"columns", "rows"}, name
        for column in table["columns"]:
            assert "name" in column and set(column) <= {"name", "unit", "is", "doc"}, name
            assert column.get("is", "output") in ("parameter", "output", "measured"), name
        for row in table["rows"]:
            assert len(row) == len(table["columns"]), name
            for value in row:
                check_value(value)


def check(text, verb, page):
    answer = json.loads(text)
    assert list(answer)[:2] == ["wave", "verb"] and list(answer)[-2:] == ["tables", "says"], list(answer)
    assert answer["verb"] == verb and answer["tables"], verb
    assert all(isinstance(line, str) for line in answer["says"])
    for name, table in answer["tables"].items():
        check_table(name, table)
    own = set(answer) - {"wave", "verb", "file", "model", "tables", "says"}
    missing = [name for name in own if f"`{name}`" not in page]
    assert not missing, f"docs/json.md does not name {missing} of `{verb}`"


def verbs_with_json(wave):
    listed = subprocess.run([wave, "--help"], capture_output=True, text=True, check=True).stdout
    verbs = re.findall(r"^  (\w+)  +\S", listed.split("Subcommands:")[-1], re.MULTILINE)
    helps = {verb: subprocess.run([wave, verb, "--help"], capture_output=True, text=True).stdout for verb in verbs}
    return {verb for verb, text in helps.items() if re.search(r"--format \S*json", text)}


def main(wave, source):
    import tempfile

    page = (pathlib.Path(source) / "docs/json.md").read_text()
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "grids.csv").write_text("n,m\n4,4\n8,2\n")
        for name, n in (("before", 4), ("after", 8)):
            command = [wave, "run", "examples/halo/halo.wave", "-D", f"n={n}", "--format", "json"]
            made = subprocess.run(command, capture_output=True, text=True, check=True, cwd=source)
            (pathlib.Path(folder) / f"{name}.json").write_text(made.stdout)
        for line in COMMANDS:
            words = shlex.split(line.replace("FOLDER", folder))
            run = subprocess.run([wave, *words, "--format", "json"], capture_output=True, text=True, cwd=source)
            assert run.returncode == 0, f"{line}: {run.stderr}"
            check(run.stdout, words[0], page)
    known = {line.split()[0] for line in COMMANDS} | ELSEWHERE
    offered = verbs_with_json(wave)
    assert len(offered) > 10 and offered <= known, f"no command for {offered - known}"


main(*sys.argv[1:])
