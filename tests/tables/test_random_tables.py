"""Passes random tables through `data`, `train`, `predict`, Python and the exported page. Any wrong reading and any difference between
their predictions must come with a warning. RANDOM_TABLES sets the number of tables (2,000 take about ten minutes on two cores)."""

import collections
import concurrent.futures
import csv
import importlib
import io
import json
import os
import shutil
import subprocess
import sys
import warnings

import numpy as np
import pytest
from random_tables import random_table
from test_tables import PROGRAM, ROOT

COUNT = int(os.environ.get("RANDOM_TABLES", "40"))
SMALL = "--algorithm bls --max-blocks 1 --block-size 4 --threads 1 --no-report".split()
HEADER = {True: ["--header", "yes"], False: ["--header", "no"]}
SAME_KINDS = {"number": {"number", "constant", "empty", "index", "id"}, "date": {"date", "constant", "empty", "id"},
              "category": {"category", "constant", "empty", "id"}}


def call(folder, *args):
    return subprocess.run([PROGRAM, *map(str, args)], cwd=folder, capture_output=True, text=True, timeout=600)


class Silent(AssertionError):
    """A difference without a warning."""


def expect(same, *told):
    if not same:
        raise Silent(*told)


def check_data(folder, table):
    """Returns whether the table was read correctly."""
    done = call(folder, "data", "t.csv", "--json")
    if done.returncode != 0:
        expect(done.returncode == 2 and len(done.stderr.splitlines()) == 1, "data", done.stderr)
        return False
    found = json.loads(done.stdout)
    said = " ".join(found["warnings"])
    if found["header"] != table.named:
        expect("--header" in said, "header", found["header"], said)
        return False
    expect(found["rows"] == table.rows or "part of the table" in said or "no target" in said, "rows", found["rows"], table.rows, said)
    for column, truth in zip(found["columns"], table.columns):
        if column["kind"] == "target":
            continue
        about = any(truth.name in warning or column["name"] in warning for warning in found["warnings"])
        expect(column["name"] == truth.name or not table.named, "name", column, truth.name)
        expect(column["kind"] in SAME_KINDS[truth.kind] or about, "kind", column, truth.kind, said)
        expect(column["blanks"] == truth.values.count(None) or about, "blanks", column, truth.values.count(None), said)
    return found["rows"] == table.rows


def numbers_of(table, lines):
    """Returns the probabilities or values of rows, without their labels."""
    return np.array([[float(field) for field in line[1 if table.classes else 0:]] for line in lines])


def predicted(folder, run, name, *options):
    """Returns the lines that `predict` writes for a file, or None after an error, and its messages."""
    done = call(folder, "predict", run, name, *options)
    if done.returncode != 0:
        expect(done.returncode == 2 and len(done.stderr.splitlines()) == 1, "predict", done.stderr)
        return None, done.stderr
    return list(csv.reader(io.StringIO(done.stdout)))[1:], done.stderr


def check_predictions(folder, table):
    """Predicts a file with names (if the table has any), one without, and one with the target; returns the first predictions."""
    features, first = table.columns[:-1], None
    for name, columns, named in (("x.csv", features, table.named), ("n.csv", features, False), ("t.csv", table.columns, table.named)):
        (folder / name).write_text(table.text(columns, named), newline="")
        lines, told = predicted(folder, "run", name, *PROBABLY[table.classes])
        if lines is None:
            continue
        expect(len(lines) == table.rows or "header" in told or "part of the table" in told, name, len(lines), table.rows, told)
        if len(lines) != table.rows:
            continue
        if first is None:
            first = lines
        expect(lines == first or told, name, "differs", told)
        if name == "x.csv":
            table.told = told
    return first


PROBABLY = {True: ["--proba"], False: []}


def run_table(folder, seed):
    """Runs the checks of the command line and exports the page; returns the table and its predictions, or None after an error."""
    table = random_table(seed)
    folder.mkdir()
    (folder / "t.csv").write_text(table.text(), newline="")
    right = check_data(folder, table)
    options = [] if right else HEADER[table.named]
    done = call(folder, "train", "--train", "t.csv", "--out", "run", *SMALL, "--seed", "1", *options)
    if done.returncode != 0:
        expect(done.returncode == 2 and len(done.stderr.splitlines()) == 1, "train", done.stderr)
        return None
    metrics = json.loads((folder / "run" / "metrics.json").read_text())
    table.classes = metrics["task"] == "classification"
    table.told = ""
    table.trained_told = [line for line in done.stderr.splitlines() if line.startswith("warning:") and ("column" in line or "no target" in line)]
    first = check_predictions(folder, table)
    exported = call(folder, "export", "run", "-o", "m.html", "--format", "html", "--quiet")
    assert exported.returncode == 0, exported.stderr
    return first and (table, first)


def check_training_in_python(gopnet, frame, table, wanted):
    """The same values must give the same network, unless there was a warning about the columns."""
    target = table.columns[-1]
    y = np.array(target.values, dtype=object if target.kind == "category" else float)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            model = gopnet.train(frame, y, algorithm="bls", max_blocks=1, block_size=4, threads=1, seed=1, progress=False,
                                 task="classification" if table.classes else "regression").model
            said = model.predict_proba(frame) if table.classes else model.predict(frame).reshape(table.rows, -1)
        except ValueError:
            return
    same = said.shape == wanted.shape and np.allclose(said, wanted, rtol=1e-3, atol=1e-4)
    expect(same or told or table.trained_told, "trained in python", said[:3], wanted[:3])


def check_in_python(folder, table, lines):
    gopnet, pd = importlib.import_module("gopnet"), importlib.import_module("pandas")
    model = gopnet.Model.load(folder / "run" / "model.safetensors")
    features = table.columns[:-1]
    frame = pd.DataFrame({j: np.array(c.values, dtype=float) if c.kind == "number" else pd.Series(c.values, dtype=object)
                          for j, c in enumerate(features)})
    if table.named:
        frame.columns = [c.name for c in features]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            said = model.predict_proba(frame) if table.classes else model.predict(frame).reshape(table.rows, -1)
        except gopnet.Error:
            return
    same = said.shape == numbers_of(table, lines).shape and np.allclose(said, numbers_of(table, lines), rtol=1e-4, atol=1e-5)
    expect(same or told or table.told, "python", said[:3], lines[:3])
    check_training_in_python(gopnet, frame, table, said)
    if all(c.kind == "number" for c in features):
        masked = np.ma.masked_invalid(frame.to_numpy(dtype=float))
        masked.data[masked.mask] = 1e4  # must be ignored: these values are masked
        again = model.predict_proba(masked) if table.classes else model.predict(masked).reshape(table.rows, -1)
        expect(np.array_equal(again, said), "masked", again[:3], said[:3])


def check_page(shown, table, lines):
    if "error" in shown:
        return
    expect(len(shown["lines"]) == table.rows, "page", len(shown["lines"]), table.rows)
    ours, theirs = numbers_of(table, shown["lines"]), numbers_of(table, lines)
    same = ours.shape == theirs.shape and np.allclose(ours, theirs, rtol=1e-4, atol=1e-5)
    expect(same or shown["note"], "page", shown["lines"][:3], lines[:3])


def shown_by_pages(folder, seeds):
    jobs = [{"page": str(folder / str(seed) / "m.html"), "csv": (folder / str(seed) / "x.csv").read_text()} for seed in seeds]
    done = subprocess.run(["node", ROOT / "tests" / "export" / "run_page.js"], input=json.dumps(jobs), capture_output=True, text=True,
                          timeout=600, check=True)
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """The result of each table: its predictions, or a difference without a warning."""
    folder = tmp_path_factory.mktemp("random")

    def tried(seed):
        try:
            return run_table(folder / str(seed), seed)
        except Silent as silent:
            return silent

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return folder, dict(zip(range(COUNT), pool.map(tried, range(COUNT))))


def silent_differences(results, check):
    found = []
    for seed, result in results:
        try:
            check(seed, *result)
        except Silent as silent:
            found.append((seed, *silent.args))
    return found


def test_wrong_readings_are_rare_and_come_with_a_warning(tables):
    results = tables[1]
    silent = {seed: result.args for seed, result in results.items() if isinstance(result, Silent)}
    assert not silent, silent
    assert sum(isinstance(result, tuple) for result in results.values()) > COUNT / 2, collections.Counter(map(type, results.values()))


def finished(tables):
    return {seed: result for seed, result in tables[1].items() if isinstance(result, tuple)}


def test_python_matches_predict(tables):
    sys.path.insert(0, os.environ.get("GOPNET_PYTHON", str(ROOT / "build" / "release" / "python")))
    pytest.importorskip("pandas")
    pytest.importorskip("gopnet")
    silent = silent_differences(finished(tables).items(), lambda seed, *result: check_in_python(tables[0] / str(seed), *result))
    assert not silent, silent


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node; tools/setup test installs it")
def test_page_matches_predict(tables):
    done = finished(tables)
    shown = dict(zip(done, shown_by_pages(tables[0], done)))
    silent = silent_differences(done.items(), lambda seed, *result: check_page(shown[seed], *result))
    assert not silent, silent
