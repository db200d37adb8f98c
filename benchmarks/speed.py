#!/usr/bin/env python3
"""Measure gopnet and PyTorch in turn: epochs of training, the search of a layer, prediction.

Usage: benchmarks/speed.py [--gopnet PATH] [--shapes S,L] [--rounds R] [--out FOLDER]

Times on a shared machine mean little, but the ratio of two runs that follow each other means more: every round runs
PyTorch, then gopnet, and the best round of each side counts. The script replaces its rows of training.csv, search.csv and
prediction.csv. Search and prediction belong to shape S. Needs PyTorch and NumPy; shape L takes PyTorch minutes per round.
"""
import argparse
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

import common
from operators import ACTIVATION

ROOT = pathlib.Path(__file__).resolve().parent.parent
EPOCHS = 300  # of a search over all operator sets
SHAPES = {"S": ((600, 100, 40, 14), 3, 5), "L": ((4096, 512, 40, 257), 2, 1)}  # sizes, rounds, epochs of PyTorch per round
THREE_LAYERS = ("--algorithm popmem-o --ensemble 1 --scale standard --topology 40,40,40 --epochs 20 --search halving "
                "--finetune-epochs 0 --layer-threshold 0 --patience 3")


def run_json(*words):
    command = [str(word) for word in words]
    print(shlex.join(command), file=sys.stderr, flush=True)
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, OPENBLAS_NUM_THREADS="1"))
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def size_of(shape):
    return ",".join(map(str, SHAPES[shape][0]))


def peer(shape, threads):
    return run_json(sys.executable, ROOT / "benchmarks/peer_torch.py", "--shape", size_of(shape), "--threads", threads,
                    "--repeats", SHAPES[shape][2])


def bench(program, *words):
    return run_json(program, "bench", "--json", "--quiet", *words)


def about(theirs, ours):
    return {"machine": common.machine(), "version": ours["version"], "peer_version": theirs["torch"]}


def share(runs, part):
    """The best rate over the best bound: other work on the machine lowers both."""
    return round(max(r[part] for r in runs) / max(r["bound_" + part] for r in runs), 3)


def training(args, shape):
    theirs, ours = [], []
    for _ in range(args.rounds or SHAPES[shape][1]):
        theirs.append(peer(shape, 1))
        ours.append(bench(args.gopnet, "--shape", size_of(shape)))
    rows = []
    for runs in zip(*(result["pairs"] for result in ours)):  # one pair in every round
        name = f"{runs[0]['nodal']}/{runs[0]['pool']}"
        rows.append({"shape": shape, **dict(zip(("rows", "inputs", "units", "classes"), SHAPES[shape][0])),
                     "nodal": runs[0]["nodal"], "pool": runs[0]["pool"],
                     "peer_ms": f"{min(t['ms_per_epoch'][name] for t in theirs):.3f}",
                     "gopnet_ms": f"{min(r['epoch_ms'] for r in runs):.4f}",
                     "share_forward": share(runs, "forward"), "share_forward_dw": share(runs, "forward_dw"),
                     "simd": ours[-1]["simd"], **about(theirs[-1], ours[-1])})
    common.replace(args.out / "training.csv", ("shape", "simd"), rows)


def search(args):
    """PyTorch's time is its best epoch of each pair times activations and epochs: a full search takes it many minutes."""
    theirs, ours = {1: [], 2: []}, {1: [], 2: []}
    for threads in (1, 2) * (args.rounds or SHAPES["S"][1]):
        theirs[threads].append(peer("S", threads))
        ours[threads].append(bench(args.gopnet, "--no-pairs", "--search", "--shape", size_of("S"), "--epochs", EPOCHS,
                                   "--threads", threads))
    rows = []
    for threads in ours:
        epoch = sum(min(t["ms_per_epoch"][pair] for t in theirs[threads]) for pair in theirs[threads][0]["ms_per_epoch"]) / 1e3
        rows.append({"shape": "S", "candidates": ours[threads][0]["search"]["candidates"], "epochs": EPOCHS, "threads": threads,
                     "peer_seconds": f"{epoch * len(ACTIVATION) * EPOCHS:.1f}",
                     "gopnet_seconds": f"{min(o['search']['seconds'] for o in ours[threads]):.2f}",
                     **about(theirs[threads][-1], ours[threads][-1])})
    common.replace(args.out / "search.csv", ("shape", "threads"), rows)


def train_three_layers(program, folder):
    """The first seed that gives three layers; which one does depends on the version and the instruction set."""
    for seed in range(1, 10):
        result = run_json(program, "train", "--json", "--quiet", "--train", ROOT / "examples/data/digits.csv.gz",
                          *THREE_LAYERS.split(), "--seed", seed, "--out", f"{folder}/{seed}")
        if len(result["layers"]) == 3:
            return f"{folder}/{seed}/model.safetensors"
    sys.exit(f"speed: no seed below 10 gave three layers with {THREE_LAYERS}")


def prediction(args):
    with tempfile.TemporaryDirectory() as folder:
        model = train_three_layers(args.gopnet, folder)
        theirs, ours = [], []
        for _ in range(args.rounds or 3):
            theirs.append(run_json(sys.executable, ROOT / "benchmarks/predict_torch.py", model, "--gopnet", args.gopnet))
            ours.append(bench(args.gopnet, "--model", model))
    rates = [("PyTorch, batches of 256", f"{max(r['rows_per_second'] for r in theirs):.0f}", ""),
             ("gopnet", f"{max(o['predict']['rows_per_second'] for o in ours):.0f}", ""),
             ("gopnet, one row at a time", "", f"{min(o['predict']['row_microseconds'] for o in ours):.2f}")]
    rows = [{"model": "three layers of 40 with memories, 64 inputs", "system": system, "rows_per_second": rate,
             "microseconds_per_row": microseconds, "machine": common.machine(), "version": ours[-1]["version"]}
            for system, rate, microseconds in rates]
    common.replace(args.out / "prediction.csv", ("model", "system"), rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gopnet", default=str(ROOT / "build/release/cli/gopnet"))
    parser.add_argument("--shapes", default="S,L", help="some of S,L (default: %(default)s)")
    parser.add_argument("--rounds", type=int, help="default: 3, and 2 for the training of L")
    parser.add_argument("--out", type=pathlib.Path, default=common.RESULTS)
    args = parser.parse_args()
    shapes = args.shapes.split(",")
    if not set(shapes) <= set(SHAPES):
        parser.error(f"--shapes: expected some of {','.join(SHAPES)}; got {args.shapes}")
    args.gopnet = shutil.which(args.gopnet) or parser.error(f"--gopnet: no program {args.gopnet}")
    for shape in shapes:
        training(args, shape)
    if "S" in shapes:
        search(args)
        prediction(args)


if __name__ == "__main__":
    main()
