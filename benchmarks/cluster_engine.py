"""Simulate a pool of candidates that rank 0 hands out to workers, by discrete events, for cluster_sim.py.

A job is a chain of stages (a rung of a search, the rest of a layer, fine-tuning); the tasks of a stage may run at once,
and a stage opens when the one before is complete. Free workers get the task of the largest `order`, which is the
program's estimate, not the true cost. Worker 0 shares memory with rank 0: it needs no messages, and does not fail (its
end is the end of the run, which `gopnet resume` takes up). Same seed, same numbers.
"""
import heapq
import itertools
import math
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Task:
    cost: float  # seconds on a worker of speed 1
    order: float = 0.0  # the program's estimate: the largest goes first
    receive: float = 0.0  # bytes that the worker needs (the state of the rung before)
    send: float = 0.0  # bytes that it gives back


@dataclass(frozen=True)
class Stage:
    tasks: tuple
    broadcast: float = 0.0  # bytes that every worker gets before it opens (the input of a layer)


@dataclass(frozen=True)
class Cluster:
    workers: int
    latency: float = 50e-6  # of a message
    bandwidth: float = 1.25e9  # bytes per second: 10 Gbit/s, of rank 0's link
    service: float = 10e-6  # of rank 0 for a message, one at a time
    slow_share: float = 0.0  # of the workers
    slow_factor: float = 1.0  # their times
    noise: float = 0.0  # sigma of the log-normal factor of a task's time, whose mean is 1
    failures: float = 0.0  # per worker and hour; a dead worker stays dead
    lease: float = 15.0  # seconds until the task of a dead worker is handed out again
    seed: int = 1


@dataclass
class Outcome:
    seconds: float = 0.0  # until the last job is done
    work: float = 0.0  # sum of the tasks' costs, each counted once
    busy: float = 0.0  # worker-seconds spent on finished tasks
    lost: float = 0.0  # worker-seconds of tasks that died with their worker
    done: int = 0  # finished tasks
    failed: int = 0  # tasks that were handed out again
    stage_ends: list = field(default_factory=list)  # per job, seconds

    def efficiency(self, workers):
        return self.work / (workers * self.seconds) if self.seconds else 1.0


def critical_path(stages):
    """Return the seconds of a job on an unlimited number of workers."""
    return sum(max(task.cost for task in stage.tasks) for stage in stages)


def total(stages):
    return sum(task.cost for stage in stages for task in stage.tasks)


def lower_bound(jobs, workers):
    """Return a time that no schedule beats. The stages of a job do not overlap, so each adds its own bound."""
    alone = [sum(max(sum(t.cost for t in s.tasks) / workers, max(t.cost for t in s.tasks)) for s in job) for job in jobs]
    return max(max(alone), sum(total(job) for job in jobs) / workers)


class _Pool:
    def __init__(self, cluster, jobs):
        self.cluster, self.jobs = cluster, jobs
        rng = np.random.default_rng(cluster.seed)
        self.factor = np.ones(cluster.workers)
        slow = rng.permutation(cluster.workers)[: round(cluster.slow_share * cluster.workers)]
        self.factor[slow] = cluster.slow_factor
        rate = cluster.failures / 3600
        self.death = rng.exponential(1 / rate, cluster.workers) if rate else np.full(cluster.workers, math.inf)
        self.death[0] = math.inf
        self.rng = rng
        self.now, self.server = 0.0, 0.0  # server: when rank 0 has answered all messages so far
        self.events, self.serial = [], itertools.count()
        self.ready, self.idle = [], []  # tasks, the heaviest first; workers, the lowest number first
        self.left, self.unfinished = [0] * len(jobs), len(jobs)  # tasks of each job's stage; jobs
        self.outcome = Outcome(stage_ends=[[] for _ in jobs])

    def at(self, time, action, *arguments):
        heapq.heappush(self.events, (time, next(self.serial), action, arguments))

    def run(self):
        for job in range(len(self.jobs)):
            self.open(job)
        for worker in range(1, self.cluster.workers):
            self.at(self.cluster.latency, self.arrive, worker, None)
        self.free(0)
        while self.unfinished:
            self.now, _, action, arguments = heapq.heappop(self.events)
            action(*arguments)
        self.outcome.seconds = max(ends[-1] for ends in self.outcome.stage_ends)
        self.outcome.work = sum(total(job) for job in self.jobs)
        return self.outcome

    def open(self, job):
        """Put the tasks of the job's next stage into the pool."""
        tasks = self.jobs[job][len(self.outcome.stage_ends[job])].tasks
        sigma = self.cluster.noise
        noise = np.exp(sigma * self.rng.standard_normal(len(tasks)) - sigma * sigma / 2) if sigma else np.ones(len(tasks))
        self.left[job] = len(tasks)
        for task, factor in zip(tasks, noise):
            self.put((job, task, factor))
        self.hand_out()

    def put(self, item):
        heapq.heappush(self.ready, (-item[1].order, next(self.serial), item))

    def arrive(self, worker, item):
        """Queue a message of a worker at rank 0, which handles one message at a time."""
        size = item[1].send if item else 0.0
        self.server = max(self.server, self.now) + self.cluster.service + size / self.cluster.bandwidth
        self.at(self.server, self.finish if item else self.free, *((worker, item) if item else (worker,)))

    def free(self, worker):
        heapq.heappush(self.idle, worker)
        self.hand_out()

    def finish(self, worker, item):
        job = item[0]
        self.outcome.done += 1
        self.left[job] -= 1
        if not self.left[job]:
            self.close(job)
        self.free(worker)

    def close(self, job):
        ends = self.outcome.stage_ends[job]
        ends.append(self.now)
        if len(ends) == len(self.jobs[job]):
            self.unfinished -= 1
            return
        self.at(self.now + self.broadcast(self.jobs[job][len(ends)].broadcast), self.open, job)

    def broadcast(self, size):
        """Return the seconds to send `size` bytes to all workers by scatter and all-gather, as MPI_Bcast does."""
        if self.cluster.workers == 1 or not size:
            return 0.0
        return self.cluster.latency * math.ceil(math.log2(self.cluster.workers)) + 2 * size / self.cluster.bandwidth

    def hand_out(self):
        while self.idle and self.ready:
            worker = heapq.heappop(self.idle)
            if self.death[worker] + self.cluster.lease <= self.now:
                continue  # known to be dead
            self.start(worker, heapq.heappop(self.ready)[2])

    def start(self, worker, item):
        _, task, noise = item
        begin = self.now
        if worker:
            self.server = max(self.server, self.now) + self.cluster.service + task.receive / self.cluster.bandwidth
            begin = self.server + self.cluster.latency
        spent = task.cost * float(self.factor[worker]) * float(noise)
        death = float(self.death[worker])
        if death < begin + spent:
            self.outcome.failed += 1
            self.outcome.lost += max(0.0, death - begin)
            self.at(max(death, self.now) + self.cluster.lease, self.expire, item)
            return
        self.outcome.busy += spent
        if worker:
            self.at(begin + spent + self.cluster.latency, self.arrive, worker, item)
        else:
            self.at(begin + spent, self.finish, worker, item)

    def expire(self, item):
        self.put(item)
        self.hand_out()


def simulate(cluster, jobs):
    """Run `jobs`, each a list of Stage, on the cluster and return the outcome."""
    return _Pool(cluster, jobs).run()
