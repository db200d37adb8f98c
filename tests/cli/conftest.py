"""Runs the gopnet program as a user does. GOPNET names the program (default:
build/release/cli/gopnet)."""

import json
import os
import pathlib
import pty
import subprocess

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("GOPNET", ROOT / "build" / "release" / "cli" / "gopnet")).resolve()
# Small enough to train quickly.
TINY = ["--ensemble", "1", "--epochs", "5", "--finetune-epochs", "2", "--topology", "8,8",
        "--nodal", "multiplication,harmonic", "--pool", "sum,maximum", "--activation", "tanh"]
CLASSES = ["ant", "bee", "cat"]


def call(folder, *args, **options):
    """Run gopnet in `folder`, with stdout and stderr as text."""
    return subprocess.run([PROGRAM, *map(str, args)], cwd=folder, capture_output=True, text=True,
                          timeout=120, **options)


def blobs(rows, seed):
    """Three clouds of points in four dimensions, and the cloud of each point."""
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 3
    return (rng.normal(size=(rows, 4)) + 3 * np.eye(3, 4)[y]).astype(np.float32), y


def write_csv(path, columns, rows):
    lines = [",".join(columns)] + [",".join(map(str, row)) for row in rows]
    path.write_text("\n".join(lines) + "\n")


def write_data(folder):
    """train/val/test.csv with a text target, x_*.npy and y_*.npy, and regression.csv."""
    for seed, (name, rows) in enumerate([("train", 90), ("val", 45), ("test", 45)]):
        x, y = blobs(rows, seed)
        np.save(folder / f"x_{name}.npy", x)
        np.save(folder / f"y_{name}.npy", y)
        write_csv(folder / f"{name}.csv", ["a", "b", "c", "d", "kind"],
                  [[*row, CLASSES[k]] for row, k in zip(x.tolist(), y)])
    x, _ = blobs(90, 7)
    write_csv(folder / "regression.csv", ["a", "b", "c", "d", "value"],
              [[*row, 2 * row[0] - row[1] + 0.125] for row in x.tolist()])


def listed(topic):
    """The operators, algorithms, parameters or commands that the program lists."""
    return json.loads(call(ROOT, "help", *[topic] * (topic != "commands"), "--json").stdout)[topic]


@pytest.fixture
def terminal():
    """A pseudo-terminal: a program writes to the second end, and the test reads from the first."""
    try:
        ends = pty.openpty()
    except OSError as error:
        pytest.skip(f"no pseudo-terminal here: {error}")
    yield ends
    for end in ends:
        os.close(end)


@pytest.fixture
def run(tmp_path):
    """Run gopnet in a new folder with the data files."""
    write_data(tmp_path)
    return lambda *args, **options: call(tmp_path, *args, **options)


@pytest.fixture
def train(run):
    """Train a tiny network and return the output of --json."""

    def go(*args):
        done = run("train", *TINY, "--json", "--quiet", *args)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return go


def write_runs(folder):
    """The data, two finished runs, `run` and `regression`, and a `comparison`."""
    write_data(folder)
    for out, files in [("run", ["--train", "train.csv", "--val", "val.csv", "--test", "test.csv"]),
                       ("regression", ["--train", "regression.csv"])]:
        done = call(folder, "train", *TINY, *files, "--out", out)
        assert done.returncode == 0, done.stderr
    done = call(folder, "compare", "--train", "train.csv", "--algorithms", "s-elm", "--runs", "2",
                "--out", "comparison")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """A read-only folder with the files of write_runs."""
    folder = tmp_path_factory.mktemp("trained")
    write_runs(folder)
    return folder


@pytest.fixture
def ask(trained):
    """Run gopnet in the folder of the finished runs."""
    return lambda *args, **options: call(trained, *args, **options)
