"""Memory limits: the estimate before training, and the message when memory runs out later."""

import re
import subprocess
import sys

import numpy as np
import pytest

from conftest import PROGRAM, call, listed

pytestmark = pytest.mark.skipif(PROGRAM.exists() and b"__asan_init" in PROGRAM.read_bytes(),
                                reason="the address sanitizer has its own shadow memory")
# rows, features, classes (or minus the number of targets), options; each case has another largest part
CASES = {
    "bls, many classes": (3000, 5, 1500, ["--algorithm", "bls", "--max-blocks", "2"]),
    "s-elm, wide": (40, 8000, 2, ["--algorithm", "s-elm", "--max-layers", "2"]),
    "popfast, wide": (70, 1500, 2, ["--algorithm", "popfast", "--ensemble", "1", "--epochs", "3",
                                    "--topology", "40"]),
    "pop": (70, 500, 3, ["--algorithm", "pop", "--ensemble", "1", "--epochs", "3", "--topology", "40"]),
    "hemlgop, wide": (50, 8000, 2, ["--algorithm", "hemlgop", "--max-blocks", "2", "--max-layers", "1", "--epochs", "3",
                                    "--finetune-epochs", "1"]),
    "pln, many classes": (1000, 5, 500, ["--algorithm", "pln", "--max-blocks", "2", "--max-layers", "2"]),
    "bls, folds": (50000, 100, 3, ["--algorithm", "bls", "--max-blocks", "1", "--block-size", "3", "--cv", "2"]),
    "bls, many targets": (4000, 200, -800, ["--algorithm", "bls", "--max-blocks", "2"]),
    "bls, networks of folds": (60000, 50, 2, ["--algorithm", "bls", "--max-blocks", "1", "--folds", "4"]),
    "hemlgop, networks of folds": (20000, 60, 4, ["--algorithm", "hemlgop", "--max-blocks", "1", "--max-layers", "1",
                                                  "--folds", "3", "--epochs", "1", "--finetune-epochs", "1"]),
    "popfast, networks of folds": (6000, 300, 2, ["--algorithm", "popfast", "--ensemble", "2", "--folds", "3", "--epochs", "1",
                                                  "--search-epochs", "3", "--topology", "20"]),
    "float64": (40000, 100, 3, ["--algorithm", "bls", "--max-blocks", "1", "--block-size", "3"]),
    "homlgop, wide": (50, 8000, 2, ["--algorithm", "homlgop", "--max-blocks", "1", "--max-layers", "1", "--epochs", "3",
                                    "--finetune-epochs", "1"]),
    "hemlrn, wide": (50, 8000, 2, ["--algorithm", "hemlrn", "--max-blocks", "1", "--max-layers", "1", "--finetune-epochs",
                                   "1"]),
    "homlrn, wide": (50, 8000, 2, ["--algorithm", "homlrn", "--max-blocks", "1", "--max-layers", "1", "--finetune-epochs",
                                   "1"]),
    "popmem-h": (300, 800, 5, ["--algorithm", "popmem-h", "--ensemble", "1", "--topology", "40", "--epochs", "9"]),
    "popmem-o, wide": (40, 2500, 2, ["--epochs", "1", "--search-epochs", "3", "--ensemble", "2"]),
}


MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000)
"""


def write(folder, rows, features, classes, kind=np.float32):
    rng = np.random.default_rng(0)
    np.save(folder / "x.npy", rng.normal(size=(rows, features)).astype(kind))
    np.save(folder / "y.npy", rng.normal(size=(rows, -classes)) if classes < 0 else
            rng.permutation(np.arange(rows) % classes))
    return ["train", "--train", "x.npy", "--train-labels", "y.npy", "--task",
            "regression" if classes < 0 else "classification", "--threads", "1", "--quiet"]


def estimate(folder, words):
    """The estimate in MB, from the error for a limit that is far too low."""
    done = call(folder, *words, "--memory-limit", "1M", "--out", "refused")
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "--memory-limit" in done.stderr and not (folder / "refused").exists()
    return 1000 * float(re.search(r"about ([0-9.]+) GB", done.stderr).group(1))


@pytest.mark.parametrize("name", CASES)
def test_the_estimate_is_near_what_is_measured(tmp_path, name):
    *shape, options = CASES[name]
    words = [*write(tmp_path, *shape, np.float64 if name == "float64" else np.float32), *options]
    # started by a small process, since the memory of the parent counts too
    done = subprocess.run([sys.executable, "-c", MEASURE, str(PROGRAM), *words, "--time-limit", "200s", "--out", "run"],
                          cwd=tmp_path, capture_output=True, text=True)
    code, measured = (float(word) for word in done.stdout.split()[-2:])
    assert code == 0
    assert 0.7 < estimate(tmp_path, words) / measured < 2, measured


def test_every_algorithm_is_measured():
    measured = {options[options.index("--algorithm") + 1] for *_, options in CASES.values() if "--algorithm" in options}
    assert {algorithm["name"] for algorithm in listed("algorithms")} <= measured | {"popmem-o"}  # the default


def test_the_estimate_goes_by_the_rows_left_to_train_on(tmp_path):
    told = [estimate(tmp_path, write(tmp_path, rows, 4, 2)) for rows in (49_000, 51_000, 61_000, 63_000)]
    assert told[0] < told[1] < told[2]
    assert told[3] < 0.9 * told[2]  # from 50,000 on, of 62,500, networks are fewer and narrower


def test_what_cannot_fit_is_refused_by_default(tmp_path):
    words = write(tmp_path, 30000, 2, 15000)
    limited = f"ulimit -v 2000000; exec {PROGRAM} {' '.join(words)} --algorithm bls --out run"
    done = subprocess.run(["sh", "-c", limited], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert "15000 outputs" in done.stderr and not (tmp_path / "run").exists()


def test_memory_that_runs_out_later_is_resumable(tmp_path):
    words = [*write(tmp_path, 2000, 4, 900), "--algorithm", "s-elm", "--memory-limit", "9G", "--out",
             "run"]
    # The limit that lets a run start but not finish differs between systems.
    for kilobytes in (int(20_000 * 1.15 ** n) for n in range(30)):
        limited = f"ulimit -v {kilobytes}; exec {PROGRAM} {' '.join(words)}"
        done = subprocess.run(["sh", "-c", limited], cwd=tmp_path, capture_output=True, text=True)
        if (tmp_path / "run" / "config.json").exists():
            break
    assert done.returncode == 3 and done.stderr.count("\n") == 1, done.stderr
    assert "out of memory" in done.stderr and "gopnet resume run" in done.stderr
    resumed = call(tmp_path, "resume", "run", "--quiet", "--time-limit", "1s")
    assert resumed.returncode in (0, 3) and "out of memory" not in resumed.stderr


@pytest.mark.parametrize("limit", ["-s 48", "-s 128", "-s 256", "-s 1000", "-Ss 48"])
@pytest.mark.parametrize("words", [["help", "parameters"],
                                   ["train", "--train", "x.npy", "--train-labels", "y.npy", "--threads", "2", "--epochs",
                                    "2", "--ensemble", "2", "--out", "run"]])
def test_a_small_stack_is_enough_or_is_reported(tmp_path, limit, words):
    # with 16 kB the dynamic loader often fails before the program starts, also for ls
    write(tmp_path, 60, 4, 2)
    done = subprocess.run(["sh", "-c", f"ulimit {limit} && exec {PROGRAM} {' '.join(words)}"], cwd=tmp_path,
                          capture_output=True, text=True)
    assert done.returncode in (0, 2), done.stderr
    if done.returncode == 2:
        assert done.stderr.count("\n") == 1 and "ulimit -s" in done.stderr
    assert done.returncode == 0 or limit in ("-s 48", "-s 128")


@pytest.mark.parametrize("text", ["0", "-1", "8T", "many", "1e30"])
def test_a_bad_limit_is_refused(run, text):
    done = run("train", "--train", "train.csv", "--memory-limit", text)
    assert done.returncode == 2 and "--memory-limit" in done.stderr
