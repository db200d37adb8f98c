"""A rank cannot get a thread or memory while the job starts: one line names the rank, the resource
and the command that resumes the job."""

import os
import pathlib
import shutil
import subprocess

import pytest

import jobs
import sweep

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("GOPNET", ROOT / "build" / "release" / "cli" / "gopnet")).resolve()
SANITIZED = PROGRAM.exists() and b"__asan_init" in PROGRAM.read_bytes()

pytestmark = [pytest.mark.skipif(bool(jobs.missing()), reason=str(jobs.missing())),
              pytest.mark.skipif(SANITIZED, reason="the address sanitizer has an allocator of its own"),
              pytest.mark.skipif(not any(map(shutil.which, ["cc", "gcc", "clang"])),
                                 reason="no C compiler to build the library that injects failures")]
# Makes a call of one rank fail: RANK CALL NUMBER PROGRAM ...
FAIL = """#!/bin/sh
[ "$OMPI_COMM_WORLD_RANK" != "$1" ] || export LD_PRELOAD=$PWD/nth.so GOPNET_NTH_CALL=$2 GOPNET_NTH_AT=$3
shift 3
exec "$@"
"""
THREAD = "cannot start a thread: Resource temporarily unavailable"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("starts")
    sweep.build(path)
    (path / "rows.csv").write_text(sweep.ROWS)
    (path / "fail").write_text(FAIL)
    (path / "fail").chmod(0o755)
    return path


def fails(folder, rank, call, at, *words):
    """Run two ranks, make a call of one of them fail, and return the exit code and the lines of gopnet."""
    done = jobs.run(folder, 2, "./fail", rank, call, at, PROGRAM, *words)
    return done.returncode, [line for line in done.stderr.splitlines() if line.startswith("gopnet")]


@pytest.mark.parametrize("rank, who", [(0, "gopnet train"), (1, "gopnet train: rank 1")])
def test_a_rank_without_a_thread_for_its_messages_reports_it(folder, rank, who):
    code, lines = fails(folder, rank, "thread", 1, *sweep.TRAIN, "--out", "run")
    assert code == 3 and len(lines) == 1 and lines[0].startswith(f"{who}: {THREAD}; "), lines
    assert not (folder / "run").exists()


def test_a_rank_without_memory_reports_it(folder):
    assert fails(folder, 1, "malloc", 1, *sweep.TRAIN, "--out", "run") == (1, ["gopnet: rank 1: out of memory"])


def test_rank_0_reports_a_helper_without_a_thread_and_the_resume_command(folder):
    begun = subprocess.run([PROGRAM, *sweep.TRAIN, "--epochs", "1000000", "--time-limit", "0.3s", "--out", "begun"],
                           cwd=folder, capture_output=True, check=False, timeout=jobs.LIMIT)
    assert begun.returncode == 3, begun.stderr
    for at in (4, 2, 3, 5, 6, 7):  # MPI starts threads as well, some of which are optional
        code, lines = fails(folder, 1, "thread", at, "resume", "begun", "--time-limit", "1s")
        if lines and THREAD in lines[0]:
            break
    assert code == 3 and len(lines) == 1, lines
    assert lines[0].startswith(f"gopnet resume: rank 1: {THREAD}; ") and "gopnet resume begun" in lines[0]


def test_an_error_of_every_rank_is_printed_once(folder):
    done = subprocess.run(jobs.command(2, PROGRAM, *sweep.TRAIN, "--out", "run"), cwd=folder, capture_output=True,
                          text=True, env={**jobs.environment(), "GOPNET_MPI_LIBRARY": "/nowhere.so"},
                          check=False, timeout=jobs.LIMIT)
    assert done.returncode == 2
    assert done.stderr.count("libgopnet_mpi.so ") == 1, done.stderr
