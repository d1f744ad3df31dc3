"""A sweep on Dask: a scheduler and workers as processes, any of which is lost."""

import os
import shlex
import time

import pytest
from recipes import MOMENTS, cut, kill, recipe

PYTHON = os.environ["WAVE_PYTHON"]


class Cluster:
    """The recipe's scheduler, and workers that are processes of their own."""

    def __init__(self, study):
        self.study = study
        scheduler, worker = (shlex.split(line.rstrip(" &")) for line in recipe("dask.sh").splitlines())
        assert worker[3:5] == ["--nworkers", "2"] and scheduler[0] == "dask-scheduler"
        self.worker = [*worker[:3], "--nworkers", "1", *worker[5:], "--no-nanny", "--no-dashboard", "--local-directory", "."]
        self.scheduler = study.start(*scheduler, "--port", "0", "--no-dashboard")
        self.workers = []
        (study.folder / "sweep_on_dask.py").write_text(recipe("sweep_on_dask.py"))

    def has_workers(self, count):
        """Starts those that are missing. A client waits for the first of them."""
        self.workers = [one for one in self.workers if one.poll() is None]
        self.workers += [self.study.start(*self.worker) for _ in range(count - len(self.workers))]

    def client(self):
        return self.study.start(PYTHON, "sweep_on_dask.py")


@pytest.fixture
def cluster(study):
    return Cluster(study)


def ends_well(study, client):
    assert client.wait() == 0, study.said(client)
    study.check_finished()


def test_a_worker_that_is_killed_is_replaced_by_the_others(study, cluster):
    for moment in MOMENTS:
        cluster.has_workers(2)
        client = cluster.client()
        study.wait_for(client, moment)
        kill(cluster.workers[0])
        ends_well(study, client)
        study.journal.unlink(missing_ok=True)


def test_a_client_that_is_killed_goes_on(study, cluster):
    cluster.has_workers(2)
    for moment in MOMENTS:
        client = cluster.client()
        study.wait_for(client, moment)
        kill(client)
        cut(study.journal)
    ends_well(study, cluster.client())


def test_where_all_are_killed_the_sweep_goes_on_without_them(study, cluster):
    for moment in MOMENTS:
        cluster.has_workers(2)
        client = cluster.client()
        study.wait_for(client, moment)
        for process in [client, *cluster.workers, cluster.scheduler]:
            kill(process)
        (study.folder / "scheduler.json").unlink()
        cluster = Cluster(study) if moment < MOMENTS[-1] else None
    ends_well(study, study.start(PYTHON, "-c", "import wavemodel as wm\n"
                                 "wm.open_program('farm.wave').study('scaling', journal='scaling.csv.journal')"))


def test_a_sweep_without_any_worker_says_so_and_goes_on_with_one(study, cluster):
    cluster.has_workers(1)
    client = study.start(PYTHON, "-c", "import wavemodel._division as division\n"
                         "division.LEAST_EXPECTED_SECONDS = 0.1  # there is nothing to wait for\n"
                         + recipe("sweep_on_dask.py"))
    study.wait_for(client, 0.1)
    kill(cluster.workers[0])
    while "or none may be left" not in study.said(client) and client.poll() is None:
        time.sleep(0.02)
    assert client.poll() is None
    cluster.has_workers(1)
    ends_well(study, client)


def test_a_full_disk_ends_the_sweep_and_it_goes_on_with_room(study, cluster):
    cluster.has_workers(2)
    full = study.start("prlimit", f"--fsize={study.size // 2}", PYTHON, "-c", "import signal\n"
                       "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n" + recipe("sweep_on_dask.py"))
    assert full.wait() != 0 and "E0613" in study.said(full) and "goes on from there" in study.said(full)
    ends_well(study, cluster.client())
