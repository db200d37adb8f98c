"""Damaged folders of interrupted runs, and two processes on one run: the model never changes."""

import os
import re
import shutil
import subprocess
import time

import pytest

import folder as run_folder
from runs import LIMIT, Lab, Run
from test_kill import PROGRAM

NAME = "popmem-h-small"


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    return Lab(PROGRAM, tmp_path_factory.mktemp("damage"))


def call(run, *words):
    return subprocess.run([PROGRAM, *words], cwd=run.lab.folder, capture_output=True, text=True,
                          timeout=LIMIT)


def started(run, kind="candidate", line=20, threads=2):
    """Start a process and wait until it has written `line` journal lines."""
    process = run.start(threads)
    end = time.monotonic() + LIMIT
    journal = run.folder / "journal.jsonl"
    while not journal.exists() or journal.read_text().count(f'"event":"{kind}"') < line:
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.001)
    return process


def killed(run, *where):
    assert run.kill(started(run, *where))
    return run.folder


def resumes(run):
    """Resume. Return whether the run finished rather than being refused. Its model must not change."""
    code, messages = run.wait(run.start(3))
    if code == 0:
        assert run_folder.difference(run.folder, run.lab.reference(NAME, 1)) == []
        return True
    assert code == 2 and messages.count("\n") == 1, messages
    assert not (run.folder / "model.safetensors").exists()
    return False


@pytest.fixture(scope="module", params=[("candidate", 100), ("layer", 2)], ids=lambda at: at[0])
def interrupted(lab, request):
    """The folder of a run that was killed during the search or between layers. Read-only."""
    return killed(Run(lab, NAME, 1, f"killed-{request.param[0]}"), *request.param)


TAILS = {"half a line": b'{"event":"candidate","layer":1,"oper', "a bracket": b"{",
         "zeros": b"\0" * 300, "garbage": b"\xff\xfe\n", "empty lines": b"\n\n"}


@pytest.mark.parametrize("tail", TAILS)
def test_resume_cuts_a_torn_journal_line(lab, interrupted, tail):
    run = Run(lab, NAME, 1, f"{interrupted.name}-{tail.replace(' ', '-')}")
    with (shutil.copytree(interrupted, run.folder) / "journal.jsonl").open("ab") as journal:
        journal.write(TAILS[tail])
    assert resumes(run)


def edited_journal(edit):
    def damage(folder):
        lines = (folder / "journal.jsonl").read_bytes().splitlines(keepends=True)
        edit(lines)
        (folder / "journal.jsonl").write_bytes(b"".join(lines))
    return damage


def edited_states(edit):
    def damage(folder):
        for path in (folder / "state").iterdir():
            data = bytearray(path.read_bytes())
            edit(data)
            path.write_bytes(data)
    return damage


def flip_a_bit(data):
    if data:
        data[len(data) // 2] ^= 0x10


DAMAGES = {
    "garbage line": edited_journal(lambda lines: lines.__setitem__(9, b"\x01garbage}\n")),
    "a line is lost": edited_journal(lambda lines: lines.pop(9)),
    "a line is there twice": edited_journal(lambda lines: lines.insert(9, lines[9])),
    "a line is cut": edited_journal(lambda lines: lines.__setitem__(9, lines[9][:30] + b"\n")),
    "lines change places": edited_journal(lambda lines: lines.insert(5, lines.pop(12))),
    "a digit changes": edited_journal(
        lambda lines: lines.__setitem__(9, re.sub(rb'"loss":\d', b'"loss":0', lines[9]))),
    "journal is empty": lambda folder: (folder / "journal.jsonl").write_bytes(b""),
    "journal is lost": lambda folder: (folder / "journal.jsonl").unlink(),
    "checkpoint is lost": lambda folder: (folder / "checkpoint.safetensors").unlink(True),
    "checkpoint is cut": lambda folder: (folder / "checkpoint.safetensors").write_bytes(b"12345"),
    "states are lost": lambda folder: shutil.rmtree(folder / "state", ignore_errors=True),
    "states are cut": edited_states(lambda data: data.__delitem__(slice(len(data) // 2, None))),
    "a bit of each state flips": edited_states(flip_a_bit),
    "states are zeros": edited_states(lambda data: data.__setitem__(slice(None), bytes(len(data)))),
    "config is cut": lambda folder: os.truncate(folder / "config.json", 100),
    "config is garbage": lambda folder: (folder / "config.json").write_bytes(b"\xff{}"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_never_changes_the_model(lab, interrupted, damage):
    run = Run(lab, NAME, 1, f"{interrupted.name}-{damage.replace(' ', '-')}")
    DAMAGES[damage](shutil.copytree(interrupted, run.folder))
    resumes(run)


@pytest.mark.parametrize("rows", ["changed", "lost"])
def test_resume_refuses_other_rows(lab, interrupted, rows):
    lab.reference(NAME, 1)
    data = lab.folder / "digits.csv"
    text = data.read_text()
    run = Run(lab, NAME, 1, f"{interrupted.name}-rows-{rows}")
    shutil.copytree(interrupted, run.folder)
    if rows == "lost":
        data.unlink()
    else:
        data.write_text(text.replace(",7,", ",6,", 1))
    refused = not resumes(run)
    data.write_text(text)
    assert refused and resumes(run)
