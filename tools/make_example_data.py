#!/usr/bin/python3
"""Writes examples/data/: the digits and diabetes sets of Debian's python3-sklearn and letters of its opencv-doc, as CSV.

Run with Debian's Python (/usr/bin/python3). The result is the same bytes every time.
"""
import gzip
import io
import pathlib

from sklearn.datasets import load_diabetes, load_digits

LETTERS = pathlib.Path("/usr/share/doc/opencv-doc/examples/data/letter-recognition.data")
FOLDER = pathlib.Path(__file__).resolve().parent.parent / "examples" / "data"


def csv(header, rows):
    lines = [",".join(header)]
    lines += [",".join(f"{value:g}" for value in row) for row in rows]
    return ("\n".join(lines) + "\n").encode()


def packed(text):
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as file:
        file.write(text)
    return buffer.getvalue()


def digits():
    data = load_digits()
    header = [f"pixel_{row}_{column}" for row in range(8) for column in range(8)] + ["digit"]
    rows = [[*pixels, label] for pixels, label in zip(data.data, data.target)]
    return packed(csv(header, rows))


def letters():
    header = ("x_box,y_box,width,height,on_pixels,x_bar,y_bar,x2_bar,y2_bar,xy_bar,x2y_bar,xy2_bar,"
              "x_edge,x_edge_vs_y,y_edge,y_edge_vs_x,letter")
    rows = [row[2:] + "," + row[0] for row in LETTERS.read_text().split()[:3000]]
    return packed(("\n".join([header, *rows]) + "\n").encode())


def diabetes():
    data = load_diabetes(scaled=False)
    rows = [[*features, target] for features, target in zip(data.data, data.target)]
    return csv([*data.feature_names, "progression"], rows)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, content in [("digits.csv.gz", digits()), ("diabetes.csv", diabetes()), ("letters.csv.gz", letters())]:
        (FOLDER / name).write_bytes(content)
        print(f"{name}: {len(content)} bytes")


if __name__ == "__main__":
    main()
