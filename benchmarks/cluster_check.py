"""Compare the simulator's prediction for two workers with a measured search, for cluster_sim.py --check.

On a busy machine a worker waits for a core, and Linux counts that wait per thread (schedstat). The corrected time of a
search is its wall time times running / (running + waiting), which assumes that all workers wait for the same share.
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
EPOCHS = 56
SAMPLE = 0.01  # seconds between two samples of the threads


def start(program, kind, workers, mpirun):
    """Return the command of a search on this number of workers, and its options."""
    if kind == "ranks" and workers > 1:
        return [*mpirun, "-n", str(workers), *program], ["--threads", "1"]
    return program, ["--threads", str(workers)]


def descendants(pid):
    """Return the ids of a process and of its descendants."""
    found = [pid]
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += descendants(child)
    return found


def look(pid, threads, launcher):
    """Record the (running, waiting) seconds of every living thread, without those of the launcher."""
    try:
        for process in descendants(pid)[1 if launcher else 0 :]:
            for file in pathlib.Path(f"/proc/{process}/task").glob("*/schedstat"):
                threads[file.parent.name] = tuple(int(n) * 1e-9 for n in file.read_text().split()[:2])
    except OSError:
        pass  # the process has ended


def watched(command, launcher, variables=None):
    """Run the command and return the (running, waiting) seconds of its threads."""
    threads = {}
    with tempfile.TemporaryFile() as errors:
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors, env=dict(os.environ, **(variables or {})))
        while child.poll() is None:
            look(child.pid, threads, launcher)
            time.sleep(SAMPLE)
        errors.seek(0)
        if child.returncode:
            raise SystemExit(f"{' '.join(command)}\n{errors.read().decode()}")
    return threads


def timed(command, launcher, options, folder, variables=None):
    """Run one search; return the costs of its layers, its seconds, and its seconds without waits."""
    threads = cluster_measure.run_in(folder, command, options, lambda c: watched(c, launcher, variables))
    events = cluster_measure.journal(folder)
    least = 0.05 * max(running for running, _ in threads.values())  # threads below only write to disk
    workers = [thread for thread in threads.values() if thread[0] >= least]  # halving starts threads for every rung
    running, waiting = map(sum, zip(*workers))
    seconds = max(e["seconds"] for e in events if e["event"] == "candidate")
    return {"layers": cluster_measure.layer_costs(events), "seconds": seconds,
            "corrected": seconds * running / (running + waiting)}


def options_of(search, epochs):
    return ["--algorithm", "popmem-o", "--ensemble", "1", "--search", search, "--epochs", str(epochs), "--seed", "1",
            "--topology", str(cluster_measure.UNITS), "--finetune-epochs", "0"]


def prediction(single, search, epochs, inputs, classes, workers):
    """Return the speed-up that the simulator expects, from processor times on one worker."""
    layer = dict(functools.reduce(cluster_measure.least, [run["layers"] for run in single])[0], inputs=inputs)
    stages = cluster_jobs.search_stages({"search": search, "classes": classes}, layer, 1.0, 0, epochs)
    return simulate(Cluster(1), [stages]).seconds / simulate(Cluster(workers), [stages]).seconds


def check(program, kind, search, shape, rounds, mpirun, workers=2, epochs=EPOCHS):
    """Run searches on one and on `workers` workers in turn; the shortest of each counts."""
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
                launcher = kind == "ranks" and count > 1
                runs[count].append(timed(command, launcher, options + threads, folder))
            runs["costs"].append(timed(program, False, options + ["--threads", "1"], folder, clock))
    wall, corrected = ([min(run[key] for run in runs[count]) for count in (1, workers)] for key in ("seconds", "corrected"))
    return {"with": kind, "workers": workers, "search": search, "shape": list(shape), "epochs": epochs, "rounds": rounds,
            "wall": [round(s, 3) for s in wall], "corrected": [round(s, 3) for s in corrected],
            "predicted": round(prediction(runs["costs"], search, epochs, inputs, classes, workers), 3),
            "date": cluster_measure.today()}
