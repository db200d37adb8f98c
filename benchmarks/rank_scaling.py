#!/usr/bin/env python3
"""Measure how much sooner two ranks, or two threads, finish a search of all operator sets than one.

Usage: benchmarks/rank_scaling.py GOPNET [--rounds 3] [--search exhaustive] [--out FOLDER]

The cases run in turn, and the best round of each counts. All must give the same model. The script prints every round and
replaces its rows of ranks.csv.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import common
import numpy as np

def write_rows(folder, rows, features, classes):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(rows, features)).astype(np.float32)
    scores = x @ rng.normal(size=(features, classes)) + rng.normal(size=(rows, classes))
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", scores.argmax(axis=1))


def train(program, folder, ranks, threads, out, args):
    """The result that --json prints."""
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    launcher = ["mpirun", *root, "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run(
        [*launcher, program, "train", "--train", "x.npy", "--train-labels", "y.npy", "--algorithm", "popfast",
         "--ensemble", "1", "--search", args.search, "--epochs", str(args.epochs), "--topology", "40", "--finetune-epochs", "0",
         "--threads", str(threads), "--json", "--quiet", "--out", out],
        cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=300)
    parser.add_argument("--shape", default="600,100,14", help="rows, features, classes")
    parser.add_argument("--search", default="exhaustive", choices=["exhaustive", "halving"])
    parser.add_argument("--out", type=pathlib.Path, default=common.RESULTS)
    args = parser.parse_args()
    times, models = {(1, 1): [], (2, 1): [], (1, 2): []}, set()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_rows(folder, *map(int, args.shape.split(",")))
        for number in range(args.rounds):
            for ranks, threads in times:
                out = f"{ranks}-{threads}-{number}"
                result = train(args.program.resolve(), folder, ranks, threads, out, args)
                times[ranks, threads].append(result["layers"][0]["search"]["seconds"])
                models.add((folder / out / "model.safetensors").read_bytes())
                print(f"{ranks} rank(s), {threads} thread(s): {times[ranks, threads][-1]:.2f} s", flush=True)
    if len(models) != 1:
        raise SystemExit(f"rank_scaling: the runs gave {len(models)} different models")
    common.replace(args.out / "ranks.csv", ("search", "ranks", "threads"),
                     [{"search": args.search, "ranks": ranks, "threads": threads, "seconds": f"{min(seconds):.2f}",
                       "machine": common.machine(), "version": result["version"]} for (ranks, threads), seconds in times.items()])


if __name__ == "__main__":
    main()
