#!/usr/bin/python3
"""Writes examples/data/ from the data sets of Debian's python3-sklearn and opencv-doc, as CSV.

Run it with Debian's Python (/usr/bin/python3). It writes the same bytes every time.
"""
import gzip
import io
import pathlib
import random

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


def homes():
    """Synthetic sales of flats with an id, text, a unit, missing values, dates and a currency."""
    draw = random.Random(3)
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    lines = ["id,city,area,built,sold,price"]
    for row in range(200):
        city = draw.choice(["Oslo", "Oslo", "Bergen", "Trondheim"])
        area = round(draw.uniform(35, 160), 1)
        built = draw.choice([*range(1930, 2020, 5), None, None])
        price = area * (5.2 if city == "Oslo" else 3.9) * (1 + 0.002 * ((built or 1970) - 1970))
        price = int(price * draw.uniform(0.93, 1.07))
        day = f"{draw.randint(1, 28)}-{draw.choice(months)}-{draw.randint(2022, 2024)}"
        lines.append(f"{7000 + 13 * row},{city},{area} sqm,{built or 'n.a.'},{day},${price}000")
    return ("\n".join(lines) + "\n").encode()


def diabetes():
    data = load_diabetes(scaled=False)
    rows = [[*features, target] for features, target in zip(data.data, data.target)]
    return csv([*data.feature_names, "progression"], rows)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, content in [("digits.csv.gz", digits()), ("diabetes.csv", diabetes()), ("letters.csv.gz", letters()),
                          ("homes.csv", homes())]:
        (FOLDER / name).write_bytes(content)
        print(f"{name}: {len(content)} bytes")


if __name__ == "__main__":
    main()
