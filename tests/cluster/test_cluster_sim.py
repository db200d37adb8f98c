"""The cluster simulator obeys the bounds of list scheduling, loses no work, and is deterministic."""

import json
import math
import pathlib
import sys

import numpy as np
import pytest

BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import cluster_engine  # noqa: E402
import cluster_jobs  # noqa: E402
from cluster_engine import Cluster, Stage, Task, critical_path, lower_bound, simulate, total  # noqa: E402

FREE = {"latency": 0.0, "service": 0.0, "bandwidth": math.inf}  # messages that cost nothing
ROUGH = {"slow_share": 0.2, "slow_factor": 3.0, "noise": 0.3, "failures": 200.0, "lease": 15.0}
WORKERS = (1, 2, 3, 7, 20, 100)


def random_job(seed, sizes=(30, 10, 4, 2)):
    """A job whose order follows estimated costs, as in the program."""
    rng = np.random.default_rng(seed)
    return [Stage(tuple(Task(cost, cost * guess, 1e5, 1e5) for cost, guess in
                        zip(rng.lognormal(0, 1, size), rng.uniform(0.5, 2, size))), 1e6) for size in sizes]


def graham(job, workers):
    """Upper bound of any list schedule of independent tasks (Graham 1969), summed over the stages."""
    return sum(sum(t.cost for t in s.tasks) / workers + (1 - 1 / workers) * max(t.cost for t in s.tasks) for s in job)


@pytest.mark.parametrize("seed", range(5))
def test_one_worker_takes_the_sum_of_the_costs(seed):
    job = random_job(seed)
    outcome = simulate(Cluster(1), [job])  # messages cost nothing within rank 0
    assert outcome.seconds == pytest.approx(total(job), rel=1e-12)
    assert outcome.efficiency(1) == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_unlimited_workers_take_the_critical_path(seed):
    job = random_job(seed)
    assert simulate(Cluster(1000, **FREE), [job]).seconds == pytest.approx(critical_path(job), rel=1e-12)


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("seed", range(5))
def test_time_is_within_the_bounds_of_list_scheduling(seed, workers):
    job = random_job(seed)
    seconds = simulate(Cluster(workers, **FREE), [job]).seconds
    assert max(total(job) / workers, critical_path(job)) <= seconds * (1 + 1e-12)
    assert lower_bound([job], workers) <= seconds * (1 + 1e-12)
    assert seconds <= graham(job, workers) * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_more_workers_at_most_double_the_time(seed):
    """Graham's anomalies exist, but a list schedule takes at most twice the optimum, which falls with more workers."""
    job = random_job(seed)
    seconds = [simulate(Cluster(workers, **FREE), [job]).seconds for workers in WORKERS]
    for i, fewer in enumerate(seconds):
        assert all(more <= 2 * fewer for more in seconds[i:])
    assert seconds[-1] <= min(seconds) * (1 + 1e-12)  # with as many workers as tasks, no task waits


def test_heaviest_by_estimate_goes_first():
    tasks = Stage((Task(1.0, order=1), Task(3.0, order=9), Task(2.0, order=5)))
    assert simulate(Cluster(2, **FREE), [[tasks]]).seconds == 3.0  # 3 | 2 + 1
    lying = Stage((Task(1.0, order=9), Task(3.0, order=1), Task(2.0, order=5)))
    assert simulate(Cluster(2, **FREE), [[lying]]).seconds == 4.0  # 1 + 3 | 2


@pytest.mark.parametrize("workers", WORKERS)
def test_messages_only_add_time(workers):
    job = random_job(1)
    free, slow = simulate(Cluster(workers, **FREE), [job]), simulate(Cluster(workers, latency=1.0), [job])
    assert slow.seconds >= lower_bound([job], workers)
    if workers >= 30:  # at most three messages per stage, and a broadcast of 7 hops before all but the first
        assert 7 * 3 <= slow.seconds - free.seconds <= 3 * 4 + 7 * 3 + 0.1


def test_rank_0_serves_one_message_at_a_time():
    stage = Stage(tuple(Task(0.0) for _ in range(100)))
    cluster = Cluster(101, latency=0.0, service=1.0, bandwidth=math.inf)
    slow = Cluster(101, latency=0.0, service=1.0, bandwidth=math.inf, slow_share=1.0, slow_factor=5.0)
    assert simulate(cluster, [[stage]]).seconds == 0.0  # worker 0 finishes them before it reads the first message
    busy = Stage(tuple(Task(1000.0) for _ in range(101)))
    assert simulate(cluster, [[busy]]).seconds > 1000 + 100  # a hundred results, one per second
    assert simulate(slow, [[busy]]).seconds > 5000 + 100


@pytest.mark.parametrize("death", (0.0, 1.0, 3.9))
def test_a_failure_costs_at_most_lease_and_redo(death):
    job = [Stage(tuple(Task(4.0, 1) for _ in range(5)))]
    pool = cluster_engine._Pool(Cluster(8, **FREE), [job])
    pool.death[2] = death
    outcome = pool.run()
    assert outcome.failed == 1 and outcome.lost == pytest.approx(death)
    assert outcome.seconds == pytest.approx(death + 15 + 4)  # a spare worker repeats it
    assert outcome.seconds <= critical_path(job) + 15 + 4


@pytest.mark.parametrize("seed", range(10))
def test_a_failure_among_few_workers(seed):
    """The task waits at most until the lease expires and the survivors have finished the others."""
    job = random_job(seed, sizes=(30,))
    pool = cluster_engine._Pool(Cluster(3, **FREE), [job])
    pool.death[1] = 5.0
    outcome = pool.run()
    heaviest = max(t.cost for t in job[0].tasks)
    assert outcome.failed == 1 and outcome.done == 30
    assert outcome.seconds <= max(5 + 15, graham(job, 2)) + heaviest


@pytest.mark.parametrize("seed", range(5))
def test_many_failures_cost_at_most_lease_and_redo_each(seed):
    job = random_job(seed)
    outcome = simulate(Cluster(500, failures=200.0, seed=seed, **FREE), [job])
    worst = max(t.cost for s in job for t in s.tasks)
    assert outcome.failed > 0
    assert outcome.seconds <= critical_path(job) + outcome.failed * (15 + worst)


@pytest.mark.parametrize("workers", WORKERS)
def test_every_task_is_done_once_whatever_fails(workers):
    jobs = [random_job(seed) for seed in range(3)]
    outcome = simulate(Cluster(workers, **ROUGH), jobs)
    assert outcome.done == sum(len(stage.tasks) for job in jobs for stage in job)
    assert outcome.work == pytest.approx(sum(map(total, jobs)))
    calm = simulate(Cluster(workers), jobs)
    assert calm.failed == 0 and calm.lost == 0 and calm.busy == pytest.approx(calm.work)


def test_stages_of_a_job_follow_each_other():
    jobs = [random_job(seed) for seed in range(4)]
    outcome = simulate(Cluster(7, **ROUGH), jobs)
    assert all(ends == sorted(ends) and len(ends) == 4 for ends in outcome.stage_ends)
    assert outcome.seconds == max(ends[-1] for ends in outcome.stage_ends)


def test_same_seed_same_numbers():
    jobs = [random_job(1), random_job(2)]
    first, again, other = (simulate(Cluster(20, seed=seed, **ROUGH), jobs) for seed in (3, 3, 4))
    assert first == again
    assert first.seconds != other.seconds


def test_a_share_of_workers_is_slow():
    stage = Stage(tuple(Task(1.0) for _ in range(10)))
    assert simulate(Cluster(10, slow_share=0.1, slow_factor=4.0, **FREE), [[stage]]).seconds == 4.0
    assert simulate(Cluster(10, slow_share=0.0, slow_factor=4.0, **FREE), [[stage]]).seconds == 1.0


def test_many_runs_keep_more_workers_busy():
    jobs = [random_job(seed) for seed in range(40)]
    assert simulate(Cluster(100), jobs).efficiency(100) > 3 * simulate(Cluster(100), jobs[:1]).efficiency(100)


def test_rungs_are_those_of_the_program():
    assert cluster_jobs.rungs("halving", 300) == [11, 33, 99, 300]
    assert cluster_jobs.rungs("halving", 28) == [1, 3, 9, 28]
    assert cluster_jobs.rungs("halving", 2) == [1, 2]
    assert cluster_jobs.rungs("exhaustive", 300) == [300]


def measured():
    return json.loads((BENCHMARKS / "results/cluster_costs.json").read_text())["sets"]


@pytest.mark.parametrize("entry", measured(), ids=lambda entry: entry["name"])
def test_measured_searches_are_whole_and_in_the_program_s_order(entry):
    assert cluster_jobs.in_order(entry)
    for run in entry["runs"]:
        for layer in run["layers"]:
            assert sorted(layer["rungs"][0]["candidates"]) == list(range(72))
            assert all(min(rung["us"]) > 0 for rung in layer["rungs"])
        job = cluster_jobs.job_of(entry, run["algorithm"], run["search"])
        assert simulate(Cluster(1), [job]).seconds == pytest.approx(total(job), rel=1e-9)
        assert simulate(Cluster(72, **FREE), [job]).seconds >= critical_path(job) * (1 - 1e-9)
