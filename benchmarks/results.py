#!/usr/bin/env python3
"""gopnet against PyTorch, back to back: training epochs, a layer search, prediction. Writes benchmarks/results.md.

Usage: benchmarks/results.py [--gopnet PATH] [--shapes S,L] [--rounds R] [--out benchmarks/results.md]

A time taken on a shared machine means little, the ratio of two runs that follow each other means more: every round
runs the peer, then gopnet, and each side's best over the rounds counts. Whether a target is met is computed from these.
The search belongs to shape S and is left out without it. Needs PyTorch and NumPy; L takes the peer minutes a round.
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
from typing import NamedTuple

from operators import ACTIVATION, NODAL, POOL, SEPARABLE, TERMS

ROOT = pathlib.Path(__file__).resolve().parent.parent
EPOCHS = 300  # of a search over all operator sets
SPEED_UP, PREDICTION = 1.8, 3  # targets: 2 threads over 1; rows per second over the peer
SUMS = {f"{n}/{p}": n in SEPARABLE for n in NODAL for p in POOL if TERMS[p]}  # pairs: whether they are matrix products
GEMM = {pair for pair, product in SUMS.items() if product}
TRANSCENDENTAL = SUMS.keys() - GEMM


class Shape(NamedTuple):
    size: str  # rows, inputs, units, classes
    rounds: int
    repeats: int  # epochs of the peer in a round; those of L take seconds
    mean: float  # target for the geometric mean of the ratios
    aim: float  # the same, what we aim at
    lowest: float  # target for every ratio
    shares: dict  # kind of pairs: the pairs, target for their share of the instruction bound


SHAPES = {
    "S": Shape("600,100,40,14", rounds=3, repeats=5, mean=25, aim=30, lowest=10,
               shares={"transcendental": (TRANSCENDENTAL, 0.70), "GEMM": (GEMM, 0.85)}),
    "L": Shape("4096,512,40,257", rounds=2, repeats=1, mean=18, aim=22, lowest=6, shares={}),
}


def run_json(*words):
    command = [str(word) for word in words]
    print(shlex.join(command), file=sys.stderr, flush=True)
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, OPENBLAS_NUM_THREADS="1"))
    if done.returncode:
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def peer(size, threads, repeats):
    return run_json(sys.executable, ROOT / "benchmarks/peer_torch.py", "--shape", size, "--threads", threads,
                    "--repeats", repeats)


def bench(program, *words):
    return run_json(program, "bench", "--json", "--quiet", *words)


def verdict(value, target):
    return "met" if value >= target else "not met"


def best_pairs(peers, ours):
    """{pair: its best numbers over the rounds}; a share is the best rate over the best bound, as noise lowers both."""
    pairs = {}
    for runs in zip(*(result["pairs"] for result in ours)):  # one pair in every round
        best = dict(runs[0], ours=min(r["epoch_ms"] for r in runs))
        name = f"{best['nodal']}/{best['pool']}"
        best["peer"] = min(p["ms_per_epoch"][name] for p in peers)
        best["ratio"] = best["peer"] / best["ours"]
        for part in ("forward", "forward_dw"):
            best["bound_" + part] = max(r["bound_" + part] for r in runs)
            best["share_" + part] = max(r[part] for r in runs) / best["bound_" + part]
        pairs[name] = best
    return pairs


def pair_table(pairs):
    lines = ["| nodal | pool | peer, ms per epoch | gopnet, ms per epoch | ratio | share of bound, forward "
             "| forward + dW |", "|---|---|---|---|---|---|---|"]
    for p in pairs.values():
        lines.append(f"| {p['nodal']} | {p['pool']} | {p['peer']:.2f} | {p['ours']:.3f} | x{p['ratio']:.1f} | "
                     f"{p['share_forward']:.0%} | {p['share_forward_dw']:.0%} |")
    return lines


def target_table(pairs, shape):
    mean = statistics.geometric_mean(p["ratio"] for p in pairs.values())
    name = min(pairs, key=lambda n: pairs[n]["ratio"])
    lowest = pairs[name]["ratio"]
    lines = ["| | measured | target |", "|---|---|---|",
             f"| geometric mean of the ratios | x{mean:.1f} | x{shape.mean}: {verdict(mean, shape.mean)}; "
             f"aim x{shape.aim}: {verdict(mean, shape.aim)} |",
             f"| lowest ratio | x{lowest:.1f} ({name}) | x{shape.lowest}: {verdict(lowest, shape.lowest)} |"]
    for kind, (members, target) in shape.shares.items():
        for part, text in (("share_forward", "forward"), ("share_forward_dw", "forward + dW")):
            shares = {n: p[part] for n, p in pairs.items() if n in members}
            name = min(shares, key=shares.get)
            reached = sum(share >= target for share in shares.values())
            lines.append(f"| lowest share of the bound, {kind}, {text} | {shares[name]:.0%} ({name}) | {target:.0%}: "
                         f"{verdict(shares[name], target)} ({reached} of {len(shares)} pairs reach it) |")
    return lines


def slow_pairs(pairs, shape):
    """Says of each pair below the lowest allowed ratio how much of its epoch the instructions explain."""
    rows, inputs, units, _ = (int(n) for n in shape.size.split(","))
    texts = []
    for name, p in pairs.items():
        if p["ratio"] < shape.lowest:
            bound = 1e3 * rows * inputs * units / p["bound_forward_dw"]
            texts.append(f"{name} (x{p['ratio']:.1f}): {p['instructions_forward']:g} forward, "
                         f"{p['instructions_forward_dw']:g} with dW, {bound:.3f} of {p['ours']:.3f} ms")
    about = "with the arithmetic instructions of a register of nodal evaluations, their time at peak and the epoch's"
    return ["", f"Below x{shape.lowest}, {about}: " + "; ".join(texts) + "."] if texts else []


def training(args, name):
    """The section of one shape, and the last result of each side for the description of the machine."""
    shape, peers, ours = SHAPES[name], [], []
    for _ in range(args.rounds or shape.rounds):
        peers.append(peer(shape.size, 1, shape.repeats))
        ours.append(bench(args.gopnet, "--shape", shape.size))
    pairs = best_pairs(peers, ours)
    size = "N={}, K={}, M={}, C={}".format(*shape.size.split(","))
    about = f"{size}, batches of {ours[0]['shape']['batch_size']}, one thread each, best of {len(ours)} rounds."
    lines = ["", f"## Training, shape {name}", "", about, "", *pair_table(pairs), "", *target_table(pairs, shape),
             *slow_pairs(pairs, shape)]
    return lines, peers[-1], ours[-1]


def search(args):
    """The peer's time is extrapolated from its epochs: running it in full takes many minutes and changes nothing."""
    shape = SHAPES["S"]
    rounds = args.rounds or shape.rounds
    peers, ours = {1: [], 2: []}, {1: [], 2: []}
    for threads in (1, 2) * rounds:
        peers[threads].append(peer(shape.size, threads, shape.repeats)["ms_per_epoch"])
        ours[threads].append(bench(args.gopnet, "--no-pairs", "--search", "--shape", shape.size, "--epochs", EPOCHS,
                                   "--threads", threads)["search"])
    lines = ["", "## A layer search, shape S", "", f"{ours[1][0]['candidates']} operator sets x {EPOCHS} epochs, "
             f"best of {rounds} rounds.", "", "| threads | peer, s | gopnet, s | ratio |", "|---|---|---|---|"]
    theirs, seconds = {}, {}
    for t in ours:
        epoch_ms = sum(min(result[pair] for result in peers[t]) for pair in peers[t][0])
        theirs[t] = epoch_ms / 1e3 * len(ACTIVATION) * EPOCHS
        seconds[t] = min(result["seconds"] for result in ours[t])
        lines.append(f"| {t} | {theirs[t]:.0f} | {seconds[t]:.2f} | x{theirs[t] / seconds[t]:.1f} |")
    speed_up, halves = seconds[1] / seconds[2], theirs[1] / 2
    gain = f"Two threads over one: x{speed_up:.2f} (target x{SPEED_UP}: {verdict(speed_up, SPEED_UP)})."
    about = (f"The peer's time is its fastest epoch of each of the {len(NODAL) * len(POOL)} (nodal, pool) pairs times {len(ACTIVATION)} "
             "activations times the epochs; gopnet's is the whole search, evaluation and selection included. Two processes of the "
             f"peer, one thread each, would at best take {halves:.0f} s: x{halves / seconds[2]:.1f}.")
    return lines + ["", gain, "", about]


def train_three_layers(program, folder):
    """Which seed gives three layers depends on the version and the instruction set: the first that does."""
    options = ("--algorithm popmem-o --topology 40,40,40 --epochs 20 --search halving --finetune-epochs 0 "
               "--layer-threshold 0 --patience 3")
    for seed in range(1, 10):
        result = run_json(program, "train", "--json", "--quiet", "--train", ROOT / "examples/data/digits.csv.gz",
                          *options.split(), "--seed", seed, "--out", f"{folder}/{seed}")
        if len(result["layers"]) == 3:
            return f"{folder}/{seed}/model.safetensors", f"{options} --seed {seed}", result["layers"]
    sys.exit(f"results: no seed below 10 gave three layers with {options}")


def prediction(args):
    with tempfile.TemporaryDirectory() as folder:
        model, options, layers = train_three_layers(args.gopnet, folder)
        peers, ours = [], []
        for _ in range(args.rounds or 3):
            peers.append(run_json(sys.executable, ROOT / "benchmarks/predict_torch.py", model, "--gopnet", args.gopnet))
            ours.append(bench(args.gopnet, "--model", model)["predict"])
    theirs, best = (max(r["rows_per_second"] for r in results) for results in (peers, ours))
    sets = "; ".join(", ".join(layer["operator_set"]) for layer in layers)
    return ["", "## Prediction", "", f"A network of three layers with memories ({sets}), one thread each, "
            f"best of {len(ours)} rounds.", "",
            "| | rows per second |", "|---|---|", f"| peer, batches of 256 | {theirs:,.0f} |",
            f"| gopnet, {ours[0]['rows']} rows at once | {best:,.0f} |", "",
            f"Ratio x{best / theirs:.1f} (target x{PREDICTION}: {verdict(best / theirs, PREDICTION)}). One row alone "
            f"takes gopnet {min(r['row_microseconds'] for r in ours):.2f} us. The probabilities differ by at most "
            f"{max(r['max_difference'] for r in peers):.1g}.", "",
            f"The model: `gopnet train --train examples/data/digits.csv.gz {options}`."]


def compiler(program):
    """What the program's .comment section says; a clang build also names the gcc of the start-up files."""
    found = re.findall(rb"GCC: \([^)]*\) [0-9.]+|clang version [0-9.]+", pathlib.Path(program).read_bytes())
    return max(found, default=b"unknown compiler").decode()  # "clang" sorts after "GCC"


def machine(args, theirs, ours, load):
    peak = ", ".join(f"{name} {rate / 1e9:.0f}" for name, rate in ours["peak"].items())
    return [f"{ours['cpu']}, {os.cpu_count()} cores, load {load:.1f} at the start; gopnet {ours['version']}, "
            f"{ours['simd']}, {compiler(args.gopnet)}; PyTorch {theirs['torch']}. Peak of one core: {peak} "
            "(10^9 float lanes x instructions per second).", "",
            "The peer writes a layer as PyGOP does, broadcast over rows, inputs and units, also where a matrix product "
            "would do (`peer_torch.py`, `predict_torch.py`). Every round runs the peer, then gopnet; each side's best "
            "over the rounds counts. An epoch is one of the whole single-hidden-layer network. The bound of a pair is "
            "its arithmetic instructions at the peak, loads and stores for free; pairs with maximum evaluate no "
            "transcendental per synapse and have no target for their share of it."]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gopnet", default=str(ROOT / "build/release/cli/gopnet"))
    parser.add_argument("--shapes", default="S,L", help="some of S,L (default: %(default)s)")
    parser.add_argument("--rounds", type=int, help="default: 3, and 2 for the training of L")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "benchmarks/results.md")
    args = parser.parse_args()
    names, load = args.shapes.split(","), os.getloadavg()[0]
    if not set(names) <= set(SHAPES):
        parser.error(f"--shapes: {args.shapes} is not a part of {','.join(SHAPES)}")
    args.gopnet = shutil.which(args.gopnet) or parser.error(f"--gopnet: no program {args.gopnet}")
    sections = []
    for name in names:
        lines, theirs, ours = training(args, name)
        sections += lines
    sections += search(args) if "S" in names else []
    sections += prediction(args)
    command = shlex.join(["benchmarks/results.py", *sys.argv[1:]])
    head = ["# gopnet against PyTorch", "", *machine(args, theirs, ours, load)]
    text = "\n".join([*head, *sections, "", f"Made by `{command}`."]) + "\n"
    print(text)
    args.out.write_text(text)


if __name__ == "__main__":
    main()
