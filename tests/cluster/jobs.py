"""Starts gopnet on several ranks with mpirun, and kills some of them."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "kill"))
import settings  # noqa: E402  pylint: disable=wrong-import-position

LIMIT = 600  # timeout of a job in seconds; a kill must end it within 60


def missing():
    """The reason why this machine cannot run ranks, or None."""
    return None if shutil.which("mpirun") else "no mpirun (package openmpi-bin)"


def command(ranks, *args, recovery=False):
    """An mpirun command that also works for root in a container with fewer cores than ranks."""
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    more = ["--enable-recovery"] if recovery else []
    return ["mpirun", *root, *more, "--oversubscribe", "-n", str(ranks), *map(str, args)]


def environment():
    """Make ranks communicate through loopback and shared memory only."""
    return {**os.environ, "OMPI_MCA_btl_tcp_if_include": "lo", "OMPI_MCA_oob_tcp_if_include": "lo",
            "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}


def run(folder, ranks, *args, **options):
    """Run gopnet on this number of ranks, with stdout and stderr as text."""
    return subprocess.run(command(ranks, *args, **options), cwd=folder, env=environment(),
                          capture_output=True, text=True, timeout=LIMIT)


def _children(pid):
    try:
        text = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(child) for child in text.split()]


def _rank(pid):
    try:
        words = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    numbers = [word.split(b"=")[1] for word in words if word.startswith(b"OMPI_COMM_WORLD_RANK=")]
    return int(numbers[0]) if numbers else None


class Job:
    """A job in the background."""

    def __init__(self, folder, ranks, *args, recovery=False):
        self.ranks = ranks
        self.log = open(pathlib.Path(folder) / "job.log", "w+")  # pylint: disable=consider-using-with
        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            command(ranks, *args, recovery=recovery), cwd=folder, env=environment(),
            stdout=self.log, stderr=self.log, start_new_session=True)

    def pids(self):
        """Map each live rank to its process."""
        found = {_rank(pid): pid for pid in _children(self.process.pid)}
        found.pop(None, None)
        return found

    def kill(self, rank, how=signal.SIGKILL):
        """Kill a rank. Return False if it is not alive."""
        pid = self.pids().get(rank)
        if pid is None:
            return False
        try:
            os.kill(pid, how)
        except ProcessLookupError:
            return False
        return True

    def wait(self, seconds=60):
        """Return the exit code and the duration. A hang is an AssertionError."""
        start = time.monotonic()
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired as hang:
            raise AssertionError(f"HANG: {hang}; alive: {self.pids()}; {self.text()}") from None
        finally:
            self.end()
        return code, time.monotonic() - start

    def end(self):
        if self.process.poll() is None:
            for pid in [*self.pids().values(), self.process.pid]:
                os.kill(pid, signal.SIGKILL)
            self.process.wait()

    def text(self):
        self.log.seek(0)
        return self.log.read()


def reference(program, folder, name, seed):
    """Train the setting in one process and return the bytes of the model."""
    out = f"whole-{name}-{seed}"
    subprocess.run([program, "train", *settings.arguments(name, seed), "--threads", "2", "--quiet",
                    "--out", out], cwd=folder, check=True, capture_output=True, timeout=LIMIT)
    return (pathlib.Path(folder) / out / "model.safetensors").read_bytes()
