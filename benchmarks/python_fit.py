#!/usr/bin/env python3
"""Compare the time of `fit` in Python with that of the command line, and measure the memory of `fit` beyond X.

    PYTHONPATH=build/release/python python3 benchmarks/python_fit.py --program build/release/cli/gopnet

Both train the same network on the same rows in turn, on all cores. The time of the command line is that of its whole
process, which also reads .npy files and writes a run folder. Memory is the growth of the peak during `fit`, in
multiples of X.
"""
import argparse
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import gopnet

SETTINGS = {"topology": "20,20", "epochs": "30", "finetune_epochs": "10", "seed": "1", "layer_threshold": "0"}


def rows(count, features):
    rng = np.random.default_rng(0)
    y = rng.integers(4, size=count)
    return (rng.normal(size=(count, features)) + 0.5 * np.eye(4, features)[y]).astype(np.float32), y


def cpu(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def command_line(program, folder, out):
    """Return wall seconds, CPU seconds and the bytes of the model."""
    flags = [f"--{name}={value}" for name, value in SETTINGS.items()]
    before, start = cpu(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([program, "train", "--train", folder / "x.npy", "--train-labels", folder / "y.npy", "--quiet",
                    "--out", folder / out, *flags], stdout=subprocess.DEVNULL, check=True)
    wall, used = time.monotonic() - start, cpu(resource.RUSAGE_CHILDREN) - before
    return wall, used, (folder / out / "model.safetensors").read_bytes()


def python(x, y):
    clf = gopnet.GOPClassifier(**SETTINGS)
    before, start = time.process_time(), time.monotonic()
    clf.fit(x, y)
    wall, used = time.monotonic() - start, time.process_time() - before
    return wall, used, clf.model_.to_bytes()


def compare(program, count, runs):
    x, y = rows(count, 20)
    pairs = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        np.save(folder / "x.npy", x)
        np.save(folder / "y.npy", y)
        for i in range(runs):
            first, second = command_line(program, folder, f"run{i}"), python(x, y)
            assert first[2] == second[2], "the models differ"
            print(f"command line {first[0]:.3f} s, CPU {first[1]:.3f} s; Python {second[0]:.3f} s, CPU {second[1]:.3f} s",
                  flush=True)
            pairs.append((first, second))
    for i, what in enumerate(["wall", "CPU"]):
        program_time, fit = (statistics.median(pair[side][i] for pair in pairs) for side in (0, 1))
        print(f"{what}, medians: command line {program_time:.3f} s, Python {fit:.3f} s, ratio {fit / program_time:.4f}")


def memory(count, features):
    """Print the memory of `fit` beyond X and the size of X. Runs in its own process, so that the peak is that of fit."""
    rng = np.random.default_rng(0)
    x = np.empty((count, features), np.float32)
    rng.standard_normal(dtype=np.float32, out=x)  # in place: a temporary copy would raise the peak before fit
    y = rng.integers(4, size=count)
    peak = [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024]
    gopnet.GOPClassifier(algorithm="bls", block_size=2, max_blocks=1, val_split=0, threads=1).fit(x, y)
    peak.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    print((peak[1] - peak[0]) / x.nbytes, x.nbytes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, default="build/release/cli/gopnet")
    parser.add_argument("--rows", type=int, default=4000)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.memory:
        return memory(200000, 200)
    compare(arguments.program, arguments.rows, arguments.runs)
    growth = subprocess.run([sys.executable, __file__, "--memory"], capture_output=True, text=True, check=True).stdout
    times, size = map(float, growth.split())
    print(f"memory of fit beyond X (float32, C order, {size / 2**20:.0f} MiB): {times:.2f} times X")


if __name__ == "__main__":
    main()
