"""What 50 slow and 50 greedy clients of the live page cost a run: seconds, processor seconds and memory with and
without them, in turn.

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
    """Seconds, processor seconds and peak megabytes of a run; processor seconds of the clients."""
    began = time.monotonic()
    data = [] if "--train" in options else ["--train", "train.csv"]
    train = subprocess.Popen([PROGRAM, "train", *data, "--out", folder / str(began), "--live", *options], cwd=folder, stderr=subprocess.PIPE,
                             stdout=subprocess.DEVNULL, text=True)
    port = re.search(r"live view: http://127\.0\.0\.1:(\d+)/", train.stderr.readline())[1]
    attack = subprocess.Popen([sys.executable, CLIENTS, port]) if clients else None
    train.stderr.close()
    _, code, usage = os.wait4(train.pid, 0)
    train.returncode = os.waitstatus_to_exitcode(code)
    assert train.returncode == 0
    seconds = time.monotonic() - began
    spent = 0
    if attack:
        attack.kill()
        _, _, theirs = os.wait4(attack.pid, 0)
        attack.returncode = 0
        spent = theirs.ru_utime + theirs.ru_stime
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, spent


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
    print(f"{'':16}{'seconds':>10}{'CPU':>10}{'MB':>10}{'clients CPU':>13}")
    for clients, rows in results.items():
        middle = [statistics.median(column) for column in zip(*rows)]
        print(f"{'100 clients' if clients else 'alone':16}{middle[0]:10.2f}{middle[1]:10.2f}{middle[2]:10.1f}{middle[3]:13.2f}")


main()
