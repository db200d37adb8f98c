#!/usr/bin/env python3
"""Time of one layer search (72 operator sets x 300 epochs) against the PyTorch peer, back to back, on equal threads.

The peer's time is its minimum milliseconds per epoch of every (nodal, pool) pair times 3 activations times the epochs; running it in
full takes minutes and changes nothing. gopnet's time is that of the whole search as it reports it: every epoch, the evaluation
of validation rows after each, and the selection of the winner.
Usage: benchmarks/search_vs_peer.py [--shape N,K,M,C] [--epochs 300] [--out benchmarks/search.md]
"""
import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent


def cpu_name():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.processor()


def gopnet_seconds(program, shape, epochs, threads):
    rows, inputs, units, classes = shape
    random = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        for part, count in (("train", rows), ("val", rows // 4)):
            np.save(f"{folder}/x_{part}.npy", random.normal(size=(count, inputs)).astype(np.float32))
            np.save(f"{folder}/y_{part}.npy", random.permutation(np.arange(count) % classes))
        command = [program, "train", "--json", "--quiet", "--algorithm", "popfast", "--topology", str(units), "--epochs", str(epochs),
                   "--finetune-epochs", "0", "--search", "exhaustive", "--threads", str(threads), "--out", f"{folder}/run"]
        for part in ("train", "val"):
            command += [f"--{part}", f"{folder}/x_{part}.npy", f"--{part}-labels", f"{folder}/y_{part}.npy"]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)["layers"][0]["search"]["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gopnet", default=str(ROOT / "build/release/cli/gopnet"))
    parser.add_argument("--shape", default="600,100,40,14")
    parser.add_argument("--epochs", type=int, default=300)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args()
    shape = [int(n) for n in args.shape.split(",")]
    environment = dict(os.environ, OPENBLAS_NUM_THREADS="1")
    lines = [f"Shape N={shape[0]}, K={shape[1]}, M={shape[2]}, C={shape[3]}; 72 operator sets x {args.epochs} epochs; {cpu_name()}.", "",
             "| threads | PyTorch peer, s | gopnet, s | ratio |", "|---|---|---|---|"]
    for threads in (int(t) for t in args.threads.split(",")):
        peer = json.loads(subprocess.run([sys.executable, ROOT / "benchmarks/peer_torch.py", "--shape", args.shape, "--threads", str(threads)],
                                         capture_output=True, text=True, check=True, env=environment).stdout)
        peer_seconds = sum(peer["ms_per_epoch"].values()) / 1e3 * 3 * args.epochs
        ours = gopnet_seconds(args.gopnet, shape, args.epochs, threads)
        lines.append(f"| {threads} | {peer_seconds:.0f} | {ours:.1f} | x{peer_seconds / ours:.1f} |")
    lines += ["", "The peer's time is its fastest epoch of each of the 24 (nodal, pool) pairs times 3 activations times the epochs; "
              "gopnet's is the whole search, evaluation and selection included.", "", f"PyTorch {peer['torch']}. Made by `benchmarks/search_vs_peer.py --shape {args.shape} --epochs {args.epochs}`."]
    text = "\n".join(lines) + "\n"
    print(text)
    if args.out:
        args.out.write_text("# A layer search against PyTorch\n\n" + text)


if __name__ == "__main__":
    main()
