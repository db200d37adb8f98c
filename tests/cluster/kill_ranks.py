#!/usr/bin/env python3
"""Kills ranks of `mpirun -n 3 gopnet train` at random instants, resumes with any number of ranks, and
compares the model with that of one process, byte by byte.

    tests/cluster/kill_ranks.py --program build/release/cli/gopnet --rounds 50 --seed 1
"""

import argparse
import collections
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

import jobs  # adds tests/kill to the path
import folder as run_folder  # pylint: disable=wrong-import-order
import settings  # pylint: disable=wrong-import-order

NAMES = ["popfast", "popmem-o", "pop", "hemlgop"]


class Round:
    """One job, one kill, and the final resume."""

    def __init__(self, lab, number, rng):
        self.lab, self.rng = lab, rng
        self.name = NAMES[number % len(NAMES)]
        self.out = f"run-{number}"
        self.notes, self.problem = [], None

    def play(self):
        try:
            while not self.kill_one():  # the kill was too early or too late
                self.clean()
            self.finish()
        except subprocess.TimeoutExpired as hang:
            self.problem = f"HANG: {hang}"
        except AssertionError as wrong:
            self.problem = str(wrong)
        return self

    def clean(self):
        shutil.rmtree(self.lab.folder / self.out, ignore_errors=True)

    def model(self):
        return self.lab.folder / self.out / "model.safetensors"

    def kill_one(self):
        rank, recovery = self.rng.randrange(3), self.rng.random() < 0.5
        threads = self.rng.randint(1, 2)
        job = jobs.Job(self.lab.folder, 3, self.lab.program, "train",
                       *settings.arguments(self.name, 1), "--threads", threads, "--quiet",
                       "--out", self.out, recovery=recovery)
        time.sleep(self.rng.uniform(0.1, 1) * self.lab.seconds(self.name))
        killed, over = job.kill(rank), job.process.poll() is not None
        code, seconds = job.wait()
        if not killed:  # the machine is faster than when it was measured, or the rank had not started
            self.lab.times[self.name] *= 0.7 if over else 1.4
            return False
        self.lab.waited.append(seconds)
        stage = run_folder.stage(self.lab.folder / self.out)
        kept = "finished by the others" if self.model().exists() else f"stopped in: {stage}"
        self.notes.append(f"killed rank {rank}{' with recovery' if recovery else ''}: exit {code} "
                          f"after {seconds:.1f} s, {kept}")
        # With recovery, mpirun exits with 0 whatever happens to the other ranks.
        alone = recovery and (rank == 0 or stage == "before config")
        assert code != 0 or self.model().exists() or alone, "exit 0 without a model"
        self.lab.outcomes[kept] += 1
        return True

    def finish(self):
        """Resume with any number of ranks."""
        for _ in range(2):
            if self.model().exists():
                break
            ranks = self.rng.randint(1, 3)
            begun = (self.lab.folder / self.out / "config.json").exists()
            words = (["resume", self.out] if begun else
                     ["train", *settings.arguments(self.name, 1), "--out", self.out])
            done = jobs.run(self.lab.folder, ranks, self.lab.program, *words, "--quiet")
            self.notes.append(f"{words[0]} on {ranks}")
            assert done.returncode == 0, f"exit {done.returncode}: {done.stderr}"
        same = self.model().read_bytes() == self.lab.reference(self.name)
        assert same, "the model is not the same"

    def line(self):
        return f"{self.name:9} {'; '.join(self.notes)}: {self.problem or 'identical'}"


class Lab:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.references, self.times = {}, {}
        self.waited, self.outcomes = [], collections.Counter()
        settings.write_data(folder)

    def reference(self, name):
        if name not in self.references:
            self.references[name] = jobs.reference(self.program, self.folder, name, 1)
            start = time.monotonic()
            done = jobs.run(self.folder, 3, self.program, "train", *settings.arguments(name, 1),
                            "--threads", 1, "--quiet", "--out", f"ranks-{name}")
            assert done.returncode == 0, done.stderr
            self.times[name] = time.monotonic() - start
        return self.references[name]

    def seconds(self, name):
        """Approximate duration of the job without a kill."""
        self.reference(name)
        return self.times[name]


def play(program, folder, rounds, seed):
    """Play the rounds. Return them and the lab with its measurements."""
    lab, rng = Lab(program, folder), random.Random(seed)
    played = []
    for number in range(rounds):
        played.append(Round(lab, number, random.Random(rng.random())).play())
        print(f"round {number + 1:3}  {played[-1].line()}", flush=True)
        if not played[-1].problem:
            played[-1].clean()
    return played, lab


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, required=True, help="gopnet")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if jobs.missing():
        parser.error(jobs.missing())
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gopnet-ranks-"))
    played, lab = play(args.program.resolve(), folder, args.rounds, args.seed)
    failed = [one for one in played if one.problem]
    print(f"{len(played)} rounds, {len(played) - len(failed)} models identical, {len(failed)} FAILED; "
          f"after a kill the launcher returned within {max(lab.waited):.1f} s; "
          + ", ".join(f"{count} {what}" for what, count in lab.outcomes.items()))
    if not failed:
        shutil.rmtree(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
