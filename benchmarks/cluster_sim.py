#!/usr/bin/env python3
"""Replay measured costs of candidates on 1 to 10,000 workers, with stragglers and failures.

Without --measure or --check, the script reads the costs, simulates, and writes scaling*.csv into --out. The simulation
hands out candidates as gopnet does: the heaviest first by gopnet's own estimate, and a rung is complete before the next
one starts. Needs NumPy.

Examples:
  benchmarks/cluster_sim.py                                            # CSV files from the committed costs
  benchmarks/cluster_sim.py --measure --gopnet build/release/cli/gopnet            # the paper's five shapes
  benchmarks/cluster_sim.py --measure DATA_FOLDER --costs mine.json    # x_train.npy, y_train.npy, maybe x_val.npy, y_val.npy
  benchmarks/cluster_sim.py --measure --shape 2000,50,10 --costs mine.json
  benchmarks/cluster_sim.py --check build/release/cli/gopnet --with threads   # predicted against measured, two workers
"""
import argparse
import json
import pathlib
import shlex
import sys

import cluster_check
import cluster_measure
import cluster_report
from cluster_engine import Cluster

HERE = pathlib.Path(__file__).resolve().parent
PAPER = "the paper's shapes"


def save(costs, path):
    """Write one line per run, so that a new measurement changes few lines."""
    text = json.dumps(costs, separators=(",", ":"))
    for key in ('{"name"', '{"algorithm"', '"whole"', '"machine"', '"checks"', '{"with"'):
        text = text.replace(key, "\n" + key)
    path.write_text(text + "\n")


def load(path):
    return json.loads(path.read_text()) if path.exists() else {"sets": []}


def command(*programs):
    """Return this command with plain names of programs instead of paths."""
    return shlex.join(["benchmarks/cluster_sim.py", *("gopnet" if word in programs else word for word in sys.argv[1:])])


def measured_entries(args, program):
    algorithms = args.algorithms.split(",")
    if args.measure != PAPER:
        yield cluster_measure.measure_folder(program, pathlib.Path(args.measure), algorithms)
    elif args.shape:
        yield cluster_measure.measure_shape(program, args.shape, tuple(map(int, args.shape.split(","))), algorithms)
    else:
        for name in args.sets.split(","):
            yield cluster_measure.measure_shape(program, name, cluster_measure.SHAPES[name], algorithms)


def measure(args):
    program = shlex.split(args.gopnet)
    for entry in measured_entries(args, program):  # a set is kept as soon as it is measured
        costs = load(args.costs)
        costs["machine"] = cluster_measure.machine(program)
        entry["command"] = command(args.gopnet)
        places = {other["name"]: i for i, other in enumerate(costs["sets"])}
        if entry["name"] in places:
            costs["sets"][places[entry["name"]]] = entry
        else:
            costs["sets"].append(entry)
        save(costs, args.costs)


def check(args):
    shape = tuple(map(int, args.shape.split(","))) if args.shape else cluster_measure.SHAPES["Hollywood3d"]
    found = [cluster_check.check(shlex.split(args.check), args.kind, search, shape, args.rounds, shlex.split(args.mpirun))
             for search in cluster_measure.SEARCHES]
    print(json.dumps(found, indent=1))
    if args.keep:
        costs = load(args.costs)
        costs["checks"] = [c for c in costs.get("checks", []) if c["with"] != args.kind] + found
        save(costs, args.costs)


def report(args):
    costs = load(args.costs)
    if not costs["sets"]:
        sys.exit(f"cluster_sim: {args.costs} has no costs; --measure makes them")
    order = list(cluster_measure.SHAPES)
    costs["sets"].sort(key=lambda entry: order.index(entry["name"]) if entry["name"] in order else len(order))
    calm = Cluster(1, latency=args.latency * 1e-6, bandwidth=args.bandwidth * 1e9, service=args.service * 1e-6, seed=args.seed)
    rough = Cluster(**{**vars(calm), "slow_share": args.slow_share, "slow_factor": args.slow_factor, "noise": args.noise,
                       "failures": args.failures, "lease": args.lease})
    cluster_report.write_all(costs, calm, rough, args.out)


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", nargs="?", const=PAPER, metavar="DATA_FOLDER", help="measure costs; default: the paper's five shapes")
    parser.add_argument("--shape", metavar="N,D,C", help="samples, inputs and classes of synthetic data to measure or check")
    parser.add_argument("--sets", default=",".join(cluster_measure.SHAPES), help="which of the paper's sets to measure")
    parser.add_argument("--algorithms", default=",".join(cluster_measure.ALGORITHMS), help="what to measure (default: %(default)s)")
    parser.add_argument("--gopnet", default=str(HERE.parent / "build/release/cli/gopnet"), help="the program to measure")
    parser.add_argument("--costs", type=pathlib.Path, default=HERE / "results/cluster_costs.json")
    parser.add_argument("--check", metavar="GOPNET", help="a search on one and on two workers: predicted and measured speed-up")
    parser.add_argument("--with", dest="kind", choices=cluster_check.KINDS, default="ranks", help="what the two workers are")
    parser.add_argument("--mpirun", default="mpirun", help='for ranks; perhaps "mpirun --allow-run-as-root"')
    parser.add_argument("--rounds", type=int, default=3, help="repetitions of --check; the least time counts")
    parser.add_argument("--keep", action="store_true", help="--check: into the file of costs, for the tables")
    parser.add_argument("--out", type=pathlib.Path, default=HERE / "results", help="folder of the CSV files")
    parser.add_argument("--latency", type=float, default=50, help="of a message, us (default: %(default)s)")
    parser.add_argument("--service", type=float, default=10, help="of rank 0 for a message, us (default: %(default)s)")
    parser.add_argument("--bandwidth", type=float, default=1.25, help="GB/s (default: %(default)s)")
    parser.add_argument("--slow-share", type=float, default=0.05, help="of the workers (default: %(default)s)")
    parser.add_argument("--slow-factor", type=float, default=2, help="of their times (default: %(default)s)")
    parser.add_argument("--noise", type=float, default=0.1, help="sigma of a task's log-normal time (default: %(default)s)")
    parser.add_argument("--failures", type=float, default=0.01, help="per worker and hour (default: %(default)s)")
    parser.add_argument("--lease", type=float, default=15, help="seconds (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main():
    args = parse()
    (measure if args.measure else check if args.check else report)(args)


if __name__ == "__main__":
    main()
