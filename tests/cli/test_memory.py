"""Memory of a search on a mapped file."""

import os
import pathlib
import re
import resource
import subprocess
import time

import numpy as np
import pytest

from conftest import PROGRAM

SANITIZED = b"__asan_init" in PROGRAM.read_bytes() if PROGRAM.exists() else False


def peak_of(*args, folder):
    """Peak memory in bytes, measured by the program itself: rusage would include the memory of pytest before exec."""
    program = subprocess.Popen([PROGRAM, *map(str, args)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    peak = 0
    while program.poll() is None:
        status = pathlib.Path(f"/proc/{program.pid}/status").read_text()
        peak = max([peak] + [1024 * int(kb) for kb in re.findall(r"VmHWM:\s+(\d+)", status)])
        time.sleep(0.005)
    assert program.returncode == 0
    return peak


@pytest.mark.skipif(SANITIZED, reason="the address sanitizer has its own shadow memory")
def test_many_empty_columns_take_little_memory(tmp_path):
    width = 200_000
    (tmp_path / "few.csv").write_text("1,a\n2,b\n")
    (tmp_path / "many.csv").write_text(f"1{',' * width}a\n2{',' * width}b\n")
    assert peak_of("data", "many.csv", folder=tmp_path) - peak_of("data", "few.csv", folder=tmp_path) < 500 * width


@pytest.mark.skipif(SANITIZED, reason="the address sanitizer has its own shadow memory")
def test_a_search_takes_less_than_two_and_a_half_times_the_data(tmp_path):
    rows, features = 40000, 256
    rng = np.random.default_rng(0)
    np.save(tmp_path / "x.npy", rng.normal(size=(rows, features)).astype(np.float32))
    np.save(tmp_path / "y.npy", rng.integers(0, 20, rows))
    peak = peak_of("train", "--train", "x.npy", "--train-labels", "y.npy", "--algorithm", "popfast", "--topology", "40", "--ensemble", "1",
                   "--epochs", "1", "--finetune-epochs", "0", "--nodal", "multiplication,exponential", "--activation", "relu", "--threads", "2",
                   "--quiet", "--out", "r", folder=tmp_path)
    assert 0 < peak < 2.5 * rows * features * 4


@pytest.mark.skipif(SANITIZED, reason="the address sanitizer has its own shadow memory")
def test_rows_that_do_not_fit_in_memory_go_to_a_file(tmp_path):
    """Rows that need more memory than the limit go to a temporary file beside the run."""
    rows, features = 60000, 512  # 123 MB
    rng = np.random.default_rng(0)
    np.save(tmp_path / "x.npy", rng.normal(size=(rows, features)).astype(np.float32))
    np.save(tmp_path / "y.npy", rng.integers(0, 2, rows))

    def train(out, **variables):
        limit = 80_000_000  # limit of allocations; mapped files do not count
        return subprocess.run(
            [PROGRAM, "train", "--train", "x.npy", "--train-labels", "y.npy", "--algorithm", "popfast", "--topology",
             "2", "--ensemble", "1", "--epochs", "1", "--finetune-epochs", "1", "--nodal", "multiplication", "--pool", "sum",
             "--activation", "relu", "--threads", "1", "--quiet", "--out", out], cwd=tmp_path, text=True,
            capture_output=True, timeout=120, env={**os.environ, **variables},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (limit, limit)))

    short = train("short")
    assert short.returncode == 3 and "out of memory" in short.stderr, short.stderr
    done = train("spilled", GOPNET_SPILL_BYTES="1000000")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["spilled", "x.npy", "y.npy"]
