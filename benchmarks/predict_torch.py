#!/usr/bin/env python3
"""Time the prediction of a trained gopnet model in PyTorch, float32, as a PyGOP user would write it, for speed.py.

Usage: benchmarks/predict_torch.py MODEL [--gopnet PATH] [--rows 4096] [--batch 256] [--repeats 5]

Every layer broadcasts [n, K, 1] with [1, K, M], pools over axis 1, then activation, batch norm in eval mode and, where
it has a memory, the projection of its input beside it; at the end linear and softmax. One thread, no gradients.
Prints JSON: rows per second (best of the repeats) and the greatest difference from `gopnet predict --proba` on the same
random rows; fails if that exceeds 1e-4, because a peer that computes something else proves nothing.
MODEL is a model.safetensors of a classifier of one network of the POP family, trained with --scale standard on numbers.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

from peer_torch import NODAL, POOL  # must come first: it limits the threads of OpenBLAS
import numpy as np
import torch
from torch.nn import functional

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "golden"))
from predict_numpy import read_safetensors


def guarded_exp(t):
    """Return exp, continued linearly beyond 10 as in gopnet. If all t are below, the guard costs one pass."""
    return torch.exp(t) if t.max() <= 10 else torch.exp(t.clamp(max=10)) * (1 + (t - 10).clamp(min=0))


GUARDED = dict(NODAL, exponential=lambda y, w: guarded_exp(y * w) - 1,
               gaussian=lambda y, w: w * guarded_exp(-w * y * y),
               dog=lambda y, w: w * y * guarded_exp(-w * y * y))
ACTIVATION = {
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "relu": torch.relu,
    "softplus": functional.softplus,
    "inverse_absolute": functional.softsign,
    "elu": functional.elu,
}


class Layer:
    """One GOP layer and its memory, as the documentation of the model file describes them."""

    def __init__(self, info, tensors):
        nodal, pool, activation = info["blocks"][0]["operator_set"]
        self.nodal, self.pool, self.activation = GUARDED[nodal], POOL[pool], ACTIVATION[activation]
        self.has_memory = info["memory"] is not None
        self.t = {name.removeprefix("blocks.0."): value for name, value in tensors.items()}

    def __call__(self, x):
        t = self.t
        pooled = self.pool(self.nodal(x.unsqueeze(2), t["weight"].unsqueeze(0))).clamp(-1e6, 1e6)
        hidden = self.activation(pooled + t["bias"])
        hidden = functional.batch_norm(hidden, t["mean"], t["variance"], t["gamma"], t["beta"], eps=1e-3)
        if not self.has_memory:
            return hidden
        scaled = (x - t["memory.mean"]) * t["memory.inverse_scale"]
        return torch.cat([hidden, torch.addmm(t["memory.bias"], scaled, t["memory.projection"])], 1)


class Network:
    def __init__(self, path):
        meta, tensors = read_safetensors(path)
        average = "members" in meta  # a file format of its own, also used for one network with curves
        members = json.loads(meta["members"]) if average else [{"layers": json.loads(meta["layers"])}]
        start = "members.0." if average else ""
        if meta["task"] != "classification" or len(members) != 1 or "features.curves.columns" in tensors:
            sys.exit(f"predict_torch: {path}: expected a classifier of one network trained with --scale standard")
        self.mean, self.scale = (torch.from_numpy(tensors[f"features.{name}"]) for name in ("mean", "scale"))
        self.temperature = float(tensors["output.temperature"][0])
        tensors = {name: torch.from_numpy(value).float() for name, value in tensors.items()}
        self.weight, self.bias = tensors[f"{start}output.weight"], tensors[f"{start}output.bias"]
        self.layers = []
        for k, info in enumerate(members[0]["layers"]):
            prefix = f"{start}layers.{k}."
            own = {name[len(prefix):]: value for name, value in tensors.items() if name.startswith(prefix)}
            self.layers.append(Layer(info, own))

    def __call__(self, raw):
        x = ((raw - self.mean) / self.scale).clamp(-10, 10).float()  # in double, as the file keeps them
        for layer in self.layers:
            x = layer(x)
        return torch.softmax(self.temperature * torch.addmm(self.bias, x, self.weight), 1)

    def predict(self, rows, batch):
        with torch.no_grad():
            return torch.cat([self(part) for part in rows.split(batch)])


def gopnet_probabilities(program, model, rows):
    with tempfile.TemporaryDirectory() as folder:
        np.save(f"{folder}/x.npy", rows)
        command = [program, "predict", model, f"{folder}/x.npy", "--proba", "--out", f"{folder}/p.npy"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        return np.load(f"{folder}/p.npy")


def best_seconds(work, repeats):
    times = []
    for _ in range(repeats + 1):  # the first one warms up
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--gopnet", default=str(ROOT / "build/release/cli/gopnet"))
    parser.add_argument("--rows", type=int, default=4096)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--repeats", type=int, default=5)
    args = parser.parse_args()
    torch.set_num_threads(1)
    network = Network(args.model)
    noise = np.random.default_rng(0).normal(size=(args.rows, len(network.mean)))
    rows = (network.mean.numpy() + network.scale.numpy() * noise).astype(np.float32)  # spread as the training rows were
    x = torch.from_numpy(rows)
    theirs = gopnet_probabilities(args.gopnet, args.model, rows)
    difference = float(np.max(np.abs(network.predict(x, args.batch).numpy() - theirs)))
    if not difference < 1e-4:
        sys.exit(f"predict_torch: probabilities differ from those of gopnet by {difference:.2g}, 1e-4 is the limit")
    seconds = best_seconds(lambda: network.predict(x, args.batch), args.repeats)
    print(json.dumps({"rows_per_second": args.rows / seconds, "max_difference": difference}))


if __name__ == "__main__":
    main()
