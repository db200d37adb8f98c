"""Some operators have no bound: a regression must stay sane a little beyond the rows that it learned from."""

import csv
import json
import pathlib

import pytest

DIABETES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "data" / "diabetes.csv"


def beyond(path):
    """Every row with each of its features in turn a fifth of that one's range beyond its greatest value."""
    with DIABETES.open(newline="") as file:
        names, *rows = list(csv.reader(file))
    columns = [[float(row[k]) for row in rows] for k in range(len(names) - 1)]
    with path.open("w", newline="") as file:
        write = csv.writer(file)
        write.writerow(names[:-1])
        for n, row in enumerate(rows):
            k = n % len(columns)
            write.writerow([*row[:k], max(columns[k]) + (max(columns[k]) - min(columns[k])) / 5, *row[k + 1:-1]])


@pytest.mark.parametrize("seed", ["2", "3", "9"])  # of these one network of eight said 11,184 of targets from 25 to 346
def test_no_network_of_an_average_explodes(run, tmp_path, seed):
    beyond(tmp_path / "beyond.csv")
    done = run("train", "--train", DIABETES, "--target", "progression", "--test-split", "0.2", "--seed", seed, "--json", "--quiet",
               "--no-report", "--out", "run")
    assert json.loads(done.stdout)["metrics"]["test"]["r2"] > 0.3
    said = run("predict", "run", "beyond.csv").stdout.split()[1:]
    assert len(said) == 442
    assert 24.9 < min(map(float, said)) and max(map(float, said)) < 346.1


def test_a_regression_goes_beyond_its_targets_only_if_told(run, tmp_path):
    (tmp_path / "line.csv").write_text("x,y\n" + "".join(f"{n / 100},{n / 50 + 7}\n" for n in range(200)))
    (tmp_path / "far.csv").write_text("x\n-9\n9\n")
    words = ["--train", "line.csv", "--target", "y", "--quiet", "--no-report", "--nodal", "multiplication", "--pool", "sum", "--activation", "relu"]
    run("train", *words, "--out", "kept")
    assert [float(v) for v in run("predict", "kept", "far.csv").stdout.split()[1:]] == pytest.approx([7, 10.98])
    run("train", *words, "--out", "free", "--bounded", "false")
    low, high = (float(v) for v in run("predict", "free", "far.csv").stdout.split()[1:])
    assert low < 6 and high > 12
