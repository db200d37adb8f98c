"""Write the CSV files of cluster_sim.py: measured searches replayed on 1 to 10,000 workers."""
import csv
import statistics
from dataclasses import replace

import cluster_jobs
from cluster_engine import critical_path, simulate, total
from operators import SETS

WORKERS = [2**i for i in range(14)] + [10000]
SEARCHES = ("exhaustive", "halving")
MAIN = "popmem-o"  # with PCA: the paper's best algorithm and the default
POOLED = ("Hollywood3d", "Caltech256")  # a small and a large set whose runs share the workers
POOL_RUNS, POOL_WORKERS = (1, 3, 30, 300), (SETS, 1000, 10000)
SEEDS = range(1, 11)


def outcome(cluster, jobs, workers, seeds=(1,)):
    """Return the means of efficiency and seconds over seeds."""
    found = [simulate(replace(cluster, workers=workers, seed=seed), jobs) for seed in seeds]
    return statistics.mean(o.efficiency(workers) for o in found), statistics.mean(o.seconds for o in found)


def layers_job(entry, search):
    """Return the measured layers of a run as one job, without fine-tuning."""
    return [stage for layer in cluster_jobs.layers_of(entry, MAIN, search) for stage in layer]


def algorithms_of(entry):
    return sorted({run["algorithm"] for run in entry["runs"]})


def pool_of(entry, search, runs):
    """Return the jobs of `runs` runs of each algorithm, each with fine-tuning."""
    jobs = [cluster_jobs.job_of(entry, algorithm, search) + [cluster_jobs.finetune_of(entry, algorithm, search)]
            for algorithm in algorithms_of(entry)]
    return jobs * runs


def run_rows(entries, calm, rough):
    """Yield the rows of single runs; seconds are per layer."""
    for entry in entries:
        for search in SEARCHES:
            job, layers = layers_job(entry, search), len(cluster_jobs.layers_of(entry, MAIN, search))
            for workers in WORKERS:
                for name, cluster, seeds in (("no", calm, (1,)), ("yes", rough, SEEDS)):
                    efficiency, seconds = outcome(cluster, [job], workers, seeds)
                    yield [entry["name"], search, name, 1, workers, f"{efficiency:.5g}", f"{seconds / layers:.5g}"]


def pool_rows(entries, calm, rough):
    """Yield the rows of runs that share the workers; seconds are those until all are done."""
    for entry in [e for e in entries if e["name"] in POOLED] or entries[:1]:
        for search in SEARCHES:
            for runs in POOL_RUNS:
                jobs = pool_of(entry, search, runs)
                for workers in POOL_WORKERS:
                    for name, cluster in (("no", calm), ("yes", rough)):
                        efficiency, seconds = outcome(cluster, jobs, workers)
                        yield [entry["name"], search, name, len(jobs), workers, f"{efficiency:.5g}", f"{seconds:.5g}"]


def cost_rows(entries):
    """Yield the cost of every layer on one worker, and the speed-up of a run on an unlimited number of workers."""
    for entry in entries:
        for search in SEARCHES:
            layers = cluster_jobs.layers_of(entry, MAIN, search)
            job = layers_job(entry, search)
            for layer, stages in enumerate(layers, 1):
                yield [entry["name"], search, layer, f"{total(stages):.5g}", f"{critical_path(stages):.5g}",
                       f"{total(job) / critical_path(job):.4g}"]


def check_rows(checks):
    for c in checks:
        yield [c["search"], c["with"], c["workers"], *c["shape"], c["epochs"], *c["wall"], *c["corrected"], c["predicted"], c["date"]]


def write(path, columns, rows):
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns.split())
        writer.writerows(rows)


def write_all(costs, calm, rough, folder):
    entries = costs["sets"]
    columns = "set search disturbed runs workers efficiency seconds"
    write(folder / "scaling.csv", columns, run_rows(entries, calm, rough))
    write(folder / "scaling_pools.csv", columns, pool_rows(entries, calm, rough))
    write(folder / "scaling_costs.csv", "set search layer core_seconds critical_path greatest_speed_up", cost_rows(entries))
    write(folder / "scaling_checks.csv", "search with workers samples inputs classes epochs wall_1 wall_n corrected_1 corrected_n predicted date",
          check_rows(costs.get("checks", [])))
