"""Ways to interrupt a run. Each takes a run, its reference, a number of threads and a source of
random numbers, starts a process, and returns what it did to it, or None if it finished first."""

import signal
import subprocess
import time

import faults
import folder as run_folder
from runs import LIMIT, Failure


def at_a_time(run, reference, threads, rng):
    """SIGKILL at an instant, uniform over the time that the whole run takes, or at its start."""
    instant = rng.uniform(0, 0.03 if rng.random() < 0.15 else 1.05 * reference.seconds)
    process = run.start(threads)
    try:
        process.wait(instant)
    except subprocess.TimeoutExpired:
        pass
    return f"at {instant:.2f} s" if run.kill(process) else None


def _lines(run, kind):
    journal = run.folder / "journal.jsonl"
    return journal.read_bytes().count(f'"event":"{kind}"'.encode()) if journal.exists() else 0


def _writes_model(run):
    return any(run.folder.glob("model.safetensors*"))


def at_a_stage(run, reference, threads, rng):
    """SIGKILL some milliseconds after a journal line, or while the model is being written."""
    kind = rng.choice([*sorted(set(reference.events) - {"done"}), "model"])
    before = _lines(run, kind)
    left = reference.events.count(kind) - before
    line = before + rng.randint(1, left) if left > 0 else before + 1
    delay = rng.choice([0, 0, rng.uniform(0, 0.005), rng.uniform(0, 0.05)])
    process = run.start(threads)
    end = time.monotonic() + LIMIT
    while process.poll() is None and time.monotonic() < end:
        if _writes_model(run) if kind == "model" else _lines(run, kind) >= line:
            time.sleep(delay)
            break
        time.sleep(0.0002 if kind == "model" else 0.001)
    name = "while the model is written" if kind == "model" else f"after {kind} line {line}"
    return f"{name} + {1000 * delay:.0f} ms" if run.kill(process) else None


def _call(run, reference, rng):
    """A call to hit. Often an early one, or one on a file that is not written line by line."""
    if rng.random() < (0.5 if (run.folder / "config.json").exists() else 0.15):
        return rng.randint(1, 15)
    rare = [n for n, (call, path) in enumerate(reference.calls, 1)
            if call != "write" or not path.endswith(("journal.jsonl", "candidates.bin"))]
    return rng.choice(rare) if rng.random() < 0.7 else rng.randint(1, len(reference.calls))


def _start_with_fault(run, reference, threads, rng, kind):
    number = _call(run, reference, rng)
    log = run.lab.folder / f"{run.out}.calls"
    log.unlink(missing_ok=True)
    env = faults.environment(run.lab.faults, run.folder, at=number, kind=kind, log=log)
    ended = run.wait(run.start(threads, env=env))
    calls = faults.logged(log) if log.exists() else []
    hit = " ".join(calls[number - 1]).replace(f"{run.folder}/", "") if len(calls) >= number else ""
    return ended, f"{kind} at call {number} ({hit})", bool(hit)


def at_a_call(run, reference, threads, rng):
    """SIGKILL in place of a write, sync, rename, ..., or in the middle of a write."""
    kind = rng.choice(["kill", "torn"])
    (code, messages), what, _ = _start_with_fault(run, reference, threads, rng, kind)
    return what if run.ended(code, messages) == "killed" else None


def with_an_error(run, reference, threads, rng):
    """A full or broken disk from some call on: exit code 3, and one line that names the file."""
    kind = rng.choice(["enospc", "eio"])
    had_config = (run.folder / "config.json").exists()
    (code, messages), what, hit = _start_with_fault(run, reference, threads, rng, kind)
    # Without a config.json there is nothing to resume: the user has to make room first.
    began = had_config or (run.folder / "config.json").exists()
    if run.ended(code, messages, but=(3,) if began else (2, 3)) == "finished":
        if hit and run_folder.stage(run.folder) != "finished":
            raise Failure(f"{what}: exit code 0, but the run is not finished")
        return None
    if len(messages.strip().splitlines()) != 1 or run.out not in messages:
        raise Failure(f"{what}: one line that names the path is wanted, not: {messages}")
    if kind == "enospc" and "free" not in messages:
        raise Failure(f"{what}: the free space is wanted in: {messages}")
    return what


def by_a_signal(run, reference, threads, rng):
    """SIGINT, SIGTERM or --time-limit: exit code 3 and the line that goes on."""
    instant = rng.uniform(0, 1.05 * reference.seconds)
    sign = rng.choice([signal.SIGINT, signal.SIGTERM, None])
    process = run.start(threads, [] if sign else ["--time-limit", f"{instant:.3f}s"])
    if sign:
        try:
            process.wait(instant)
        except subprocess.TimeoutExpired:
            process.send_signal(sign)
    code, messages = run.wait(process)
    what = f"{sign.name if sign else '--time-limit'} at {instant:.2f} s"
    # A signal that comes before the run begins ends the program as signals do.
    began = (run.folder / "config.json").exists()
    if run.ended(code, messages, but=(3,) if began or not sign else (3, -sign)) == "finished":
        return None
    if began and f"gopnet resume {run.out}" not in messages:
        raise Failure(f"{what}: no 'gopnet resume {run.out}' in: {messages}")
    return what


MODES = {"time": at_a_time, "stage": at_a_stage, "calls": at_a_call, "enospc": with_an_error,
         "signal": by_a_signal}
