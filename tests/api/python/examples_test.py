"""A fourth of the examples has the bits of `wave run`. Of all, `tests/api/same_bits.cpp` compares the C interface."""

import json
import math
import subprocess

import conftest
import numpy
import pytest

import wavemodel as wm

EXAMPLES = sorted((conftest.SOURCE / "examples").rglob("*.wave"))[::4]


def printed(file, name):
    command = [conftest.PROGRAM, "run", file, "--model", name, "--format", "json"]
    text = subprocess.run(command, capture_output=True, text=True).stdout
    return json.loads(text)["tables"] if text else None


def run(model):
    try:
        return model.run().asked
    except wm.Error:
        return None


def cells(result, name, wanted):
    """The values of an output, beside those that the program prints."""
    if "value" in wanted:
        return [(result[name], wanted["value"])]
    if "fields" in wanted:
        return [(result[name][field], value["value"]) for field, value in wanted["fields"].items()]
    frame = result.frame(name)
    assert len(frame) == len(wanted["rows"])
    ours = [frame.iloc[:, i].tolist() for i in range(frame.shape[1])]
    return [(ours[i][row], cell) for row, line in enumerate(wanted["rows"]) for i, cell in enumerate(line)]


def is_same(ours, theirs):
    if theirs is None:
        return not math.isfinite(ours)
    return type(theirs) is type(ours) and ours == theirs or isinstance(ours, float) and float(ours).hex() == float(theirs).hex()


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_an_example_has_the_bits_of_the_program(file):
    program = wm.open_program(file)
    for name in program.models:
        wanted, result = printed(file, name), run(program.model(name))
        if wanted is None or result is None:
            assert result is None and not any(one["status"] == "evaluated" for one in (wanted or {}).values())
            continue
        for output, value in wanted.items():
            if value["status"] != "evaluated":
                with pytest.raises(wm.Error):
                    result[output]
                continue
            for ours, theirs in cells(result, output, value):
                assert is_same(ours, theirs), f"{name}.{output}: {ours!r} and {theirs!r}"


def test_there_are_examples():
    assert len(EXAMPLES) > 10
