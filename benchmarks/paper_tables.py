#!/usr/bin/env python3
"""The paper's Tables 3 to 5 on real data sets: `gopnet compare` on each, as Markdown.

Usage: benchmarks/paper_tables.py DATA_FOLDER [--sets a,b,c] [--runs 3] [--work FOLDER] [-- COMPARE OPTIONS]

DATA_FOLDER holds one folder a set with x_train.npy, y_train.npy, x_test.npy, y_test.npy and, optionally, x_val.npy and y_val.npy. Finished
runs stay in --work (default: runs/paper_tables); the same command goes on with what is there.
"""
import argparse
import pathlib
import subprocess
import sys
import time

GOPNET = pathlib.Path(__file__).resolve().parent.parent / "build" / "release" / "cli" / "gopnet"
SETS = "libras,msraction3d,kin8nm,energy,scene15,yaleb,caltech101_clip"


def compare(program, folder, out, runs, options):
    command = [str(program), "compare", "--algorithms", "all", "--runs", str(runs), "--out", str(out), "--markdown"]
    for part in ("train", "val", "test"):
        if (folder / f"x_{part}.npy").exists():
            command += [f"--{part}", str(folder / f"x_{part}.npy"), f"--{part}-labels", str(folder / f"y_{part}.npy")]
    done = subprocess.run(command + options, stdout=subprocess.PIPE, text=True)
    if not done.stdout:
        sys.exit(f"gopnet compare ended with {done.returncode} on {folder.name}")
    return done.stdout


def main():
    arguments = sys.argv[1:]
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    options = arguments[cut + 1 :]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("runs/paper_tables"))
    parser.add_argument("--program", type=pathlib.Path, default=GOPNET)
    args = parser.parse_args(arguments[:cut])
    for name in args.sets.split(","):
        start = time.time()
        table = compare(args.program, args.data / name, args.work / name, args.runs, options)
        words = " ".join(["gopnet compare --algorithms all", f"--runs {args.runs}", *options])
        print(f"## {name}\n`{words}`, {time.time() - start:.0f} s\n\n{table}", flush=True)


if __name__ == "__main__":
    main()
