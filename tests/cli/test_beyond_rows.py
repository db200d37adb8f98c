"""Some operators are unbounded: a regression must stay reasonable slightly outside the training rows."""

import csv
import json
import pathlib

import pytest

DIABETES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "data" / "diabetes.csv"


def beyond(path):
    """Each row with one feature at a time set to its maximum plus a fifth of its range."""
    with DIABETES.open(newline="") as file:
        names, *rows = list(csv.reader(file))
    columns = [[float(row[k]) for row in rows] for k in range(len(names) - 1)]
    with path.open("w", newline="") as file:
        write = csv.writer(file)
        write.writerow(names[:-1])
        for n, row in enumerate(rows):
            k = n % len(columns)
            write.writerow([*row[:k], max(columns[k]) + (max(columns[k]) - min(columns[k])) / 5, *row[k + 1:-1]])


def test_no_network_of_an_average_explodes(run, tmp_path):
    beyond(tmp_path / "beyond.csv")
    done = run("train", "--train", DIABETES, "--target", "progression", "--test-split", "0.2", "--seed", "3", "--json", "--quiet",
               "--no-report", "--bounded", "never", "--linear-member", "false", "--out", "run")
    result = json.loads(done.stdout)
    assert result["metrics"]["test"]["r2"] > 0.3
    assert result["networks_left_out"] == 2 and len(result["members"]) == 6  # one for its error, one because it explodes
    said = run("predict", "run", "beyond.csv").stdout.split()[1:]
    assert len(said) == 442
    assert -800 < min(map(float, said)) and max(map(float, said)) < 1200  # with the exploding network -1,282 and 13,555


def test_predictions_exceed_the_targets_only_on_request_or_with_dates(run, tmp_path):
    days = [f"2021-{1 + n // 28:02}-{1 + n % 28:02}" for n in range(336)]
    lines = [(n / 100, day, n / 50 + 7) for n, day in enumerate(days)]
    for name, column in (("number", 0), ("date", 1)):
        text = ["x,y\n", *(f"{line[column]},{line[2]}\n" for line in lines)]
        (tmp_path / f"{name}.csv").write_text("".join(text))
    (tmp_path / "number_far.csv").write_text("x,y\n" + "-9,-2\n9,25\n" * 10)
    (tmp_path / "date_far.csv").write_text("x,y\n2020-10-01,1\n2022-03-01,15\n")
    words = ["--target", "y", "--no-report", "--nodal", "multiplication", "--pool", "sum", "--activation", "relu"]

    def predicted(name, *more):
        out = "_".join([name, *more])
        done = run("train", "--train", f"{name}.csv", "--test", f"{name}_far.csv", *words, "--out", out, *more)
        return [float(v) for v in run("predict", out, f"{name}_far.csv").stdout.split()[1:3]], done.stderr

    (low, high), told = predicted("number")
    assert low == 7 and high == pytest.approx(13.7, abs=1e-6)
    assert "20 of 20 test targets" in told
    for name, more in (("number", ["--bounded", "never"]), ("date", [])):
        (low, high), told = predicted(name, *more)
        assert low < 6.5 and high > 14 and "test targets" not in told


@pytest.mark.parametrize("algorithm", ["popfast", "pop", "bls"])
def test_bounds_are_exact(run, tmp_path, algorithm):
    """Predictions of a target that is never negative must not be negative."""
    rows = [(n % 40 - 20, n % 7 - 3, max(0, n % 40 - 20 + 0.31 * (n % 7))) for n in range(300)]
    (tmp_path / "rain.csv").write_text("a,b,y\n" + "".join(f"{a},{b},{y:.2f}\n" for a, b, y in rows))
    run("train", "--train", "rain.csv", "--target", "y", "--quiet", "--no-report", "--algorithm", algorithm, "--out", "run")
    said = [float(v) for v in run("predict", "run", "rain.csv").stdout.split()[1:]]
    assert min(said) >= 0 and max(said) <= 20.86


def test_one_absurd_target_gives_a_warning(run, tmp_path):
    def told(odd):
        rows = [f"{n / 10},{n % 7},{odd if n == 30 else 100 + n}\n" for n in range(60)]
        (tmp_path / "odd.csv").write_text("a,b,y\n" + "".join(rows))
        done = run("train", "--train", "odd.csv", "--target", "y", "--algorithm", "bls", "--no-report", "--out", f"run{odd}")
        return done.stderr

    warning = told(10000000)
    assert all(fact in warning for fact in ("odd.csv: ", "10000000", "97 %", "48 rows")), warning
    assert "variance" not in told(400)
