"""Compares `gopnet predict` with an independent NumPy implementation for every algorithm and operator."""
import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

from predict_numpy import ACTIVATION, NODAL, POOL, predict, read_safetensors

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOPNET = os.environ.get("GOPNET", str(ROOT / "build" / "release" / "cli" / "gopnet"))


def run(*words):
    done = subprocess.run([GOPNET, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    random = np.random.default_rng(5)
    x = random.normal(size=(160, 7)).astype(np.float32) * [1, 10, 0.1, 1, 1, 1, 5] + [0, 100, 0, 0, -3, 0, 0]
    score = x[:, 0] * x[:, 3] + np.sin(2 * x[:, 4])
    np.save(folder / "x.npy", x.astype(np.float32))
    np.save(folder / "y.npy", np.digitize(score, [-0.5, 0.5]).astype(np.int64))
    np.save(folder / "t.npy", np.stack([100 + 20 * score, x[:, 5]], 1).astype(np.float32))
    wild = random.normal(size=(50, 7)).astype(np.float32) * 30  # far from the training rows, to exercise guards and clipping
    np.save(folder / "wild.npy", wild)
    return folder


SMALL = "--ensemble 1 --epochs 8 --finetune-epochs 3 --topology 6,5,4 --layer-threshold 0 --quiet".split()
# Small values for the flags of all algorithms; each algorithm gets only those it supports.
TINY = {"ensemble": "1", "epochs": "8", "finetune_epochs": "3", "topology": "6,5,4", "layer_threshold": "0", "block_size": "6", "max_blocks": "3",
        "max_layers": "3", "reduced_size": "5"}


def registry():
    return json.loads(run("help", "algorithms", "--json"))["algorithms"]


def operators(kind):
    return [o["name"] for o in json.loads(run("help", "operators", "--json"))["operators"] if o["kind"] == kind]


def systems():
    for algorithm in registry():
        names = [p["name"] for p in algorithm["parameters"]]
        flags = [word for name, value in TINY.items() if name in names for word in ("--" + name, value)]
        for memory in ("pca", "lda") if "memory" in names else ("none",):
            yield pytest.param(algorithm["name"], memory, flags + ["--quiet"], id=f"{algorithm['name']}-{memory}")


SYSTEMS = list(systems())


def has_deep_sine(model):
    metadata = read_safetensors(model)[0]
    one = metadata["format"] == "gopnet-2"
    networks = [{name: json.loads(metadata[name]) for name in ("layers", "output")}] if one else json.loads(metadata["members"])
    deep = [block["operator_set"] for net in networks for layer in net["layers"][1:] for block in layer["blocks"]]
    deep += [net["output"] for net in networks]
    return any(operators is not None and operators[0] == "harmonic" for operators in deep)


def check(folder, model, wanted):
    # regression outputs are unbounded, and the correlations of a deep network amplify float32 errors
    scale = 1 if wanted == "proba" else 10
    for rows, limit in (("x.npy", 1e-5 * scale), ("wild.npy", 1e-4 * scale)):
        if rows == "wild.npy" and has_deep_sine(model):
            continue  # wild rows can reach 10^6 within a layer, where the sine of a float32 has no correct digits
        out = folder / f"{model.parent.name}-{rows}"
        run("predict", model, folder / rows, *(["--proba"] if wanted == "proba" else []), "--out", out)
        ours, theirs = np.load(out), predict(model, np.load(folder / rows))
        assert ours.shape == theirs.shape
        assert np.max(np.abs(ours - theirs) / np.maximum(1, np.abs(theirs))) < limit


@pytest.mark.parametrize("algorithm,memory,flags", SYSTEMS)
def test_probabilities_of_every_algorithm(data, tmp_path, algorithm, memory, flags):
    run("train", "--train", data / "x.npy", "--train-labels", data / "y.npy", "--algorithm", algorithm, "--memory", memory,
        "--out", tmp_path / f"c-{algorithm}-{memory}", *flags)
    check(data, tmp_path / f"c-{algorithm}-{memory}" / "model.safetensors", "proba")


@pytest.mark.parametrize("algorithm,memory,flags", SYSTEMS)
def test_values_of_every_algorithm(data, tmp_path, algorithm, memory, flags):
    run("train", "--train", data / "x.npy", "--train-labels", data / "t.npy", "--algorithm", algorithm, "--memory", memory,
        "--out", tmp_path / f"r-{algorithm}-{memory}", *flags)
    check(data, tmp_path / f"r-{algorithm}-{memory}" / "model.safetensors", "values")


@pytest.mark.parametrize("targets,wanted", [("y.npy", "proba"), ("t.npy", "values")])
@pytest.mark.parametrize("words", ["--algorithm popmem-o --ensemble 3 --search-epochs 5 --scale quantile",
                                   "--algorithm popfast --ensemble 2 --folds 2 --scale robust", "--algorithm bls --folds 3"])
def test_averages_of_networks(data, tmp_path, words, targets, wanted):
    folder = tmp_path / f"{'-'.join(words.split()[1::2])}-{wanted}"
    names = {p["name"] for a in registry() if a["name"] == words.split()[1] for p in a["parameters"]}
    flags = [word for name, value in TINY.items() if name in names and name != "ensemble" for word in ("--" + name, value)]
    operators_of = ["--nodal", "multiplication,gaussian", "--pool", "sum,maximum"] if "nodal" in names else []
    run("train", "--train", data / "x.npy", "--train-labels", data / targets, *words.split(), *flags, *operators_of, "--out", folder,
        "--quiet")
    check(data, folder / "model.safetensors", wanted)
    inspected = json.loads(run("inspect", folder, "--json"))
    assert len(inspected["members"]) > 1
    assert sum(m["weight"] for m in inspected["members"]) == pytest.approx(1)
    assert "network 2 of" in run("inspect", folder / "model.safetensors")


@pytest.mark.parametrize("folds", [[], ["--folds", "2"]])
def test_a_linear_model_among_the_networks(data, tmp_path, folds):
    x = np.load(data / "x.npy")
    np.save(tmp_path / "line.npy", np.stack([x[:, 0] + 0.1 * x[:, 1], x[:, 4] - x[:, 2]], 1).astype(np.float32))
    words = ["--train", data / "x.npy", "--train-labels", tmp_path / "line.npy", "--ensemble", "2", "--epochs", "1", "--search-epochs", "1",
             "--topology", "2", "--finetune-epochs", "0", "--quiet", *folds]
    run("train", *words, "--out", tmp_path / f"with{len(folds)}")
    run("train", *words, "--linear-member", "false", "--out", tmp_path / "without")
    check(data, tmp_path / f"with{len(folds)}" / "model.safetensors", "values")
    members = [json.loads(run("inspect", tmp_path / name, "--json"))["members"] for name in (f"with{len(folds)}", "without")]
    assert [m["layers"] == [] for m in members[0]] == [False] * (len(members[0]) - 1) + [True] and len(members[0]) > len(members[1])
    assert all(m["layers"] for m in members[1])
    assert "linear: no layers" in run("inspect", tmp_path / f"with{len(folds)}" / "model.safetensors")
    said = json.loads((tmp_path / f"with{len(folds)}" / "metrics.json").read_text())
    assert said["members"][-1]["layers"] == 0 and said["members"][-1]["operator_set"] == []
    assert said["metrics"]["val"]["r2"] > json.loads((tmp_path / "without" / "metrics.json").read_text())["metrics"]["val"]["r2"]


@pytest.mark.parametrize("kind, ours", [("nodal", NODAL), ("pool", POOL), ("activation", ACTIVATION)])
def test_the_reference_knows_every_operator(kind, ours):
    assert sorted(ours) == sorted(operators(kind)), "predict_numpy.py has a formula for each"


@pytest.mark.parametrize("nodal", operators("nodal"))
@pytest.mark.parametrize("pool", operators("pool"))
def test_every_operator_pair(data, tmp_path, nodal, pool):
    activations = operators("activation")
    activation = activations[(len(nodal) + len(pool)) % len(activations)]
    run("train", "--train", data / "x.npy", "--train-labels", data / "y.npy", "--algorithm", "popmem-o", "--nodal", nodal,
        "--pool", pool, "--activation", activation, "--out", tmp_path / f"{nodal}-{pool}", *SMALL)
    check(data, tmp_path / f"{nodal}-{pool}" / "model.safetensors", "proba")
