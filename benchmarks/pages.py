#!/usr/bin/env python3
"""Fill the tables and draw the figures of the benchmark pages from benchmarks/results/*.csv.

Usage: benchmarks/pages.py            write the pages and figures
       benchmarks/pages.py --check    exit with 1 if a page or a figure does not match the CSV files
       benchmarks/pages.py --facts    print key figures as JSON, for the README

A page is hand-written Markdown with blocks between `<!-- NAME -->` and `<!-- end -->`, which this script replaces.
"""
import argparse
import functools
import json
import math
import pathlib
import re
import statistics
import sys
import textwrap
from collections import defaultdict

import common
import figures

HERE = pathlib.Path(__file__).resolve().parent
PEERS = ["xgboost", "hist_boosting", "forest", "svm", "linear", "mlp"]
SYSTEMS = ["gopnet", *PEERS]
NAMES = {"xgboost": "XGBoost", "hist_boosting": "HistGradientBoosting", "forest": "random forest", "svm": "SVM", "linear": "linear",
         "mlp": "MLP", "gopnet": "gopnet"}
PAPER_SETS = ["libras", "msraction3d", "energy", "yaleb", "caltech101_clip"]


@functools.cache
def read(name):
    return common.read(common.RESULTS / f"{name}.csv")


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(map(str, row)) + " |" for row in rows)]


def span(low, high):
    return f"{low} to {high}" if low < high else f"{low}"


def listed(words):
    """a, b and c"""
    return " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)


def paragraph(*sentences):
    return textwrap.wrap(" ".join(sentences), 100, break_long_words=False, break_on_hyphens=False)


def mark_best(values, shown, best=min):
    """The shown values, the best one bold."""
    known = [v for v in values if v is not None]
    return [f"**{s}**" if v is not None and v == best(known) else s for v, s in zip(values, shown)]


def geometric_mean(values):
    return statistics.geometric_mean(list(values))


def plain(value, digits=4):
    """Significant digits without an exponent."""
    return f"{value:,.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}" if value else "0"


# Accuracy against other models

@functools.cache
def runs():
    """{set: {system: {seed: row}}} of the sets that all systems have finished, with the largest budget."""
    found = defaultdict(lambda: defaultdict(dict))
    for row in sorted(read("peers"), key=lambda row: int(row["budget"] or 0)):
        found[row["set"]][row["system"]][row["seed"]] = row
    kept = {}
    for name, systems in found.items():
        seeds = set.intersection(*(set(systems[s]) for s in SYSTEMS)) if all(s in systems for s in SYSTEMS) else ()
        if seeds:
            kept[name] = {s: {seed: systems[s][seed] for seed in sorted(seeds, key=int)} for s in SYSTEMS}
    return dict(sorted(kept.items()))


@functools.cache
def about_sets():
    """{set: its row of sets.csv}"""
    found = {row["set"]: row for row in read("sets")}
    for name in runs():
        if name not in found:
            raise SystemExit(f"pages: results/sets.csv: expected a row for the set {name} of peers.csv")
    return found


def is_confirmed(name):
    return about_sets()[name]["role"] == "confirmed"


def mean_of(rows, column):
    return statistics.mean(float(row[column]) for row in rows.values())


def measures_of(name):
    """(loss, score) columns of a set."""
    return ("log_loss", "accuracy") if task_of(name) == "classification" else ("rmse", "r2")


def task_of(name):
    return next(iter(runs()[name]["gopnet"].values()))["task"]


def ranks(values, largest_first=False):
    """1 for the best; equal values share the mean of their places."""
    key = lambda v: -v if largest_first else v
    return {s: 1 + sum(key(o) < key(v) for o in values.values()) + (sum(o == v for o in values.values()) - 1) / 2 for s, v in values.items()}


def set_ranks(by_loss=True):
    """{set: {system: rank}}"""
    found = {}
    for name, systems in runs().items():
        column = measures_of(name)[0 if by_loss else 1]
        found[name] = ranks({s: round(mean_of(rows, column), 6) for s, rows in systems.items()}, largest_first=not by_loss)
    return found


def mean_ranks(by_loss=True, role=None, task=None):
    """({system: mean rank}, number of sets)"""
    chosen = [r for name, r in set_ranks(by_loss).items()
              if role in (None, about_sets()[name]["role"]) and task in (None, task_of(name))]
    return {s: statistics.mean(r[s] for r in chosen) for s in SYSTEMS} if chosen else {}, len(chosen)


def accuracy_figure():
    found, count = mean_ranks(role="confirmed")
    return figures.rank_diagram("Log loss or RMSE", {NAMES[s]: rank for s, rank in found.items()}, count)


def place_of_gopnet(found):
    return sorted(SYSTEMS, key=found.get).index("gopnet") + 1


def in_order(found):
    return ", ".join(f"{NAMES[s]} {found[s]:.2f}" for s in sorted(SYSTEMS, key=found.get))


def accuracy_summary():
    found, count = mean_ranks(role="confirmed")
    scores, _ = mean_ranks(by_loss=False, role="confirmed")
    order = sorted(SYSTEMS, key=found.get)
    own = {name: r["gopnet"] for name, r in set_ranks().items() if is_confirmed(name)}
    difference = figures.critical_difference(len(SYSTEMS), count)
    level = [NAMES[s] for s in order if s != "gopnet" and abs(found[s] - found["gopnet"]) <= difference]
    same = listed(level) if len(level) < len(PEERS) else "any of the others"
    late = [f"{rank:g} on {name}" for name, rank in own.items() if rank > len(SYSTEMS) / 2 + 1]
    return paragraph(
        f"On the {count} sets not used to choose settings, gopnet's default takes place {place_of_gopnet(found)} of {len(SYSTEMS)} by log "
        f"loss or RMSE and place {place_of_gopnet(scores)} by accuracy or r2.",
        f"By log loss or RMSE, the mean ranks are: {in_order(found)}.",
        f"By accuracy or r2, they are: {in_order(scores)}.",
        f"By log loss or RMSE, gopnet is first on {sum(rank == 1 for rank in own.values())} of these sets" +
        (f"; its worst ranks are {listed(late)}." if late else "."),
        f"The critical difference is {difference:.2f} ranks (Nemenyi, 5 %), so the difference between gopnet and {same} is not significant."
        if level else f"The critical difference is {difference:.2f} ranks (Nemenyi, 5 %): gopnet differs from every other model.")


def accuracy_ranks():
    kinds = [("all sets", {}), ("sets not used to choose settings", {"role": "confirmed"}),
             ("sets used to choose settings", {"role": "chosen"}), ("classification", {"task": "classification"}),
             ("regression", {"task": "regression"})]
    rows = []
    for by_loss, what in ((True, "log loss or RMSE"), (False, "accuracy or r2")):
        for kind, choice in kinds:
            found, count = mean_ranks(by_loss, **choice)
            if count:
                values = [found[s] for s in SYSTEMS]
                rows.append([f"{kind} ({count}), {what}", *mark_best(values, [f"{v:.2f}" for v in values])])
    seconds = [geometric_mean(mean_of(systems[s], "cpu_seconds") for systems in runs().values()) for s in SYSTEMS]
    rows.append(["CPU seconds, geometric mean", *[plain(v, 2) for v in seconds]])
    return table(["mean rank", *[NAMES[s] for s in SYSTEMS]], rows)


def accuracy_table(task, which):
    """Means over the seeds of the loss (0) or the score (1)."""
    rows = []
    for name, systems in runs().items():
        if task_of(name) == task:
            values = [round(mean_of(systems[s], measures_of(name)[which]), 6) for s in SYSTEMS]
            shown = [f"{v:.4f}" if task == "classification" or which else plain(v) for v in values]
            rows.append([name, *mark_best(values, shown, max if which else min)])
    return table(["set", *[NAMES[s] for s in SYSTEMS]], rows)


def accuracy_machine():
    rows = [row for systems in runs().values() for seeds in systems.values() for row in seeds.values()]
    package = {"gopnet": "gopnet", "xgboost": "XGBoost"}
    versions = dict.fromkeys(f"{package.get(row['system'], 'scikit-learn')} {row['version']}" for row in rows)
    return paragraph(f"Machines: {'; '.join(dict.fromkeys(row['machine'] for row in rows))}.", f"Versions: {', '.join(versions)}.")


def accuracy_sets():
    about, rows = about_sets(), []
    for name, systems in runs().items():
        first = next(iter(systems["gopnet"].values()))
        budget = max(int(row["budget"]) for row in systems["xgboost"].values())
        rows.append([name, about[name]["role"], first["train"], first["test"], f"{first['columns']} ({first['text_columns']})",
                     f"{first['blank_percent']} %", first["classes"] or "-", len(systems["gopnet"]), budget, about[name]["source"]])
    return table(["set", "settings", "training rows", "test rows", "columns (text)", "blanks", "classes", "seeds", "XGBoost budget", "source"], rows)


# Speed

def pairs(shape):
    return {f"{row['nodal']}/{row['pool']}": row for row in read("training") if row["shape"] == shape and row["peer_ms"]}


def ratio(row):
    return float(row["peer_ms"]) / float(row["gopnet_ms"])


def training_figure():
    values = {name: ratio(row) for name, row in pairs("S").items()}
    return figures.bars("Epochs of gopnet in the time of one epoch of PyTorch, shape S", values, "x{:.0f}", 10)


def training_summary():
    rows = []
    for shape in ("S", "L"):
        found = pairs(shape)
        first = next(iter(found.values()))
        lowest = min(found, key=lambda name: ratio(found[name]))
        size = f"{shape}: {first['rows']} rows, {first['inputs']} inputs, {first['units']} units, {first['classes']} classes"
        rows.append([size, f"x{geometric_mean(map(ratio, found.values())):.1f}", f"x{ratio(found[lowest]):.1f} ({lowest})"])
    for row in read("search"):
        rows.append([f"search of {row['candidates']} operator sets x {row['epochs']} epochs, {row['threads']} thread{'s' if row['threads'] != '1' else ''}",
                     f"x{float(row['peer_seconds']) / float(row['gopnet_seconds']):.1f} (estimated)",
                     f"{row['peer_seconds']} s (estimated), {row['gopnet_seconds']} s"])
    return table(["shape", "geometric mean of the ratios", "lowest ratio; for a search, seconds of PyTorch (estimated) and gopnet"], rows)


def training_pairs():
    rows = []
    for name, row in pairs("S").items():
        large = pairs("L")[name]
        rows.append([name, row["peer_ms"], row["gopnet_ms"], f"x{ratio(row):.1f}", f"{float(row['share_forward']):.0%}, {float(row['share_forward_dw']):.0%}",
                     large["peer_ms"], large["gopnet_ms"], f"x{ratio(large):.1f}"])
    return table(["operators", "S: PyTorch, ms", "gopnet, ms", "ratio", "share of the bound", "L: PyTorch, ms", "gopnet, ms", "ratio"], rows)


def prediction_table():
    rows = []
    for row in read("prediction"):
        speed = f"{int(row['rows_per_second']):,}" if row["rows_per_second"] else f"one row in {row['microseconds_per_row']} us"
        rows.append([row["model"], row["system"], speed, row["machine"]])
    return table(["model", "system", "rows per second", "machine"], rows)


def prediction_figure():
    found = defaultdict(dict)
    for row in read("prediction"):
        if row["rows_per_second"]:
            found[row["model"]][row["system"]] = float(row["rows_per_second"])
    values = {}
    for model, systems in found.items():
        own = next((v for s, v in systems.items() if s.startswith("gopnet")), None)
        for system, value in systems.items():
            if not system.startswith("gopnet"):
                layers = re.search(r"(one|three|\d) layers?", model)[0].replace("three", "3")
                label = f"{system.split(',')[0]}, {model.split(',')[0] if ' of ' not in model.split(',')[0] else 'popmem-o'}, {layers}"
                values[label] = own / value
    return figures.bars("Rows that gopnet predicts in the time of one row of the other system", values, "x{:.1f}", 1)


# The paper's tables

def paper_rows(name, protocol="fast"):
    return {row["system"]: row for row in read("paper") if row["set"] == name and row["protocol"] == protocol}


def paper_table(protocol, sets):
    systems = list(paper_rows(sets[0], protocol))
    columns = []
    for name in sets:
        found = [float(paper_rows(name, protocol)[s]["median"]) for s in systems]
        columns.append(mark_best(found, [f"{v:.4f}" for v in found], max))
    return table(["system", *sets], [[s.replace("*", "\\*"), *cells] for s, *cells in zip(systems, *columns)])


def paper_costs():
    rows = []
    for system in paper_rows(PAPER_SETS[0]):
        found = [paper_rows(name)[system] for name in PAPER_SETS]
        rows.append([system.replace("*", "\\*"), *[f"{r['layers']}, {int(r['parameters']):,}, {float(r['seconds']):,.1f} s" for r in found]])
    return table(["system", *PAPER_SETS], rows)


def paper_mean_ranks():
    places = [ranks({s: float(row["median"]) for s, row in paper_rows(name).items()}, True) for name in PAPER_SETS]
    return {s: statistics.mean(p[s] for p in places) for s in places[0]}


def paper_figure():
    return figures.rank_diagram("Test score", paper_mean_ranks(), len(PAPER_SETS))


# Clusters

def efficiency(name, search, disturbed="no"):
    return {int(row["workers"]): float(row["efficiency"]) for row in read("scaling")
            if (row["set"], row["search"], row["disturbed"]) == (name, search, disturbed)}


def scaling_sets():
    return list(dict.fromkeys(row["set"] for row in read("scaling")))


def scaling_figure():
    curves, entries = [], []
    for name, color in zip(scaling_sets(), figures.COLORS):
        for search, dashes in (("exhaustive", ""), ("halving", "5 3")):
            curves.append(([(w, 100 * e) for w, e in efficiency(name, search).items()], color, dashes))
            entries.append((f"{name}, {search}", color, dashes))
    parts = figures.panel(60, 40, 640, 280, "Efficiency of one run in a simulated pool of workers", ("workers", "efficiency, %"), curves, False, 0.01, 100)
    return figures.document(720, 450, "Efficiency against workers", parts + figures.legend(60, 376, entries))


def scaling_table():
    rows = []
    for search in ("exhaustive", "halving"):
        for workers in (1, 4, 8, 16, 32, 64, 1024, 10000):
            cells = [f"{efficiency(name, search)[workers]:.2g} ({efficiency(name, search, 'yes')[workers]:.2g})" for name in scaling_sets()]
            rows.append([search, f"{workers:,}", *cells])
    return table(["search", "workers", *scaling_sets()], rows)


def scaling_pools():
    found = {(row["set"], row["search"], row["runs"], row["workers"], row["disturbed"]): row for row in read("scaling_pools")}
    rows = []
    for name, search, runs in dict.fromkeys(key[:3] for key in found):
        cells = [f"{float(found[name, search, runs, w, 'no']['efficiency']):.2g}, {plain(float(found[name, search, runs, w, 'no']['seconds']), 3)} s"
                 for w in ("72", "1000", "10000")]
        rows.append([name, search, runs, *cells])
    return table(["set", "search", "runs", "72 workers", "1,000 workers", "10,000 workers"], rows)


def scaling_limits():
    best = {(row["set"], row["search"]): float(row["greatest_speed_up"]) for row in read("scaling_costs")}
    lines = []
    for search in ("exhaustive", "halving"):
        caps = [v for (_, s), v in best.items() if s == search]
        half = [max(w for w, e in efficiency(name, search).items() if e >= 0.5) for name in scaling_sets()]
        lines.append(f"With `--search {search}`, a layer becomes at most {min(caps):.1f} to {max(caps):.1f} times faster with any number of "
                     f"workers, depending on the set. Efficiency is at least 50 % up to {span(min(half), max(half))} workers.")
    return paragraph(*lines)


def scaling_measured():
    rows = [[row["search"], row["ranks"], row["threads"], row["seconds"], row["machine"]] for row in read("ranks")]
    return table(["search", "ranks", "threads", "seconds", "machine"], rows)


def scaling_checks():
    rows = []
    for row in read("scaling_checks"):
        one, many = float(row["corrected_1"]), float(row["corrected_n"])
        rows.append([row["search"], f"{row['workers']} {row['with']}", f"x{float(row['wall_1']) / float(row['wall_n']):.2f}",
                     f"x{one / many:.2f}", f"x{float(row['predicted']):.2f}"])
    return table(["search", "workers", "measured, wall time", "without waits for a core", "predicted"], rows)


# Time of an epoch, halving

def growth_curves(varied):
    found = defaultdict(list)
    for row in read("growth"):
        if row["varied"] == varied:
            found[f"{row['nodal']}/{row['pool']}"].append((float(row["size"]), float(row["ms_per_epoch"])))
    return found


def growth_figure():
    parts, names = [], list(growth_curves("rows"))
    for i, varied in enumerate(("rows", "inputs", "units", "classes")):
        curves = [(points, color, "") for points, color in zip(growth_curves(varied).values(), figures.COLORS)]
        parts += figures.panel(60 + 350 * (i % 2), 40 + 270 * (i // 2), 270, 190, f"time against {varied}", (varied, "ms per epoch"), curves)
    return figures.document(720, 620, "Time of an epoch", parts + figures.legend(60, 580, [(n, c, "") for n, c in zip(names, figures.COLORS)]))


def growth_table():
    rows = []
    for varied in ("rows", "inputs", "units", "classes"):
        curves = growth_curves(varied)
        cells = []
        for points in curves.values():
            (s0, t0), (s1, t1) = points[-2:]
            cells.append(f"{math.log(t1 / t0) / math.log(s1 / s0):.2f}")
        sizes = [p[0] for p in next(iter(curves.values()))]
        rows.append([varied, f"{sizes[0]:g} to {sizes[-1]:g}", *cells])
    return table(["varied", "sizes", *growth_curves("rows")], rows)


def halving_table():
    rows = []
    for row in read("halving"):
        loss = float(row["exhaustive"]) - float(row["halving"])
        rows.append([row["set"], f"{row['exhaustive']} ({row['exhaustive_range']})", f"{row['halving']} ({row['halving_range']})",
                     f"{loss:+.2f}", row["standard_error"], f"x{row['search_time_ratio']}", f"x{row['run_time_ratio']}",
                     f"{row['same_first_set']} of {row['seeds']}"])
    return table(["set", "exhaustive", "halving", "loss", "standard error", "search time", "run time", "same first set"], rows)


def halving_figure():
    values = {row["set"]: float(row["search_time_ratio"]) for row in read("halving")}
    return figures.bars("Time of the exhaustive search divided by that of halving", values, "x{:.1f}", 1)


PAGES = {
    "accuracy.md": {"summary": accuracy_summary, "ranks": accuracy_ranks, "machine": accuracy_machine, "sets": accuracy_sets,
                    "log loss": lambda: accuracy_table("classification", 0), "accuracy": lambda: accuracy_table("classification", 1),
                    "rmse": lambda: accuracy_table("regression", 0), "r2": lambda: accuracy_table("regression", 1)},
    "training.md": {"summary": training_summary, "pairs": training_pairs},
    "prediction.md": {"table": prediction_table},
    "paper_tables.md": {"scores": lambda: paper_table("fast", PAPER_SETS), "costs": paper_costs, "protocol": lambda: paper_table("paper", ["libras"])},
    "scaling.md": {"limits": scaling_limits, "efficiency": scaling_table, "pools": scaling_pools, "measured": scaling_measured,
                   "checks": scaling_checks},
    "growth.md": {"exponents": growth_table},
    "halving.md": {"table": halving_table},
}
FIGURES = {"accuracy.svg": accuracy_figure, "training.svg": training_figure, "prediction.svg": prediction_figure,
           "paper_tables.svg": paper_figure, "scaling.svg": scaling_figure, "growth.svg": growth_figure, "halving.svg": halving_figure}


def filled(text, blocks):
    for name, block in blocks.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        content = "\n".join(block())
        text, count = pattern.subn(lambda found: f"{found[1]}{content}\n{found[2]}", text)
        if count != 1:
            raise SystemExit(f"pages: expected one block <!-- {name} -->; found {count}")
    return text


def contents():
    """{file: its expected content}"""
    pages = {HERE / name: filled((HERE / name).read_text(), blocks) for name, blocks in PAGES.items()}
    return {**pages, **{HERE / name: figure() for name, figure in FIGURES.items()}}


def facts():
    found, count = mean_ranks(role="confirmed")
    order = sorted(PEERS, key=found.get)
    by_score = mean_ranks(by_loss=False, role="confirmed")[0]
    prediction = {row["system"]: row["rows_per_second"] for row in read("prediction")}
    return {"gopnet_score_rank": round(by_score["gopnet"], 2), "gopnet_score_place": place_of_gopnet(by_score), "sets": len(runs()), "confirmed_sets": count, "gopnet_mean_rank": round(found["gopnet"], 2),
            "systems": len(SYSTEMS), "best_peer": NAMES[order[0]], "best_peer_mean_rank": round(found[order[0]], 2),
            "mean_ranks": {s: round(rank, 2) for s, rank in found.items()},
            "confirmed_firsts": sum(r["gopnet"] == 1 for name, r in set_ranks().items() if is_confirmed(name)),
            "training_ratio_s": round(geometric_mean(map(ratio, pairs("S").values())), 1),
            "training_ratio_l": round(geometric_mean(map(ratio, pairs("L").values())), 1),
            "prediction_ratio": round(float(prediction["gopnet"]) / float(prediction["PyTorch, batches of 256"]), 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--facts", action="store_true")
    args = parser.parse_args()
    if args.facts:
        print(json.dumps(facts(), indent=1))
        return 0
    expected = contents()
    stale = [path for path, text in expected.items() if not path.exists() or path.read_text() != text]
    for path in stale:
        if args.check:
            print(f"benchmarks/{path.name} does not match benchmarks/results: run benchmarks/pages.py", file=sys.stderr)
        else:
            path.write_text(expected[path])
    return 1 if args.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
