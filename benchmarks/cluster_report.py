"""Tables and figure of cluster_sim.py: measured searches replayed on 1 to 10,000 workers."""
import statistics
from dataclasses import replace

import cluster_check
import cluster_jobs
from cluster_engine import critical_path, simulate, total
from operators import SETS

WORKERS = [2**i for i in range(14)] + [10000]
SEARCHES = ("exhaustive", "halving")
MAIN = "popmem-o"  # with PCA: the paper's best, and the program's default
POOLED = ("Hollywood3d", "Caltech256")  # sets of which many runs share the workers
SEEDS = range(1, 11)


def outcomes(cluster, jobs, workers, seeds=(1,)):
    """Means over seeds: (efficiency, seconds, tasks done again)."""
    found = [simulate(replace(cluster, workers=workers, seed=seed), jobs) for seed in seeds]
    return (statistics.mean(o.efficiency(workers) for o in found), statistics.mean(o.seconds for o in found),
            statistics.mean(o.failed for o in found))


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def percent(value):
    return f"{100 * value:.0f}%" if value >= 0.1 else f"{100 * value:.2g}%"


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in rows), ""]


def cost_row(entry, search):
    layers = cluster_jobs.layers_of(entry, MAIN, search)
    stages = [stage for layer in layers for stage in layer]
    listed = lambda values: ", ".join(map(number, values))
    kept = cluster_jobs.find(entry, MAIN, search)["finetune"]["layers"]
    tune = total([cluster_jobs.finetune_of(entry, MAIN, search)])
    return [entry["name"], search, listed(map(total, layers)), listed(map(critical_path, layers)),
            listed(layer[0].tasks[0].cost for layer in layers), f"{number(tune)} ({kept})",
            f"x{total(stages) / critical_path(stages):.1f}"]


def cost_table(entries):
    """What the layers cost on one worker, and the most that workers can do about it."""
    rows = [cost_row(entry, search) for entry in entries for search in SEARCHES]
    return table(["set", "search", "core-seconds of layers 1, 2", "critical path, s", "of it the rest of the layer, s",
                  "fine-tuning, core-seconds (layers kept)", "greatest speed-up of a layer"], rows)


def curve(entry, search, cluster, seeds=(1,)):
    """Per number of workers the efficiency of a run without fine-tuning, and its seconds per layer."""
    layers = cluster_jobs.layers_of(entry, MAIN, search)
    job = [stage for layer in layers for stage in layer]
    points = [outcomes(cluster, [job], workers, seeds) for workers in WORKERS]
    return [(efficiency, seconds / len(layers), failed) for efficiency, seconds, failed in points]


def curve_table(entries, curves):
    rows = []
    for i, workers in enumerate(WORKERS):
        cells = [curves[entry["name"]][i] for entry in entries]
        rows.append([f"{workers:,}"] + [f"{percent(e)}, {number(s)} s" for e, s, _ in cells])
    return table(["workers"] + [entry["name"] for entry in entries], rows)


def pool_of(entry, algorithms, search, runs):
    """So many runs of each algorithm, each with its fine-tuning."""
    jobs = [cluster_jobs.job_of(entry, algorithm, search) + [cluster_jobs.finetune_of(entry, algorithm, search)]
            for algorithm in algorithms]
    return jobs * runs


def pool_points(entry, algorithms, search, runs, cluster, workers):
    jobs = pool_of(entry, algorithms, search, runs)
    return [outcomes(cluster, jobs, count) for count in workers]


def algorithms_of(entry):
    return sorted({run["algorithm"] for run in entry["runs"]})


def pooled(entries):
    """A small and a large set, or what there is."""
    return [entry for entry in entries if entry["name"] in POOLED] or entries[:1]


def pool_table(entries, calm, rough, runs=(1, 3, 30, 300), workers=(SETS, 1000, 10000)):
    rows = []
    for entry in entries:
        algorithms = algorithms_of(entry)
        for search in SEARCHES:
            for count in runs:
                smooth, disturbed = (pool_points(entry, algorithms, search, count, c, workers) for c in (calm, rough))
                rows.append([entry["name"], search, f"{count} x {len(algorithms)}"] +
                            [f"{percent(a[0])} ({percent(b[0])}), {number(a[1])} s" for a, b in zip(smooth, disturbed)])
    return table(["set", "search", "runs x algorithms"] + [f"{count:,} workers" for count in workers], rows)


def scaling_rows(entry):
    run, whole = cluster_jobs.find(entry, MAIN, "exhaustive"), entry["whole"][MAIN]
    rung = run["layers"][0]["rungs"][0]
    costs = dict(zip(rung["candidates"], rung["us"]))
    scale = entry["train"] / run["train"] * whole["epochs"] / rung["epochs"]
    for name, us in whole["us"].items():
        scaled = costs[cluster_jobs.index_of(*name.split("/"))] * scale
        yield [entry["name"], f"{run['train']:,}", f"{entry['train']:,}", name, number(scaled * 1e-6), number(us * 1e-6),
               f"{us / scaled:.2f}"]


def rows_scaled(entry):
    return bool(entry["whole"]) and cluster_jobs.find(entry, MAIN, "exhaustive")["train"] != entry["train"]


def scaling_table(entries):
    """Two candidates trained on all rows against their scaled cost."""
    return table(["set", "rows of the search", "all rows", "candidate", "scaled, s", "measured on all rows, s", "ratio"],
                 [row for entry in entries if rows_scaled(entry) for row in scaling_rows(entry)])


def span(values):
    return str(min(values)) if min(values) == max(values) else f"{min(values)} to {max(values)}"


def limits(entries, calm_curves):
    """The sentences that the numbers allow."""
    lines = []
    for search in SEARCHES:
        jobs = {e["name"]: cluster_jobs.job_of(e, MAIN, search) for e in entries}
        caps = [total(job) / critical_path(job) for job in jobs.values()]
        half = [max(w for w, point in zip(WORKERS, calm_curves[search][name]) if point[0] >= 0.5) for name in jobs]
        lines.append(f"- {search}: no number of workers makes a layer more than x{min(caps):.1f} to x{max(caps):.1f} (by set) "
                     f"faster than one worker; efficiency stays at 50% or more up to {span(half)} workers.")
    return lines


def head(costs, figure):
    machine, first = costs["machine"], costs["sets"][0]
    return ["# A search on many workers", "",
            f"Costs of candidates, measured on one thread of {machine['cpu']} ({first['clock']}, the least of two, {first['date']}; "
            "cluster_costs.json), replayed by a simulation. A worker is one core. Nothing here was run on a cluster.", "",
            f"![efficiency against workers, and cost per layer]({figure})", ""]


def limit_section(entries, curves, calm):
    return ["## What limits it",
            f"- A rung has at most {SETS} candidates and is complete before the next begins: **one run cannot feed more than {SETS} "
            f"workers**. Beyond {SETS} only more runs in one pool help.",
            "- A candidate runs on one worker, so a rung takes at least as long as its longest candidate. This bites well "
            f"before {SETS}: candidates differ in cost, and halving's last rung has only 3.",
            *limits(entries, curves), link_limit(pooled(entries), calm),
            "- The rest of a layer and fine-tuning run on one rank. Fine-tuning is not in the tables per layer, but is in "
            "those of many runs.", ""]


def cost_section(entries):
    return ["## What a layer costs", "",
            f"{MAIN} with PCA, 40 units, {cluster_jobs.EPOCHS} epochs, {cluster_jobs.FINETUNE_EPOCHS} of fine-tuning. The greatest "
            "speed-up is that of workers without number and messages that cost nothing. Costs of the large sets are scaled "
            "from fewer rows, with the error that the section on scaling shows.", "", *cost_table(entries)]


def run_section(title, about, entries, curves):
    lines = [f"## {title}", "", about, ""]
    for search in SEARCHES:
        lines += [f"### {title}, {search}", "", *curve_table(entries, curves[search])]
    return lines


def pool_section(entries, calm, rough):
    return ["## Many runs in one pool", "",
            f"Runs on one data set share the workers, as a distributed `gopnet compare` would "
            f"({'; '.join(e['name'] + ': ' + ', '.join(algorithms_of(e)) for e in entries)}); each run is the two "
            "measured layers and fine-tuning (one task, one worker). Efficiency, in brackets that with stragglers and failures, and "
            "seconds until all are done without them.", "", *pool_table(entries, calm, rough)]


def scaling_section(entries):
    return ["## What was scaled", "",
            f"Searches were measured with 14 to 56 epochs and costs scaled linearly to {cluster_jobs.EPOCHS}; for the large sets "
            "also from fewer rows, linearly; fine-tuning from 4 epochs. The set-up of a candidate, which is what the first rung "
            "of halving takes beyond so many exhaustive epochs, is not multiplied. Promotions of halving are those of the "
            "measured run. The data are synthetic, of the shape of the paper's sets; 60% of the samples train, 20% validate.", "",
            "Two candidates were also trained on all rows of the large sets for 2 epochs. A ratio above 1 means that scaled costs "
            "are too low. It also holds the set-up, which so few epochs do not hide, and what other work on the machine took of "
            "its caches and memory: the ratios do not follow the number of rows. Core-seconds and seconds of the large sets are "
            "that uncertain; efficiencies are less so, as they depend only on how costs relate to each other.", "",
            *scaling_table(entries)]


def check_section(checks):
    if not checks:
        return []
    return ["## Predicted and measured on two workers", "",
            "Layer 1 of one search; the prediction takes processor times on one thread. `Without waits` leaves out the time that "
            "workers waited for a processor while the machine did other things (Linux' schedstat), and is what the prediction is "
            "compared with. Where the speed-up by wall time is far below it, the machine had no two processors to give, and the "
            "check is weak: the correction takes both workers as slowed alike, so it shows idle workers and dearer candidates, "
            "but no wall time was saved. Only an idle machine can confirm the prediction.", "",
            *cluster_check.table(checks), ""]


def tail(costs, command):
    made = ", ".join(sorted({f"`{entry['command']}`" for entry in costs["sets"]}))
    return ["## Not in the model", "",
            "Reading the data; memory bandwidth and caches that the workers of a machine share; a network that loses or delays; "
            "the end of rank 0 (the run stops, `gopnet resume` goes on); a second copy of a straggler's task. Layers after the "
            "second are not measured.", "",
            f"Made by `{command}`; costs by {made} with {costs['machine']['program']}."]


def text_of(costs, calm, rough, command, figure):
    """The whole page, and the curves of its first tables."""
    entries = costs["sets"]
    calm_curves = {s: {e["name"]: curve(e, s, calm) for e in entries} for s in SEARCHES}
    rough_curves = {s: {e["name"]: curve(e, s, rough, SEEDS) for e in entries} for s in SEARCHES}
    about = "Efficiency (core-seconds of all tasks / (workers x seconds)) and seconds per layer. " + describe(calm)
    chance = (f"{describe(rough)} Means of {len(SEEDS)} seeds, other draws for each number of workers: where one failure among "
              f"them hits a busy worker, the mean rises by up to {rough.lease / len(SEEDS):g} s and the time of a candidate.")
    lines = (head(costs, figure) + limit_section(entries, calm_curves, calm) + cost_section(entries) +
             run_section("One run", about, entries, calm_curves) +
             run_section("One run with stragglers and failures", chance, entries, rough_curves) +
             pool_section(pooled(entries), calm, rough) + scaling_section(entries) + check_section(costs.get("checks")) +
             tail(costs, command))
    return "\n".join(lines) + "\n", calm_curves


def link_load(entry, cluster, runs, workers):
    """Seconds that the states of many runs take of rank 0's link, against those of the work."""
    found = []
    for search in SEARCHES:
        jobs = pool_of(entry, algorithms_of(entry), search, runs)
        states = sum(task.receive + task.send for job in jobs for stage in job for task in stage.tasks)
        found.append(f"{number(states / cluster.bandwidth)} s against {number(sum(map(total, jobs)) / workers)} s ({search})")
    return f"{runs} x {len(algorithms_of(entry))} runs on {entry['name']}: {', '.join(found)}"


def link_limit(entries, cluster, runs=300, workers=10000):
    loads = "; ".join(link_load(entry, cluster, runs, workers) for entry in entries)
    return (f"- States pass through rank 0. Seconds that its link needs for them, against the seconds of work for each of {workers:,} "
            f"workers: {loads}. Where the first is larger, the link limits more than the number of workers does. A candidate that "
            "went on at the worker that has its state would spare most of it.")


def describe(cluster):
    text = (f"Messages take {cluster.latency * 1e6:.0f} us and {cluster.service * 1e6:.0f} us of rank 0; states and the input of "
            f"a layer go at {cluster.bandwidth / 1e9:.3g} GB/s.")
    if cluster.slow_share or cluster.noise or cluster.failures:
        text += (f" {cluster.slow_share:.0%} of the workers take {cluster.slow_factor:g} times as long, times vary log-normally "
                 f"(sigma {cluster.noise:g}), a worker fails {cluster.failures:g} times an hour and its task goes back to the "
                 f"pool after {cluster.lease:g} s.")
    return text
