#!/usr/bin/env python3
"""Successive halving against the exhaustive search: time and test score on several data sets.

Usage: benchmarks/halving.py DATA_FOLDER [--sets a,b,c] [--seeds 1,2,3] [--runs FILE.jsonl] [--out benchmarks/halving.md] [-- TRAIN OPTIONS]

DATA_FOLDER is laid out as for benchmarks/accuracy.py. Both searches of one set and seed run back to back. Every finished run is
a line of FILE.jsonl; runs that are in the file already are not repeated. The loss of a set is the mean test score (accuracy or
r2, in percent) of the exhaustive search less that of halving; its standard error (SE) is that of an accuracy measured on so many
test rows, sqrt(p (1 - p) / n), and for regression that of the mean difference over seeds.
"""
import argparse
import json
import pathlib
import statistics
import sys

import accuracy
import numpy as np

SETS = "energy,libras,kin8nm,msraction3d,satellite,leaves100,california,letter,scene15,dtd_clip"
MODES = ("exhaustive", "halving")


def run(folder, mode, seed, options):
    result = accuracy.train(folder, "popmem-o", "pca", seed, ["--search", mode] + options)
    layers = result["layers"] + ([result["rejected"]] if result.get("rejected") else [])
    return {"set": folder.name, "mode": mode, "seed": seed, "score": 100 * accuracy.score(result), "depth": len(result["layers"]),
            "searches": len(layers), "search_seconds": sum(layer["search"]["seconds"] for layer in layers),
            "epochs": sum(layer["search"]["epochs"] for layer in layers), "seconds": result["seconds"]["total"],
            "first_set": result["layers"][0]["operator_set"]}


def standard_error(folder, scores):
    labels = np.load(folder / "y_test.npy", mmap_mode="r")
    if labels.dtype.kind == "i":
        p = statistics.mean(scores["exhaustive"]) / 100
        return 100 * (p * (1 - p) / len(labels)) ** 0.5
    differences = [a - b for a, b in zip(scores["exhaustive"], scores["halving"])]
    return statistics.stdev(differences) / len(differences) ** 0.5


def table(data, runs, sets, seeds):
    lines = ["| set | exhaustive | halving | loss | SE | loss / SE | search time per layer, ratio | epochs per layer, ratio | whole run, ratio | same first set |",
             "|---|---|---|---|---|---|---|---|---|---|"]
    relative, ratios = [], []
    for name in sets:
        cell = {mode: [runs[name, mode, seed] for seed in seeds] for mode in MODES}
        scores = {mode: [r["score"] for r in cell[mode]] for mode in MODES}
        loss = statistics.mean(scores["exhaustive"]) - statistics.mean(scores["halving"])
        error = standard_error(data / name, scores)
        rate = {key: [sum(r[key] for r in cell[mode]) / sum(r["searches"] if key != "seconds" else 1 for r in cell[mode]) for mode in MODES]
                for key in ("search_seconds", "epochs", "seconds")}
        ratio = {key: full / halved for key, (full, halved) in rate.items()}
        same = sum(a["first_set"] == b["first_set"] for a, b in zip(*(cell[m] for m in MODES)))
        relative.append(loss / error if loss else 0.0)
        ratios.append(ratio["search_seconds"])
        text = [f"{statistics.mean(s):.2f} ({max(s) - min(s):.1f})" for s in scores.values()]
        lines.append(f"| {name} | {text[0]} | {text[1]} | {loss:+.2f} | {error:.2f} | {relative[-1]:+.2f} | x{ratio['search_seconds']:.1f} | "
                     f"x{ratio['epochs']:.1f} | x{ratio['seconds']:.1f} | {same} of {len(seeds)} |")
    lines += ["", f"Median loss over {len(sets)} sets: {statistics.median(relative):+.2f} SE. Median time ratio of a layer's search: x{statistics.median(ratios):.1f}."]
    return lines


def main():
    arguments, options = accuracy.split_arguments()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--gopnet", type=pathlib.Path, default=accuracy.GOPNET)
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--runs", type=pathlib.Path, default=pathlib.Path("halving.jsonl"))
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args(arguments)
    accuracy.GOPNET = args.gopnet
    sets, seeds = args.sets.split(","), [int(s) for s in args.seeds.split(",")]
    lines = args.runs.read_text().splitlines() if args.runs.exists() else []
    runs = {(r["set"], r["mode"], r["seed"]): r for r in map(json.loads, lines)}
    for key in [(name, mode, seed) for name in sets for seed in seeds for mode in MODES]:
        if key in runs:
            continue
        runs[key] = run(args.data / key[0], key[1], key[2], options)
        print(runs[key], file=sys.stderr, flush=True)
        with args.runs.open("a") as file:
            file.write(json.dumps(runs[key]) + "\n")
    command = f"benchmarks/halving.py DATA_FOLDER --sets {args.sets} --seeds {args.seeds}" + (" -- " + " ".join(options) if options else "")
    text = "\n".join(table(args.data, runs, sets, seeds) + ["", f"Made by `{command}`."])
    print(text)
    if args.out:
        args.out.write_text("# Successive halving against the exhaustive search\n\n" + text + "\n")


if __name__ == "__main__":
    main()
