"""A sweep on mpi4py.futures: a dead rank ends the job, and the journal continues it."""

import os
import shlex
import signal

import pytest
from recipes import MOMENTS, cut, kill, recipe

PYTHON = os.environ["WAVE_PYTHON"]
MPIRUN = os.environ["WAVE_MPIRUN"]


def command():
    """The first line of the recipe, with this test's programs and three ranks."""
    words = shlex.split(recipe("mpi.sh").splitlines()[0])
    assert words[:4] == ["mpirun", "-n", "8", "python3"]
    return [MPIRUN, "-n", "3", PYTHON, *words[4:]]


@pytest.fixture
def job(study):
    (study.folder / "sweep_on_mpi.py").write_text(recipe("sweep_on_mpi.py"))
    return lambda **options: study.start(*command(), **options)


def ranks(study, folder="/proc"):
    """The processes of this study by their ranks."""
    found = {}
    for process in filter(str.isdigit, os.listdir(folder)):
        try:
            with open(f"{folder}/{process}/environ", "rb") as file:
                variables = dict(line.split(b"=", 1) for line in file.read().split(b"\0") if b"=" in line)
            with open(f"{folder}/{process}/comm") as file:
                name = file.read()
        except OSError:
            continue
        if variables.get(b"TMPDIR") == str(study.folder).encode() and b"OMPI_COMM_WORLD_RANK" in variables:
            if name.startswith("python"):
                found[int(variables[b"OMPI_COMM_WORLD_RANK"])] = int(process)
    return found


def test_the_recipe_is_the_study(study, job):
    whole = job()
    assert whole.wait() == 0, study.said(whole)
    study.check_finished()


@pytest.mark.parametrize("rank", [0, 1], ids=["the client", "a worker"])
def test_a_rank_that_is_killed_ends_the_job_and_the_journal_goes_on(study, job, rank):
    for moment in MOMENTS:
        lost = job()
        study.wait_for(lost, moment)
        if process := ranks(study).get(rank):
            os.kill(process, signal.SIGKILL)
        lost.wait()
        cut(study.journal)
    again = job()
    assert again.wait() == 0, study.said(again)
    study.check_finished()


def test_a_job_that_is_killed_goes_on_without_mpi(study, job):
    for moment in MOMENTS:
        lost = job()
        study.wait_for(lost, moment)
        kill(lost)
        for process in ranks(study).values():
            os.kill(process, signal.SIGKILL)
    again = study.start(PYTHON, "-c", "import wavemodel as wm\n"
                        "wm.open_program('farm.wave').study('scaling', journal='scaling.csv.journal')")
    assert again.wait() == 0, study.said(again)
    study.check_finished()


def test_a_full_disk_ends_the_job_and_it_goes_on_with_room(study):
    program = recipe("sweep_on_mpi.py")
    limit = f"import resource, signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n" \
            f"resource.setrlimit(resource.RLIMIT_FSIZE, ({study.size // 2}, resource.RLIM_INFINITY))\n"
    (study.folder / "sweep_on_mpi.py").write_text(program.replace("    with MPI", "    LIMIT\n    with MPI").replace(
        "LIMIT", limit.replace("\n", "\n    ")))
    study.environment["OMPI_MCA_btl"] = "self,tcp"  # a limit on files would hit memory that ranks share
    full = study.start(*command())
    assert full.wait() != 0 and "E0613" in study.said(full) and "goes on from there" in study.said(full)
    (study.folder / "sweep_on_mpi.py").write_text(program)
    again = study.start(*command())
    assert again.wait() == 0, study.said(again)
    study.check_finished()
