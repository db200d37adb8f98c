#!/usr/bin/env python3
"""Compare successive halving with the exhaustive search: time and test score on several data sets.

Usage: benchmarks/halving.py DATA_FOLDER [--sets a,b,c] [--seeds 1,2,3] [--runs FILE.jsonl] [--out FOLDER] [-- TRAIN OPTIONS]

DATA_FOLDER holds folders of .npy files as benchmarks/peers.py takes them. Both searches of a set and seed run back to back.
Every finished run becomes a line of FILE.jsonl and is not repeated. The script replaces its rows of halving.csv. The
standard error of a set is that of an accuracy on so many test rows, sqrt(p (1 - p) / n), and for regression that of the mean
difference over the seeds.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import common
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
SETS = "energy,libras,kin8nm,msraction3d,satellite,leaves100,california,letter,scene15,dtd_clip"
MODES = ("exhaustive", "halving")


def run(program, folder, mode, seed, options):
    with tempfile.TemporaryDirectory() as out:
        command = [program, "train", "--json", "--quiet", "--algorithm", "popmem-o", "--memory", "pca", "--seed", str(seed),
                   "--search", mode, *common.data_options(folder), "--out", out + "/run", *options]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    result = json.loads(done.stdout)
    test, layers = result["metrics"]["test"], result["layers"] + ([result["rejected"]] if result.get("rejected") else [])
    return {"set": folder.name, "mode": mode, "seed": seed, "score": 100 * test.get("accuracy", test.get("r2")), "searches": len(layers),
            "search_seconds": sum(layer["search"]["seconds"] for layer in layers),
            "epochs": sum(layer["search"]["epochs"] for layer in layers), "seconds": result["seconds"]["total"],
            "first_set": result["layers"][0]["operator_set"], "version": result["version"]}


def standard_error(folder, scores):
    labels = np.load(folder / "y_test.npy", mmap_mode="r")
    if labels.dtype.kind == "i":
        p = statistics.mean(scores["exhaustive"]) / 100
        return 100 * (p * (1 - p) / len(labels)) ** 0.5
    differences = [a - b for a, b in zip(scores["exhaustive"], scores["halving"])]
    return statistics.stdev(differences) / len(differences) ** 0.5


def ratio(runs, key, per):
    """Exhaustive over halving: sums of the key, divided by those of `per`."""
    full, halved = (sum(r[key] for r in runs[mode]) / sum(r.get(per, 1) for r in runs[mode]) for mode in MODES)
    return f"{full / halved:.1f}"


def row_of(folder, runs):
    scores = {mode: [r["score"] for r in runs[mode]] for mode in MODES}
    same = sum(a["first_set"] == b["first_set"] for a, b in zip(*runs.values()))
    row = {"set": folder.name, "seeds": len(runs["halving"])}
    for mode in MODES:
        row |= {mode: f"{statistics.mean(scores[mode]):.2f}", f"{mode}_range": f"{max(scores[mode]) - min(scores[mode]):.1f}"}
    return row | {"standard_error": f"{standard_error(folder, scores):.2f}",
                  "search_time_ratio": ratio(runs, "search_seconds", "searches"), "epochs_ratio": ratio(runs, "epochs", "searches"),
                  "run_time_ratio": ratio(runs, "seconds", None), "same_first_set": same, "machine": common.machine(),
                  "version": runs["halving"][0]["version"]}


def main():
    arguments, options = common.split_arguments()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--gopnet", default=str(ROOT / "build/release/cli/gopnet"))
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--runs", type=pathlib.Path, default=pathlib.Path("halving.jsonl"))
    parser.add_argument("--out", type=pathlib.Path, default=common.RESULTS)
    args = parser.parse_args(arguments)
    seeds = [int(s) for s in args.seeds.split(",")]
    lines = args.runs.read_text().splitlines() if args.runs.exists() else []
    found = {(r["set"], r["mode"], r["seed"]): r for r in map(json.loads, lines)}
    for name in args.sets.split(","):
        for key in [(name, mode, seed) for seed in seeds for mode in MODES if (name, mode, seed) not in found]:
            found[key] = run(args.gopnet, args.data / name, key[1], key[2], options)
            with args.runs.open("a") as file:
                file.write(json.dumps(found[key]) + "\n")
        runs = {mode: [found[name, mode, seed] for seed in seeds] for mode in MODES}
        common.replace(args.out / "halving.csv", ("set",), [row_of(args.data / name, runs)])


if __name__ == "__main__":
    main()
