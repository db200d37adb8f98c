#!/usr/bin/env python3
"""Interrupts runs of gopnet with kills, power loss, signals and I/O errors, resumes them, and compares
the model with that of an uninterrupted run, byte by byte.

    tests/kill/kill_test.py --program build/release/cli/gopnet --rounds 100 --seed 1
    ... --simd avx2,avx3    with another instruction set whenever a run goes on
"""

import argparse
import collections
import pathlib
import random
import shutil
import sys
import tempfile
import traceback

import faults
import folder as run_folder
import settings
from modes import MODES
from runs import Failure, Lab, Run


class Round:
    """A setting, a mode, one to four interruptions, and the final resume."""

    def __init__(self, lab, number, mode, name, seed, rng):
        self.lab, self.mode, self.name, self.seed, self.rng = lab, mode, name, seed, rng
        self.run = Run(lab, name, seed, f"round-{mode}-{number}")
        self.title = f"round {number:3}  {mode:6}  {name:20}"
        self.stages, self.notes, self.failure = [], [], None
        self.identical, self.again = False, 0

    def play(self):
        try:
            self._play()
        except Failure as failure:
            self.failure = str(failure)
        except Exception:  # pylint: disable=broad-except  # the other rounds go on
            self.failure = traceback.format_exc()
        return self

    def _play(self):
        reference = self.lab.reference(self.name, self.seed)
        for number in range(1, self.rng.randint(1, 4) + 1):
            threads = self.rng.randint(1, 4)
            what = MODES[self.mode](self.run, reference, threads, self.rng)
            if what is None:
                break
            self._look(what, threads, number, reference)
        threads = self.rng.randint(1, 4)
        self.run.finish(threads)
        self.notes.append(f"to the end on {threads}")
        model = self.run.folder / "model.safetensors"
        self.identical = model.exists() and run_folder.sha256(model) == reference.model
        self._check(run_folder.difference(self.run.folder, reference))
        if self.mode == "power":
            return  # the resume repeats the lost work
        self.again = run_folder.trained_again(self.run.folder, reference)
        self._check([f"{self.again} candidates trained again"] if self.again else [])
        self._check([f"not in the journal: {name}"
                     for name in run_folder.missing(self.run.folder, reference)])

    def _look(self, what, threads, number, reference):
        """Check the folder after an interruption; keep a copy in case the round fails."""
        folder = self.run.folder
        self.stages.append(run_folder.stage(folder))
        self.notes.append(f"{what} on {threads}: {self.stages[-1]}")
        if folder.exists():
            shutil.copytree(folder, f"{folder}.{number}")
        self._check(run_folder.damage(folder, reference))
        self.run.refuse_to_resume()
        if self.mode != "power":
            self.run.verify()

    @staticmethod
    def _check(wrong):
        if wrong:
            raise Failure("; ".join(wrong))

    def line(self):
        end = f"FAILED: {self.failure.strip()}  [{self.run.folder}]" if self.failure else "ok"
        return f"{self.title}  {'; '.join(self.notes)}: {end}"

    def clean(self):
        for path in self.lab.folder.glob(f"{self.run.out}*"):
            if path.name.split(".")[0] == self.run.out:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def play_rounds(lab, rounds, rng, seed, modes, names, *, keep=False):
    """Play the rounds, with modes and settings in turn. `seed` is the seed of training."""
    order = rng.sample(names, len(names))
    played = []
    for number in range(1, rounds + 1):
        mode = modes[(number - 1) % len(modes)]
        name = order[(number - 1) % len(order)]
        played.append(Round(lab, number, mode, name, seed, random.Random(rng.random())).play())
        print(played[-1].line(), flush=True)
        if not (keep or played[-1].failure):
            played[-1].clean()
    return played


def summary(played):
    stages = collections.Counter(stage for one in played for stage in one.stages)
    identical, failed = (sum(map(bool, values)) for values in zip(
        *((one.identical, one.failure) for one in played)))
    return (f"{len(played)} rounds, {sum(stages.values())} interruptions, {identical} models "
            f"identical, {sum(one.again for one in played)} candidates trained again, {failed} "
            "rounds FAILED\ninterrupted: "
            + ", ".join(f"{stages[name]} {name}" for name in [*run_folder.STAGES, "finished"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, required=True, help="gopnet")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="of the rounds and of the trainings")
    parser.add_argument("--algorithms", default="all",
                        help="or settings: " + ", ".join(settings.SETTINGS))
    parser.add_argument("--mode", default=",".join(MODES), help="default: all of them, in turn")
    parser.add_argument("--simd", help="instruction sets that the processes of a run use in turn")
    parser.add_argument("--folder", type=pathlib.Path, help="of the runs; default: a temporary one")
    parser.add_argument("--keep", action="store_true", help="keeps the folders of good rounds, too")
    args = parser.parse_args()
    modes = args.mode.split(",")
    if set(modes) - set(MODES):
        parser.error(f"--mode takes {', '.join(MODES)}")
    folder = args.folder or pathlib.Path(tempfile.mkdtemp(prefix="gopnet-kill-"))
    folder.mkdir(parents=True, exist_ok=True)
    lab = Lab(args.program.resolve(), folder.resolve(), faults.build(folder),
              simd=args.simd.split(",") if args.simd else [])
    if not lab.faults and {"calls", "enospc"} & set(modes):
        parser.error("modes calls and enospc need a C compiler")
    played = play_rounds(lab, args.rounds, random.Random(args.seed), args.seed, modes,
                         settings.named(args.algorithms), keep=args.keep)
    print(summary(played))
    failed = any(one.failure for one in played)
    if not (failed or args.keep or args.folder):
        shutil.rmtree(folder)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
