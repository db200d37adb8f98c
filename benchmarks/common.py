"""What the scripts share: rows of the CSV files in benchmarks/results, the machine, options of gopnet."""
import csv
import os
import pathlib
import re
import sys

RESULTS = pathlib.Path(__file__).resolve().parent / "results"


def read(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def replace(path, keys, rows):
    """Write rows in place of those with the same values of the key columns. All rows have the same columns."""
    rows = [{name: str(value) for name, value in row.items()} for row in rows]
    key_of = lambda row: tuple(row[name] for name in keys)
    new = {key_of(row) for row in rows}
    old = [row for row in read(path) if key_of(row) not in new] if path.exists() else []
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(old + rows)


def append(path, row, columns):
    new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="", lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow(row)


def machine():
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return f"{model[1] if model else 'unknown CPU'}, {os.cpu_count()} cores"


def split_arguments():
    """Return the arguments of a script, and those after -- for gopnet."""
    arguments = sys.argv[1:]
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    return arguments[:cut], arguments[cut + 1 :]


def data_options(folder, parts=("train", "val", "test")):
    """Return gopnet's options for the parts that are in a folder of x_train.npy, y_train.npy and so on."""
    found = [part for part in parts if (folder / f"x_{part}.npy").exists()]
    return [word for part in found for word in (f"--{part}", f"{folder}/x_{part}.npy", f"--{part}-labels", f"{folder}/y_{part}.npy")]
