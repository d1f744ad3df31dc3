"""Programs that a launcher started: each computes a part, and none knows of the others."""

import os

import pytest
from recipes import MOMENTS, STUDY, WAVE, kill_all, kill_one, recipe

LAUNCHERS = [launcher for launcher in os.environ["WAVE_LAUNCHERS"].split(":") if launcher]


@pytest.fixture(params=LAUNCHERS, ids=os.path.basename)
def launched(study, request):
    """The recipe's first line, with a launcher."""
    study.program("mpirun", f'exec {request.param} "$@"')
    first, merging = recipe("launched.sh").splitlines()
    study.merging = merging
    return lambda: study.start("bash", "-c", first)


def parts(study):
    return [*study.folder.glob("scaling.csv.parts/*")]


def ends_well(study, launched):
    whole = launched()
    assert whole.wait() == 0, study.said(whole)
    merge = "wave merge scaling.csv.parts/*.part --out scaling.csv"
    assert study.merging == merge and study.said(whole).count(merge) == 1
    study.run("bash", "-c", merge, codes=[1])
    study.check_results()
    assert sorted(part.name for part in parts(study)) == [f"{i}.part" for i in range(1, 9)]


def test_each_computes_its_part(study, launched):
    ends_well(study, launched)


def test_where_one_is_killed_the_same_command_goes_on(study, launched):
    for moment in MOMENTS:
        lost = launched()
        study.wait_for_parts(lost, moment)
        kill_one(study)
        lost.wait()
    ends_well(study, launched)


def test_where_all_are_killed_the_same_command_goes_on_also_with_journals_that_were_cut(study, launched):
    for moment in MOMENTS:
        lost = launched()
        study.wait_for_parts(lost, moment)
        kill_all(study, lost)
    ends_well(study, launched)


def test_a_full_disk_is_said_and_the_same_command_goes_on_with_room(study, launched):
    study.limit_disk(4800)
    full = launched()
    assert full.wait() != 0 and "E0613" in study.said(full)
    study.limit_disk(None)
    ends_well(study, launched)


def test_a_part_of_another_model_is_named_by_merge(study, launched):
    ends_well(study, launched)
    model = study.folder / "farm.wave"
    model.write_text(model.read_text().replace("1 us", "2 us"))
    study.run(WAVE, *STUDY, "--shard", "2/8", "--out", "scaling.csv.parts/2.part", "--restart")
    said = study.run("bash", "-c", study.merging, codes=[1])
    assert "E0706" in said and "the model file has changed" in said
