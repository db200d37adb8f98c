#!/usr/bin/env python3
"""gopnet beside what people would otherwise use: a linear model, SVM, two MLPs, a random forest and, if it is installed,
XGBoost, on any data.

Usage: benchmarks/peers.py DATA... [--seeds 1,2,3,4,5] [--systems default,fast,linear,svm,...] [--threads 2] [--rows train|all|quarters] [--target COLUMN] [--keep FILE.jsonl] [--out FILE.md]

DATA is a folder with x_train.npy, y_train.npy, x_test.npy, y_test.npy and perhaps x_val.npy and y_val.npy, or a CSV file of
numbers whose last column, or --target, is to be predicted (a fifth of its rows become test rows). Peers with a choice (SVM C 1,
10, 100; XGBoost depth 4, 6, 8) take the one that does best on the validation rows (given, or a fifth of the training rows).
They are then fitted to the rows that gopnet learns from: the training rows, for --rows all (preset best) also validation
rows that are given. With --rows quarters each seed draws a quarter of these rows anew to measure on, all systems learn from the
others (gopnet without --val), and test rows are not looked at. Scores are test accuracy, or r2, in
percent: medians over the seeds. The mean rank counts a set once, 1 is best, ties share their ranks;
a preset of gopnet is ranked among the peers, not against the other presets. A second table has the
expected calibration error of the systems that give probabilities. --keep stores each run as it ends; a run that is there is
not done again.
"""
import argparse
import copy
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy as np

GOPNET = pathlib.Path(os.environ.get("GOPNET", pathlib.Path(__file__).resolve().parent.parent / "build" / "release" / "cli" / "gopnet"))
OURS = ["fast", "default", "best"]  # presets; those that the program does not have are left out


class Data:
    """Rows as float64, y as classes 0..C-1 or values; val may be empty."""

    def __init__(self, path, target):
        self.path, self.name = path, path.stem if path.is_file() else path.name
        self.parts = self.read_csv(target) if path.is_file() else self.read_folder()
        self.classes = self.parts["train"][1].dtype.kind in "iu"

    def read_folder(self):
        names = [p for p in ("train", "val", "test") if (self.path / f"x_{p}.npy").exists()]
        return {p: (np.load(self.path / f"x_{p}.npy").astype(float), np.load(self.path / f"y_{p}.npy")) for p in names}

    def read_csv(self, target):
        import pandas
        from sklearn.model_selection import train_test_split

        table = pandas.read_csv(self.path)
        y = table.pop(target or table.columns[-1])
        classes = y.dtype.kind not in "f"
        y = y.astype("category").cat.codes.to_numpy().astype(int) if classes else y.to_numpy()
        x_train, x_test, y_train, y_test = train_test_split(table.to_numpy(float), y, test_size=0.2, random_state=0,
                                                            stratify=y if classes else None)
        return {"train": (x_train, y_train), "test": (x_test, y_test)}

    def choosing(self, seed):
        """Training and validation rows, drawn from the training rows where none are given."""
        from sklearn.model_selection import train_test_split

        if "val" in self.parts:
            return self.parts["train"], self.parts["val"]
        x, y = self.parts["train"]
        few = self.classes and np.bincount(y).min() < 2
        x, x_val, y, y_val = train_test_split(x, y, test_size=0.2, random_state=seed, stratify=y if self.classes and not few else None)
        return (x, y), (x_val, y_val)

    def drawn(self, seed):
        """Three quarters of the training and validation rows to learn from, a quarter to measure on."""
        from sklearn.model_selection import train_test_split

        x, y = self.rows("all")
        few = not self.classes or np.bincount(y).min() < 2
        x, x_out, y, y_out = train_test_split(x, y, test_size=0.25, random_state=seed, stratify=None if few else y)
        part = copy.copy(self)
        part.parts = {"train": (x, y), "test": (x_out, y_out)}
        return part

    def rows(self, which):
        parts = [self.parts[p] for p in ("train", "val") if p == "train" or (which == "all" and p in self.parts)]
        return np.vstack([x for x, _ in parts]), np.concatenate([y for _, y in parts])


def scaled(model, classes):
    from sklearn.compose import TransformedTargetRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    pipeline = make_pipeline(StandardScaler(), model)
    return pipeline if classes else TransformedTargetRegressor(pipeline, transformer=StandardScaler())


def several(model, y):
    """A regressor of one target as one of several."""
    from sklearn.multioutput import MultiOutputRegressor

    return MultiOutputRegressor(model) if y.ndim > 1 else model


def candidates(name, data, seed, threads):
    """The models that the peer chooses from."""
    from sklearn import ensemble, linear_model, neural_network, svm

    classes, y = data.classes, data.parts["train"][1]
    if name == "linear":
        return [scaled(linear_model.LogisticRegression(C=c, max_iter=2000, n_jobs=threads) if classes else linear_model.Ridge(1 / c), classes)
                for c in (0.01, 0.1, 1)]
    if name == "svm":
        return [scaled(svm.SVC(C=c) if classes else several(svm.SVR(C=c), y), classes) for c in (1, 10, 100)]
    if name in ("mlp40", "mlp256"):
        kind = neural_network.MLPClassifier if classes else neural_network.MLPRegressor
        return [scaled(kind((40, 40) if name == "mlp40" else (256,), early_stopping=True, max_iter=300, random_state=seed), classes)]
    if name == "forest":
        kind = ensemble.RandomForestClassifier if classes else ensemble.RandomForestRegressor
        return [kind(500, n_jobs=threads, random_state=seed)]
    import xgboost

    kind = xgboost.XGBClassifier if classes else xgboost.XGBRegressor
    return [several(kind(n_estimators=200, max_depth=depth, tree_method="hist", n_jobs=threads, random_state=seed), y) for depth in (4, 6, 8)]


def calibration_error(probabilities, truth, bins=15):
    """Mean gap between how sure a model is of its label and how often it is right, as gopnet's `ece`."""
    sure, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == truth
    bin_of = np.minimum((sure * bins).astype(int), bins - 1)
    gaps = [(bin_of == b).mean() * abs(sure[bin_of == b].mean() - right[bin_of == b].mean()) for b in np.unique(bin_of)]
    return float(sum(gaps))


def peer(name, data, seed, threads, rows):
    """Score, seconds and, where there are probabilities, calibration error."""
    start = time.time()
    models = candidates(name, data, seed, threads)
    if len(models) > 1:
        (x, y), (x_val, y_val) = data.choosing(seed)
        scores = [model.fit(x, y).score(x_val, y_val) for model in models]
        models = [models[int(np.argmax(scores))]]
    model = models[0].fit(*data.rows(rows))
    seconds = time.time() - start
    x, y = data.parts["test"]
    ece = calibration_error(model.predict_proba(x), y) if data.classes and hasattr(model, "predict_proba") else None
    return model.score(x, y), seconds, ece


def ours(preset, data, seed, threads):
    with tempfile.TemporaryDirectory() as folder:
        command = [str(GOPNET), "train", "--json", "--quiet", "--preset", preset, "--seed", str(seed), "--threads", str(threads),
                   "--out", folder + "/run"]
        for part, (x, y) in data.parts.items():
            for kind, values in (("x", x), ("y", y)):
                np.save(f"{folder}/{kind}_{part}.npy", values)
            command += [f"--{part}", f"{folder}/x_{part}.npy", f"--{part}-labels", f"{folder}/y_{part}.npy"]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    result = json.loads(done.stdout)
    test = result["metrics"]["test"]
    return test.get("accuracy", test.get("r2")), result["seconds"]["total"], test.get("ece")


class Kept:
    """Results of runs by data set, system, rows and seed, in a file of JSON lines if there is one."""

    def __init__(self, path):
        self.path = path
        lines = path.read_text().splitlines() if path and path.exists() else []
        self.runs = {tuple(run["key"]): tuple(run["result"]) for run in map(json.loads, lines)}

    def get(self, key, run):
        if key not in self.runs:
            self.runs[key] = run()
            if self.path:
                with self.path.open("a") as file:
                    print(json.dumps({"key": key, "result": self.runs[key]}), file=file)
        return self.runs[key]


def measure(data, system, seeds, args, kept):
    """Medians of score in percent, of seconds and of calibration error; nothing if the system cannot be had."""
    runs = []
    draws = args.rows == "quarters" or system not in ("linear", "svm", "xgboost")
    for seed in seeds if draws else seeds[:1]:
        def run(seed=seed):
            own = data.drawn(seed) if args.rows == "quarters" else data
            return ours(system, own, seed, args.threads) if system in OURS else peer(system, own, seed, args.threads, args.rows)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                runs.append(kept.get((data.name, system, args.rows, seed), run))
        except (ImportError, RuntimeError) as problem:
            print(f"{data.name} {system}: {problem}", file=sys.stderr)
            return None
        print(f"{data.name} {system} seed {seed}: {100 * runs[-1][0]:.2f}, {runs[-1][1]:.1f} s", file=sys.stderr, flush=True)
    score, seconds, ece = ([r[i] for r in runs] for i in range(3))
    return 100 * statistics.median(score), statistics.median(seconds), None if None in ece else statistics.median(ece)


def rank(row, system):
    """1 for the best among the system and the peers; those that tie share the mean of their places."""
    scores = {s: round(v[0], 2) for s, v in row.items() if v and (s == system or s not in OURS)}
    own = scores[system]
    return 1 + sum(o > own for o in scores.values()) + (sum(o == own for o in scores.values()) - 1) / 2


def markdown(table, systems, command):
    lines = ["| set | " + " | ".join(systems) + " |", "|---|" + "---|" * len(systems)]
    for name, row in table.items():
        best = max(value[0] for value in row.values() if value)
        cells = [f"{'**' if v and v[0] == best else ''}{v[0]:.2f}{'**' if v and v[0] == best else ''} ({v[1]:.1f} s)" if v else "-"
                 for v in (row[s] for s in systems)]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    means = {s: [rank(row, s) for row in table.values() if row[s]] for s in systems}
    lines.append("| mean rank | " + " | ".join(f"{statistics.mean(m):.2f}" if m else "-" for m in means.values()) + " |")
    return "\n".join(lines + ["", *calibration(table, systems), "", f"Made by `{command}`."])


def calibration(table, systems):
    """The table of expected calibration errors."""
    shown = [s for s in systems if any(row[s] and row[s][2] is not None for row in table.values())]
    lines = ["| calibration error | " + " | ".join(shown) + " |", "|---|" + "---|" * len(shown)]
    for name, row in table.items():
        cells = [f"{row[s][2]:.3f}" if row[s] and row[s][2] is not None else "-" for s in shown]
        if set(cells) != {"-"}:
            lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path, nargs="+")
    parser.add_argument("--seeds", default="1,2,3,4,5")
    parser.add_argument("--systems", default="default,fast,linear,svm,mlp40,mlp256,forest,xgboost")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rows", choices=("train", "all", "quarters"), default="train")
    parser.add_argument("--target")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    args = parser.parse_args()
    systems, seeds = args.systems.split(","), [int(s) for s in args.seeds.split(",")]
    table, kept = {}, Kept(args.keep)
    for path in args.data:
        data = Data(path, args.target)
        table[data.name] = {system: measure(data, system, seeds, args, kept) for system in systems}
    names = " ".join(path.name for path in args.data)
    text = markdown(table, systems, f"benchmarks/peers.py {names} --seeds {args.seeds} --systems {args.systems} --threads {args.threads} --rows {args.rows}")
    print(text)
    if args.out:
        args.out.write_text(text + "\n")


if __name__ == "__main__":
    main()
