"""Stopping and resuming runs from the command line."""

import signal
import subprocess

import pytest

import folder as run_folder
from runs import Lab, Run
from test_damage import NAME, call, resumes, killed, started
from test_kill import PROGRAM


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return Lab(PROGRAM, tmp_path_factory.mktemp("stop"))


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_with_code_3_and_prints_the_resume_command(lab, sign):
    run = Run(lab, NAME, 1, sign.name)
    process = started(run)
    process.send_signal(sign)
    code, messages = run.wait(process)
    assert code == 3 and messages.count("\n") == 1 and f"gopnet resume {run.out}" in messages
    assert resumes(run)


def test_a_second_signal_stops_at_once_and_loses_nothing(lab):
    run = Run(lab, NAME, 1, "twice")
    process = started(run)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGTERM)
    assert run.wait(process)[0] == 3
    assert resumes(run)


def test_a_time_limit_stops_with_code_3_and_prints_the_resume_command(lab):
    run = Run(lab, NAME, 1, "limit")
    for limit in (0.01 * 1.3 ** n for n in range(40)):  # until one is long enough to start the run
        code, messages = run.wait(run.start(1, ["--time-limit", f"{limit:.6f}s"]))
        assert code == 3 and messages.count("\n") == 1
        if f"gopnet resume {run.out}" in messages:
            break
    assert f"gopnet resume {run.out}" in messages
    assert resumes(run)


def test_a_second_process_cannot_use_a_running_run(lab):
    run = Run(lab, NAME, 1, "two")
    process = started(run)
    for words in (["resume", run.out], ["train", "--train", "digits.csv", "--out", run.out]):
        second = call(run, *words)
        assert second.returncode == 2 and run.out in second.stderr
    assert run.wait(process)[0] == 0
    assert run_folder.difference(run.folder, lab.reference(NAME, 1)) == []


def test_only_one_of_two_concurrent_resumes_runs(lab):
    run = Run(lab, NAME, 1, "both")
    killed(run)
    processes = [run.start(1), run.start(1)]
    assert sorted(run.wait(process)[0] for process in processes) == [0, 2]
    assert run_folder.difference(run.folder, lab.reference(NAME, 1)) == []


def test_resume_does_not_change_a_finished_run(lab):
    lab.reference(NAME, 1)
    run = Run(lab, NAME, 1, f"reference-{NAME}-1")
    before = {path: path.read_bytes() for path in run.folder.iterdir()}
    assert call(run, "resume", run.out).returncode == 0
    assert {path: path.read_bytes() for path in run.folder.iterdir()} == before


def test_train_does_not_overwrite_an_interrupted_run(lab):
    run = Run(lab, NAME, 1, "again")
    killed(run)
    refused = call(run, "train", "--train", "digits.csv", "--out", run.out)
    assert refused.returncode == 2 and run.out in refused.stderr
    assert resumes(run)


def test_a_run_resumes_from_any_folder(lab):
    run = Run(lab, NAME, 1, "elsewhere")
    folder = killed(run)
    done = subprocess.run([PROGRAM, "resume", folder, "--quiet"], cwd="/", capture_output=True,
                          text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert resumes(run)


@pytest.mark.parametrize("made", [None, "empty", "leftover"])
def test_resume_reports_a_missing_run(lab, made):
    run = Run(lab, NAME, 1, f"none-{made}")
    if made:
        run.folder.mkdir()
    if made == "leftover":
        (run.folder / "config.json.gopnet.tmp0123456789abcdef").write_text("{")
    refused = call(run, "resume", run.out)
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1
    assert run.out in refused.stderr
    run.finish(2)
    assert run_folder.difference(run.folder, lab.reference(NAME, 1)) == []


def test_resume_reads_rows_from_standard_input_again(lab, tmp_path):
    rows = "a,b,y\n" + "".join(f"{i * 37 % 101},{i * 53 % 89},{i % 2}\n" for i in range(400))

    def call(*words, rows=rows):
        return subprocess.run([lab.program, *words, "--quiet", "--threads", "1"], cwd=tmp_path, input=rows, capture_output=True, text=True, timeout=600)

    train = ["train", "--train", "-", "--ensemble", "1", "--topology", "8", "--epochs"]
    assert call(*train, "100", "--out", "whole").returncode == 0
    limit = 0.05
    while True:  # until the limit stops it after it has started
        stopped = call(*train, "100", "--out", f"part{limit}", "--time-limit", f"{limit}s")
        if stopped.returncode == 0 or "gopnet resume" in stopped.stderr:
            break
        limit *= 2
    if stopped.returncode == 3:
        other = call("resume", f"part{limit}", rows=rows.replace("37", "38"))
        assert other.returncode == 2 and other.stderr.count("\n") == 1
        assert call("resume", f"part{limit}").returncode == 0
    models = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("whole", f"part{limit}")]
    assert models[0] == models[1]
