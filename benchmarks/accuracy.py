#!/usr/bin/env python3
"""Test scores of POPfast, POPmem-H and POPmem-O against scikit-learn's MLP with the same widths.

Usage: benchmarks/accuracy.py DATA_FOLDER [--sets a,b,c] [--seeds 1,2,3] [--out benchmarks/accuracy.md] [-- TRAIN OPTIONS]

DATA_FOLDER holds one folder a set with x_train.npy, y_train.npy, x_test.npy, y_test.npy and, optionally, x_val.npy and
y_val.npy. Every row of the table is the median over the seeds of the test accuracy (classification) or r2 (regression), in
percent. The MLP gets the widths of the POPfast network of the same seed, the same validation rows for early stopping where
the set has them, and standardised inputs.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

GOPNET = pathlib.Path(__file__).resolve().parent.parent / "build" / "release" / "cli" / "gopnet"
SYSTEMS = [("popfast", "none"), ("popmem-h", "pca"), ("popmem-h", "lda"), ("popmem-o", "pca"), ("popmem-o", "lda")]


def train(folder, algorithm, memory, seed, options):
    command = [str(GOPNET), "train", "--json", "--quiet", "--algorithm", algorithm, "--memory", memory, "--seed", str(seed)]
    for part in ("train", "val", "test"):
        if (folder / f"x_{part}.npy").exists():
            command += [f"--{part}", str(folder / f"x_{part}.npy"), f"--{part}-labels", str(folder / f"y_{part}.npy")]
    with tempfile.TemporaryDirectory() as out:
        done = subprocess.run(command + ["--out", out + "/run"] + options, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return json.loads(done.stdout)


def mlp(folder, widths, seed):
    from sklearn.neural_network import MLPClassifier, MLPRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    load = lambda name: np.load(folder / f"{name}.npy")
    y_train = load("y_train")
    model = MLPClassifier if y_train.dtype.kind == "i" else MLPRegressor
    net = model(hidden_layer_sizes=widths, random_state=seed, max_iter=300, early_stopping=True)
    scaled = make_pipeline(StandardScaler(), net)
    if model is MLPRegressor:
        from sklearn.compose import TransformedTargetRegressor

        scaled = TransformedTargetRegressor(scaled, transformer=StandardScaler())
    x_train = load("x_train")
    if (folder / "x_val.npy").exists():
        x_train, y_train = np.vstack([x_train, load("x_val")]), np.concatenate([y_train, load("y_val")])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return scaled.fit(x_train, y_train).score(load("x_test"), load("y_test"))


def score(result):
    test = result["metrics"]["test"]
    return test["accuracy"] if "accuracy" in test else test["r2"]


def measure(folder, seeds, options):
    """One row of the table: {system: (median, spread, median depth, seconds)}."""
    row = {}
    widths = {}
    for algorithm, memory in SYSTEMS:
        results = []
        for seed in seeds:
            start = time.time()
            results.append(train(folder, algorithm, memory, seed, options))
            print(f"{folder.name} {algorithm} {memory} seed {seed}: {100 * score(results[-1]):.2f}, "
                  f"{len(results[-1]['layers'])} layers, {time.time() - start:.1f} s", file=sys.stderr, flush=True)
            if algorithm == "popfast":
                widths[seed] = tuple(layer["units"] for layer in results[-1]["layers"])
        scores = [100 * score(r) for r in results]
        name = algorithm if memory == "none" else f"{algorithm} {memory}"
        row[name] = (statistics.median(scores), max(scores) - min(scores), statistics.median(len(r["layers"]) for r in results),
                     sum(r["seconds"]["total"] for r in results))
    scores = [100 * mlp(folder, widths[seed], seed) for seed in seeds]
    row["MLP"] = (statistics.median(scores), max(scores) - min(scores), None, None)
    return row


def markdown(rows, command):
    names = list(next(iter(rows.values())))
    lines = ["| set | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    for data, row in rows.items():
        best = max(value[0] for value in row.values())
        cells = []
        for median, spread, depth, _ in row.values():
            text = f"**{median:.2f}**" if median == best else f"{median:.2f}"
            cells.append(f"{text} ({spread:.1f}" + (f"; {depth:g})" if depth else ")"))
        lines.append(f"| {data} | " + " | ".join(cells) + " |")
    seconds = sum(value[3] or 0 for row in rows.values() for value in row.values())
    return "\n".join(lines + ["", f"Made by `{command}`; {seconds:.0f} s of training in all."])


def split_arguments():
    """This script's arguments, and after -- those of `gopnet train`."""
    arguments = sys.argv[1:]
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:cut], arguments[cut + 1 :]


def main():
    arguments, options = split_arguments()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--sets", default="libras,msraction3d,leaves100,scene15,dtd_clip,satellite,energy,kin8nm")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args(arguments)
    seeds = [int(s) for s in args.seeds.split(",")]
    rows = {name: measure(args.data / name, seeds, options) for name in args.sets.split(",")}
    command = f"benchmarks/accuracy.py DATA_FOLDER --sets {args.sets} --seeds {args.seeds}" + (" -- " + " ".join(options) if options else "")
    table = markdown(rows, command)
    print(table)
    if args.out:
        args.out.write_text(table + "\n")


if __name__ == "__main__":
    main()
