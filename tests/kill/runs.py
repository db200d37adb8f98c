"""Runs of gopnet that tests can kill, and uninterrupted runs for comparison."""

import dataclasses
import os
import pathlib
import signal
import subprocess
import time

import faults
import folder as run_folder
import settings

LIMIT = 600  # timeout of every wait, in seconds


class Failure(Exception):
    """gopnet did not behave as documented."""


@dataclasses.dataclass
class Lab:
    """The program, a folder with data and runs, and the library that injects faults."""
    program: pathlib.Path
    folder: pathlib.Path
    faults: pathlib.Path = None
    references: dict = dataclasses.field(default_factory=dict)
    simd: list = dataclasses.field(default_factory=list)  # of the processes of a run, in turn

    def __post_init__(self):
        settings.write_data(self.folder)

    def reference(self, name, seed):
        if (name, seed) not in self.references:
            self.references[name, seed] = Reference(self, name, seed)
        return self.references[name, seed]


class Run:
    """One run folder, on which several processes work in turn."""

    def __init__(self, lab, name, seed, out):
        self.lab, self.name, self.seed, self.out = lab, name, seed, out
        self.folder = lab.folder / out
        self.log = lab.folder / f"{out}.log"  # commands, messages and exit codes
        self.starts = 0

    def command(self, threads):
        """`resume` if the run exists, otherwise `train`."""
        if (self.folder / "config.json").exists():
            words = ["resume", self.out]
        else:
            words = ["train", *settings.arguments(self.name, self.seed), "--out", self.out]
        if self.lab.simd:
            words += ["--simd", self.lab.simd[self.starts % len(self.lab.simd)]]
        return [self.lab.program, *words, "--threads", str(threads), "--checkpoint-every", "0.05",
                "--quiet"]

    def start(self, threads, extra=(), env=()):
        command = [*map(str, self.command(threads)), *extra]
        self.starts += 1
        with self.log.open("a") as log:
            print(*(f"{k}={v}" for k, v in dict(env).items()), *command, file=log)
        return subprocess.Popen(command, cwd=self.lab.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env={**os.environ, **dict(env)})

    def wait(self, process, seconds=LIMIT):
        """Return the exit code and stderr."""
        try:
            _, messages = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Failure(f"still running after {seconds} s") from None
        with self.log.open("a") as log:
            print(messages, f"exit code {process.returncode}", file=log)
        return process.returncode, messages

    def kill(self, process):
        """Send SIGKILL. Return False if the process had already finished successfully."""
        process.kill()
        code, messages = self.wait(process)
        return self.ended(code, messages) == "killed"

    def ended(self, code, messages, but=()):
        """Return "killed", "finished" or one of the codes in `but`. Anything else is a failure."""
        if code == -signal.SIGKILL:
            return "killed"
        if code == 0:
            return "finished"
        if code in but:
            return code
        raise Failure(f"exit code {code}: {messages.strip()}")

    def refuse_to_resume(self):
        """Without config.json, `resume` must report that there is no run."""
        if self.folder.exists() and not (self.folder / "config.json").exists():
            done = subprocess.run([self.lab.program, "resume", self.out], cwd=self.lab.folder,
                                  capture_output=True, text=True, timeout=LIMIT, check=False)
            if done.returncode != 2 or self.out not in done.stderr:
                raise Failure(f"resume without config.json: code {done.returncode}, {done.stderr}")

    def verify(self):
        """gopnet verify must accept the files of the interrupted run."""
        if not (self.folder / "config.json").exists():
            return
        done = subprocess.run([self.lab.program, "verify", self.out], cwd=self.lab.folder,
                              capture_output=True, text=True, timeout=LIMIT)
        if done.returncode != 0:
            raise Failure(f"verify: {done.stderr.strip()}")

    def finish(self, threads):
        code, messages = self.wait(self.start(threads))
        if code != 0:
            raise Failure(f"to the end: exit code {code}: {messages.strip()}")


class Reference:
    """An uninterrupted run: the expected result and the duration."""

    def __init__(self, lab, name, seed):
        run = Run(lab, name, seed, f"reference-{name}-{seed}")
        log = lab.folder / f"{run.out}.calls"
        env = faults.environment(lab.faults, run.folder, log=log) if lab.faults else {}
        start = time.monotonic()
        code, messages = run.wait(run.start(2, env=env))
        if code != 0:
            raise Failure(f"uninterrupted {name}: exit code {code}: {messages}")
        self.seconds = time.monotonic() - start
        self.model = run_folder.sha256(run.folder / "model.safetensors")
        self.results = run_folder.results(run.folder)
        self.trained = run_folder.trained(run.folder)
        self.events = [event["event"] for event in run_folder.events(run.folder)]
        self.calls = faults.logged(log) if lab.faults else []
