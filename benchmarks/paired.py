#!/usr/bin/env python3
"""Two settings of gopnet on the same rows with the same seeds: which one is better, and is it more than chance?

Usage: benchmarks/paired.py DATA... --a "--algorithm popmem-o" --b "--algorithm popfast" [--seeds 10] [--threads 2] [--keep FILE.jsonl] [--out FILE.md]

DATA as in peers.py. For each seed a quarter of the training rows (and validation rows, where these are given) is drawn to
measure on; test rows are not looked at. Per set: mean score (accuracy or r2 in percent) and loss of either, the mean
difference with its standard error over the seeds; then how many sets are better with --a, and the p of a two-sided sign test.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import tempfile

import numpy as np

from peers import GOPNET, Data, Kept


def trained(words, data, seed, threads):
    """Score and loss on the rows held out."""
    parts = data.drawn(seed).parts
    with tempfile.TemporaryDirectory() as folder:
        command = [str(GOPNET), "train", "--json", "--quiet", "--no-report", "--seed", str(seed), "--threads", str(threads), "--out", folder + "/run", *words]
        for part, values in parts.items():
            for kind, array in zip("xy", values):
                np.save(f"{folder}/{kind}_{part}.npy", array)
            command += [f"--{part}", f"{folder}/x_{part}.npy", f"--{part}-labels", f"{folder}/y_{part}.npy"]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{data.name}: {done.stderr.strip()}")
    test = json.loads(done.stdout)["metrics"]["test"]
    return 100 * test.get("accuracy", test.get("r2")), test["loss"]


def sign_test(better, worse):
    """Two-sided: the chance of so uneven a count if both were equally good."""
    n = better + worse
    tail = sum(math.comb(n, k) for k in range(min(better, worse) + 1)) / 2**n
    return min(1.0, 2 * tail)


def row_of(name, a, b):
    differences = [p[0] - q[0] for p, q in zip(a, b)]
    error = statistics.stdev(differences) / math.sqrt(len(differences))
    means = [statistics.mean(run[i] for run in runs) for runs in (a, b) for i in (0, 1)]
    return statistics.mean(differences), means[3] - means[1], (
        f"| {name} | {means[0]:.2f} | {means[2]:.2f} | {statistics.mean(differences):+.2f} ± {error:.2f} | {means[1]:.4f} | {means[3]:.4f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path, nargs="+")
    parser.add_argument("--a", required=True)
    parser.add_argument("--b", required=True)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--target")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args()
    kept = Kept(args.keep)
    lines = [f"| set | `{args.a}` | `{args.b}` | difference | loss | loss |", "|---|---|---|---|---|---|"]
    scores, losses = [], []
    for path in args.data:
        data = Data(path, args.target)
        runs = [[kept.get((data.name, words, "paired", seed), lambda w=words, s=seed: trained(w.split(), data, s, args.threads))
                 for seed in range(1, args.seeds + 1)] for words in (args.a, args.b)]
        score, loss, line = row_of(data.name, *runs)
        scores.append(score)
        losses.append(loss)
        lines.append(line)
    for name, gains in (("score", scores), ("loss", losses)):
        better, worse = sum(g > 0 for g in gains), sum(g < 0 for g in gains)
        lines += ["", f"By {name}, `{args.a}` is better on {better} sets and worse on {worse}: two-sided sign test p = {sign_test(better, worse):.3f}."]
    names = " ".join(path.name for path in args.data)
    text = "\n".join(lines + ["", f'Made by `benchmarks/paired.py {names} --a "{args.a}" --b "{args.b}" --seeds {args.seeds}`.'])
    print(text)
    if args.out:
        args.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
