"""Compares exported models with `gopnet predict` on tables with texts, blanks, dates and numbers far from 0. The encoding of fields is
implemented here a second time."""
import csv
import datetime
import io
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

import exporting
from exporting import error, node, run

needs_runtime = pytest.mark.skipif(exporting.no_runtime() != "", reason=exporting.no_runtime())
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node; tools/setup test installs it")
HEAD = ["city", "size", "stamp", "day", "at", "grade"]
FEW = ["--algorithm", "popfast", "--topology", "6", "--epochs", "3", "--finetune-epochs", "2", "--layer-threshold", "0", "--seed", "4", "--quiet"]
NEW = [  # blanks in all columns, and texts and dates that do not occur in training
    ["city1", "2.5", "1600000123.25", "03.04.2020", "2021-05-06 07:08:09", "good"],
    ["Nowhere", "n.a.", "1600000777.5", "29.2.2020", "2021-05-06T23:59:00.5Z", "bad"],
    ["", "", "", "", "", ""],
    ["city2", "-7", "NULL", "-", "?", "ugly"],
    ["NaN", "NA", "1600005000", "31/12/2019", "20210101", "?"],
    ["na", "1e3", "1.6e9", "1-1-2030", "2021/2/3 4:05", '" good"'],
    ["city0", "+.5", "1600000321", "5.5.2020", "2021-06-01 00:00+02:00", "good"],
]


def messy_rows(count=400):
    """Yields rows: city has more categories than are kept; size, day and grade have blanks; stamp is far from 0."""
    rng = np.random.default_rng(2)
    for _ in range(count):
        day = datetime.date(2020, 1, 1) + datetime.timedelta(int(rng.integers(300)))
        at = datetime.datetime(2021, 5, 1) + datetime.timedelta(minutes=int(rng.integers(40000)))
        size, stamp = rng.normal(), 1.6e9 + rng.integers(2000) / 4
        good = rng.random() < 0.5
        blank = rng.random(3) < 0.1
        score = size + (stamp - 1.6e9) / 250 + 2 * good + at.hour / 12 + day.month / 6 + blank[0]
        yield [f"city{int(70 * rng.random() ** 2)}", "" if blank[0] else f"{size:.4f}", repr(stamp), "" if blank[1] else day.strftime("%d.%m.%Y"),
               at.strftime("%Y-%m-%d %H:%M:%S"), "" if blank[2] else "good" if good else "bad"], score


def line(fields):
    return ",".join(fields) + "\n"


@pytest.fixture(scope="module")
def messy(tmp_path_factory):
    """Returns a folder with rows to predict, and a map from names to a model, its labels and its predictions for these rows."""
    folder = tmp_path_factory.mktemp("messy")
    (folder / "new.csv").write_text(line(HEAD) + "".join(map(line, NEW)))
    rows = list(messy_rows())
    answers = {}
    for name, words, target in (("classes", ["--ensemble", "1"], lambda s: "abc"[int(s > 6) + int(s > 8)]),
                                ("values", ["--ensemble", "2", "--scale", "quantile"], lambda s: repr(1e9 + round(s, 4)))):
        (folder / f"{name}.csv").write_text(line([*HEAD, "y"]) + "".join(line([*fields, target(score)]) for fields, score in rows))
        run("train", "--train", folder / f"{name}.csv", *FEW, *words, "--date", "day:dmy", "--out", folder / name)
        model = folder / name / "model.safetensors"
        run("predict", model, folder / "new.csv", "--out", folder / "out.csv", "--force", *["--proba"] * (name == "classes"))
        said = list(csv.reader(io.StringIO((folder / "out.csv").read_text())))[1:]
        answers[name] = model, [row[0] for row in said], np.array([row[-3:] if name == "classes" else row for row in said], float)
    return folder, answers


def columns_of(model):
    raw = model.read_bytes()
    length = int.from_bytes(raw[:8], "little")
    return {c["name"]: c for c in json.loads(json.loads(raw[8:8 + length])["__metadata__"]["schema"])["columns"]}


def test_the_table_has_all_kinds_of_columns(messy):
    for model, _, _ in messy[1].values():
        columns = columns_of(model)
        assert columns["city"]["other"] and columns["stamp"]["offset"] > 1e9 and columns["at"]["hours"]
        assert columns["size"]["indicator"] and columns["day"]["indicator"] and columns["grade"]["indicator"]


def same(name, ours, theirs):
    """Whether predictions match; values are compared without their offset of 1e9."""
    return error(ours - 1e9, theirs - 1e9) < 1e-4 if name == "values" else error(ours, theirs) < 1e-5


NOTHING = {"", "n.a.", "NULL", "-", "?", "NA", "NaN"}
MOMENTS = {"03.04.2020": (2020, 4, 3), "29.2.2020": (2020, 2, 29), "31/12/2019": (2019, 12, 31), "1-1-2030": (2030, 1, 1), "5.5.2020": (2020, 5, 5),
           "2021-05-06 07:08:09": (2021, 5, 6, 7, 8, 9), "2021-05-06T23:59:00.5Z": (2021, 5, 6, 23, 59), "20210101": (2021, 1, 1),
           "2021/2/3 4:05": (2021, 2, 3, 4, 5), "2021-06-01 00:00+02:00": (2021, 6, 1)}


def numbers_of(column, field):
    """Returns the numbers that input x takes for a number or a date."""
    hours = column.get("hours", False)
    if "date" not in column:
        return [float("nan") if field in NOTHING else float(field)]
    if field in NOTHING:
        return [float("nan")] * (4 + hours)
    moment = datetime.datetime(*MOMENTS[field])
    days = (moment - datetime.datetime(1970, 1, 1)) / datetime.timedelta(days=1)
    return [moment.year, moment.month, moment.isoweekday(), *[moment.hour + moment.minute / 60 + moment.second / 3600] * hours, days]


def text_of(field):
    return field.strip('"')


def encoded(model):
    """Returns the features of NEW as the exported C header documents them."""
    rows = []
    for fields in NEW:
        features = []
        for column, field in zip(columns_of(model).values(), fields):
            categories = column.get("categories", [])
            if categories:
                field = text_of(field)
                hot = [float(field == c) for c in categories] + [float(field not in categories)] * column.get("other", False)
                features += [float("nan")] * len(hot) if field in NOTHING else hot
            else:
                features += numbers_of(column, field)
            if column.get("indicator"):
                features.append(float(field in NOTHING))
        rows.append(features)
    return np.array(rows)


MAIN = """#include <stdio.h>
#include "m.h"
int main(void) {
  double x[gopnet_inputs];
  %s out[gopnet_outputs];
  int j;
  while (fread(x, sizeof(double), gopnet_inputs, stdin) == gopnet_inputs) {
    if (gopnet_predict(x, out) < 0) return 1;
    for (j = 0; j < gopnet_outputs; ++j) printf("%%.17g ", (double)out[j]);
  }
  return 0;
}
"""


@pytest.mark.parametrize("name", ["classes", "values"])
def test_c_accepts_encoded_features(messy, tmp_path, name):
    model, _, said = messy[1][name]
    run("export", model, "-o", tmp_path / "m.c", "--quiet")
    (tmp_path / "main.c").write_text(MAIN % ("double" if name == "values" else "float"))
    subprocess.run(["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "main.c", "m.c", "-lm", "-o", "main"], cwd=tmp_path, check=True)
    done = subprocess.run(["./main"], cwd=tmp_path, input=encoded(model).tobytes(), capture_output=True, check=True)
    assert same(name, np.array(done.stdout.split(), float).reshape(said.shape), said)
    header = (tmp_path / "m.h").read_text()
    assert re.search(r'"city=other", 1 for any other text', header) and re.search(r'"day missing", 1 if the value is missing', header)
    assert re.search(r'"at weekday", 1 is Monday', header) and re.search(r'"at days", days since 1970-01-01', header)
    assert re.search(r'"at hour", in hours: 13.5 is 13:30\n', header)
    infinite = encoded(model)[:1]
    infinite[0, -4] = np.inf
    assert subprocess.run(["./main"], cwd=tmp_path, input=infinite.tobytes()).returncode == 1


@needs_runtime
@pytest.mark.parametrize("double", [False, True])
def test_onnx_accepts_texts_dates_and_far_numbers(messy, tmp_path, double):
    jobs = []
    for name, (model, _, _) in messy[1].items():
        run("export", model, "-o", tmp_path / f"{name}.onnx", "--quiet", *["--double"] * double)
        columns = columns_of(model)
        x = np.array([[v for c, field in zip(columns.values(), fields) if not c.get("categories") for v in numbers_of(c, field)] for fields in NEW])
        x.tofile(tmp_path / "x")
        texts = {c: {"texts": [text_of(fields[HEAD.index(c)]) for fields in NEW]} for c in ("city", "grade")}
        jobs.append({"model": str(tmp_path / f"{name}.onnx"), "type": "float64", "inputs": {"x": {"file": str(tmp_path / "x"), "columns": x.shape[1]}, **texts}})
    for (name, (_, labels, said)), result in zip(messy[1].items(), node("run_onnx.js", jobs)["results"]):
        tensor = result["outputs"].get("probabilities") or result["outputs"]["prediction"]
        assert same(name, np.array(tensor["data"]).reshape(tensor["dims"]), said), name
        if name == "classes":
            assert result["outputs"]["label"]["data"] == labels


def test_onnx_documents_the_columns_of_x(messy, tmp_path):
    onnx = pytest.importorskip("onnx", reason="python3-onnx is not installed; tools/setup test does")
    run("export", messy[1]["values"][0], "-o", tmp_path / "m.onnx", "--quiet")
    onnx.checker.check_model(str(tmp_path / "m.onnx"), full_check=True)
    told = {p.key: p.value for p in onnx.load(str(tmp_path / "m.onnx")).metadata_props}
    meaning = dict(zip(json.loads(told["x"]), json.loads(told["x_meaning"]), strict=True))
    assert meaning["size"] == "" and meaning["at hour"] == "in hours: 13.5 is 13:30" and meaning["day weekday"] == "1 is Monday"
    assert meaning["at days"].startswith("days since 1970-01-01")
    assert json.loads(told["x"]) == ["size", "stamp", *(f"day {p}" for p in ("year", "month", "weekday", "days")),
                                     *(f"at {p}" for p in ("year", "month", "weekday", "hour", "days"))]


def test_c_documents_units_and_hours(tmp_path):
    rows = [f"{i % 24}:{10 + i % 50},{i}.5 kg,{'ab'[int(i % 24 > 11)]}\n" for i in range(72)]
    (tmp_path / "t.csv").write_text("time,weight,kind\n" + "".join(rows))
    run("train", "--train", tmp_path / "t.csv", *FEW, "--ensemble", "1", "--out", tmp_path / "run")
    run("export", tmp_path / "run", "-o", tmp_path / "m.c", "--quiet")
    header = (tmp_path / "m.h").read_text()
    assert '"time", in hours: 13.5 is 13:30\n' in header and '"weight", in "kg"\n' in header


@needs_node
def test_the_page_reads_units_and_decimal_commas_as_in_training(tmp_path):
    rng = np.random.default_rng(3)
    weights, sizes = rng.uniform(900, 2000, 60), rng.normal(size=60)
    german = lambda v, digits: f"{v:_.{digits}f}".replace(".", ",").replace("_", ".")
    rows = [f"{german(w, 1)} kg;{german(s, 3)}" for w, s in zip(weights, sizes)]
    table = "weight;size;kind\n" + "".join(f"{row};{'ab'[int(w > 1400)]}\n" for row, w in zip(rows, weights))
    (tmp_path / "t.csv").write_text(table)
    run("train", "--train", tmp_path / "t.csv", *FEW, "--ensemble", "1", "--out", tmp_path / "run")
    run("export", tmp_path / "run", "-o", tmp_path / "m.html", "--quiet")
    run("predict", tmp_path / "run", tmp_path / "t.csv", "--proba", "--out", tmp_path / "out.csv")
    said = [row.split(",") for row in (tmp_path / "out.csv").read_text().splitlines()[1:]]
    page = str(tmp_path / "m.html")
    shown, uneven, other = node("run_page.js", [{"page": page, "csv": table}, {"page": page, "csv": "weight;size\n1,5 kg;2\n1,5 kg\n"},
                                                {"page": page, "csv": "weight;size\n1,5 lb;2\n"}])
    assert [row[0] for row in shown["lines"]] == [row[0] for row in said]
    assert error(np.array([row[1:] for row in shown["lines"]], float), np.array([row[1:] for row in said], float)) < 1e-5
    assert "row 3 has 1 fields" in uneven["error"] and "'1,5 lb'" in other["error"]


@needs_node
def test_the_page_reads_common_notations_of_numbers_and_dates(tmp_path):
    """The page matches predict for each field, and rejects the fields that predict treats as blank or rejects."""
    rng = np.random.default_rng(4)
    days = [datetime.datetime(2020, 1, 1) + datetime.timedelta(hours=int(rng.integers(20000))) for _ in range(60)]
    price = rng.uniform(500, 3000, 60)
    rows = [f'"${p:,.1f}",{d.strftime("%d-%b-%Y %I:%M %p")},{"ab"[int(p > 1700)]}' for p, d in zip(price, days)]
    (tmp_path / "t.csv").write_text("price,day,kind\n" + "\n".join(rows) + "\n")
    run("train", "--train", tmp_path / "t.csv", *FEW, "--ensemble", "1", "--out", tmp_path / "run")
    run("export", tmp_path / "run", "-o", tmp_path / "m.html", "--quiet")
    assert columns_of(tmp_path / "run" / "model.safetensors")["day"]["hours"]
    prices = ["1 234.5", "$1,234", "1,234.5", "(1 234)", "-$5", "\u22125", "1'234.25", "EUR 7", "1_000", "1,23", "1,234,5", "12 34", "5 lb", "$", "(-5)", "5\u00a0\u20ac", "\u20ac\u202f5"]
    dates = ["12-Jan-2020", "12-jan-2020 1:05 PM", "12-01-2020 12:30 AM", "12/01/20", "12 January 2020", "12JAN2020", "12jan20", "12JAN2020:13:05", "12 Jan, 2020", "2020-01-12", "12.1.2020", "12.01.20",
             "12-Jan-2020 13:05 PM", "12.1.20", "12 01 2020", "12-Foo-2020", "30-Feb-2020", "12-Jan-2020 T5", "2020-01", "2020-01-12T10:00:00.5+01:00", "12-Jan-2020 0:05 AM"]
    plain = ("1500", "12-Jan-2020 01:00 PM")
    asked = [(p, plain[1]) for p in prices] + [(plain[0], d) for d in dates]
    (tmp_path / "new.csv").write_text("price,day\n" + "".join(f'"{p}","{d}"\n' for p, d in [*asked, (plain[0], ""), ("", plain[1])]))
    said = run("predict", tmp_path / "run", tmp_path / "new.csv", "--proba").splitlines()[1:]
    blank = said[-2:]
    shown = node("run_page.js", [{"page": str(tmp_path / "m.html"), "csv": f'price,day\n"{p}","{d}"\n"$1,500.5","{plain[1]}"\n'} for p, d in asked])
    for fields, line_, answer in zip(asked, said, shown):
        if "error" in answer:
            assert line_ in blank, (fields, answer)
        else:
            assert line_ not in blank, fields
            assert error(np.array(answer["lines"][0][1:], float), np.array(line_.split(",")[1:], float)) < 1e-5, fields
    assert sum("error" in answer for answer in shown) == 6 + 7


@needs_node
def test_the_page_reads_times_and_codes_like_predict(tmp_path):
    rows = [f"{i % 24}:{10 + i % 50},0{i % 3},{'ab'[int(i % 24 > 11)]}\n" for i in range(72)]
    (tmp_path / "t.csv").write_text("time,code,kind\n" + "".join(rows))
    run("train", "--train", tmp_path / "t.csv", *FEW, "--ensemble", "1", "--out", tmp_path / "run")
    run("export", tmp_path / "run", "-o", tmp_path / "m.html", "--quiet")
    assert columns_of(tmp_path / "run" / "model.safetensors")["time"]["unit"] == "h:mm"
    asked = "time,code\n10:30,01\n10:30 AM,1\n10.5,1.0\n1:45 PM,2\n,00\n10:30.6,01\n0:05 AM,02\n"
    (tmp_path / "new.csv").write_text(asked)
    said = [row.split(",") for row in run("predict", tmp_path / "run", tmp_path / "new.csv", "--proba").splitlines()[1:]]
    shown, other = node("run_page.js", [{"page": str(tmp_path / "m.html"), "csv": asked},
                                        {"page": str(tmp_path / "m.html"), "csv": "time,code\n10:30:00,01\n"}])
    assert said[0] == said[1] == said[2] and [row[0] for row in shown["lines"]] == [row[0] for row in said]
    assert error(np.array([row[1:] for row in shown["lines"]], float), np.array([row[1:] for row in said], float)) < 1e-5
    assert "'10:30:00'" in other["error"]


def test_missing_values_are_filled_even_if_training_had_none(tmp_path):
    exporting.write_rows(tmp_path)
    model = exporting.train(tmp_path, "plain", "y.npy", "popfast")
    x = np.load(tmp_path / "x.npy")[:5]
    x[[0, 1, 1], [0, 2, 6]] = np.nan
    run("export", model, "-o", tmp_path / "m.c", "--quiet")
    (tmp_path / "main.c").write_text((MAIN % "float").replace("double x[", "float x[").replace("sizeof(double)", "sizeof(float)"))
    subprocess.run(["gcc", "main.c", "m.c", "-lm", "-o", "main"], cwd=tmp_path, check=True)
    done = subprocess.run(["./main"], cwd=tmp_path, input=x.tobytes(), capture_output=True, check=True)
    said = exporting.predicted(tmp_path, model, x)
    assert error(np.array(done.stdout.split(), float).reshape(said.shape), said) < 1e-5
    if shutil.which("node"):
        run("export", model, "-o", tmp_path / "m.html", "--quiet")
        rows = "".join(line(map(repr, row)) for row in x.astype(float).tolist())
        shown = node("run_page.js", [{"page": str(tmp_path / "m.html"), "csv": rows}])[0]
        assert error(np.array([row[1:] for row in shown["lines"]], float), said) < 1e-5


def pages_and_predict(folder, table, asked, *options):
    """Yields the answers of the page and of `gopnet predict` for each of these texts."""
    (folder / "t.csv").write_text(table)
    run("train", "--train", folder / "t.csv", *FEW, "--ensemble", "1", "--out", folder / "run", *options)
    run("export", folder / "run", "-o", folder / "m.html", "--quiet")
    shown = node("run_page.js", [{"page": str(folder / "m.html"), "csv": text} for text in asked])
    for text, page in zip(asked, shown):
        (folder / "new.csv").write_text(text)
        done = subprocess.run([exporting.GOPNET, "predict", folder / "run", folder / "new.csv", "--proba"], capture_output=True, text=True)
        yield text, page, list(csv.reader(io.StringIO(done.stdout)))[1:], done.stderr


@needs_node
@pytest.mark.parametrize("head", ["v,y\n", ""])
def test_the_page_keeps_blank_rows(tmp_path, head):
    table = head + "".join(f"{'red blue'.split()[i % 2] if i % 5 else ''},{'ab'[i % 2]}\n" for i in range(40))
    name = head[:1] + "\n" if head else ""
    asked = [name + 'red\n""\nblue\n', name + 'red\n\nblue\n', name + 'red\n""\n', name + '""\n""\nblue\n']
    for text, page, said, _ in pages_and_predict(tmp_path, table, asked):
        assert [row[0] for row in page["lines"]] == [row[0] for row in said], (text, page)
        assert len(said) == 3 - (text == asked[2])


@needs_node
def test_the_page_infers_the_decimal_sign_of_categories_from_the_file(tmp_path):
    table = "v;w;y\n" + "".join(f"{i % 5},5;{[7, 8, 'q'][i % 3]};{'abc'[i % 3]}\n" for i in range(60))
    asked = ['v;w\n1,5;"7,0"\n', 'v,w\n1.5,"7,0"\n2.5,q\n', 'v,w\n2,"7,0"\n2,q\n2,q\n', 'v;w\n1.5;7.0\n2.5;q\n', 'v;w\n1.5;q\n2,5;q\n']
    for text, page, said, told in pages_and_predict(tmp_path, table, asked):
        assert ("error" in page) == (not said), (text, page, told)
        if said:
            assert error(np.array([row[1:] for row in page["lines"]], float), np.array([row[1:] for row in said], float)) < 1e-5, text
            assert page["note"].startswith("1 field") == ("1 field holds a category" in told), (page, told)


@needs_node
@pytest.mark.parametrize("form", ["{},5", '"1,0{:02}"', "{}.5"])
def test_the_page_infers_the_decimal_sign_of_numbers_like_predict(tmp_path, form):
    table = "v;y\n" + "".join(f"{form.format(10 + i % 60)};{'ab'[i % 2]}\n" for i in range(60))
    options = ["--decimal", "."] if '"' in form else []
    asked = [f"v\n{rows}\n" for rows in ('"7,100"\n"8,200"', '"7,5"\n"0,457"', '"7,100"\n"10,457"\n"6,5"', "1.5\n2.25", "1.500\n2.250", "1.500\n2.250\n2.5")]
    for text, page, said, told in pages_and_predict(tmp_path, table, asked, *options):
        assert ("error" in page) == (not said or "count" in told), (text, page, told)
        if "lines" in page:
            assert error(np.array([row[1:] for row in page["lines"]], float), np.array([row[1:] for row in said], float)) < 1e-5, (text, told)


@needs_node
def test_the_page_finds_columns_without_names_like_predict(tmp_path):
    """The first column is a row number that training ignores, so new rows may include it, and the target as well."""
    table = "".join(f"{i},{i * 7 % 40}.5,{i * 3 % 11},{'ab'[i % 2]}\n" for i in range(40))
    asked = ["3.5,4\n2.5,1\n", "7,3.5,4\n9,2.5,1\n", "7,3.5,4,b\n9,2.5,1,a\n", "3.5\n2.5\n", "1,2,3,4,5\n", "x1,x2\n2.5,3\n"]
    for text, page, said, told in pages_and_predict(tmp_path, table, asked):
        if text == asked[-1]:  # column names are not a row
            assert "'x1'" in page["error"] and "'x1'" in told and "1 other" in told
            continue
        assert ("error" in page) == (not said), (text, page, told)
        if said:
            assert error(np.array([row[1:] for row in page["lines"]], float), np.array([row[1:] for row in said], float)) < 1e-5, text


def check_page_matches_predict(answers):
    """The page must match predict, except that it rejects invalid numbers, which predict treats as blank."""
    for text, page, said, told in answers:
        if "expected a number" in told:
            assert "expected a number" in page["error"], (text, page)
            continue
        assert ("error" in page) == (not said), (text, page, told)
        if said:
            assert [row[0] for row in page["lines"]] == [row[0] for row in said], text
            assert error(np.array([row[1:] for row in page["lines"]], float), np.array([row[1:] for row in said], float)) < 1e-5, text


@needs_node
@pytest.mark.parametrize("code", [False, True])
def test_the_page_infers_the_decimal_sign_from_numbers_only(tmp_path, code):
    """Categories such as "7,0" do not contradict -11.51; predict infers no decimal sign from a first row with text."""
    table = "".join(f"{'xyz'[i % 3]},{[['7,0', '8,5', 'q'], ['01', '02', '03']][code][i // 3 % 3]!r},{i % 7 - 3}.25,{'abc'[i % 3]}\n" for i in range(60)).replace("'", '"')
    asked = ['x,"7,0",-11.51\n', 'x,02,-11.51\n', 'x,"7,0",-11.51\ny,8.5,"1,5"\nz,q,1.5\n']
    *same, (_, mixed, _, _) = pages_and_predict(tmp_path, table, asked)
    check_page_matches_predict(same)
    assert "decimal" in mixed["error"]
    page = node("run_page.js", [{"page": str(tmp_path / "m.html"), "csv": 'x,"7,0",-11.51\nx,"8,5",2.5\n'}])[0]
    assert len(page["lines"]) == 2


TWO_NUMBERS = "".join(f"{i * 7 % 11}.5,{i * 3 % 7},{'ab'[i * 7 % 11 > 5]}\n" for i in range(60))
TOPS = ["# a,b\n1,2\n3,4\n", "# b,a\n1,2\n3,4\n", "#b,a\r\n1,2\r\n3,4\r\n", "# rows\n# b,a\n1,2\n", "# b,a\n# rows\n1,2\n", "# rows\n1,2\n", "# b,a\na,b\n1,2\n",
        "# b,c\n1,2\n", "# a,b\n", "sep=;\na;b\n1;2\n", "SEP=;\r\nb;a\r\n1;2\r\n", "sep=:\nb:a\n1:2\n", "# rows\nsep=;\n1;2\n", "a b\n1 2\n3 4\n", "1 2\n3 4\n",
        "  b   a \r\n 1.5 \t 2\r\n  3   4\r\n", "# b a\n1 2\n3 4\n", '"b" "a"\n1 2\n', "a b\n1 2 3\n", "a c\n1 2\n"]
DIGITS = ["2020,2021\n1,2\n", "2020,2021\n", "2020,2021\n2022,2023\n", "2020,2025\n1,2\n", "0,1\n1.5,2\n", "0,1\n1,2\n", "5,6\n1,2\n", "# a,b\n2020,2021\n1,2\n",
          "7000,8000\n" + "1,2\n3,4\n" * 60, "2020,2025\n" + "1,2\n3,4\n" * 5]


@needs_node
@pytest.mark.parametrize("head", ["a,b,y\n", ""])
def test_the_page_reads_lines_above_the_rows_like_predict(tmp_path, head):
    check_page_matches_predict(pages_and_predict(tmp_path, head + TWO_NUMBERS, TOPS + DIGITS))


@needs_node
@pytest.mark.parametrize("head", ["a,b,y\n", ""])
def test_the_page_warns_of_a_row_that_looks_like_a_comment(tmp_path, head):
    table = head + "".join(f"#{'ace'[i % 3]}f,{i % 7},{'ab'[i % 2]}\n" for i in range(1, 61)).replace("#", "" if head else "x", 1)
    answers = list(pages_and_predict(tmp_path, table, ["#bf,1\ncf,2\n", "#af,1\n#cf,2\n", "# af,1\ncf,2\n", "#af\ncf,2\n", "#\ncf,2\n", "cf,2\n"]))
    check_page_matches_predict(answers)
    assert ["#" in page["note"] for _, page, _, _ in answers] == [True] + 5 * [False]


@needs_node
def test_the_page_refuses_numeric_column_names_like_predict(tmp_path):
    rows = "".join(f"{i * 7 % 11}.5,{i * 3 % 7},{i % 5},{'ab'[i * 7 % 11 > 5]}\n" for i in range(60))
    firsts = ["0,1,2", "1,2,3", "2,4,6", "10,20,30", "2020,2021,2022", "1999,2005,2001", "1999,2001,2005", "100,200,400", "7,1,3"]
    belows = ["1,2,3\n", "1.5,2,3\n", "1.5,2.5,3.5\n" * 30, "1,2,3\n4,5,6\n" * 30, "0.5,2,3\n0.25,5,6\n" * 3]
    answers = list(pages_and_predict(tmp_path, "a,b,c,y\n" + rows, [f"{first}\n{below}" for first in firsts for below in belows]))
    check_page_matches_predict(answers)
    assert 0 < sum("error" in page for _, page, _, _ in answers) < len(answers)


@needs_node
def test_the_page_reads_messy_rows_like_predict(messy, tmp_path):
    folder, answers = messy
    new, jobs = (folder / "new.csv").read_text(), []
    for name, (model, _, _) in answers.items():
        run("export", model, "-o", tmp_path / f"{name}.html", "--quiet")
        jobs.append({"page": str(tmp_path / f"{name}.html"), "csv": new})
    bad = [("29.2.2020", "29.2.2021"), ("20210101", "2021-01-01 24:00"), ("1e3", "0x10"), ("1e3", "1e39")]
    jobs += [{"page": jobs[0]["page"], "csv": new.replace(*swap)} for swap in bad]
    shown = node("run_page.js", jobs)
    for (name, (_, _, said)), page in zip(answers.items(), shown):
        assert "error" not in page, page
        assert same(name, np.array([row[-said.shape[1]:] for row in page["lines"]], float), said), name
    for (_, field), page in zip(bad, shown[2:]):
        assert f"'{field}'" in page["error"]
