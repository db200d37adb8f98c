"""Inputs that are truncated while gopnet maps them: one line on stderr instead of SIGBUS."""

import os
import shutil
import subprocess
import time

import numpy as np
import pytest

import sweep
from runs import LIMIT
from test_kill import PROGRAM

pytestmark = pytest.mark.skipif(PROGRAM.exists() and b"__asan_init" in PROGRAM.read_bytes(),
                                reason="the address sanitizer has an allocator of its own")
WORDS = ["--algorithm", "s-elm", "--max-layers", "1", "--block-size", "4"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    if not any(map(shutil.which, ["cc", "gcc", "clang"])):
        pytest.skip("no C compiler to build the library that cuts the file")
    folder = tmp_path_factory.mktemp("changed")
    sweep.build(folder)
    x = np.random.default_rng(1).normal(size=(5000, 3)).astype(np.float32)
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", x[:, 0] + x[:, 1])
    rows = np.column_stack([x, x[:, 0] + x[:, 1]])
    np.savetxt(folder / "rows.csv", rows, delimiter=",", header="a,b,c,y", comments="")
    assert call(folder, ["train", "--train", "rows.csv", *WORDS, "--out", "run"]).returncode == 0
    return folder


def call(folder, words, shrinks=None, by=0):
    env = dict(os.environ)
    if shrinks:
        env.update(LD_PRELOAD=str(folder / "nth.so"), GOPNET_SHRINK=str(folder / shrinks),
                   GOPNET_SHRINK_BY=str(by))
    return subprocess.run([PROGRAM, *words, "--quiet"], cwd=folder, env=env, capture_output=True,
                          text=True, timeout=LIMIT)


@pytest.mark.parametrize("all_but", [4096, 0], ids=["most of it", "within its last page"])
@pytest.mark.parametrize("words, shrinks, code", [
    (["predict", "run", "big.csv"], "big.csv", 2),
    (["predict", "run", "big.npy"], "big.npy", 2),
    (["evaluate", "run", "big.csv"], "big.csv", 2),
    (["train", "--train", "big.csv", *WORDS, "--out", "new"], "big.csv", 3),
    (["train", "--train", "big.npy", "--train-labels", "y.npy", *WORDS, "--out", "new"], "big.npy",
     3),
    (["compare", "--train", "big.npy", "--train-labels", "y.npy", "--algorithms", "s-elm", "--runs",
      "1", "--out", "new"], "big.npy", 3)])
def test_a_truncated_file_gives_one_line(lab, words, shrinks, code, all_but):
    shutil.copy(lab / ("rows.csv" if shrinks.endswith("csv") else "x.npy"), lab / shrinks)
    size = (lab / shrinks).stat().st_size
    done = call(lab, words, shrinks, size - all_but if all_but else 200)
    assert done.returncode == code and done.stderr.count("\n") == 1, (done.returncode, done.stderr)
    assert f"{shrinks}: " in done.stderr and "truncated" in done.stderr
    shutil.rmtree(lab / "new", ignore_errors=True)


@pytest.mark.parametrize("ranks", [1, 2])
def test_rows_truncated_between_the_runs_of_a_comparison(lab, ranks):
    if ranks > 1 and not shutil.which("mpirun"):
        pytest.skip("no mpirun here")
    shutil.copy(lab / "x.npy", lab / "big.npy")
    mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"] if ranks > 1 else []
    process = subprocess.Popen(
        [*mpirun, PROGRAM, "compare", "--train", "big.npy", "--train-labels", "y.npy", "--algorithms", "s-elm",
         "--runs", "12", "--threads", "1", "--max-layers", "2", "--quiet", "--out", "several"],
        cwd=lab, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not (lab / "several" / "s-elm-2" / "config.json").exists():
        time.sleep(0.002)
    assert process.poll() is None  # more runs follow
    os.truncate(lab / "big.npy", 1000)
    said = process.communicate(timeout=LIMIT)[1]
    assert process.returncode == 3 and "big.npy: " in said and "truncated" in said, said
    shutil.rmtree(lab / "several")
