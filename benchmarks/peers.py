#!/usr/bin/env python3
"""Compare gopnet with tuned models on the same rows and append every run to a CSV file.

Usage: benchmarks/peers.py DATA... [--systems gopnet,xgboost,...] [--budget 20] [--seeds 1,2,3] [--out FILE.csv]

DATA is one of
  * a folder with x_train.npy, y_train.npy, x_test.npy, y_test.npy and optionally x_val.npy, y_val.npy. The split is fixed;
    a seed is the seed of the models.
  * a CSV table as benchmarks/tables.R writes them: the target is the last column, text makes it a class, and an empty field
    is a blank. A seed draws a quarter of the rows as test rows, by class.

gopnet gets the files as they are and chooses its settings itself. "gopnet --preset fast" is a system, too: further words
are options of `gopnet train`. The peers get one-hot columns (at most 50 categories), medians for blanks and standardised
columns where the model needs them; XGBoost and HistGradientBoosting see the blanks, and HistGradientBoosting the
categories. A peer chooses among its configurations on the validation rows, which are a fifth of the training rows if none
are given, and is then fitted to all training rows:

  xgboost        --budget configurations (the usual settings, then random ones), early stopping
  hist_boosting  learning rate 0.03, 0.1 x 15, 31, 63 leaves, early stopping
  forest         500 trees; two shares of the columns per split x leaves of at least 1 or 5 rows
  svm            RBF; C 1, 10, 100 x two widths
  linear         logistic or ridge regression, five penalties
  mlp            one or two hidden layers x two weight decays; early stopping above 1,000 rows

All systems use one thread. Probabilities are clipped at 1e-6 for the log loss. A run whose set, system, budget and seed are
in the file is not repeated.
"""
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # before NumPy starts its threads
    os.environ[name] = "1"

import argparse
import itertools
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time
import warnings

import common
import numpy as np
import pandas as pd
import sklearn
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.ensemble import (HistGradientBoostingClassifier, HistGradientBoostingRegressor, RandomForestClassifier,
                              RandomForestRegressor)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import train_test_split
from sklearn.multioutput import MultiOutputRegressor
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import SVC, SVR

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEERS = ["linear", "mlp", "svm", "forest", "hist_boosting", "xgboost"]
COLUMNS = ["set", "task", "system", "budget", "seed", "train", "val", "test", "columns", "text_columns", "blank_percent",
           "classes", "accuracy", "log_loss", "rmse", "r2", "cpu_seconds", "choice", "version", "machine"]
KEY = ["set", "system", "budget", "seed"]
MOST_CATEGORIES = 50  # of a column as one-hot columns
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


class Folder:
    """A data set of .npy files with a fixed split. Parts are (frame of features, target)."""

    def __init__(self, path):
        self.path, self.name = path, path.name
        self.names = [part for part in ("train", "val", "test") if (path / f"x_{part}.npy").exists()]
        self.arrays = {part: [np.load(path / f"{kind}_{part}.npy") for kind in "xy"] for part in self.names}
        self.classification = self.arrays["train"][1].dtype.kind in "iu"
        self.classes = [str(c) for c in np.unique(self.arrays["train"][1])] if self.classification else []
        self.columns, self.text_columns = self.arrays["train"][0].shape[1], 0
        self.blank_percent = 100 * np.isnan(self.arrays["train"][0].astype(float)).mean()

    def split(self, seed):
        del seed
        return {part: (pd.DataFrame(x.astype(float)).rename(columns=str), y) for part, (x, y) in self.arrays.items()}

    def gopnet_files(self, parts, folder):
        """The options of `gopnet train`, and the file to predict."""
        del parts, folder
        return common.data_options(self.path, ("train", "val")), self.path / "x_test.npy"


class Table:
    """A CSV table, split anew for every seed."""

    def __init__(self, path):
        self.name = path.stem
        self.text = pd.read_csv(path, dtype=str, keep_default_na=False)
        target = self.text.iloc[:, -1]
        numbers = pd.to_numeric(target, errors="coerce")
        self.classification = bool(numbers.isna().any())
        self.classes = sorted(target.unique()) if self.classification else []
        self.target = np.searchsorted(self.classes, target) if self.classification else numbers.to_numpy(float)
        features = self.text.iloc[:, :-1]
        self.frame = pd.concat([typed(features[name]) for name in features], axis=1)
        self.columns = features.shape[1]
        self.text_columns = sum(self.frame[name].dtype == object for name in self.frame)
        self.blank_percent = 100 * (features == "").to_numpy().mean()

    def rows(self, seed):
        groups = self.target if self.classification else None
        return train_test_split(np.arange(len(self.text)), test_size=0.25, random_state=seed, stratify=groups)

    def split(self, seed):
        self.train_rows, self.test_rows = self.rows(seed)
        return {part: (self.frame.iloc[rows], self.target[rows])
                for part, rows in (("train", self.train_rows), ("test", self.test_rows))}

    def gopnet_files(self, parts, folder):
        del parts
        self.text.iloc[self.train_rows].to_csv(f"{folder}/train.csv", index=False)
        self.text.iloc[self.test_rows, :-1].to_csv(f"{folder}/test.csv", index=False)
        task = "classification" if self.classification else "regression"
        return ["--train", f"{folder}/train.csv", "--target", self.text.columns[-1], "--task", task], f"{folder}/test.csv"


def typed(column):
    """A text column as numbers (blanks are NaN), as day, month and weekday of a date, or as text."""
    filled = column[column != ""]
    if pd.to_numeric(filled, errors="coerce").notna().all():
        return pd.to_numeric(column, errors="coerce").astype(float)
    if filled.str.fullmatch(DATE).all():
        date = pd.to_datetime(column, errors="coerce")
        days = (date - pd.Timestamp("1970-01-01")).dt.days
        return pd.DataFrame({f"{column.name}/{name}": values.astype(float) for name, values in
                             (("day", days), ("month", date.dt.month), ("weekday", date.dt.weekday))})
    return column.astype(object)


def encoder(frame, text_coder):
    text = [name for name in frame if frame[name].dtype == object]
    numbers = [name for name in frame if name not in text]
    return ColumnTransformer([("text", text_coder, text), ("numbers", "passthrough", numbers)], sparse_threshold=0)


def one_hot(frame):
    return encoder(frame, OneHotEncoder(handle_unknown="infrequent_if_exist", max_categories=MOST_CATEGORIES, sparse_output=False))


def several(model, y):
    """A regressor of one target as one of several."""
    return MultiOutputRegressor(model) if y.ndim > 1 else model


def scaled(model, frame, classification):
    """The model on standardised columns without blanks, and with standardised targets."""
    steps = make_pipeline(one_hot(frame), SimpleImputer(strategy="median"), StandardScaler(), model)
    return steps if classification else TransformedTargetRegressor(steps, transformer=StandardScaler())


def linear(classification, frame, y, seed, penalty):
    del y, seed
    model = LogisticRegression(C=1 / penalty, max_iter=1000) if classification else Ridge(penalty)
    return scaled(model, frame, classification)


def svm(classification, frame, y, seed, C, width, probability=False):
    model = SVC(C=C, gamma="scale", probability=probability, random_state=seed) if classification else SVR(C=C)
    if width != 1:  # gamma="scale" of standardised columns is 1 / columns
        model.set_params(gamma=1 / (width**2 * one_hot(frame).fit_transform(frame).shape[1]))
    return scaled(model if classification else several(model, y), frame, classification)


def mlp(classification, frame, y, seed, hidden, alpha):
    del y
    kind = MLPClassifier if classification else MLPRegressor
    model = kind(hidden, alpha=alpha, early_stopping=len(frame) > 1000, max_iter=300, random_state=seed)
    return scaled(model, frame, classification)


def forest(classification, frame, y, seed, max_features, leaf):
    del y
    kind = RandomForestClassifier if classification else RandomForestRegressor
    model = kind(500, max_features=max_features, min_samples_leaf=leaf, random_state=seed)
    return make_pipeline(one_hot(frame), SimpleImputer(strategy="median"), model)


def hist_boosting(classification, frame, y, seed, learning_rate, leaves):
    coder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
    sizes = [frame[name].nunique() for name in frame if frame[name].dtype == object]
    categories = [size <= 255 for size in sizes] + [False] * (frame.shape[1] - len(sizes))
    kind = HistGradientBoostingClassifier if classification else HistGradientBoostingRegressor
    model = kind(learning_rate=learning_rate, max_leaf_nodes=leaves, max_iter=1000, early_stopping=True,
                 categorical_features=categories, random_state=seed)
    return make_pipeline(encoder(frame, coder), model if classification else several(model, y))


def xgboost(classification, frame, y, seed, **settings):
    del frame, y
    import xgboost as package

    kind = package.XGBClassifier if classification else package.XGBRegressor
    return kind(tree_method="hist", n_jobs=1, random_state=seed, **settings)


def xgboost_settings(budget, seed):
    """XGBoost's usual settings, then random ones."""
    rng = np.random.default_rng(seed)
    usual = {"learning_rate": 0.1, "max_depth": 6}
    log_uniform = lambda low, high: round(float(np.exp(rng.uniform(np.log(low), np.log(high)))), 4)
    return [usual] + [{"learning_rate": log_uniform(0.02, 0.3), "max_depth": int(rng.integers(2, 11)),
                       "min_child_weight": log_uniform(0.5, 30), "subsample": round(rng.uniform(0.5, 1), 3),
                       "colsample_bytree": round(rng.uniform(0.3, 1), 3), "reg_lambda": log_uniform(0.1, 20),
                       "gamma": round(rng.uniform(0, 1), 3)} for _ in range(budget - 1)]


def grid(**values):
    return [dict(zip(values, point)) for point in itertools.product(*values.values())]


def configurations(system, classification, budget, seed):
    if system == "xgboost":
        return xgboost_settings(budget, seed)
    return {"linear": grid(penalty=[0.1, 1, 10, 100, 1000]),
            "svm": grid(C=[1, 10, 100], width=[1, 2]),
            "mlp": grid(hidden=[(256,), (128, 128)], alpha=[1e-4, 1e-2]),
            "forest": grid(max_features=["sqrt", 0.5] if classification else [1 / 3, 1.0], leaf=[1, 5]),
            "hist_boosting": grid(learning_rate=[0.03, 0.1], leaves=[15, 31, 63])}[system]


def validation(parts, classification, seed):
    """Training and validation rows."""
    if "val" in parts:
        return parts["train"], parts["val"]
    x, y = parts["train"]
    groups = y if classification and np.bincount(y).min() > 1 else None
    x, x_val, y, y_val = train_test_split(x, y, test_size=0.2, random_state=seed, stratify=groups)
    return (x, y), (x_val, y_val)


def outputs(model, x, classes):
    """Probabilities of all classes (ids 0..classes-1), or values."""
    if not classes:
        return model.predict(x)
    p = np.zeros((len(x), classes))
    p[:, model.classes_] = model.predict_proba(x)
    return p


def measures(y, predicted, classification):
    if classification:
        p = np.clip(predicted, 1e-6, 1)
        p /= p.sum(axis=1, keepdims=True)
        return {"accuracy": float((p.argmax(axis=1) == y).mean()), "log_loss": float(-np.log(p[np.arange(len(y)), y]).mean())}
    y, predicted = (np.asarray(v, float).reshape(len(y), -1) for v in (y, predicted))
    squares = ((y - predicted) ** 2).mean(axis=0)  # of each target
    return {"rmse": float(np.sqrt(squares).mean()), "r2": float((1 - squares / y.var(axis=0)).mean())}


def fit_xgboost(data, parts, seed, budget):
    """The best of `budget` configurations, with its number of trees, fitted to all training rows."""
    (x, y), (x_val, y_val) = validation(parts, data.classification, seed)
    coder = one_hot(x).fit(x)
    best = (np.inf, None)
    for settings in configurations("xgboost", data.classification, budget, seed):
        model = xgboost(data.classification, x, y, seed, n_estimators=3000, early_stopping_rounds=30, **settings)
        model.fit(coder.transform(x), y, eval_set=[(coder.transform(x_val), y_val)], verbose=False)
        if model.best_score < best[0]:
            best = (model.best_score, dict(settings, n_estimators=model.best_iteration + 1))
    x, y = parts["train"]
    model = xgboost(data.classification, x, y, seed, **best[1])
    coder = one_hot(x).fit(x)
    model.fit(coder.transform(x), y)
    return (lambda frame: outputs(model, coder.transform(frame), len(data.classes))), best[1]


def loss_of(system, model, x, y, data):
    """An SVM is chosen by its errors: its probabilities would take five more fits."""
    if system == "svm" and data.classification:
        return float((model.predict(x) != y).mean())
    found = measures(y, outputs(model, x, len(data.classes)), data.classification)
    return found["log_loss" if data.classification else "rmse"]


def fit_grid(system, data, parts, seed):
    (x, y), (x_val, y_val) = validation(parts, data.classification, seed)
    make, losses = globals()[system], []
    choices = configurations(system, data.classification, None, seed)
    for choice in choices:
        losses.append(loss_of(system, make(data.classification, x, y, seed, **choice).fit(x, y), x_val, y_val, data))
    best = choices[int(np.argmin(losses))]
    x, y = parts["train"]
    more = {"probability": True} if system == "svm" and data.classification else {}
    model = make(data.classification, x, y, seed, **best, **more).fit(x, y)
    return (lambda frame: outputs(model, frame, len(data.classes))), best


def run_peer(system, data, parts, seed, budget):
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        predict, choice = fit_xgboost(data, parts, seed, budget) if system == "xgboost" else fit_grid(system, data, parts, seed)
        seconds = time.process_time() - start
        found = measures(parts["test"][1], predict(parts["test"][0]), data.classification)
    version = sklearn.__version__ if system != "xgboost" else sys.modules["xgboost"].__version__
    return dict(found, cpu_seconds=seconds, choice=json.dumps(choice), version=version)


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_gopnet(program, options, data, parts, seed):
    with tempfile.TemporaryDirectory() as folder:
        files, test = data.gopnet_files(parts, folder)
        start = children_seconds()
        call(program, "train", *files, *options, "--seed", seed, "--threads", 1, "--quiet", "--no-report", "--out", f"{folder}/run")
        seconds = children_seconds() - start
        proba = ["--proba"] if data.classification else []
        call(program, "predict", f"{folder}/run", test, *proba, "--threads", 1, "--quiet", "--out", f"{folder}/predicted.csv")
        predicted = pd.read_csv(f"{folder}/predicted.csv", dtype=str, keep_default_na=False)
    if data.classification:
        p = np.zeros((len(predicted), len(data.classes)))
        for column in predicted.columns[1:]:
            p[:, data.classes.index(column)] = predicted[column].astype(float)
        predicted = p
    found = measures(parts["test"][1], np.asarray(predicted, float), data.classification)
    return dict(found, cpu_seconds=seconds, choice="", version=call(program, "--version").split()[1])


def call(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    return done.stdout


def run(system, data, seed, budget, program):
    parts = data.split(seed)
    if system.split()[0] == "gopnet":
        found = run_gopnet(program, system.split()[1:], data, parts, seed)
    else:
        found = run_peer(system, data, parts, seed, budget)
    rows = {part: len(y) for part, (_, y) in parts.items()}
    about = {"task": "classification" if data.classification else "regression", "columns": data.columns,
             "text_columns": data.text_columns, "blank_percent": f"{data.blank_percent:.1f}", "classes": len(data.classes) or "",
             "machine": common.machine()}
    return {**about, **rows, **{k: f"{v:.6g}" if isinstance(v, float) else v for k, v in found.items()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path, nargs="+")
    parser.add_argument("--systems", default=",".join(["gopnet", *PEERS]))
    parser.add_argument("--budget", type=int, default=20, help="configurations of XGBoost (default: %(default)s)")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--gopnet", default=os.environ.get("GOPNET", str(ROOT / "build/release/cli/gopnet")))
    parser.add_argument("--out", type=pathlib.Path, default=common.RESULTS / "peers.csv")
    args = parser.parse_args()
    systems = args.systems.split(",")
    unknown = [s for s in systems if s.split()[0] not in ("gopnet", *PEERS)]
    if unknown:
        parser.error(f"--systems: unknown system {unknown[0]}; expected gopnet or one of {', '.join(PEERS)}")
    done = {tuple(row[name] for name in KEY) for row in common.read(args.out)} if args.out.exists() else set()
    for seed, path in itertools.product(args.seeds.split(","), args.data):
        data = Table(path) if path.is_file() else Folder(path)
        for system in systems:
            key = {"set": data.name, "system": system, "budget": str(args.budget) if system == "xgboost" else "", "seed": seed}
            if tuple(key.values()) in done:
                continue
            try:
                row = run(system, data, int(seed), args.budget, args.gopnet)
            except (ImportError, RuntimeError, ValueError) as problem:
                print(f"{data.name}, {system}, seed {seed}: {problem}", file=sys.stderr)
                continue
            common.append(args.out, {**key, **row}, COLUMNS)
            print(*key.values(), row.get("log_loss", row.get("rmse")), row["cpu_seconds"], "s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
