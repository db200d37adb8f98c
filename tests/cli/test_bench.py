"""gopnet bench: its output and its errors, but not its times."""

import itertools
import json
import math
import re

import pytest

from conftest import listed

SHAPE = ["--shape", "64,8,4,3"]
PAIR = [*SHAPE, "--pairs", "exponential/sum"]
COMMON = ["version", "simd", "cpu", "threads", "shape", "peak"]
FIELDS = ["nodal", "pool", "forward", "forward_dw", "bound_forward", "bound_forward_dw",
          "share_forward", "share_forward_dw", "instructions_forward", "instructions_forward_dw",
          "epoch_ms"]


def bench(run, *args):
    done = run("bench", *args, "--json", "--quiet")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return json.loads(done.stdout)


def names(kind, searched=False):
    """Operators of a kind, or only those that gopnet searches by default."""
    return [o["name"] for o in listed("operators") if o["kind"] == kind and o["in_paper"] >= searched]


def positive(values):
    return all(math.isfinite(v) and v > 0 for v in values)


def test_json_of_a_pair(run):
    found = bench(run, *PAIR)
    assert list(found) == COMMON + ["pairs"]
    assert found["version"] == run("--version").stdout.split()[1]
    assert found["threads"] == 1 and found["cpu"]
    assert found["shape"] == {"rows": 64, "inputs": 8, "units": 4, "classes": 3, "batch_size": 64}
    assert list(found["peak"]) == ["fma", "mixed"] and positive(found["peak"].values())
    [pair] = found["pairs"]
    assert list(pair) == FIELDS and [pair["nodal"], pair["pool"]] == ["exponential", "sum"]
    assert positive([pair[f] for f in FIELDS[2:]])
    for way in ("forward", "forward_dw"):
        assert math.isclose(pair["share_" + way], pair[way] / pair["bound_" + way], rel_tol=1e-9)


def test_table_of_pairs(run):
    done = run("bench", *SHAPE, "--pairs", "dog/maximum,quadratic/correlation2")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    for part in ("GFLOP/s", "64 rows", "8 inputs", "4 units", "3 classes", "batches of 64"):
        assert part in lines[0]
    assert lines[2].split()[:3] == ["nodal", "pool", "forward"]
    for line, names in zip(lines[3:5], (["dog", "maximum"], ["quadratic", "correlation2"])):
        assert line.split()[:2] == names and len(line.split()) == 7
        assert all(math.isfinite(float(number)) for number in line.split()[2:])
    assert [line.split()[-1] for line in done.stderr.splitlines()] == ["dog/maximum",
                                                                       "quadratic/correlation2"]
    assert run("bench", *PAIR, "--quiet").stderr == ""


def test_all_pairs_by_default(run):
    pairs = bench(run, *SHAPE)["pairs"]
    nodal, pool = names("nodal"), names("pool")
    assert [(pair["nodal"], pair["pool"]) for pair in pairs] == list(itertools.product(nodal, pool))
    assert all(positive([pair[f] for f in FIELDS[2:]]) for pair in pairs)


def test_search(run):
    args = [*SHAPE, "--no-pairs", "--search", "--epochs", "1", "--threads", "2"]
    found = bench(run, *args)
    assert list(found) == COMMON + ["search"]
    search = found["search"]
    assert positive([search.pop("seconds")])
    sets = math.prod(len(names(kind, searched=True)) for kind in ("nodal", "pool", "activation"))
    assert search == {"search": "exhaustive", "candidates": sets, "epochs": 1, "threads": 2}
    assert f"search: {sets} operator sets" in run("bench", *args).stdout


@pytest.mark.parametrize("model", ["run", "regression", "run/model.safetensors"])
def test_prediction(ask, model):
    found = bench(ask, "--model", model)
    assert list(found) == COMMON + ["model", "predict"]
    assert found["model"]["inputs"] == 4 and found["model"]["units"][0] == 8 and found["model"]["networks"] == 1
    assert list(found["predict"]) == ["rows", "rows_per_second", "row_microseconds"]
    assert found["predict"]["rows"] == 4096 and positive(found["predict"].values())
    text = ask("bench", "--model", model).stdout
    assert "rows/s" in text and "popmem-o model: 4 inputs, 8" in text and "600 rows" not in text


def test_pinned_instruction_set_and_batch_size(run):
    text = " ".join(run("bench", "--help").stdout.split())
    for simd in re.search(r"instruction set: ([\w, ]+)\.", text)[1].split(", "):
        found = bench(run, *PAIR, "--simd", simd, "--batch-size", "16")
        assert found["simd"] == simd and found["shape"]["batch_size"] == 16


def test_awkward_shapes(run):
    for shape in ("2,3,1,2", "65,17,19,5"):  # fewer rows than a batch, and one row left over
        [pair] = bench(run, "--shape", shape, "--pairs", "gaussian/correlation2")["pairs"]
        assert positive([pair[f] for f in FIELDS[2:]])


def test_help_has_an_example(run):
    done = run("bench", "--help")
    assert done.returncode == 0 and "Example:\n  gopnet bench" in done.stdout
