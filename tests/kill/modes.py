"""Ways to interrupt a run. Each function takes a run, its reference, a number of threads and a random
generator, and starts a process. It returns a description of the interruption, or None if the run finished first."""

import signal
import subprocess
import time

import faults
import folder as run_folder
from runs import LIMIT, Failure


def _instant(reference, rng):
    """A time during the run, uniformly distributed, or right at its start."""
    return rng.uniform(0, 0.03 if rng.random() < 0.15 else reference.seconds)


def _runs_until(instant, run, threads, reference):
    """Start a process and wait until `instant` or its end. A finished run updates the duration in the
    reference, since the machine may have been busy when the reference ran."""
    whole = not run.folder.exists()
    start = time.monotonic()
    process = run.start(threads)
    try:
        process.wait(instant)
        if whole:
            reference.seconds = time.monotonic() - start
    except subprocess.TimeoutExpired:
        pass
    return process


def at_a_time(run, reference, threads, rng):
    """SIGKILL at a random time."""
    instant = _instant(reference, rng)
    process = _runs_until(instant, run, threads, reference)
    return f"at {instant:.2f} s" if run.kill(process) else None


def by_power_loss(run, reference, threads, rng):
    """SIGKILL, then cut or zero the ends of append-only files, each at a random position: power loss
    may lose data that was not yet on the disk."""
    what = at_a_time(run, reference, threads, rng)
    for path in [run.folder / "journal.jsonl", run.folder / "state" / "candidates.bin"]:
        if what and path.exists() and rng.random() < 0.8:
            size = path.stat().st_size
            kept = size - int(size * rng.random() ** 3)
            path.write_bytes(path.read_bytes()[:kept] + bytes((size - kept) * rng.randint(0, 1)))
            what += f", {path.name} kept {kept} of {size}"
    return what


def _lines(run, kind):
    journal = run.folder / "journal.jsonl"
    return journal.read_bytes().count(f'"event":"{kind}"'.encode()) if journal.exists() else 0


def _writes_model(run):
    return any(run.folder.glob("model.safetensors*"))


def at_a_stage(run, reference, threads, rng):
    """SIGKILL a few milliseconds after a journal line, or while the model is written."""
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
    """The number of the call to hit; often an early call, or a call on a file that is not written line by line."""
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
    """SIGKILL instead of a write, sync, rename etc., or in the middle of a write."""
    kind = rng.choice(["kill", "torn"])
    (code, messages), what, _ = _start_with_fault(run, reference, threads, rng, kind)
    return what if run.ended(code, messages) == "killed" else None


def with_an_error(run, reference, threads, rng):
    """The disk is full or broken from some call on. Expect exit code 3 and one line that names the file."""
    kind = rng.choice(["enospc", "eio"])
    had_config = (run.folder / "config.json").exists()
    (code, messages), what, hit = _start_with_fault(run, reference, threads, rng, kind)
    # Without config.json there is no run to resume, and exit code 2 is right.
    began = had_config or (run.folder / "config.json").exists()
    if run.ended(code, messages, but=(3,) if began else (2, 3)) == "finished":
        if hit and run_folder.stage(run.folder) != "finished":
            raise Failure(f"{what}: exit code 0, but the run is not finished")
        return None
    if len(messages.strip().splitlines()) != 1 or run.out not in messages:
        raise Failure(f"{what}: expected one line that names the path; got: {messages}")
    if kind == "enospc" and "free" not in messages:
        raise Failure(f"{what}: expected the free space in: {messages}")
    return what


def by_a_signal(run, reference, threads, rng):
    """SIGINT, SIGTERM or --time-limit. Expect exit code 3 and the command that resumes the run."""
    instant = _instant(reference, rng)
    sign = rng.choice([signal.SIGINT, signal.SIGTERM, None])
    if sign:
        process = _runs_until(instant, run, threads, reference)
        process.send_signal(sign)
    else:
        process = run.start(threads, ["--time-limit", f"{instant:.3f}s"])
    code, messages = run.wait(process)
    what = f"{sign.name if sign else '--time-limit'} at {instant:.2f} s"
    # A signal that arrives before the program installs its handler kills it.
    began = (run.folder / "config.json").exists()
    early = sign and (instant < 0.1 or not began)
    ended = run.ended(code, messages, but=(3, -sign) if early else (3,))
    if ended == "finished":
        return None
    if ended == 3 and began and f"gopnet resume {run.out}" not in messages:
        raise Failure(f"{what}: no 'gopnet resume {run.out}' in: {messages}")
    return what


MODES = {"time": at_a_time, "stage": at_a_stage, "calls": at_a_call, "enospc": with_an_error,
         "signal": by_a_signal, "power": by_power_loss}
