"""A study on Slurm: its daemons run as root in a folder of their own, without systemd."""

import os
import shutil
import socket
import subprocess
import time

import pytest
from recipes import Study, kill_all, kill_one, programs, recipe

PARTS = 8


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


CONFIGURATION = """
ClusterName=wave
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthInfo=socket={folder}/munge.socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
KillWait=1
SlurmdParameters=config_overrides
InactiveLimit=0
SchedulerParameters=sched_min_interval=10000,batch_sched_delay=0,bf_interval=1,bf_continue,sched_interval=1
NodeName={host} NodeAddr=127.0.0.1 CPUs=4 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class Cluster:
    def __init__(self, study):
        self.study, self.folder, self.daemons = study, study.folder / "slurm", []
        folder = self.folder
        folder.mkdir()
        (folder / "munge.key").write_bytes(os.urandom(128))
        (folder / "munge.key").chmod(0o400)
        study.environment["SLURM_CONF"] = str(folder / "slurm.conf")
        named = [word for name in ("socket", "key", "pid", "log", "seed")
                 for word in (f"--{name}{'' if name == 'socket' else '-file'}", str(folder / f"munge.{name}"))]
        study.start("/usr/sbin/munged", "--foreground", "--force", *named)
        while not (folder / "munge.socket").exists():
            time.sleep(0.01)
        self.begin_anew()

    def begin_anew(self):
        """Without anything that daemons before have kept."""
        self.kill()
        for kept in (self.folder / "state", self.folder / "spool"):
            shutil.rmtree(kept, ignore_errors=True)
            kept.mkdir()
        host = socket.gethostname().split(".")[0]
        ports = [free_port(), free_port()]
        configuration = CONFIGURATION.format(host=host, ports=ports, folder=self.folder)
        (self.folder / "slurm.conf").write_text(configuration)
        assert self.start(), "\n".join(self.study.said(daemon)[-2000:] for daemon in self.daemons)

    def start(self):
        """Whether the node is there in time."""
        self.daemons = [self.study.start("/usr/sbin/slurmctld", "-D"), self.study.start("/usr/sbin/slurmd", "-D")]
        # A controller that was killed takes tasks to be running that are gone, so its node need not be idle.
        there = {"idle", "mixed", "allocated"}
        return self.comes_true(lambda: there & set(self.ask("sinfo", "-h", "-o", "%T").split()), 60)

    def kill(self):
        for daemon in self.daemons:
            kill_all(self.study, daemon)

    def comes_true(self, condition, seconds):
        end = time.monotonic() + seconds
        while not (is_true := bool(condition())) and time.monotonic() < end:
            time.sleep(0.005)
        return is_true

    def ask(self, *command):
        """What the command prints; without an answer from Slurm, that there is none."""
        try:
            asked = subprocess.run(command, env=self.study.environment, capture_output=True, text=True, timeout=30)
        except subprocess.TimeoutExpired:
            return "? ? no-answer ?\n"
        return asked.stdout if asked.returncode == 0 else "? ? no-answer ?\n"

    def tasks(self):
        """What is queued or runs: (job, what it is, state)."""
        lines = self.ask("squeue", "-h", "-r", "-o", "%i %P %T %r").splitlines()
        return [line.split(maxsplit=3) for line in lines]

    def wait(self):
        """Until nothing is queued and nothing runs."""
        self.wait_until(lambda: False)

    def wait_until(self, condition):
        """Or until nothing is queued and nothing runs."""
        is_over = self.comes_true(lambda: condition() or not self.tasks(), 400)
        assert is_over, self.ask("squeue") + self.ask("sinfo")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    study = Study(tmp_path_factory.mktemp("study"))
    yield Cluster(study)
    study.end()


@pytest.fixture(autouse=True)
def anew(cluster):
    """The study without results; what a test before has left is gone."""
    subprocess.run(["rm", "-rf", "scaling.csv.parts", "scaling.csv", "scaling.csv.slurm"], cwd=cluster.study.folder)


def submit(cluster, within=""):
    """The recipe's two lines, the second within limits that Slurm gives on to the tasks."""
    study = cluster.study
    first, second = recipe("slurm.sh").splitlines()
    if not (study.folder / "scaling.csv.slurm").exists():
        study.run("bash", "-c", first)
    return study.run("bash", "-c", f"{within} {second}")


def wait_for_parts(cluster, count):
    """Until so many parts are whole."""
    cluster.wait_until(lambda: len(list(cluster.study.folder.glob("scaling.csv.parts/*.part"))) >= count)


def test_the_recipe_is_the_study(cluster):
    assert "array job" in submit(cluster)
    cluster.wait()
    cluster.study.check_results()


@pytest.mark.parametrize("whole", [0, PARTS // 2, PARTS - 1])
def test_where_a_task_is_killed_the_script_asks_for_its_part_again(cluster, whole):
    submit(cluster)
    wait_for_parts(cluster, whole)
    cluster.wait_until(lambda: programs(cluster.study))
    kill_one(cluster.study)
    cluster.wait()
    if not (cluster.study.folder / "scaling.csv").exists():
        assert "computes 1-8 of" not in submit(cluster)
        cluster.wait()
    cluster.study.check_results()


def test_a_task_that_is_queued_again_goes_on(cluster):
    submit(cluster)
    is_requeued = False
    while not is_requeued and (tasks := cluster.tasks()):
        for job in [job for job, _, state, _ in tasks if state == "RUNNING" and "_" in job][:1]:
            requeued = subprocess.run(["scontrol", "requeue", job], env=cluster.study.environment, capture_output=True)
            is_requeued = requeued.returncode == 0
    assert is_requeued
    cluster.wait()
    cluster.study.check_results()


@pytest.mark.parametrize("whole", [0, PARTS - 1])
def test_where_all_is_killed_the_script_is_submitted_again(cluster, whole):
    submit(cluster)
    wait_for_parts(cluster, whole)
    cluster.kill()
    # What Slurm makes of what it has kept is its own affair; it may take a node that is gone to be there.
    cluster.start()
    cluster.ask("scancel", "--user=root")
    if not cluster.comes_true(lambda: not cluster.tasks(), 60):
        cluster.begin_anew()
    if not (cluster.study.folder / "scaling.csv").exists():
        submit(cluster)
        cluster.wait()
    cluster.study.check_results()


def test_a_full_disk_is_said_and_the_script_goes_on_with_room(cluster):
    submit(cluster, within="prlimit --fsize=4800")
    cluster.wait()
    logs = [log.read_text() for log in cluster.study.folder.glob("scaling.csv.parts/*.log")]
    assert any("E0613" in log for log in logs) and not (cluster.study.folder / "scaling.csv").exists()
    submit(cluster)
    cluster.wait()
    cluster.study.check_results()


def test_a_step_divides_itself(cluster):
    study = cluster.study
    command = recipe("launched.sh").splitlines()[0].replace("mpirun -n 8", "srun -n 3")
    assert study.run("bash", "-c", command).count("wave merge scaling.csv.parts/*.part --out scaling.csv") == 1
    study.run("bash", "-c", recipe("launched.sh").splitlines()[1], codes=[1])
    study.check_results()
