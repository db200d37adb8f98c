"""Links in a run folder and files of the user: gopnet writes and deletes nothing outside of the run."""

import shutil
import subprocess

import pytest

import settings
from runs import LIMIT
from test_kill import PROGRAM

WORDS = ["--train", "diabetes.csv", "--algorithm", "popfast", "--ensemble", "1", "--topology", "8",
         "--epochs", "9", "--finetune-epochs", "5", "--quiet"]


@pytest.fixture
def folder(tmp_path):
    settings.write_data(tmp_path)
    (tmp_path / "mine").write_text("precious")
    (tmp_path / "others").mkdir()
    return tmp_path


def call(folder, *words):
    return subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True,
                          timeout=LIMIT)


def refused(done, name):
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert f"{name}: is a link" in done.stderr


@pytest.mark.parametrize("name", ["journal.jsonl", "state/candidates.bin", "state"])
def test_resume_does_not_write_through_links(folder, name):
    path = folder / "run" / name
    for limit in (2 ** n for n in range(8)):  # until one is long enough to write the file
        shutil.rmtree(folder / "run", ignore_errors=True)
        assert call(folder, "train", *WORDS, "--finetune-epochs", "100000", "--time-limit",
                    f"{limit}s", "--out", "run").returncode == 3
        if path.exists():
            break
    target = folder / ("others" if name == "state" else "mine")
    path.rename(folder / "moved")
    path.symlink_to(target)
    refused(call(folder, "resume", "run"), f"run/{name}")
    assert (folder / "mine").read_text() == "precious" and not list((folder / "others").iterdir())


@pytest.mark.parametrize("name", ["journal.jsonl", "state/candidates.bin"])
def test_resume_does_not_write_to_hard_links(folder, name):
    begun = call(folder, "train", *WORDS, "--finetune-epochs", "100000", "--time-limit", "2s", "--out", "run")
    assert begun.returncode == 3
    (folder / "run" / name).unlink(missing_ok=True)
    (folder / "run" / name).hardlink_to(folder / "mine")
    done = call(folder, "resume", "run")
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert f"run/{name}: is a hard link" in done.stderr
    assert (folder / "mine").read_text() == "precious"


def test_a_user_file_in_state_stays(folder):
    assert call(folder, "train", *WORDS, "--out", "run").returncode == 0
    (folder / "run" / "state").mkdir()
    (folder / "run" / "state" / "notes").write_text("precious")
    assert call(folder, "resume", "run").returncode == 0
    assert (folder / "run" / "state" / "notes").read_text() == "precious"


def test_train_does_not_write_through_links(folder):
    (folder / "run").mkdir()
    (folder / "run" / "journal.jsonl").symlink_to(folder / "empty")
    (folder / "empty").write_text("")
    refused(call(folder, "train", *WORDS, "--out", "run"), "run/journal.jsonl")
    assert (folder / "empty").read_text() == ""


def test_a_user_file_with_a_temporary_name_stays(folder):
    (folder / "run").mkdir()
    kept = folder / "run" / "notes.gopnet.tmp1"
    kept.write_text("precious")
    done = call(folder, "train", *WORDS, "--out", "run")
    assert done.returncode == 2 and "not empty" in done.stderr
    assert kept.read_text() == "precious"


@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")
@pytest.mark.skipif(PROGRAM.exists() and b"__asan_init" in PROGRAM.read_bytes(),
                    reason="the leak sanitizer does not work under strace")
def test_temporary_names_are_unpredictable(folder):
    call(folder, "train", *WORDS, "--out", "run")
    names = set()
    for _ in range(2):
        trace = folder / "trace"
        done = subprocess.run(["strace", "-f", "-e", "trace=openat", "-o", trace, PROGRAM, "predict",
                               "run", "diabetes.csv", "--out", "new.csv", "--force"], cwd=folder,
                              capture_output=True, timeout=LIMIT)
        assert done.returncode == 0
        names |= {line.split('"')[1] for line in trace.read_text().splitlines()
                  if "gopnet.tmp" in line and "O_EXCL" in line and "O_NOFOLLOW" in line}
    assert len(names) == 2
