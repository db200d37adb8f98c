"""gopnet slurm-script. These tests run the script with fake srun, squeue and scontrol commands;
tests/cluster/test_slurm.py submits it to Slurm."""

import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest
from conftest import PROGRAM

TRAIN = ["train", "--train", "train.csv", "--out", "r"]
# Each command appends its arguments as a line of JSON to a file with its name.
FAKE = """#!/bin/bash
/usr/bin/python3 -c 'import json, sys; print(json.dumps(sys.argv[1:]))' "$@" >>"$FAKES/${0##*/}.log"
if [[ -e $FAKES/${0##*/}.sh ]]; then source "$FAKES/${0##*/}.sh"; fi
"""


class Slurm:
    """A fake Slurm. `step` is the bash code of srun; `state` is the output of squeue."""

    def __init__(self, folder):
        self.folder = folder / "fakes"
        self.folder.mkdir()
        for name in ("srun", "squeue", "scontrol"):
            (self.folder / name).write_text(FAKE)
            (self.folder / name).chmod(0o755)
        self.step("exit 0")
        self.state("RUNNING None")

    def step(self, commands):
        (self.folder / "srun.sh").write_text(commands)

    def state(self, text):
        (self.folder / "squeue.sh").write_text(f"echo '{text}'")

    def start(self, script, cwd="/", **env):
        env = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}",
               "FAKES": str(self.folder), "SLURM_JOB_ID": "7", **env}
        return subprocess.Popen(["bash", script], env=env, cwd=cwd, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, script, **options):
        """Run the script of the job and return its exit code and stderr."""
        process = self.start(script, **options)
        _, messages = process.communicate(timeout=120)
        return process.returncode, messages

    def calls(self, name):
        log = self.folder / f"{name}.log"
        return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


@pytest.fixture
def slurm(tmp_path):
    return Slurm(tmp_path)


@pytest.fixture
def script(run, tmp_path):
    """Write a script and return its path."""

    def write(*words, options=()):
        done = run("slurm-script", *options, "--out", "job.sbatch", "--", *words)
        assert done.returncode == 0, done.stderr
        return tmp_path / "job.sbatch"

    return write


def words_of_gopnet(call):
    assert "--mpi=pmix" in call
    return call[call.index(str(PROGRAM)) + 1:]


def begin_run(tmp_path, lines=1):
    """The files of a stopped gopnet train."""
    (tmp_path / "r").mkdir(exist_ok=True)
    (tmp_path / "r" / "config.json").write_text("{}")
    with (tmp_path / "r" / "journal.jsonl").open("a") as journal:
        journal.write('{"event":"resume"}\n' + '{"event":"candidate"}\n' * lines)


def test_bash_and_shellcheck_accept_it(script):
    path = script("train", "--train", "train.csv", "--out", "a 'run' of $mine",
                  options=["--nodes", "2", "--cpus-per-task", "4", "--time", "1-12", "--mem", "8G",
                           "--partition", "a,b", "--account", "me", "--job-name", "x"])
    subprocess.run(["bash", "-n", path], check=True)
    if shutil.which("shellcheck"):
        known = "--exclude=SC2016,SC2317"  # a $ in names; functions that only the trap calls
        done = subprocess.run(["shellcheck", known, path], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
    head = [line for line in path.read_text().splitlines() if line.startswith("#SBATCH")]
    assert head == ["#SBATCH --" + line for line in (
        "job-name=x", "nodes=2", "ntasks-per-node=1", "cpus-per-task=4", "time=1-12", "mem=8G",
        "partition=a,b", "account=me", "requeue", "open-mode=append", "signal=B:USR1@120")]


def test_words_reach_gopnet_as_they_are(script, slurm, tmp_path):
    odd = "a 'b' \"c\" $HOME `d` \\ * ; # \n e"
    (tmp_path / odd).write_text((tmp_path / "train.csv").read_text())
    words = ["train", "--train", odd, "--out", odd + "2/r", "--set", "epochs=3"]
    code, messages = slurm.run(script(*words), SLURM_CPUS_PER_TASK="2")
    assert code == 0, messages
    (call,) = slurm.calls("srun")
    assert words_of_gopnet(call) == words and "--cpus-per-task=2" in call


def test_a_run_that_stops_is_requeued_and_resumed(script, slurm, tmp_path):
    path = script(*TRAIN, "--epochs", "5", "--threads", "2", "--checkpoint_every=9", "--quiet")
    slurm.step("exit 3")
    assert slurm.run(path)[0] == 3
    begin_run(tmp_path)
    slurm.step("exit 0")
    assert slurm.run(path)[0] == 0
    first, second = map(words_of_gopnet, slurm.calls("srun"))
    assert first == [*TRAIN, "--epochs", "5", "--threads", "2", "--checkpoint_every=9", "--quiet"]
    assert second == ["resume", "r", "--threads", "2", "--checkpoint_every=9", "--quiet"]
    assert slurm.calls("scontrol") == [["requeue", "7"]]
    assert not list(tmp_path.glob("r.slurm*"))


def test_a_comparison_resumes_with_the_same_command(script, slurm, tmp_path):
    words = ["compare", "--train", "train.csv", "--algorithms", "s-elm", "--csv"]
    path = script(*words)
    slurm.step("exit 3")
    slurm.run(path)
    out = words_of_gopnet(slurm.calls("srun")[0])
    assert out[:-2] == words and out[-2] == "--out" and out[-1].startswith("runs/compare-")
    (tmp_path / out[-1]).mkdir(parents=True)
    (tmp_path / out[-1] / "compare.json").write_text("{}")
    slurm.run(path)
    assert words_of_gopnet(slurm.calls("srun")[1]) == out


@pytest.mark.parametrize("code, requeued", [(0, 0), (1, 0), (2, 0), (3, 1), (137, 1), (143, 1)])
def test_the_exit_code_decides(script, slurm, code, requeued):
    slurm.step(f"exit {code}")
    assert slurm.run(script(*TRAIN))[0] == code
    assert len(slurm.calls("scontrol")) == requeued


def test_a_run_that_was_finished_without_a_lost_task_is_done(script, slurm, tmp_path):
    slurm.step(f"mkdir {tmp_path}/r; touch {tmp_path}/r/{{model.safetensors,metrics.json}}; exit 137")
    assert slurm.run(script(*TRAIN))[0] == 0
    assert slurm.calls("scontrol") == []


@pytest.mark.parametrize("state, requeued", [("COMPLETING None", 0), ("PENDING BeginTime", 0),
                                             ("", 0), ("COMPLETING TimeLimit", 1)])
def test_a_job_that_was_cancelled_is_not_requeued(script, slurm, state, requeued):
    slurm.step("exit 3")
    slurm.state(state)
    code, messages = slurm.run(script(*TRAIN))
    assert code == 3 and len(slurm.calls("scontrol")) == requeued
    assert ("not requeued" in messages) != requeued


def test_two_starts_without_progress_end_the_job(script, slurm, tmp_path):
    path = script(*TRAIN)
    for lines, requeued in [(1, 1), (1, 2), (0, 3), (0, 3)]:  # number of candidates that this start finishes
        slurm.step(f"""mkdir -p {tmp_path}/r; cd {tmp_path}/r; touch config.json
                   echo '{{"event":"resume"}}' >>journal.jsonl
                   for ((i = 0; i < {lines}; ++i)); do
                     echo '{{"event":"candidate"}}' >>journal.jsonl
                   done
                   exit 3""")
        code, messages = slurm.run(path)
        assert code == 3 and len(slurm.calls("scontrol")) == requeued, messages
    assert "not requeued" in messages
    slurm.run(path, SLURM_JOB_ID="8")  # the user submits it again
    assert slurm.calls("scontrol")[-1] == ["requeue", "8"]


def test_states_of_fine_tuning_are_progress(script, slurm, tmp_path):
    path = script(*TRAIN)
    begin_run(tmp_path)
    for n in range(3):
        slurm.step(f"mkdir -p {tmp_path}/r/state; echo {n} >{tmp_path}/r/state/tune.bin; exit 3")
        slurm.run(path)
    assert len(slurm.calls("scontrol")) == 3


@pytest.mark.parametrize("sign", [signal.SIGUSR1, signal.SIGTERM])
def test_signals_reach_srun_as_usr1_and_its_code_is_waited_for(script, slurm, sign):
    slurm.step("""trap 'sleep 0.3; exit 3' USR1
               touch "$FAKES/started"
               for ((i = 0; i < 600; ++i)); do sleep 0.05; done""")
    process = slurm.start(script(*TRAIN))
    end = time.monotonic() + 30
    while not (slurm.folder / "started").exists() and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(sign)
    _, messages = process.communicate(timeout=120)
    assert process.returncode == 3, messages
    assert slurm.calls("scontrol") == [["requeue", "7"]]


def test_resume_may_be_the_command(ask, slurm, trained):
    done = ask("slurm-script", "--", "resume", "--threads", "1", "run")
    assert done.returncode == 0, done.stderr
    assert "restart=(resume --threads 1 run)" in done.stdout and "\nrun=run\n" in done.stdout


def test_it_writes_the_script_and_nothing_else(run, tmp_path):
    before = sorted(tmp_path.iterdir())
    text = run("slurm-script", "--", "train", "--train", "train.csv").stdout
    assert text.startswith("#!/bin/bash\n") and "--out runs/popmem-o-" in text
    assert sorted(tmp_path.iterdir()) == before
    told = json.loads(run("slurm-script", "--json", "--out", "j", "--", *TRAIN).stdout)
    assert (tmp_path / "j").read_text() == told["script"]
    assert told["file"] == "j" and told["run"] == "r"
    assert run("slurm-script", "--quiet", "--out", "k", "--", *TRAIN).stdout == "k\n"
    assert {p.name for p in set(tmp_path.iterdir()) - set(before)} == {"j", "k"}


def test_two_files_have_two_folders(run):
    folders = {re.search(r"--out (runs/\S+)", run("slurm-script", "--", "train", "--train", "train.csv").stdout)[1]
               for _ in range(2)}
    assert len(folders) == 2
