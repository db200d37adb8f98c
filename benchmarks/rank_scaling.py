#!/usr/bin/env python3
"""How much sooner two ranks finish a search of all operator sets than one, measured in turns.

    benchmarks/rank_scaling.py build/release/cli/gopnet --rounds 3
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import numpy as np

from operators import SETS


def write_rows(folder, rows, features, classes):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(rows, features)).astype(np.float32)
    scores = x @ rng.normal(size=(features, classes)) + rng.normal(size=(rows, classes))
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", scores.argmax(axis=1))


def train(program, folder, ranks, threads, out, epochs, search):
    """What --json printed."""
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    launcher = ["mpirun", *root, "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run(
        [*launcher, program, "train", "--train", "x.npy", "--train-labels", "y.npy", "--algorithm", "popfast",
         "--search", search, "--epochs", str(epochs), "--topology", "40", "--finetune-epochs", "0",
         "--threads", str(threads), "--json", "--quiet", "--out", out],
        cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=300)
    parser.add_argument("--shape", default="600,100,14", help="rows, features, classes")
    parser.add_argument("--search", default="exhaustive", choices=["exhaustive", "halving"])
    args = parser.parse_args()
    cases = {"1 rank": (1, 1), "2 ranks": (2, 1), "1 rank, 2 threads": (1, 2)}
    times = {name: [] for name in cases}
    shares, models = [], set()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_rows(folder, *map(int, args.shape.split(",")))
        for number in range(args.rounds):
            for case, (ranks, threads) in cases.items():
                out = f"{case}-{number}"
                told = train(args.program.resolve(), folder, ranks, threads, out, args.epochs, args.search)
                times[case].append(told["layers"][0]["search"]["seconds"])
                models.add((folder / out / "model.safetensors").read_bytes())
                if ranks > 1:
                    total = sum(r["seconds"] for r in told["ranks"])
                    shares.append((sum(r["waiting"] for r in told["ranks"]) / total,
                                   sum(r["communication"] for r in told["ranks"]) / total))
    print(f"{args.search}, {args.shape} (rows, features, classes), {SETS} sets, {args.epochs} epochs, 40 units; the best of "
          f"{args.rounds} rounds in turns; {len(models)} different model(s)")
    for case, seconds in times.items():
        print(f"{case:18} {min(seconds):7.2f} s   x{min(times['1 rank']) / min(seconds):.2f}   "
              f"all: {' '.join(f'{s:.2f}' for s in seconds)}")
    waiting, communication = min(shares, key=sum)
    print(f"of the two ranks' time {100 * waiting:.1f}% waiting, {100 * communication:.1f}% communication; "
          f"all rounds together: {' '.join(f'{100 * (w + c):.1f}%' for w, c in shares)}")


if __name__ == "__main__":
    main()
