"""What 50 slow and 50 greedy clients of the live page cost a run, with and without them in turn: seconds, processor
seconds of the run and of the clients, peak memory, and the seconds from the last file of the run to its exit.

  python3 tests/cli/measure_live.py [--rounds 5] [--threads 1] [OPTION OF TRAIN ...]"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

from conftest import PROGRAM, write_data

CLIENTS = pathlib.Path(__file__).parent / "live_clients.py"


def run(folder, clients, options):
    began = time.monotonic()
    out = folder / str(began)
    data = [] if "--train" in options else ["--train", "train.csv"]
    train = subprocess.Popen([PROGRAM, "train", *data, "--out", out, "--live", *options], cwd=folder, stderr=subprocess.PIPE,
                             stdout=subprocess.DEVNULL, text=True)
    port = re.search(r"live view: http://127\.0\.0\.1:(\d+)/", train.stderr.readline())[1]
    attack = subprocess.Popen([sys.executable, CLIENTS, port]) if clients else None
    train.stderr.close()
    _, code, usage = os.wait4(train.pid, 0)
    train.returncode = os.waitstatus_to_exitcode(code)
    assert train.returncode == 0
    seconds, ended = time.monotonic() - began, time.time() - (out / "report.html").stat().st_mtime
    spent = 0
    if attack:
        attack.kill()
        _, _, theirs = os.wait4(attack.pid, 0)
        attack.returncode = 0
        spent = theirs.ru_utime + theirs.ru_stime
    return seconds, usage.ru_utime + usage.ru_stime, spent, usage.ru_maxrss / 1024, ended


def main():
    args = argparse.ArgumentParser()
    args.add_argument("--rounds", type=int, default=5)
    args, options = args.parse_known_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_data(folder)
        results = {False: [], True: []}
        for _ in range(args.rounds):
            for clients in results:
                results[clients].append(run(folder, clients, options))
    print(" " * 16 + "".join(f"{name:>14}" for name in ("seconds", "CPU", "clients' CPU", "MB", "end")))
    for clients, rows in results.items():
        middle = map(statistics.median, zip(*rows))
        print(f"{'100 clients' if clients else 'alone':16}" + "".join(f"{value:14.2f}" for value in middle))


main()
