"""A study on GNU parallel: parts that fail, and those that were never begun, are computed by the same lines once more."""

from recipes import MOMENTS, kill_all, kill_one, recipe


def begin(study):
    (study.folder / "scaling.csv").unlink(missing_ok=True)
    return study.start("bash", "-e", "-c", recipe("parallel.sh"))


def ends_well(study):
    whole = begin(study)
    assert whole.wait() == 1, study.said(whole)
    assert "4 of 400 points failed" in study.said(whole)  # it is merging that says so, and nothing else failed
    study.check_results()


def test_the_recipe_is_the_study(study):
    ends_well(study)


def test_where_one_part_is_killed_the_others_are_computed_and_it_goes_on(study):
    for moment in MOMENTS:
        lost = begin(study)
        study.wait_for_parts(lost, moment)
        kill_one(study)
        lost.wait()
    ends_well(study)


def test_where_all_are_killed_the_same_lines_go_on_also_with_journals_that_were_cut(study):
    for moment in MOMENTS:
        lost = begin(study)
        study.wait_for_parts(lost, moment)
        kill_all(study, lost)
    ends_well(study)


def test_a_full_disk_is_said_and_the_same_lines_go_on_with_room(study):
    study.limit_disk(4800)
    full = begin(study)
    assert full.wait() != 0 and "E0613" in study.said(full)
    study.limit_disk(None)
    ends_well(study)
