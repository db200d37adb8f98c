#!/usr/bin/env python3
"""Measure the rows per second of a model in gopnet, in ONNX Runtime (Node) and as C, on one thread, in CPU time.

Usage: benchmarks/export.py MODEL [--name NAME] [--rows 20000] [--out FOLDER]

The model must have numeric columns only. The script replaces the rows of prediction.csv with the model's name. Needs Node,
gcc and the packages of `tools/setup test`.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import common
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "export"))
from exporting import GOPNET, node, run  # noqa: E402

MAIN = """#include <stdio.h>
#include <stdlib.h>
#include "m.h"
int main(int count, char** words) {
  const long rows = atol(words[count - 1]);
  float* x = malloc(sizeof(float) * gopnet_inputs * (size_t)rows);
  float out[gopnet_outputs], sum = 0;
  long i;
  if (fread(x, sizeof(float) * gopnet_inputs, (size_t)rows, stdin) != (size_t)rows) return 1;
  for (i = 0; i < rows; ++i) sum += (float)gopnet_predict(x + i * gopnet_inputs, out);
  printf("%f", (double)sum);
  return 0;
}
"""


def seconds(words, **options):
    """Return the least CPU seconds of three runs."""
    def once():
        begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, **options)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin
    return min(once() for _ in range(3))


def net_seconds(command, rows):
    """Return the seconds of all rows less those of one row, which starts the program and reads the model."""
    return max(1e-9, command(rows) - command(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--name", help="name of the model in prediction.csv (default: its path)")
    parser.add_argument("--rows", type=int, default=20000)
    parser.add_argument("--out", type=pathlib.Path, default=common.RESULTS)
    options = parser.parse_args()
    inputs = json.loads(run("inspect", options.model, "--json"))["inputs"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        x = np.random.default_rng(1).normal(size=(options.rows, inputs)).astype(np.float32)
        for rows in (1, options.rows):
            np.save(folder / f"{rows}.npy", x[:rows])
        x.tofile(folder / "x")
        run("export", options.model, "-o", folder / "m.onnx", "--quiet")
        run("export", options.model, "-o", folder / "m.c", "--quiet")
        (folder / "main.c").write_text(MAIN)
        subprocess.run(["gcc", "-O2", "-std=c99", "main.c", "m.c", "-lm", "-o", "main"], cwd=folder, check=True)
        job = {"model": str(folder / "m.onnx"), "type": "float32", "inputs": {"x": {"file": str(folder / "x"), "columns": inputs}}, "quiet": True}
        times = {
            "gopnet predict": net_seconds(lambda rows: seconds([GOPNET, "predict", os.path.abspath(options.model), f"{rows}.npy", "--threads", "1", "--out", "out.npy", "--force", "--quiet"], cwd=folder), options.rows),
            "ONNX Runtime": min(result["seconds"] for result in node("run_onnx.js", [job] * 3)["results"]),
            "C, gcc -O2": net_seconds(lambda rows: seconds(["./main", str(rows)], cwd=folder, input=x.tobytes()), options.rows)}
    version = run("--version").split()[1]
    rows = [{"model": options.name or options.model, "system": system, "rows_per_second": f"{options.rows / taken:.0f}",
             "microseconds_per_row": "", "machine": common.machine(), "version": version} for system, taken in times.items()]
    common.replace(options.out / "prediction.csv", ("model", "system"), rows)
    for row in rows:
        print(row["system"], row["rows_per_second"], "rows per second")


if __name__ == "__main__":
    main()
