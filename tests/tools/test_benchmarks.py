"""The pages of benchmarks/ match the CSV files, and an interrupted comparison with other libraries can be resumed."""
import csv
import math
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCHMARKS = ROOT / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import common  # noqa: E402
import figures  # noqa: E402
import pages  # noqa: E402


def run_pages(folder, *options):
    return subprocess.run([sys.executable, folder / "pages.py", *options], capture_output=True, text=True)


@pytest.fixture
def copy(tmp_path):
    folder = tmp_path / "benchmarks"
    shutil.copytree(BENCHMARKS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_pages_match_the_csv_files():
    done = run_pages(BENCHMARKS, "--check")
    assert done.returncode == 0, done.stderr


def test_check_detects_a_changed_number(copy):
    path = copy / "results/training.csv"
    rows = common.read(path)
    rows[0]["gopnet_ms"] = "0.5"
    common.replace(path, ("shape", "nodal", "pool", "simd"), rows)
    done = run_pages(copy, "--check")
    assert done.returncode == 1 and "training.md" in done.stderr and "training.svg" in done.stderr
    assert run_pages(copy).returncode == 0
    assert run_pages(copy, "--check").returncode == 0


def test_tied_ranks_are_averaged():
    assert pages.ranks({"a": 0.1, "b": 0.3, "c": 0.1}) == {"a": 1.5, "b": 3, "c": 1.5}
    assert pages.ranks({"a": 0.1, "b": 0.3, "c": 0.2}, largest_first=True) == {"a": 3, "b": 1, "c": 2}


def test_critical_difference_matches_demsar():
    """The example of JMLR 7 (2006), section 3.2.2: the critical difference of four classifiers on 14 data sets is 1.25."""
    assert figures.critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)


def test_groups_are_maximal_runs_within_the_critical_difference():
    assert figures.groups([1.0, 1.5, 2.4, 4.0], 1.0) == [(0, 1), (1, 2)]
    assert figures.groups([1.0, 3.0], 1.0) == []


def test_replace_keeps_the_rows_of_other_keys(tmp_path):
    path = tmp_path / "x.csv"
    common.replace(path, ("a",), [{"a": 1, "b": 2}, {"a": 2, "b": 3}])
    common.replace(path, ("a",), [{"a": 2, "b": 9}])
    assert common.read(path) == [{"a": "1", "b": "2"}, {"a": "2", "b": "9"}]


def test_measures_of_known_predictions():
    peers = pytest.importorskip("peers")
    import numpy as np

    found = peers.measures(np.array([0, 1]), np.array([[0.5, 0.5], [0.25, 0.75]]), True)
    assert found["accuracy"] == 1 and found["log_loss"] == pytest.approx(-(math.log(0.5) + math.log(0.75)) / 2)
    found = peers.measures(np.array([1.0, 3.0]), np.array([2.0, 3.0]), False)
    assert found["rmse"] == pytest.approx(math.sqrt(0.5)) and found["r2"] == pytest.approx(0.5)


def test_a_finished_comparison_is_not_repeated(tmp_path):
    pytest.importorskip("sklearn")
    import numpy as np

    rng = np.random.default_rng(0)
    with (tmp_path / "toy.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["x", "colour", "day", "label"])
        for i in range(200):
            x = rng.normal()
            writer.writerow([f"{x:.4f}" if i % 9 else "", "red" if i % 3 else "", f"2024-01-{1 + i % 28:02}", "yes" if x > 0 else "no"])
    command = [sys.executable, BENCHMARKS / "peers.py", tmp_path / "toy.csv", "--systems", "gopnet --preset fast,linear,hist_boosting",
               "--seeds", "1", "--out", tmp_path / "runs.csv"]
    subprocess.run(command, check=True)
    rows = common.read(tmp_path / "runs.csv")
    assert [row["system"] for row in rows] == ["gopnet --preset fast", "linear", "hist_boosting"]
    assert all(float(row["accuracy"]) > 0.8 and float(row["log_loss"]) < 0.5 for row in rows)
    assert {(row["train"], row["test"], row["columns"], row["text_columns"]) for row in rows} == {("150", "50", "3", "1")}
    subprocess.run(command, check=True)
    assert common.read(tmp_path / "runs.csv") == rows
