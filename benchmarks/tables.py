#!/usr/bin/env python3
"""gopnet against HistGradientBoosting on ten real tables as they are, both with their defaults.

The tables have text, blanks, dates or uneven classes and come with Debian's packages of R:

    apt-get install --no-install-recommends r-base-core r-cran-mass r-cran-mlbench r-cran-survival r-cran-ggplot2

A quarter of the rows of each is kept for the test, anew for every seed. gopnet reads the file and gets no option but the
target (and where to write). scikit-learn's model reads no text: its texts become numbers by an OrdinalEncoder and are
named in categorical_features, as its documentation advises. Prints a table in Markdown.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.metrics import accuracy_score, balanced_accuracy_score, r2_score
from sklearn.preprocessing import OrdinalEncoder

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Table: R package, target. A target of text is a class.
TABLES = {
    "airquality": ("datasets", "Ozone"),
    "Cars93": ("MASS", "Price"),
    "mpg": ("ggplot2", "class"),
    "pbc": ("survival", "status"),
    "HouseVotes84": ("mlbench", "Class"),
    "Soybean": ("mlbench", "Class"),
    "BreastCancer": ("mlbench", "Class"),
    "flchain": ("survival", "death"),
    "Shuttle": ("mlbench", "Class"),
    "diamonds": ("ggplot2", "price"),
}
CLASSES = {"status": ["alive", "transplant", "dead"], "death": ["no", "yes"]}  # numbers in the package
# Columns that tell the target, or were known only after it.
GIVEAWAYS = {"Cars93": ["Min.Price", "Max.Price"], "pbc": ["time"], "flchain": ["chapter", "futime"]}
MOST_CATEGORIES = 255  # that HistGradientBoosting takes


def export(folder):
    """Writes all tables as R does."""
    lines = [f'write.csv({package}::{name}, "{folder}/{name}.csv", row.names = FALSE)' if package != "mlbench" else
             f'data({name}, package = "mlbench"); write.csv({name}, "{folder}/{name}.csv", row.names = FALSE)'
             for name, (package, _) in TABLES.items()]
    subprocess.run(["Rscript", "-e", "; ".join(lines)], check=True)


def read(path, target, most_rows):
    """The fields of a table as texts, without the rows that have no target."""
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    table = table[table[target] != "NA"].drop(columns=GIVEAWAYS.get(path.stem, []))
    if target in CLASSES:
        table[target] = [CLASSES[target][int(code)] for code in table[target]]
    return table.sample(n=min(most_rows, len(table)), random_state=0).reset_index(drop=True)


def is_number(column):
    return pd.to_numeric(column.replace("NA", np.nan), errors="coerce").isna().sum() == (column == "NA").sum()


def by_gopnet(program, folder, train, test, target):
    train.to_csv(folder / "train.csv", index=False)
    test.drop(columns=target).to_csv(folder / "test.csv", index=False)
    subprocess.run([program, "train", "--train", "train.csv", "--target", target, "--out", "run"], cwd=folder, check=True,
                   capture_output=True)
    subprocess.run([program, "predict", "run", "test.csv", "--out", "predicted.csv"], cwd=folder, check=True, capture_output=True)
    return pd.read_csv(folder / "predicted.csv", dtype=str, keep_default_na=False).iloc[:, 0]


def by_boosting(train, test, target, classes, seed):
    x = pd.concat([train, test]).drop(columns=target).replace("NA", np.nan)
    texts = [c for c in x if not is_number(x[c].fillna("NA"))]
    numbers = x.drop(columns=texts).astype(float)
    codes = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan).fit(x[texts][:len(train)]) if texts else None
    if texts:
        numbers[texts] = codes.transform(x[texts])
    few = [c in texts and x[c].nunique() <= MOST_CATEGORIES for c in numbers]
    kind = HistGradientBoostingClassifier if classes else HistGradientBoostingRegressor
    model = kind(categorical_features=few, random_state=seed)
    y = train[target] if classes else train[target].astype(float)
    return model.fit(numbers[:len(train)].to_numpy(), y).predict(numbers[len(train):].to_numpy())


def scores(truth, predicted, classes):
    if not classes:
        return r2_score(truth.astype(float), np.asarray(predicted, float)), np.nan
    return accuracy_score(truth, predicted), balanced_accuracy_score(truth, predicted)


def measure(program, table, target, seed):
    """Two scores of each."""
    order = np.random.default_rng(seed).permutation(len(table))
    train, test = table.iloc[np.sort(order[len(table) // 4:])], table.iloc[np.sort(order[:len(table) // 4])]
    classes = not is_number(table[target])
    with tempfile.TemporaryDirectory() as folder:
        own = by_gopnet(program, pathlib.Path(folder), train, test, target)
    peer = by_boosting(train, test, target, classes, seed)
    return [*scores(test[target], own, classes), *scores(test[target], peer, classes)]


def shown(values):
    return "" if np.isnan(values).any() else f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f}"


def row(name, table, target, measured):
    m = np.array(measured)
    texts = sum(not is_number(table[c]) for c in table if c != target)
    blanks = (table.drop(columns=target) == "NA").to_numpy().mean()
    classes = "" if is_number(table[target]) else table[target].nunique()
    return (f"| {name} | {len(table)} | {table.shape[1] - 1} ({texts}) | {100 * blanks:.1f} % | {classes} "
            f"| {shown(m[:, 0])} | {shown(m[:, 2])} | {shown(m[:, 1])} | {shown(m[:, 3])} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.environ.get("GOPNET", ROOT / "build" / "release" / "cli" / "gopnet"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--most-rows", type=int, default=10**9, help="of a table; a random part of longer ones is used")
    parser.add_argument("--tables", nargs="*", default=list(TABLES), choices=list(TABLES))
    args = parser.parse_args()
    program = pathlib.Path(args.program).resolve()
    print("| table | rows | columns (text) | blanks | classes | accuracy or r2: gopnet | HistGradientBoosting "
          "| balanced accuracy: gopnet | HistGradientBoosting |")
    print("|" + "---|" * 9)
    with tempfile.TemporaryDirectory() as folder:
        export(folder)
        for name in args.tables:
            target = TABLES[name][1]
            table = read(pathlib.Path(folder) / f"{name}.csv", target, args.most_rows)
            measured = [measure(program, table, target, seed) for seed in range(1, args.seeds + 1)]
            print(row(name, table, target, measured), flush=True)


if __name__ == "__main__":
    main()
