"""The next command that writes to a folder removes temporary files of a killed command."""

import os
import signal
import subprocess

import pytest

import faults
from test_kill import PROGRAM

ROWS = "a,b,y\n" + "".join(f"{i % 7},{i * i % 5},{'uv'[i % 7 > 3]}\n" for i in range(60))
PREDICT = ["predict", "run", "rows.csv", "--out"]


def call(folder, *words, **variables):
    return subprocess.run([PROGRAM, *words, "--quiet"], cwd=folder, capture_output=True, text=True, timeout=120,
                          env={**os.environ, **variables})


def temporary(folder):
    return [name for name in os.listdir(folder) if ".gopnet.tmp" in name]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "rows.csv").write_text(ROWS)
    trained = call(tmp_path, "train", "--train", "rows.csv", "--algorithm", "s-elm", "--block-size", "4", "--max-layers",
                   "1", "--out", "run")
    assert trained.returncode == 0, trained.stderr
    return tmp_path


@pytest.mark.parametrize("words", [[*PREDICT, "other.csv"], ["export", "run", "--out", "model.c"],
                                   ["importance", "run", "rows.csv", "--csv", "importance.csv"],
                                   ["report", "run", "--out", "page.html"]])
def test_the_next_command_removes_temporary_files(folder, tmp_path_factory, words):
    library = faults.build(tmp_path_factory.mktemp("faults"))
    if library is None:
        pytest.skip("no C compiler")
    killed = call(folder, *PREDICT, "killed.csv", **faults.environment(library, folder, at=3, kind="kill"))
    assert killed.returncode == -signal.SIGKILL
    assert len(temporary(folder)) == 1 and temporary(folder)[0].startswith("killed.csv")
    done = call(folder, *words)
    assert done.returncode == 0, done.stderr
    assert (folder / words[-1]).exists() and temporary(folder) == []
