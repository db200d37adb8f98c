#!/usr/bin/env python3
"""Writes fuzz/corpus/: small files of every kind that the parsers read, valid ones and some invalid ones.

usage: fuzz/make_corpus.py GOPNET      GOPNET is the program, which makes the models
A leading byte of csv, gz, npy, npz and config seeds chooses how the file is read (fuzz/support/read_table.h).
"""
import gzip
import io
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy as np

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"

# How a table is read: the bits of fuzz/support/read_table.h.
ROWS, CATEGORICAL, FILL, REGRESSION, CLASSES, FIRST, TWO, WEIGHT, LABELS = 0, 1, 2, 4, 12, 16, 48, 64, 128

CSV = {
    "plain": (ROWS, "1,2,a\n3,4,b\n5,6,a\n"),
    "header": (ROWS, "age,size,kind\n1,2.5,x\n-3,4e2,y\n"),
    "quotes": (CATEGORICAL, 'name,n,y\n"a, ""b""",1,2\n"two\nlines",3,4\n'),
    "categories": (CATEGORICAL | FILL, "c,x,y\nred,1,0\nblue,,1\n?,3,0\nred,nan,1\n"),
    "missing": (FILL | REGRESSION, "1,NA,0.5\n?,2,0.25\n,3,1e-3\n"),
    "regression": (REGRESSION, "a;b;y\r\n1;2;0.5\r\n3;4;1.5\r\n"),
    "two_targets": (REGRESSION | TWO, "p\tq\tx\n1\t2\t3\n4\t5\t6\n"),
    "weights": (FIRST | WEIGHT, "y,x,w\n0,1,0.5\n1,2,0\n0,3,2\n"),
    "labels": (LABELS | CLASSES, "label\nyes\nno\nyes\n"),
    "targets": (LABELS | REGRESSION, "1,2\n3,4\n"),
    "bad_numbers": (ROWS, "1,inf,0\n1e999,+5,1\n-1e-999, 7 ,0\n0x1p3,--1,2\n"),
    "ragged": (ROWS, "1,2,3\n4,5\n6,7,8,9\n"),
    "bom": (ROWS, "\ufeffa,b\n1,2\n3,4\n\n\n"),
    "blank_lines": (LABELS, "\n\n1\n\n2\n"),
    "utf8": (CATEGORICAL, "größe,y\n大,1\né,2\n"),
}

# Parameters, and the CSV to train on. Seeds of every kind of layer, norm, memory and output.
TINY = ["--seed", "1", "--threads", "1", "--quiet"]
SHORT = ["--epochs", "1", "--finetune-epochs", "0"]
KINDS = "a,b,kind\n" + "".join(f"{i},{i * i % 7},{'xyz'[i % 3]}\n" for i in range(24))
NUMBERS = "a,b,y\n" + "".join(f"{i},{i * i % 7},{i / 4}\n" for i in range(24))
MIXED = "c,b,7\n" + "".join(f"{'rgb'[i % 3]},{i if i % 5 else ''},{i % 2}\n" for i in range(24))
GROW = ["--max-blocks", "2", "--block-size", "2"]
MODELS = {
    "popmem_o": (KINDS, ["--algorithm", "popmem-o", "--topology", "2,2", "--nodal", "harmonic", "--pool", "sum", *SHORT]),
    "popmem_h": (NUMBERS, ["--algorithm", "popmem-h", "--memory", "pca", "--topology", "2", "--nodal", "gaussian", *SHORT]),
    "pop": (KINDS, ["--algorithm", "pop", "--topology", "2", "--nodal", "quadratic", "--pool", "maximum", *SHORT]),
    "categories": (MIXED, ["--categorical", "--missing", "mean", "--topology", "2", "--pool", "correlation1", *SHORT]),
    "hemlgop": (NUMBERS, ["--algorithm", "hemlgop", "--max-layers", "1", *GROW, *SHORT]),
    "pln": (KINDS, ["--algorithm", "pln", "--max-layers", "2", *GROW]),
    "bls": (NUMBERS, ["--algorithm", "bls", *GROW]),
}

CONFIGS = {
    "flat.toml": 'train = "train.csv"  # rows\nepochs = 5\ntopology = [6, 6]\nnodal = ["harmonic", "dog"]\ncategorical = true\n',
    "several_lines.toml": 'topology = [\n  3,\n  4\n]\nseed = 1\npool = sum\n',
    "section.toml": "[a.b.c]\nepochs = 3\n",
    "flat.json": '{"train": "t.csv", "epochs": 4, "topology": [5], "seed": null, "val_split": 0.25}',
    "weights.json": '{"class_weight": {"a": 2, "b": 0.5}, "algorithm": "pop"}',
    "run.json": '{"version": "0", "algorithm": "hemlgop", "parameters": {"epochs": 3, "pool": ["sum"]}, "data": {}}',
    "deep.json": '{"epochs": ' + "[" * 40 + "]" * 40 + "}",
}


def arrays():
    yield "float32", ROWS, np.arange(6, dtype=np.float32).reshape(3, 2)
    yield "float64", FILL | REGRESSION, np.array([[1, np.nan], [3, 4.5]])
    yield "float16", FIRST, np.array([[1, 2, 3], [0, -np.inf, 6]], dtype=np.float16)
    yield "fortran", ROWS, np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3))
    yield "bool", CLASSES, np.array([[True, False], [False, True]])
    yield "int64", CLASSES | WEIGHT | FIRST, np.arange(-3, 6).reshape(3, 3)
    yield "uint64", LABELS, np.array([1, 2**63], dtype=np.uint64)
    yield "text", LABELS, np.array(["yes", "né", ""])
    yield "bytes", LABELS | CLASSES, np.array([b"a", b"bc"])
    yield "flat", LABELS | REGRESSION, np.array([0.5, 1.5, 2.5], dtype=np.float32)
    yield "big_endian", ROWS, np.arange(4, dtype=">f4").reshape(2, 2)
    yield "empty", ROWS, np.zeros((0, 5))


def put(target, name, content):
    (CORPUS / target).mkdir(parents=True, exist_ok=True)
    (CORPUS / target / name).write_bytes(content)


def npy(array):
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def smaller(model, with_checksum):
    """The model without the list of parameters, which is most of it."""
    if with_checksum:
        return model
    length = struct.unpack("<Q", model[:8])[0]
    header = json.loads(model[8:8 + length])
    header["__metadata__"]["parameters"] = '{"epochs":"1"}'
    del header["__metadata__"]["checksum"]
    text = json.dumps(header, separators=(",", ":")).encode()
    return struct.pack("<Q", len(text)) + text + model[8 + length:]


def make_models(gopnet):
    with tempfile.TemporaryDirectory() as folder:
        for name, (rows, options) in MODELS.items():
            data = pathlib.Path(folder, name + ".csv")
            data.write_text(rows)
            run = pathlib.Path(folder, name)
            subprocess.run([gopnet, "train", "--train", data, "--out", run, *TINY, *options], check=True,
                           stdout=subprocess.DEVNULL)
            model = (run / "model.safetensors").read_bytes()
            put("model", name, smaller(model, with_checksum=name == "popmem_o"))
    put("model", "cut_short", model[:200])
    deep = json.dumps({"__metadata__": {"format": "gopnet-2", "layers": "[" * 100}}).encode()
    put("model", "deep", struct.pack("<Q", len(deep)) + deep)


SEAL = 26  # bytes of the checksum at the end of a line of a journal


def make_runs(gopnet):
    """Journals and states of runs that are stopped, of the shape that fuzz/state.cc expects."""
    rng = np.random.default_rng(1)
    rows = "".join(",".join(f"{v:.2f}" for v in rng.normal(size=5)) + f",{n % 3}\n" for n in range(30))
    common = ["--task", "classification", "--topology", "4,4", "--layer-threshold", "0", "--patience", "2",
              "--nodal", "exponential", "--pool", "sum,correlation1", "--activation", "tanh", "--algorithm", "popfast",
              "--threads", "1", "--quiet"]
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder, "data.csv")
        data.write_text(rows)

        def stop(name, *options):
            run = pathlib.Path(folder, name)
            subprocess.run([gopnet, "train", "--train", data, "--out", run, *common, *options],
                           stderr=subprocess.DEVNULL)
            lines = (run / "journal.jsonl").read_bytes().splitlines()
            return run, lines

        run, lines = stop("tuning", "--epochs", "3", "--finetune-epochs", "99999", "--checkpoint-every", "0", "--time-limit", "2s")
        for which, name in [(0, "layer1-block0-search"), (2, "layer0-block0-finetune")]:
            state = (run / "state" / f"variant0-{name}.bin").read_bytes()
            put("state", name, bytes([which]) + state[state.index(b"\n") + 1:])
        put("journal", "whole", bytes([0]) + b"".join(line + b"\n" for line in lines[:9]))
        put("journal", "torn", bytes([0]) + b"\n".join(lines[1:4]) + b"\n" + lines[4][:50])
        put("journal", "bodies", bytes([1]) + b"\n".join(line[:-SEAL] for line in lines[1:12]))
        run, lines = stop("searching", "--epochs", "99999", "--search", "halving", "--time-limit", "0.3s")
        states = (run / "state" / "candidates.bin").read_bytes()
        for line in map(json.loads, lines):
            if line.get("operator_set") == ["exponential", "correlation1", "tanh"] and "state" in line:
                at = line["state"]
                put("state", "candidate", bytes([1]) + states[at["offset"]:at["offset"] + at["size"]])


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    for name, (how, text) in CSV.items():
        put("csv", name, bytes([how]) + text.encode())
        put("gz", name, bytes([how]) + gzip.compress(text.encode(), mtime=0))
    put("gz", "two_parts", bytes([ROWS]) + gzip.compress(b"1,2\n", mtime=0) + gzip.compress(b"3,4\n", mtime=0))
    put("gz", "zeros", bytes([ROWS]) + gzip.compress(b"0,0\n" * 2000, mtime=0))
    for name, how, array in arrays():
        put("npy", name, bytes([how]) + npy(array))
        for save in [np.savez, np.savez_compressed]:
            out = io.BytesIO()
            save(out, x=array)
            put("npz", name + ("" if save is np.savez else "_deflated"), bytes([how]) + out.getvalue())
    out = io.BytesIO()
    np.savez(out, a=np.ones(2), x=np.ones((2, 2)))
    put("npz", "several", bytes([ROWS]) + out.getvalue())
    for name, text in CONFIGS.items():
        put("config", name, bytes([1 if name.endswith(".toml") else 0]) + text.encode())
    make_models(sys.argv[1])
    make_runs(sys.argv[1])


if __name__ == "__main__":
    main()
