#!/usr/bin/python3
"""Writes examples/data/: the digits and diabetes sets of Debian's python3-sklearn, as CSV.

Run with Debian's Python (/usr/bin/python3). The result is the same bytes every time.
"""
import gzip
import io
import pathlib

from sklearn.datasets import load_diabetes, load_digits

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "examples" / "data"


def csv(header, rows):
    lines = [",".join(header)]
    lines += [",".join(f"{value:g}" for value in row) for row in rows]
    return ("\n".join(lines) + "\n").encode()


def digits():
    data = load_digits()
    header = [f"pixel_{row}_{column}" for row in range(8) for column in range(8)] + ["digit"]
    rows = [[*pixels, label] for pixels, label in zip(data.data, data.target)]
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as file:
        file.write(csv(header, rows))
    return buffer.getvalue()


def diabetes():
    data = load_diabetes(scaled=False)
    rows = [[*features, target] for features, target in zip(data.data, data.target)]
    return csv([*data.feature_names, "progression"], rows)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, content in [("digits.csv.gz", digits()), ("diabetes.csv", diabetes())]:
        (FOLDER / name).write_bytes(content)
        print(f"{name}: {len(content)} bytes")


if __name__ == "__main__":
    main()
