#!/usr/bin/env python3
"""Run `gopnet compare` with all algorithms on real data sets, as the paper's Tables 3 to 5 do.

Usage: benchmarks/paper_tables.py DATA_FOLDER [--sets a,b,c] [--runs 3] [--protocol fast] [--work FOLDER] [-- COMPARE OPTIONS]

DATA_FOLDER holds folders of .npy files as benchmarks/peers.py takes them. Finished runs stay in --work, and the same command
continues with what is there. The script replaces its rows of paper.csv: medians over the runs.
"""
import argparse
import csv
import pathlib
import subprocess
import sys

import common

ROOT = pathlib.Path(__file__).resolve().parent.parent
SETS = "libras,msraction3d,energy,yaleb,caltech101_clip"


def compare(program, folder, out, runs, options):
    command = [program, "compare", "--algorithms", "all", "--runs", str(runs), "--out", str(out), "--csv", *common.data_options(folder)]
    done = subprocess.run([*command, *options], stdout=subprocess.PIPE, text=True)
    if not done.stdout:
        sys.exit(f"gopnet compare ended with exit code {done.returncode} on {folder.name}")
    return list(csv.DictReader(done.stdout.splitlines()))


def row_of(name, protocol, found, version):
    measure = "r2" if "test_r2_median" in found else "accuracy"
    score = {key: f"{float(found[f'test_{measure}_{key}']):.4f}" for key in ("median", "min", "max")}
    return {"set": name, "protocol": protocol, "system": found["system"], "runs": found["runs"], "measure": measure, **score,
            "validation": f"{float(found[f'val_{measure}_median']):.4f}", "layers": found["layers"], "parameters": found["parameters"],
            "seconds_per_layer": f"{float(found['seconds_per_layer']):.2f}", "seconds": f"{float(found['seconds_total']):.2f}",
            "machine": common.machine(), "version": version}


def main():
    arguments, options = common.split_arguments()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--sets", default=SETS)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--protocol", default="fast", choices=("fast", "paper"), help="what paper.csv calls the options (default: %(default)s)")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("runs/paper_tables"))
    parser.add_argument("--gopnet", default=str(ROOT / "build/release/cli/gopnet"))
    parser.add_argument("--out", type=pathlib.Path, default=common.RESULTS)
    args = parser.parse_args(arguments)
    version = subprocess.run([args.gopnet, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    for name in args.sets.split(","):
        found = compare(args.gopnet, args.data / name, args.work / name, args.runs, options)
        rows = [row_of(name, args.protocol, row, version) for row in found if row["layers"]]  # the linear baseline has none
        common.replace(args.out / "paper.csv", ("set", "protocol", "system"), rows)


if __name__ == "__main__":
    main()
