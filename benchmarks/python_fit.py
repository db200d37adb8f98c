#!/usr/bin/env python3
"""Time of fit from Python against the command line, and what fit takes in memory beyond X.

    PYTHONPATH=build/release/python python3 benchmarks/python_fit.py --program build/release/cli/gopnet

Both train the same network on the same rows in turn; the times are medians of what each reports of its training. The
memory is the growth of the process's peak over that before fit, in multiples of the size of X.
"""
import argparse
import json
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


def command_line(program, folder, out):
    flags = [f"--{name}={value}" for name, value in SETTINGS.items()]
    start = time.monotonic()
    done = subprocess.run([program, "train", "--train", folder / "x.npy", "--train-labels", folder / "y.npy", "--json",
                           "--quiet", "--out", folder / out, *flags], capture_output=True, text=True, check=True)
    taken = time.monotonic() - start
    return json.loads(done.stdout)["seconds"]["total"], taken, (folder / out / "model.safetensors").read_bytes()


def python(x, y):
    clf = gopnet.GOPClassifier(**SETTINGS)
    start = time.monotonic()
    clf.fit(x, y)
    return clf.history_["seconds"]["total"], time.monotonic() - start, clf.model_.to_bytes()


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def memory(count, features):
    """Run in a process of its own: fit needs its own scaled copy of the rows, and no other."""
    x, y = rows(count, features)
    before = peak()
    gopnet.GOPClassifier(algorithm="bls", block_size=2, max_blocks=1, val_split=0, threads=1).fit(x, y)
    print((peak() - before) / x.nbytes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, default="build/release/cli/gopnet")
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.memory:
        return memory(400000, 100)
    x, y = rows(arguments.rows, 20)
    times = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        np.save(folder / "x.npy", x)
        np.save(folder / "y.npy", y)
        for i in range(arguments.runs):
            of_program, of_python = command_line(arguments.program, folder, f"run{i}"), python(x, y)
            assert of_program[2] == of_python[2], "the models differ"
            times.append((of_program[:2], of_python[:2]))
            print(f"command line {of_program[0]:.3f} s (process {of_program[1]:.3f} s), Python {of_python[0]:.3f} s "
                  f"(fit {of_python[1]:.3f} s)", flush=True)
    program, fit = (statistics.median(pair[i][0] for pair in times) for i in (0, 1))
    print(f"training, median: command line {program:.3f} s, Python {fit:.3f} s, ratio {fit / program:.4f}")
    whole, call = statistics.median(p[0][1] for p in times), statistics.median(p[1][1] for p in times)
    print(f"with all around it: process {whole:.3f} s, fit {call:.3f} s, ratio {call / whole:.4f}")
    growth = subprocess.run([sys.executable, __file__, "--memory"], capture_output=True, text=True, check=True).stdout
    print(f"memory of fit beyond X: {float(growth):.2f} times X")


if __name__ == "__main__":
    main()
