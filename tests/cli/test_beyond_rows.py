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
    assert -400 < min(map(float, said)) and max(map(float, said)) < 800
