#!/usr/bin/env python3
"""Measure how the time of a training epoch grows with rows, inputs, units and classes around shape S.

Usage: benchmarks/growth.py [--gopnet PATH] [--rounds 2] [--out FOLDER]

One size at a time grows by factors of 2 while the others stay at 600 rows, 100 inputs, 40 units and 14 classes. The
script replaces its rows of growth.csv: the best of the rounds, one thread.
"""
import argparse
import pathlib

import common
from speed import ROOT, bench

BASE = {"rows": 600, "inputs": 100, "units": 40, "classes": 14}
SIZES = {
    "rows": [150 * 2**i for i in range(8)],
    "inputs": [25 * 2**i for i in range(7)],
    "units": [10 * 2**i for i in range(7)],
    "classes": [2 * 2**i for i in range(9)],
}
PAIRS = ["multiplication/sum", "exponential/sum", "harmonic/correlation2", "gaussian/sum", "exponential/maximum"]


def measure(program, varied, size, rounds):
    shape = ",".join(str(n) for n in {**BASE, varied: size}.values())
    runs = [bench(program, "--shape", shape, "--pairs", ",".join(PAIRS)) for _ in range(rounds)]
    for pair in zip(*(run["pairs"] for run in runs)):  # one pair in every round
        yield {"varied": varied, "size": size, "nodal": pair[0]["nodal"], "pool": pair[0]["pool"],
               "ms_per_epoch": f"{min(p['epoch_ms'] for p in pair):.4f}", "simd": runs[-1]["simd"],
               "machine": common.machine(), "version": runs[-1]["version"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gopnet", default=str(ROOT / "build/release/cli/gopnet"))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--out", type=pathlib.Path, default=common.RESULTS)
    args = parser.parse_args()
    for varied, sizes in SIZES.items():
        rows = [row for size in sizes for row in measure(args.gopnet, varied, size, args.rounds)]
        common.replace(args.out / "growth.csv", ("varied", "size", "nodal", "pool"), rows)


if __name__ == "__main__":
    main()
