"""Helpers that train, export and run models for the export tests. GOPNET is the path of the program."""
import json
import os
import pathlib
import shutil
import subprocess

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
GOPNET = os.environ.get("GOPNET", str(ROOT / "build" / "release" / "cli" / "gopnet"))
MODULES = ROOT / "build" / "node" / "node_modules"  # tools/setup test puts ONNX Runtime there
SMALL = {"ensemble": "1", "epochs": "2", "finetune_epochs": "1", "topology": "6,5", "layer_threshold": "0", "block_size": "6", "max_blocks": "3",
         "max_layers": "2", "reduced_size": "5", "nodal": "multiplication,dog", "pool": "correlation1,maximum"}


def run(*words):
    done = subprocess.run([GOPNET, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def no_runtime():
    """Returns why ONNX Runtime cannot run here; empty if it can."""
    if not shutil.which("node"):
        return "there is no node; tools/setup test installs it"
    return "" if (MODULES / "onnxruntime-node").is_dir() else "onnxruntime-node is not in build/node; tools/setup test puts it there"


def node(script, jobs):
    done = subprocess.run(["node", HERE / script], input=json.dumps(jobs), capture_output=True, text=True, timeout=300,
                          env={**os.environ, "NODE_PATH": str(MODULES)})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def write_rows(folder):
    """Writes training rows with features of different scales: x.npy, the classes y.npy and two targets t.npy."""
    rng = np.random.default_rng(5)
    x = (rng.standard_t(3, size=(160, 7)) * [1, 10, 0.1, 1, 1, 1, 5] + [0, 1000, 0, 0, -3, 0, 0]).astype(np.float32)
    score = x[:, 0] * x[:, 3] + np.sin(2 * x[:, 4])
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", np.digitize(score, [-0.5, 0.5]).astype(np.int64))
    np.save(folder / "t.npy", np.stack([100 + 20 * score, x[:, 5]], 1).astype(np.float32))
    np.save(folder / "one.npy", score[:, None].astype(np.float32))


def train(folder, name, targets, algorithm, *words):
    """Trains a tiny model with the flags that the algorithm supports. Returns the path of the model."""
    known = {p["name"] for a in ALGORITHMS for p in a["parameters"] if a["name"] == algorithm}
    given = {word[2:].replace("-", "_") for word in words if word.startswith("--")}
    flags = [word for flag, value in SMALL.items() if flag in known - given for word in ("--" + flag, value)]
    run("train", "--train", folder / "x.npy", "--train-labels", folder / targets, "--algorithm", algorithm, *flags, *words, "--quiet", "--out", folder / name)
    return folder / name / "model.safetensors"


ALGORITHMS = json.loads(run("help", "algorithms", "--json"))["algorithms"]


def predicted(folder, model, x):
    """Returns the probabilities or values that `gopnet predict` writes."""
    np.save(folder / "rows.npy", x)
    task = json.loads(run("inspect", model, "--json"))["task"]
    run("predict", model, folder / "rows.npy", "--out", folder / "predicted.npy", "--force", *(["--proba"] if task == "classification" else []))
    values = np.load(folder / "predicted.npy")
    return values.reshape(len(x), -1)


def error(ours, theirs, unit=1):
    """Returns the largest error, relative to the value or to `unit`, whichever is larger."""
    assert ours.shape == theirs.shape
    return np.max(np.abs(ours - theirs) / np.maximum(unit, np.abs(theirs)))
