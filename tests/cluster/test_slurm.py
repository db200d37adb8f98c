"""gopnet under Slurm with two nodes on this machine: ranks that srun starts, and jobs that requeue
themselves, yield the model of a plain run, byte for byte."""

import os
import pathlib
import shlex
import shutil
import subprocess

import pytest
import slurm

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("GOPNET", ROOT / "build" / "release" / "cli" / "gopnet")).resolve()
TASKS = 2
LIMIT = 600  # timeout in seconds
# Takes two seconds on one thread, long enough to stop it in the middle.
TRAIN = shlex.split(f"train --train {ROOT}/examples/data/digits.csv.gz --test-split 0.1 --seed 3"
                    " --algorithm popmem-o --ensemble 1 --topology 16,16,16 --epochs 40"
                    " --finetune-epochs 150 --layer-threshold 0 --threads 1")
HELLO = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, sum;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d, sum %d\\n", rank, sum);
  return MPI_Finalize();
}
"""

pytestmark = pytest.mark.skipif(slurm.missing() != "", reason=slurm.missing())


@pytest.fixture(scope="module")
def cluster():
    try:
        started = slurm.Cluster(nodes=2, cpus=TASKS).__enter__()
    except slurm.Failure as e:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"Slurm does not start here: {e}")
    yield started
    started.stop()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """The model of a plain run in one process."""
    folder = tmp_path_factory.mktemp("plain")
    subprocess.run([PROGRAM, *TRAIN, "--out", "r", "--quiet"], cwd=folder, check=True, timeout=LIMIT,
                   stdout=subprocess.DEVNULL)
    return (folder / "r" / "model.safetensors").read_bytes()


class Job:
    """A submitted script of `gopnet slurm-script`. Its run folder is r, its output is job.out."""

    def __init__(self, cluster, folder):
        self.cluster, self.run = cluster, folder / "r"
        subprocess.run([PROGRAM, "slurm-script", "--ntasks-per-node", str(TASKS), "--time", "10",
                        "--out", "job.sbatch", "--", *TRAIN, "--out", "r"], cwd=folder, check=True,
                       timeout=30, stdout=subprocess.DEVNULL)
        self.out = folder / "job.out"
        # Not from its folder, because the script changes to its own folder.
        self.number = cluster.submit(folder / "job.sbatch", f"--output={self.out}")

    def __getitem__(self, name):
        return self.cluster.job(self.number)[name]

    def candidates(self):
        journal = self.run / "journal.jsonl"
        return journal.read_bytes().count(b'"event":"candidate"') if journal.exists() else 0

    def wait_for(self, condition, what, seconds=LIMIT):
        try:
            self.cluster.wait_for(condition, what, seconds)
        except slurm.Failure as e:
            raise slurm.Failure(f"{e}--- job.out\n{self.messages()}") from None

    def in_the_middle(self):
        """Wait until the job trains."""
        self.wait_for(lambda: self.candidates() > 5, "candidates are trained")
        assert not (self.run / "model.safetensors").exists()

    def finished(self):
        ended = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL")
        self.wait_for(lambda: self["JobState"] in ended, "the job ends")
        assert self["JobState"] == "COMPLETED", self.messages()
        return (self.run / "model.safetensors").read_bytes()

    def messages(self):
        return self.out.read_text(errors="replace") if self.out.exists() else ""


@pytest.fixture
def job(cluster, tmp_path):
    started = Job(cluster, tmp_path)
    yield started
    cluster.run("scancel", started.number, check=False)


def test_srun_starts_tasks(cluster):
    assert len(cluster.run("srun", "--ntasks", TASKS, "hostname").stdout.split()) == TASKS


@pytest.mark.parametrize("nodes", [1, 2])
@pytest.mark.skipif(not shutil.which("mpicc"), reason="no mpicc: tools/setup test installs it")
def test_tasks_find_each_other_through_pmix(cluster, tmp_path, nodes):
    (tmp_path / "hello.c").write_text(HELLO)
    subprocess.run(["mpicc", "hello.c", "-o", "hello"], cwd=tmp_path, check=True, timeout=60)
    done = cluster.run("srun", "--mpi=pmix", "--nodes", nodes, "--ntasks", TASKS,
                       tmp_path / "hello")
    assert sorted(done.stdout.splitlines()) == [f"rank {rank}, sum 1" for rank in range(TASKS)]


@pytest.mark.parametrize("nodes", [1, 2])
def test_two_tasks_give_the_model_of_one_process(cluster, model, tmp_path, nodes):
    cluster.run("srun", "--mpi=pmix", "--nodes", nodes, "--ntasks", TASKS, PROGRAM, *TRAIN,
                "--out", "r", "--quiet", cwd=tmp_path, seconds=LIMIT)
    assert (tmp_path / "r" / "model.safetensors").read_bytes() == model


def test_a_job_near_its_time_limit_requeues_itself_and_resumes(cluster, model, job):
    job.in_the_middle()
    cluster.run("scancel", "--batch", "--signal=USR1", job.number)  # what --signal=B:USR1 sends
    assert job.finished() == model
    assert job["Restarts"] == "1" and "requeued after exit code 3\n" in job.messages()
    assert not list(job.run.parent.glob("r.slurm*"))


def test_a_job_resumes_after_its_node_is_lost(cluster, model, job):
    job.in_the_middle()
    node = f"nodename={job['BatchHost']}"
    for state in ("down", "drain"):  # drained, so that the node does not return before the lost job has left it
        cluster.run("scontrol", "update", node, f"state={state}", "reason=test")
    assert job.finished() == model
    assert job["Restarts"] == "1"
    cluster.run("scontrol", "update", node, "state=resume")


def test_a_cancelled_job_stays_cancelled_and_can_be_resumed(cluster, model, job):
    job.in_the_middle()
    cluster.run("scancel", job.number)
    job.wait_for(lambda: job["JobState"] == "CANCELLED", "the job is cancelled")
    assert "requeued after" not in job.messages()
    subprocess.run([PROGRAM, "resume", job.run, "--quiet"], check=True, timeout=LIMIT,
                   stdout=subprocess.DEVNULL)
    assert (job.run / "model.safetensors").read_bytes() == model


def test_stopping_a_cluster_also_stops_its_jobs():
    with pytest.raises(ZeroDivisionError), slurm.Cluster() as cluster:
        script = cluster.folder / "sleep.sh"
        script.write_text("#!/bin/sh\nsrun sleep 1000\n")
        number = cluster.submit(script)
        cluster.wait_for(lambda: f"{number}.0" in cluster.run("squeue", "--steps").stdout,
                         "the step runs")
        assert len(cluster.processes()) > 5
        raise ZeroDivisionError
    assert cluster.processes() == [] and not cluster.folder.exists()
