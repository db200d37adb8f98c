#!/usr/bin/env python3
"""How the time of a training epoch grows with rows N, inputs K, units M and classes C around shape S.

Usage: benchmarks/growth.py [--gopnet PATH] [--rounds 2] [--out benchmarks/growth.md]

One size at a time goes up by factors of 2 while the others stay at 600,100,40,14. Writes the tables and, beside them,
a log-log figure with the ending .svg, where the dashed line is linear growth. The exponent d log t / d log size is 1
where cost is linear, less where work that does not depend on the size still shows, more where a cache overflows.
Needs matplotlib.
"""
import argparse
import math
import pathlib
import shlex
import sys

from results import ROOT, bench

BASE = {"N": 600, "K": 100, "M": 40, "C": 14}
NAMES = {"N": "rows", "K": "inputs", "M": "units", "C": "classes"}
SIZES = {
    "N": [150 * 2**i for i in range(8)],
    "K": [25 * 2**i for i in range(7)],
    "M": [10 * 2**i for i in range(7)],
    "C": [2 * 2**i for i in range(9)],
}
PAIRS = ["multiplication/sum", "exponential/sum", "harmonic/correlation2", "gaussian/sum", "exponential/maximum"]
LINEAR = (0.85, 1.15)  # exponents that count as 1


def measure(program, letter, rounds):
    """{pair: ms per epoch at each of the sizes, minima over rounds}, and the last result for its machine."""
    curves = {pair: [] for pair in PAIRS}
    for size in SIZES[letter]:
        shape = ",".join(str(n) for n in dict(BASE, **{letter: size}).values())
        runs = [bench(program, "--shape", shape, "--pairs", ",".join(PAIRS)) for _ in range(rounds)]
        for pair in PAIRS:
            times = [p["epoch_ms"] for run in runs for p in run["pairs"] if f"{p['nodal']}/{p['pool']}" == pair]
            curves[pair].append(min(times))
    return curves, runs[-1]


def exponents(sizes, times):
    points = list(zip(sizes, times))
    return [math.log(t1 / t0) / math.log(s1 / s0) for (s0, t0), (s1, t1) in zip(points, points[1:])]


def linear_from(sizes, times):
    """The smallest size from which every step up to the last is linear."""
    start = len(sizes) - 1
    for exponent in reversed(exponents(sizes, times)):
        if not LINEAR[0] <= exponent <= LINEAR[1]:
            break
        start -= 1
    return str(sizes[start]) if start < len(sizes) - 1 else "-"


def table(letter, curves):
    sizes = SIZES[letter]
    lines = ["", f"## {NAMES[letter]}", "", f"| {letter} | " + " | ".join(PAIRS) + " |", "|---|" + "---|" * len(PAIRS)]
    for i, size in enumerate(sizes):
        lines.append(f"| {size} | " + " | ".join(f"{curves[pair][i]:.3f}" for pair in PAIRS) + " |")
    last = [f"{exponents(sizes, curves[pair])[-1]:.2f}" for pair in PAIRS]
    linear = [linear_from(sizes, curves[pair]) for pair in PAIRS]
    return lines + ["| last exponent | " + " | ".join(last) + " |", "| linear from | " + " | ".join(linear) + " |"]


def plot(curves, path):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "gopnet", "svg.fonttype": "none"})  # same numbers: same file
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 2, figsize=(10, 8))
    for axis, (letter, times) in zip(axes.flat, curves.items()):
        sizes = SIZES[letter]
        for pair, marker in zip(PAIRS, "osD^v"):
            axis.loglog(sizes, times[pair], marker=marker, markersize=4, label=pair)
        top = 1.5 * max(t[-1] for t in times.values())
        axis.loglog(sizes, [top * size / sizes[-1] for size in sizes], "k--", linewidth=1, label="linear")
        others = ", ".join(f"{other}={n}" for other, n in BASE.items() if other != letter)
        axis.set(xlabel=f"{NAMES[letter]} {letter}", ylabel="ms per epoch", title=others)
        axis.set_ylim(bottom=0.5 * min(min(t) for t in times.values()))
        axis.grid(alpha=0.3)
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="lower center", ncol=3)
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gopnet", default=str(ROOT / "build/release/cli/gopnet"))
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "benchmarks/growth.md")
    args = parser.parse_args()
    curves, sections = {}, []
    for letter in BASE:
        curves[letter], last = measure(args.gopnet, letter, args.rounds)
        sections += table(letter, curves[letter])
    figure = args.out.with_suffix(".svg")
    plot(curves, figure)
    sizes = ", ".join(f"{letter}={n}" for letter, n in BASE.items())
    about = (f"Milliseconds per epoch, one thread, batches of {last['shape']['batch_size']}, best of {args.rounds}; "
             f"{last['cpu']}, {last['simd']}. One size varies, the others are those of shape S: {sizes}.")
    legend = ("The last exponent is d log t / d log size between the two largest sizes. Cost counts as linear from the "
              f"size after which every exponent is {LINEAR[0]} to {LINEAR[1]}; a dash: the last one is not.")
    command = shlex.join(["benchmarks/growth.py", *sys.argv[1:]])
    head = ["# Growth of an epoch's time", "", about, "", f"![time against each size]({figure.name})", "", legend]
    text = "\n".join([*head, *sections, "", f"Made by `{command}`."]) + "\n"
    print(text)
    args.out.write_text(text)


if __name__ == "__main__":
    main()
