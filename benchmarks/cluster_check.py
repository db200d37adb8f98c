"""The simulator's prediction for two workers against a measured search, for cluster_sim.py --check.

On a machine that does other things too, a worker waits for a processor. Linux counts that wait per thread (schedstat), and
the corrected time of a search is its wall time less the mean wait of its workers.
"""
import functools
import os
import pathlib
import subprocess
import tempfile
import time

import cluster_jobs
import cluster_measure
from cluster_engine import Cluster, simulate

KINDS = ("threads", "ranks")
EPOCHS = 112
SAMPLE = 0.01  # seconds between two looks at the threads


def start(program, kind, workers, mpirun):
    """The command of a search on so many workers, and its options."""
    if kind == "ranks" and workers > 1:
        return [*mpirun, "-n", str(workers), *program], ["--threads", "1"]
    return program, ["--threads", str(workers)]


def descendants(pid):
    """The process and those that it started."""
    found = [pid]
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += descendants(child)
    return found


def look(pid, threads):
    """Takes down the (running, waiting) seconds of each thread, as far as they are still there."""
    try:
        for process in descendants(pid):
            for file in pathlib.Path(f"/proc/{process}/task").glob("*/schedstat"):
                threads[file.parent.name] = tuple(int(n) * 1e-9 for n in file.read_text().split()[:2])
    except OSError:
        pass  # it ended meanwhile


def watched(command, variables=None):
    """Runs the command; the (running, waiting) seconds of its threads."""
    threads = {}
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, env=dict(os.environ, **(variables or {})))
        while child.poll() is None:
            look(child.pid, threads)
            time.sleep(SAMPLE)
        errors.seek(0)
        if child.returncode:
            raise SystemExit(f"{' '.join(command)}\n{errors.read().decode()}")
    return threads


def timed(command, workers, options, folder, variables=None):
    """One search: its layers' costs, its seconds, and those that its workers waited for a processor."""
    threads = cluster_measure.run_in(folder, command, options, lambda c: watched(c, variables))
    events = cluster_measure.journal(folder)
    least = 0.05 * max(running for running, _ in threads.values())  # less is no worker: mpirun, or what writes to disk
    waits = [waiting for running, waiting in threads.values() if running >= least]  # a rung has threads of its own
    return {"layers": cluster_measure.layer_costs(events), "waited": sum(waits) / workers,
            "seconds": max(e["seconds"] for e in events if e["event"] == "candidate")}


def options_of(search, epochs):
    return ["--algorithm", "popmem-o", "--search", search, "--epochs", str(epochs), "--seed", "1",
            "--topology", str(cluster_measure.UNITS), "--finetune-epochs", "0"]


def prediction(single, search, epochs, inputs, classes, workers):
    """The speed-up that the simulator expects, from processor times on one worker."""
    layer = dict(functools.reduce(cluster_measure.least, [run["layers"] for run in single])[0], inputs=inputs)
    stages = cluster_jobs.search_stages({"search": search, "classes": classes}, layer, 1.0, 0, epochs)
    return simulate(Cluster(1), [stages]).seconds / simulate(Cluster(workers), [stages]).seconds


def check(program, kind, search, shape, rounds, mpirun, workers=2, epochs=EPOCHS):
    """Searches on one and on `workers` workers in turn; the least time of each counts."""
    samples, inputs, classes = shape
    runs = {1: [], workers: [], "costs": []}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        clock = cluster_measure.cpu_clock(folder)
        data = cluster_measure.synthetic(folder, sum(cluster_measure.rows_of(samples)), inputs, classes)
        options = data + options_of(search, epochs)
        for _ in range(rounds):
            for count in (1, workers):
                command, threads = start(program, kind, count, mpirun)
                runs[count].append(timed(command, count, options + threads, folder))
            runs["costs"].append(timed(program, 1, options + ["--threads", "1"], folder, clock))
    wall = [min(run["seconds"] for run in runs[count]) for count in (1, workers)]
    corrected = [min(run["seconds"] - run["waited"] for run in runs[count]) for count in (1, workers)]
    return {"with": kind, "workers": workers, "search": search, "shape": list(shape), "epochs": epochs, "rounds": rounds,
            "wall": [round(s, 3) for s in wall], "corrected": [round(s, 3) for s in corrected],
            "predicted": round(prediction(runs["costs"], search, epochs, inputs, classes, workers), 3),
            "date": cluster_measure.today()}


def table(checks):
    lines = ["| search | workers | samples, inputs, classes | epochs | wall, s | without waits, s | speed-up, wall | without waits | "
             "predicted | off by |", "|---|---|---|---|---|---|---|---|---|---|"]
    for c in checks:
        (wall, wall_many), (one, many) = c["wall"], c["corrected"]
        cells = [c["search"], f"{c['workers']} {c['with']}", ", ".join(map(str, c["shape"])), str(c["epochs"]),
                 f"{wall:.2f}, {wall_many:.2f}", f"{one:.2f}, {many:.2f}", f"x{wall / wall_many:.2f}", f"x{one / many:.2f}",
                 f"x{c['predicted']:.2f}", f"{one / many / c['predicted'] - 1:+.0%}"]
        lines.append("| " + " | ".join(cells) + " |")
    return lines
