"""Writes untrained gopnet model files (docs/reference/model_file.md) with any operators."""
import itertools
import json
import struct

import numpy as np

NODAL = ["multiplication", "exponential", "harmonic", "quadratic", "gaussian", "dog"]
POOL = ["sum", "correlation1", "correlation2", "maximum"]
ACTIVATION = ["sigmoid", "tanh", "relu", "softplus", "inverse_absolute", "elu"]
HOSTILE = '</script><img src=x onerror=alert(1)>"\'*/ ?? \\ é'


def write_safetensors(path, metadata, tensors):
    header, body = {"__metadata__": metadata}, b""
    for name, values in tensors.items():
        kind = {"float32": "F32", "float64": "F64"}[values.dtype.name]
        data = values.tobytes()
        header[name] = {"dtype": kind, "shape": list(values.shape), "data_offsets": [len(body), len(body) + len(data)]}
        body += data
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def block_tensors(rng, prefix, inputs, units, scale):
    f32 = lambda values: np.asarray(values, np.float32)  # noqa: E731
    return {
        prefix + "weight": f32(scale * rng.normal(size=(inputs, units))), prefix + "bias": f32(0.1 * rng.normal(size=units)),
        prefix + "gamma": f32(rng.uniform(0.5, 1.5, units)), prefix + "beta": f32(rng.normal(size=units)),
        prefix + "mean": f32(rng.normal(size=units)), prefix + "variance": f32(rng.uniform(0.1, 2, units))}


def metadata_of(columns, **more):
    schema = {"columns": [{"name": n, "categories": c} for n, c in columns], "targets": [], "named": True, "fill_missing": True}
    return {"format": "gopnet-2", "algorithm": "popfast", "parameters": "{}", "classes": "[]", "class_kind": "text",
            "schema": json.dumps(schema), "output": "null", **more}


def one_layer(path, inputs, units, sets, seed=3, most=None):
    """Writes a regression model with one block and one output per operator set; outputs are limited to [-most, most]."""
    rng = np.random.default_rng(seed)
    tensors, total = {}, len(sets)
    for j in range(len(sets)):
        tensors |= block_tensors(rng, f"layers.0.blocks.{j}.", inputs, units, inputs**-0.5)
    tensors |= {"features.mean": rng.normal(size=inputs), "features.scale": rng.uniform(0.5, 2, inputs),
                "targets.mean": np.zeros(total), "targets.scale": np.ones(total),
                "output.weight": np.kron(np.eye(total), rng.uniform(0.5, 1.5, (units, 1)) / units).astype(np.float32), "output.bias": np.zeros(total, np.float32)}
    if most:
        tensors |= {"targets.low": np.full(total, -most), "targets.high": np.full(total, most)}
    blocks = [{"units": units, "operator_set": s, "norm": "batch"} for s in sets]
    layers = [{"blocks": blocks, "memory": None, "keeps_input": False}]
    write_safetensors(path, metadata_of([(f"x{k}", []) for k in range(inputs)], task="regression", layers=json.dumps(layers)), tensors)


def all_sets():
    return [list(s) for s in itertools.product(NODAL, POOL, ACTIVATION)]


def all_pairs():
    return [[*s, "tanh"] for s in itertools.product(NODAL, POOL)]


def with_categories(path):
    """Writes a classifier with text labels, hostile names and three columns: a number, a text with three categories, a number."""
    rng = np.random.default_rng(8)
    columns = [(HOSTILE, []), ("x", [HOSTILE, "blue", "green"]), ("size", [])]
    tensors = block_tensors(rng, "layers.0.blocks.0.", 5, 6, 0.7)
    tensors |= {"features.mean": np.array([2.0, 0.5, 0.25, 0.25, -3]), "features.scale": np.array([1, 0.5, 0.4, 0.4, 5.0]),
                "output.weight": rng.normal(size=(6, 3)).astype(np.float32), "output.bias": np.zeros(3, np.float32),
                "output.temperature": np.array([1.5])}
    layers = [{"blocks": [{"units": 6, "operator_set": ["gaussian", "correlation1", "tanh"], "norm": "batch"}], "memory": None, "keeps_input": False}]
    metadata = metadata_of(columns, task="classification", layers=json.dumps(layers)) | {"classes": json.dumps([HOSTILE, "ant", "bee"])}
    write_safetensors(path, metadata, tensors)
    return columns
