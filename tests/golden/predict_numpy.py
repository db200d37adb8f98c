#!/usr/bin/env python3
"""An independent reference implementation: reads a gopnet model (docs/reference/model_file.md) and predicts with NumPy in double.

Usage: predict_numpy.py MODEL X.npy prints probabilities or values as JSON.
"""
import json
import struct
import sys

import numpy as np


def read_safetensors(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        body = file.read()
    kinds = {"F32": np.float32, "F64": np.float64}
    tensors = {}
    for name, info in header.items():
        if name != "__metadata__":
            begin, end = info["data_offsets"]
            tensors[name] = np.frombuffer(body[begin:end], kinds[info["dtype"]]).reshape(info["shape"]).astype(np.float64)
    return header["__metadata__"], tensors


def guarded_exp(t):
    return np.exp(np.clip(t, -87, 10)) * (1 + np.maximum(t - 10, 0))


NODAL = {
    "multiplication": lambda y, w: w * y,
    "exponential": lambda y, w: guarded_exp(w * y) - 1,
    "harmonic": lambda y, w: np.sin(w * y),
    "quadratic": lambda y, w: w * y**2,
    "gaussian": lambda y, w: w * guarded_exp(-w * y**2),
    "dog": lambda y, w: w * y * guarded_exp(-w * y**2),
}
POOL = {
    "sum": lambda z: z.sum(1),
    "correlation1": lambda z: (z[:, :-1] * z[:, 1:]).sum(1),
    "correlation2": lambda z: (z[:, :-2] * z[:, 1:-1] * z[:, 2:]).sum(1),
    "maximum": lambda z: z.max(1),
}
ACTIVATION = {
    "sigmoid": lambda x: 1 / (1 + np.exp(-np.clip(x, -700, 700))),
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
    "softplus": lambda x: np.logaddexp(0, x),
    "inverse_absolute": lambda x: x / (1 + np.abs(x)),
    "elu": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
}


def gops(x, operator_set, weight, bias, norm="none"):
    nodal, pool, activation = operator_set
    pooled = np.stack([POOL[pool](NODAL[nodal](x, w)) for w in weight.T], axis=1)
    if norm == "row":
        pooled = pooled / (np.linalg.norm(pooled, axis=1, keepdims=True) + 1e-6)
    return ACTIVATION[activation](np.clip(pooled, -1e6, 1e6) + bias)


def block_output(x, info, tensor):
    a = gops(x, info["operator_set"], tensor("weight"), tensor("bias"), info["norm"])
    if info["norm"] != "batch":
        return a
    return tensor("gamma") * (a - tensor("mean")) / np.sqrt(tensor("variance") + 1e-3) + tensor("beta")


def layer_output(x, info, tensor):
    parts = [block_output(x, block, lambda name, j=j: tensor(f"blocks.{j}.{name}")) for j, block in enumerate(info["blocks"])]
    if info["memory"] is not None:
        parts.append(((x - tensor("memory.mean")) * tensor("memory.inverse_scale")) @ tensor("memory.projection") + tensor("memory.bias"))
    if info["keeps_input"]:
        parts.append(x)
    return np.hstack(parts)


def network_output(x, layers, output_set, tensor):
    for k, info in enumerate(layers):
        x = layer_output(x, info, lambda name, k=k: tensor(f"layers.{k}.{name}"))
    if output_set is None:
        return x @ tensor("output.weight") + tensor("output.bias")
    return gops(x, output_set, tensor("output.weight"), tensor("output.bias"))


def softmax(y):
    e = np.exp(y - y.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def bounded(y, tensors):
    """Clips the outputs of a network to the range of the targets."""
    if "targets.low" not in tensors:
        return y
    values = np.clip(y * tensors["targets.scale"] + tensors["targets.mean"], tensors["targets.low"], tensors["targets.high"])
    return (values - tensors["targets.mean"]) / tensors["targets.scale"]


def average(x, members, logits, tensors):
    total = 0
    for m, info in enumerate(members):
        y = bounded(network_output(x, info["layers"], info["output"], lambda name, m=m: tensors[f"members.{m}.{name}"]), tensors)
        total = total + info["weight"] * (softmax(y) if logits else y)
    return np.log(np.maximum(total, 1e-30)) if logits else total


def predict(path, raw):
    meta, tensors = read_safetensors(path)
    x = (raw.astype(np.float32).astype(np.float64) - tensors["features.mean"]) / tensors["features.scale"]
    x = np.clip(np.nan_to_num(x, nan=0.0), -10, 10)
    first = 0
    for j, size in zip(tensors.get("features.curves.columns", []), tensors.get("features.curves.sizes", [])):
        column = raw[:, int(j)].astype(np.float32).astype(np.float64)
        part = slice(first, first + int(size))
        bent = np.interp(column, tensors["features.curves.knots"][part], tensors["features.curves.values"][part])
        x[:, int(j)] = np.where(np.isnan(column), 0.0, bent)
        first += int(size)
    if meta["format"] == "gopnet-3":
        y = average(x, json.loads(meta["members"]), meta["average"] == "probabilities", tensors)
    else:
        y = bounded(network_output(x, json.loads(meta["layers"]), json.loads(meta["output"]), tensors.__getitem__), tensors)
    if meta["task"] == "regression":
        return y * tensors["targets.scale"] + tensors["targets.mean"]
    return softmax(tensors["output.temperature"][0] * y)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    json.dump(predict(sys.argv[1], np.load(sys.argv[2])).tolist(), sys.stdout)
