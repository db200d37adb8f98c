"""Every table is read as a person would read it; ambiguous ones give a warning, or an error that names the option to use."""

import json
import os
import pathlib
import re
import subprocess

import pytest
from tables import CASES, write

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("GOPNET", ROOT / "build" / "release" / "cli" / "gopnet")).resolve()
TINY = ("--ensemble 1 --epochs 5 --finetune-epochs 2 --topology 8 --nodal multiplication --pool sum "
        "--activation tanh --quiet").split()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables")
    write(path)
    return path


def call(folder, *args, **options):
    return subprocess.run([PROGRAM, *map(str, args)], cwd=folder, capture_output=True, text=True, timeout=600, **options)


def test_there_are_enough_tables():
    assert len(CASES) >= 40 and len({case.file for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_reading(folder, case):
    result = call(folder, "data", case.file, "--json", *case.options.split())
    if case.error:
        assert result.returncode == 2 and result.stdout == ""
        assert len(result.stderr.splitlines()) == 1
        assert all(part in result.stderr for part in (case.file, *case.error)), result.stderr
        return
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert [c["kind"] for c in found["columns"]] == case.kinds.split()
    for key in ("separator", "decimal", "header", "rows", "task"):
        assert found[key] == getattr(case, key), key
    if case.features >= 0:
        assert found["features"] == case.features
    for column in found["columns"]:
        assert column["blanks"] == case.blanks.get(column["name"], 0)
        assert column["distinct"] == case.different.get(column["name"], column["distinct"])
        assert column["use"] == case.uses.get(column["name"], column["use"])
    for part in case.warnings:
        assert any(part in warning for warning in found["warnings"]), found["warnings"]


def test_data_prints_a_summary(folder):
    shown = call(folder, "data", "text_and_blanks.csv").stdout
    assert "city" in shown and "one-hot" in shown and "--separator" in shown and "target: kind, 2 classes" in shown


def test_train_summarises_the_table_and_predict_accepts_its_file(folder, tmp_path):
    args = [a for a in TINY if a != "--quiet"]
    result = call(folder, "train", "--train", "text_ids.csv", "--out", tmp_path / "run", *args)
    assert result.returncode == 0, result.stderr
    assert "left out" in result.stderr and "warning: " in result.stderr
    predicted = call(folder, "predict", tmp_path / "run", "text_ids.csv", "--id", "user")
    rows = predicted.stdout.splitlines()
    assert predicted.stderr == "" and rows[0] == "user,label" and rows[1].startswith("u0000,") and len(rows) == 61


def test_rows_without_a_target_keep_their_numbers_and_ids(tmp_path):
    """Rows without a target do not change the model, but they count in the row numbers of the run's tables."""
    def row(i):  # one category and one number occur only in rows without a target
        some, target = ("red", "'ab'"[1 + i % 2]) if i % 10 else ("green", "")
        return f"r{i},{i % 7}.5,{i * 5 % 11},{some if i % 3 else 'blue'},{'' if i % 10 else 5},{target}\n"

    rows = [row(i) for i in range(60)]
    for name, some in (("holes.csv", rows), ("whole.csv", [row for row in rows if not row.endswith(",\n")])):
        (tmp_path / name).write_text("name,u,v,colour,why,kind\n" + "".join(some))
        done = call(tmp_path, "train", "--train", name, "--test-split", "0.3", "--save-split", "--id", "name", "--out",
                    name[:-4], *[word for word in TINY if word != "--quiet"])
        assert done.returncode == 0, done.stderr
        assert ("6 rows have no target (line 2, line 12, line 22, ...) and are left out" in done.stderr) == (name == "holes.csv")
    models = [(tmp_path / run / "model.safetensors").read_bytes() for run in ("holes", "whole")]
    assert models[0] == models[1]
    tested = [line.split(",") for line in (tmp_path / "holes" / "test_predictions.csv").read_text().splitlines()]
    assert tested[0] == ["row", "name", "true", "predicted", "a", "b"] and len(tested) > 10
    assert all(fields[1] == "r" + fields[0] and fields[2] == "ab"[int(fields[0]) % 2] for fields in tested[1:])
    split = [line.split(",") for line in (tmp_path / "holes" / "split.csv").read_text().splitlines()[1:]]
    assert {int(fields[0]) for fields in split} == {i for i in range(60) if i % 10}
    judged = [call(tmp_path, "evaluate", "holes", name, "--json").stdout for name in ("holes.csv", "whole.csv")]
    assert judged[0] == judged[1] and json.loads(judged[0])["rows"] == 54
    (tmp_path / "x.csv").write_text("u,v\n" + "".join(f"{i % 7}.5,{i * 5 % 11}\n" for i in range(60)))
    (tmp_path / "y.csv").write_text("kind\n" + "".join(("ab"[i % 2] if i % 10 else "NA") + "\n" for i in range(60)))
    said = json.loads(call(tmp_path, "data", "x.csv", "--labels", "y.csv", "--json").stdout)
    assert said["rows"] == 54 and any("6 rows have no target (y.csv: line 2," in warning for warning in said["warnings"])


def test_all_lists_every_column(tmp_path):
    (tmp_path / "wide.csv").write_text(",".join(f"c{i}" for i in range(40)) + "\n" + (",".join(map(str, range(40))) + "\n") * 5)
    shown = [call(tmp_path, "data", "wide.csv", *option).stdout for option in ([], ["--all"])]
    assert "and 10 more columns (--all lists them)" in shown[0] and "c35" not in shown[0]
    assert "more columns" not in shown[1] and all(f"\nc{i} " in shown[1] for i in range(40))


def test_the_target_is_always_listed(tmp_path):
    (tmp_path / "t.csv").write_text(",".join(f"c{i}" for i in range(31)) + "\n" + ("" + ",".join(map(str, range(31))) + "\n") * 5)
    shown = call(tmp_path, "data", "t.csv").stdout
    assert "\nc30 " in shown and "and 1 more column (--all lists it)" in shown and "\nc29 " not in shown
    (tmp_path / "t.csv").write_text(",".join(f"c{i}" for i in range(31)) + "\n" + "".join(f"red,{','.join(map(str, range(29)))},{k % 2}\n" for k in range(20)))
    told = call(tmp_path, "train", "--train", "t.csv", "--out", "r", *[word for word in TINY if word != "--quiet"]).stderr
    assert "c30 " in told and "and 1 more column\n" in told, told


NAMELESS = {"words": ("red,small\nblue,large\nred,large\ngreen,small\n" * 9, [0, 1], "red,small\nblue,large\n", 2),
            "other_words": ("red,small\nblue,large\nred,large\ngreen,small\n" * 9, [0, 1], "pink,tiny\nblue,large\nred,large\n", 3),
            "dates": ("".join(f"2020-01-{10 + i % 20},{i % 2}\n" for i in range(40)), [0, 1], "2020-02-03\n2020-01-05\n2020-01-06\n", 3),
            "moments": ("".join(f"2020-01-{10 + i % 20} 10:30,{i % 2}\n" for i in range(40)), [0, 1], "2020-02-03 11:00\n2020-01-05 12:30\n", 2),
            "units": ("".join(f"{i * 7 % 40} kg,{i % 2}\n" for i in range(40)), [0, 1], "5 kg\n6 kg\n", 2),
            "numbers": ("".join(f"{i * 7 % 40},{i * 3 % 40},{i % 2}\n" for i in range(40)), [0, 1], "0,1\n5,7\n9,9\n", 3),
            "errors": ("".join(f"{i * 7 % 40},{i * 3 % 40},{i % 2}\n" for i in range(40)), [0, 1], "#N/A,1\n#DIV/0!,7\n9,9\n", 3),
            "a_word_with_blanks": ("".join(f"{['red', 'blue'][i % 2]},{['on', 'off'][i // 2 % 2]},{i * 3 % 40},{i % 2}\n" for i in range(40)), [0, 1],
                                   "red,,\nblue,on,\nred,off,5\n", 3)}


@pytest.mark.parametrize("name", NAMELESS)
def test_no_header_is_expected_for_a_model_without_names(tmp_path, name):
    text, _, new, rows = NAMELESS[name]
    (tmp_path / "t.csv").write_text(text)
    done = call(tmp_path, "train", "--train", "t.csv", "--header", "no", "--out", "run", *TINY)
    assert done.returncode == 0, done.stderr
    told = call(tmp_path, "predict", "run", "-", input=new)
    assert len(told.stdout.splitlines()) == 1 + rows, (told.stdout, told.stderr)
    strict = call(tmp_path, "predict", "run", "-", "--strict", input=new)
    assert (strict.returncode, strict.stdout) == ((0, told.stdout) if told.stderr == "" else (2, "")), strict.stderr


def test_warns_of_a_header_for_a_model_without_names(tmp_path):
    (tmp_path / "t.csv").write_text("".join(f"{i * 7 % 40},{['on', 'off'][i % 2]},{i % 2}\n" for i in range(40)))
    assert call(tmp_path, "train", "--train", "t.csv", "--out", "run", *TINY).returncode == 0
    told = call(tmp_path, "predict", "run", "-", input="a,b\n1,on\n2,off\n")
    assert len(told.stdout.splitlines()) == 4 and "line 1, column 0 (from 0)" in told.stderr and "'a'" in told.stderr


def test_lines_that_begin_with_a_spreadsheet_error_are_rows(tmp_path):
    (tmp_path / "t.csv").write_text("a,b,y\n" + "".join(f"{i * 7 % 40},{i * 3 % 40},{i % 2}\n" for i in range(40)))
    assert call(tmp_path, "train", "--train", "t.csv", "--out", "run", *TINY).returncode == 0
    told = call(tmp_path, "predict", "run", "-", input="#N/A,1\n#REF!,2\n3,4\n")
    assert len(told.stdout.splitlines()) == 4 and told.stderr == "", told.stderr
    assert len(call(tmp_path, "predict", "run", "-", input="# a b\n1 2\n3 4\n").stdout.splitlines()) == 3


@pytest.mark.parametrize("form", ["{} kg", "${}", "{}%"])
def test_warns_of_a_unit_without_a_number_in_new_rows(tmp_path, form):
    new = trained(tmp_path, [form.format(i * 11 % 60) for i in range(60)])
    told = new(form.format(""), form.format(5))
    assert told.returncode == 0 and "column 'v'" in told.stderr and "as a blank" in told.stderr, told.stderr


def test_the_summary_compares_with_the_most_frequent_class_of_all_rows(tmp_path):
    (tmp_path / "t.csv").write_text("v,y\n" + "".join(f"{i % 7}.5,{'hi' if i % 15 < 7 else 'lo'}\n" for i in range(15)))
    done = call(tmp_path, "train", "--train", "t.csv", "--out", "run", *TINY[2:8])
    assert done.returncode == 0 and "most frequent class 53.3" in done.stdout + done.stderr, done.stdout + done.stderr


def test_the_summary_names_the_rows_behind_the_scores(tmp_path):
    (tmp_path / "t.csv").write_text("v,y\n" + "".join(f"{i % 7}.5,{'hi' if i % 15 < 7 else 'lo'}\n" for i in range(15)))
    for preset, held_out in (("fast", 9), ("default", 15)):
        done = call(tmp_path, "train", "--train", "t.csv", "--preset", preset, "--epochs", "5", "--out", preset)
        assert done.returncode == 0, done.stderr
        metrics = json.loads((tmp_path / preset / "metrics.json").read_text())
        assert metrics["data"]["held_out"] == held_out
        scores = metrics["metrics"]["val"], metrics["yardsticks"]["linear"], metrics["yardsticks"]["constant"]
        right = [score["accuracy"] * held_out for score in scores]
        assert right == pytest.approx([round(count) for count in right])
        [line] = [one for one in done.stdout.splitlines() if "most frequent class" in one]
        named = [int(number) for number in re.findall(r"(?<![.\d])\d+(?![.\d])", line)]
        assert named == ([held_out, 15] if held_out < 15 else []), line


def test_warns_of_few_rows(tmp_path):
    for rows in (19, 20):
        (tmp_path / "few.csv").write_text("u,kind\n" + "".join(f"{i * 7 % 9}.5,{'ab'[i % 2]}\n" for i in range(rows)))
        done = call(tmp_path, "data", "few.csv")
        assert ("19 rows; scores" in done.stderr) == (rows == 19), done.stderr


def test_predict_accepts_the_training_file_without_names(folder, tmp_path):
    for name, options in (("no_names.csv", []), ("decimal_commas_no_names.csv", ["--target", "0"])):
        run = tmp_path / name
        assert call(folder, "train", "--train", name, "--out", run, *options, *TINY).returncode == 0
        result = call(folder, "predict", run, name)
        assert result.returncode == 0 and len(result.stdout.splitlines()) == 61, result.stderr


def test_new_rows(folder, tmp_path):
    run = tmp_path / "run"
    call(folder, "train", "--train", "text_and_blanks.csv", "--out", run, *TINY)
    new = tmp_path / "new.csv"
    new.write_text("extra,city,a\n1,Rome,0.5\n2,Lima,n.a.\n3,,1\n")
    result = call(folder, "predict", run, new)
    assert result.returncode == 0 and len(result.stdout.splitlines()) == 4
    assert len(result.stderr.splitlines()) == 2  # one warning for the column, one for the category
    assert "unknown column 'extra'" in result.stderr and "'Lima' in column 'city'" in result.stderr
    assert call(folder, "predict", run, new, "--strict").returncode == 2
    assert call(folder, "predict", run, new, "--missing", "error").returncode == 2
    piped = call(folder, "predict", run, "-", "--quiet", input=new.read_text())
    assert piped.stdout == result.stdout


def test_new_rows_with_numeric_column_names(folder, tmp_path):
    """A header is not read as a row when the name of an unknown column is a number."""
    for name, head in (("pandas_numeric_names.csv", "0,1,2,99"), ("plain.csv", "a,7,b")):
        run = tmp_path / name
        assert call(folder, "train", "--train", name, "--out", run, *TINY).returncode == 0
        row = ",".join("5" for _ in head.split(","))
        result = call(folder, "predict", run, "-", input=f"{head}\n{row}\n{row}\n")
        assert result.returncode == 0 and len(result.stdout.splitlines()) == 3, result.stderr
        assert "unknown column" in result.stderr


def test_labels_file_with_a_numeric_column_name(folder, tmp_path):
    """pandas writes a Series this way; the number of rows tells whether the first line is a name or a label."""
    (tmp_path / "x.csv").write_text("a,b\n" + "".join(f"{i * 7 % 20}.5,{i}\n" for i in range(20)))
    (tmp_path / "y.csv").write_text("0\n" + "".join(f"{i % 2}\n" for i in range(20)))
    result = call(tmp_path, "data", "x.csv", "--labels", "y.csv", "--json")
    assert result.returncode == 0 and json.loads(result.stdout)["classes"] == 2, result.stderr


def test_iso_dates_are_accepted_in_new_rows(folder, tmp_path):
    assert call(folder, "train", "--train", "dotted_dates.csv", "--out", tmp_path / "run", *TINY).returncode == 0
    rows = call(folder, "predict", tmp_path / "run", "-", "--proba", input="day,a\n31.01.2021,1\n2021-01-31,1\n")
    assert rows.returncode == 0 and len(set(rows.stdout.splitlines()[1:])) == 1, rows.stderr


def test_predicted_labels_are_spelled_as_in_training(folder, tmp_path):
    (tmp_path / "a.csv").write_text("a,y\n" + "".join(f"{i}.5,0{i // 20}\n" for i in range(40)))
    call(tmp_path, "train", "--train", "a.csv", "--out", "run", *TINY)
    result = call(tmp_path, "predict", "run", "a.csv")
    assert set(result.stdout.splitlines()[1:]) == {"00", "01"}
    assert call(tmp_path, "evaluate", "run", "a.csv").returncode == 0


def test_separator_and_decimal_also_apply_to_labels_and_weights(folder, tmp_path):
    (tmp_path / "x.csv").write_text("a;b\n" + "".join(f"{i * 7 % 20},5;{i}\n" for i in range(20)))
    for name in ("y.csv", "w.csv"):
        (tmp_path / name).write_text("v\n" + "".join(f"{i * 3 % 20 + 1},25{i % 3}\n" for i in range(20)))
    args = ["train", "--train", "x.csv", "--train-labels", "y.csv", "--separator", ";", "--decimal", ",", *TINY]
    result = call(tmp_path, *args, "--train-weights", "w.csv", "--out", "run")
    assert result.returncode == 0, result.stderr
    assert json.loads((tmp_path / "run" / "metrics.json").read_text())["task"] == "regression"


@pytest.mark.parametrize("labels", [["0", "1"], ["cat", "dog"]])
def test_labels_file_with_an_index(folder, tmp_path, labels):
    """By default, pandas writes a Series with its index, which must not become a second target."""
    order = [i * 7 % 20 for i in range(20)]
    (tmp_path / "x.csv").write_text(",a,b\n" + "".join(f"{i},{i}.5,{i * i}\n" for i in order))
    (tmp_path / "y.csv").write_text(",y\n" + "".join(f"{i},{labels[i % 2]}\n" for i in order))
    result = call(tmp_path, "data", "x.csv", "--labels", "y.csv", "--json")
    assert result.returncode == 0, result.stderr
    found = json.loads(result.stdout)
    assert found["classes"] == 2 and found["features"] == 2
    assert any("y.csv numbers the rows" in warning for warning in found["warnings"])


def test_blanks_first_seen_at_prediction(folder, tmp_path):
    run = tmp_path / "run"
    call(folder, "train", "--train", "plain.csv", "--out", run, *TINY)
    rows = call(folder, "predict", run, "-", "--proba", input="a,b\n,\n0.5,1\n")
    assert rows.returncode == 0 and "nan" not in rows.stdout and len(rows.stdout.splitlines()) == 3


def test_an_offset_does_not_change_the_accuracy(folder, tmp_path):
    """gopnet centres features and targets before it rounds them to float32."""
    for name, shift in (("near", 0.0), ("far", 1e9)):
        lines = ["a,b,y"]
        for i in range(80):
            a, b = (i * 37 % 80) / 16, (i * 11 % 80) / 16  # exact in binary, even after the shift; the smallest is 0
            lines.append(f"{a + shift},{b + shift},{a + 2 * b + shift}")
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
        call(tmp_path, "train", "--train", f"{name}.csv", "--out", name, *TINY)
    predict = [call(tmp_path, "predict", n, f"{n}.csv").stdout.splitlines()[1:] for n in ("near", "far")]
    worst = max(abs(float(f) - 1e9 - float(n)) for n, f in zip(*predict))
    assert worst < 1e-4
    r2 = [json.loads(call(tmp_path, "evaluate", n, f"{n}.csv", "--json").stdout)["metrics"]["r2"] for n in
          ("near", "far")]
    assert abs(r2[0] - r2[1]) < 1e-5


@pytest.mark.parametrize("word", ["NULL", "n.a.", "TBD", "2021-02-30", ""])
def test_dates_with_blanks_can_be_trained_on(tmp_path, word):
    rows = [f"{'2021-%02d-%02d' % (1 + i % 12, 1 + i % 27) if i % 25 else word},{i * 7 % 60},{i % 2}" for i in range(100)]
    (tmp_path / "t.csv").write_text("\n".join(["d,b,y", *rows]) + "\n")
    trained = call(tmp_path, "train", "--train", "t.csv", "--out", "r", *TINY)
    assert trained.returncode == 0, trained.stderr
    found = json.loads(call(tmp_path, "data", "t.csv", "--json").stdout)
    assert found["columns"][0]["kind"] == "date" and found["columns"][0]["blanks"] == 4
    refused = call(tmp_path, "data", "t.csv", "--missing", "error")
    assert refused.returncode == 2 and "'d'" in refused.stderr and len(refused.stderr.splitlines()) == 1


@pytest.mark.parametrize("option", ["--ignore", "--id"])
def test_the_target_cannot_be_ignored(tmp_path, option):
    (tmp_path / "t.csv").write_text("a,y\n" + "".join(f"{i}.5,{i % 2}\n" for i in range(20)))
    refused = call(tmp_path, "data", "t.csv", "--target", "y", option, "y")
    assert refused.returncode == 2 and "'y' is the target" in refused.stderr


def test_integers_are_the_same_category_in_any_notation(tmp_path):
    """pandas writes 1 as 1.0 in a column with blanks, and spreadsheets write 01 as 1."""
    rows = [(f"0{i % 3}", "p1q"[i % 3], "xy1"[i % 3]) for i in range(60)]
    (tmp_path / "t.csv").write_text("code,word,kind\n" + "".join(",".join(row) + "\n" for row in rows))
    trained = call(tmp_path, "train", "--train", "t.csv", "--out", "run", *TINY)
    assert trained.returncode == 0, trained.stderr
    new = [(str(i % 3) if i % 2 else f"{i % 3}.0", ["p", "1.0", "q"][i % 3], ["x", "y", "1.0"][i % 3]) for i in range(60)]
    (tmp_path / "new.csv").write_text("code,word,kind\n" + "".join(",".join(row) + "\n" for row in new))
    same = [call(tmp_path, "predict", "run", name, "--proba") for name in ("t.csv", "new.csv")]
    assert same[0].stdout == same[1].stdout and same[1].stderr == ""
    judged = [call(tmp_path, "evaluate", "run", name, "--json") for name in ("t.csv", "new.csv")]
    assert json.loads(judged[0].stdout)["metrics"] == json.loads(judged[1].stdout)["metrics"], judged[1].stderr


def test_dates_in_another_order_are_errors(folder, tmp_path):
    """gopnet never swaps day and month silently."""
    assert call(folder, "train", "--train", "dotted_dates.csv", "--out", tmp_path / "run", *TINY).returncode == 0
    for new in ("05.01.2021\n12.31.2020\n", "12.31.2020\n", "05.01.2021\n" * 9 + "01.31.2021\n"):
        told = call(folder, "predict", tmp_path / "run", "-", input="day,a\n" + new.replace("\n", ",1\n"))
        assert told.returncode == 2 and all(order in told.stderr for order in ("mdy", "dmy")), told.stderr
    slip = call(folder, "predict", tmp_path / "run", "-", input="day,a\n" + "05.01.2021,1\n" * 99 + "01.31.2021,1\n")
    assert slip.returncode == 0 and "'01.31.2021'" in slip.stderr and "as a blank" in slip.stderr


def test_times_of_day_are_converted_to_hours(folder, tmp_path):
    (tmp_path / "t.csv").write_text("t,y\n" + "".join(f"{i % 24}:{i % 6}0,{i % 24 + i % 6 / 6}\n" for i in range(96)))
    assert call(tmp_path, "train", "--train", "t.csv", "--out", "run", *TINY).returncode == 0
    told = call(tmp_path, "predict", "run", "-", input="t\n10:30\n10:30 AM\n10.5\n")
    rows = told.stdout.splitlines()[1:]
    assert told.returncode == 0 and len(rows) == 3 and len(set(rows)) == 1 and told.stderr == "", (told.stdout, told.stderr)


def test_a_title_above_new_rows_may_equal_a_column_name(tmp_path):
    (tmp_path / "t.csv").write_text("sales\n" + "sales;a;y\n" + "".join(f"{i * 7 % 60}.5;{i};{i % 2}\n" for i in range(60)))
    assert call(tmp_path, "train", "--train", "t.csv", "--out", "run", *TINY).returncode == 0
    told = call(tmp_path, "predict", "run", "t.csv")
    assert told.returncode == 0 and len(told.stdout.splitlines()) == 61 and "line 1 ('sales')" in told.stderr, told.stderr


def test_a_title_above_new_rows(folder, tmp_path):
    assert call(folder, "train", "--train", "title_1.csv", "--out", tmp_path / "run", *TINY).returncode == 0
    told = call(folder, "predict", tmp_path / "run", "title_0.csv")
    assert told.returncode == 0 and len(told.stdout.splitlines()) == 61 and "line 1 ('Sales report 2020')" in told.stderr


def test_new_rows_separated_by_spaces_keep_their_names(tmp_path):
    """Columns in another order are found by name, although commas would also split all rows evenly."""
    rows = [(f"{20 + i % 40},5", f"{60 + i % 31},25", f"{i * 7 % 60},5") for i in range(60)]
    write = lambda name, head, order: (tmp_path / name).write_text(  # noqa: E731
        head + "\n" + "".join(" ".join(row[k] for k in order) + "\n" for row in rows))
    write("t.txt", "alter gewicht preis", (0, 1, 2))
    write("new.txt", "gewicht alter", (1, 0))
    assert call(tmp_path, "train", "--train", "t.txt", "--out", "run", *TINY).returncode == 0
    told = [call(tmp_path, "predict", "run", name) for name in ("t.txt", "new.txt")]
    assert told[0].stdout == told[1].stdout and told[1].stderr == "", told[1].stderr


def test_evaluate_skips_totals(tmp_path):
    rows = "".join(f"c{i % 4};{i % 9}.5;{i % 9 + i % 4}.25\n" for i in range(60))
    for name, below in (("t.csv", ""), ("sum.csv", "Total;270;999999\n")):
        (tmp_path / name).write_text("city;b;y\n" + rows + below)
    assert call(tmp_path, "train", "--train", "t.csv", "--out", "run", *TINY).returncode == 0
    told = [call(tmp_path, "evaluate", "run", name, "--json") for name in ("t.csv", "sum.csv")]
    assert told[0].stdout == told[1].stdout and "line 62 ('Total;270;999999')" in told[1].stderr, told[1].stderr
    wished = call(tmp_path, "predict", "run", "sum.csv")
    assert len(wished.stdout.splitlines()) == 62 and "line 62 ('Total;270;999999') looks like a sum" in wished.stderr
    assert call(tmp_path, "predict", "run", "t.csv").stderr == ""
    blank = call(tmp_path, "predict", "run", "-", input="city;b\n" + "c1;2.5\n" * 4 + ";10.0\n")
    assert len(blank.stdout.splitlines()) == 6 and "line 6 (';10.0') looks like a sum" in blank.stderr, blank.stderr


def test_all_rows_are_read_if_labels_have_a_file(tmp_path):
    (tmp_path / "x.csv").write_text("city,a,b\n" + "".join(f"{['Oslo', 'New York'][i % 2]},{i}.5,{i * i % 7}\n" for i in range(29)) + "New York,,\n")
    (tmp_path / "y.csv").write_text("kind\n" + "u\nv\n" * 15)
    told = call(tmp_path, "data", "x.csv", "--labels", "y.csv", "--json")
    assert told.returncode == 0 and json.loads(told.stdout)["rows"] == 30, told.stderr


def trained(folder, values):
    """Trains on these values, with targets that depend on the row number; returns a function that predicts new rows."""
    folder.mkdir(exist_ok=True)
    (folder / "t.csv").write_text("v;y\n" + "".join(f"{value};{i * 7 % 60}\n" for i, value in enumerate(values)))
    done = call(folder, "train", "--train", "t.csv", "--out", "run", "--task", "regression", *TINY)
    assert done.returncode == 0, done.stderr
    return lambda *rows: call(folder, "predict", "run", "-", "--separator", ";", input="v\n" + "".join(row + "\n" for row in rows))


def test_warns_of_another_currency(tmp_path):
    for form, others in (("\u20ac{}", ("${}", "{} $", "{} USD", "{} kg")), ("{}\u00a0\u20ac", ("${}", "{} $", "\u00a3{}", "{}GBP"))):
        new = trained(tmp_path / str(len(form)), [form.format(f"{i * 11 % 60},5") for i in range(60)])
        for fine in ("12,50 \u20ac", "12,50\u00a0\u20ac", "12,50\u202f\u20ac", "\u20ac12,50", "EUR 12,50", "12,50 EUR", "12,50"):
            told = new(fine, fine)
            assert told.returncode == 0 and told.stderr == "", (form, fine, told.stderr)
        for other in others:
            told = new(*[other.format("12,50")] * 2)
            assert told.returncode == 0 and "column 'v'" in told.stderr and "is in \u20ac" in told.stderr, (form, other, told.stderr)


def test_times_with_seconds_match_times_with_minutes(tmp_path):
    new = trained(tmp_path, [f"{i % 24}:{10 + i * 7 % 50}" for i in range(60)])
    told = new("10:30:15", "10:30:45", "11:00:00")
    assert told.returncode == 0 and told.stderr == "" and len(set(told.stdout.splitlines()[1:])) == 3, told.stderr
    assert new("0:30 AM").stdout == new("0:30").stdout and new("0:30 PM").stdout == new("12:30").stdout
    assert len({new(time).stdout for time in ("1:23.4", "1:23.9", "1:23")}) == 3


def test_amounts_are_the_same_category_only_if_spelled_alike(tmp_path):
    (tmp_path / "t.csv").write_text("v,y\n" + "".join(f"{['$5', 'x', '9007199254740993'][i % 3]},{'uvw'[i % 3]}\n" for i in range(60)))
    assert call(tmp_path, "train", "--train", "t.csv", "--out", "run", *TINY).returncode == 0
    for other in ("\u20ac5", "5", "9007199254740992"):
        told = call(tmp_path, "predict", "run", "-", input=f"v\n{other}\nx\n")
        assert "1 field" in told.stderr and f"'{other}'" in told.stderr, (other, told.stderr)


HASHES = "".join(f"{['red', '#f00', '#0f0'][i % 3]},{i * 7 % 11},{'pq'[i % 3 == 1]}\n" for i in range(40))


def test_rows_that_begin_with_a_hash_are_never_dropped_silently(tmp_path):
    (tmp_path / "t.csv").write_text(HASHES)
    assert call(tmp_path, "train", "--train", "t.csv", "--header", "no", "--out", "run", *TINY).returncode == 0
    predict = lambda text, *options: call(tmp_path, "predict", "run", "-", *options, input=text)  # noqa: E731
    for text in ("#f00,1\n#0f0,2\nred,3\n", "#f00,1\n#0f0,2\n#f00,3\n"):  # known categories
        for options in ([], ["--strict"], ["--header", "no"], ["--header", "no", "--strict"]):
            told = predict(text, *options)
            assert (told.returncode, len(told.stdout.splitlines()), told.stderr) == (0, 4, ""), (text, options, told.stderr)
    assert len(predict("#f00,1\n").stdout.splitlines()) == 2
    told = predict("#a,7\n#b,8\n#0f0,2\nred,3\n", "--header", "no")  # may be comments
    assert len(told.stdout.splitlines()) == 5 and "line 1 ('#a,7')" in told.stderr and "2 lines" in told.stderr, told.stderr
    refused = predict("#a,7\n#b,8\n#0f0,2\nred,3\n", "--header", "no", "--strict")
    assert (refused.returncode, refused.stdout) == (2, "") and "line 1 ('#a,7')" in refused.stderr
    told = predict("#a,7\n#b,8\nred,3\n")
    assert len(told.stdout.splitlines()) == 2 and "line 1 ('#a,7')" in told.stderr and "2 lines" in told.stderr, told.stderr
    assert predict("#a,7\n#b,8\nred,3\n", "--strict").returncode == 2
    for note in ("#a\n#b\n", "# a, b\n", "#f00 is red, and, 1\n"):  # comments
        told = predict(note + "red,3\n", "--strict")
        assert (told.returncode, len(told.stdout.splitlines()), told.stderr) == (0, 2, ""), (note, told.stderr)


def test_training_rows_that_begin_with_a_hash(tmp_path):
    (tmp_path / "t.csv").write_text(HASHES[HASHES.index("\n") + 1:])
    told = call(tmp_path, "data", "t.csv", "--header", "no", "--json")
    found = json.loads(told.stdout)
    assert found["rows"] == 39 and any("line 1 ('#f00,7,q')" in warning for warning in found["warnings"])
    assert call(tmp_path, "data", "t.csv", "--header", "no", "--strict").returncode == 2
    found = json.loads(call(tmp_path, "data", "t.csv", "--json").stdout)
    assert found["rows"] == 37 and any("2 lines" in warning and "line 1 ('#f00,7,q')" in warning for warning in found["warnings"])
    (tmp_path / "words.csv").write_text("#f00,on,p\n" + "red,on,p\nblue,off,q\ngreen,off,p\n" * 9)
    told = call(tmp_path, "data", "words.csv")  # may be column names
    assert told.returncode == 0 and "line 1 ('#f00,on,p')" in told.stderr, told.stderr


def test_new_rows_have_the_decimal_sign_of_training(tmp_path):
    rows = [f'"{1 + i % 9},{i * 37 % 1000:03}",{"pq"[i % 9 > 4]}\n' for i in range(60)] + ["1009,p\n", "7100,q\n"]
    (tmp_path / "t.csv").write_text("v,y\n" + "".join(rows))
    assert call(tmp_path, "train", "--train", "t.csv", "--decimal", ".", "--out", "run", *TINY).returncode == 0
    predict = lambda text, *options: call(tmp_path, "predict", "run", "-", "--proba", *options, input="v\n" + text)  # noqa: E731
    whole = predict("7100\n").stdout.splitlines()[1]
    told = predict('"7,100"\n"0,457"\n')
    assert told.stdout.splitlines()[1] == whole and "'0,457'" in told.stderr and "--decimal" in told.stderr, told.stderr
    assert predict('"7,100"\n"0,457"\n', "--strict").returncode == 2
    assert predict('"7,100"\n').stdout.splitlines()[1] == whole
    assert predict('"7,100"\n', "--separator", ";").stdout.splitlines()[1] == whole
    commas = predict('"7,5"\n"0,457"\n')  # only a decimal comma fits
    assert commas.stdout == predict("7.5\n0.457\n").stdout and "--decimal" in commas.stderr, commas.stderr
    assert predict('"7,5"\n"0,457"\n', "--strict").returncode == 2
    chosen = predict('"7,100"\n"0,457"\n', "--decimal", ",", "--strict")
    assert (chosen.stdout, chosen.stderr) == (predict("7.1\n0.457\n").stdout, "")


@pytest.mark.parametrize("error", ["#N/A", "#DIV/0!", "#ref!"])
def test_spreadsheet_errors_are_missing_targets(tmp_path, error):
    kinds = [error if i % 10 == 3 else "ab"[i % 2] for i in range(60)]
    (tmp_path / "t.csv").write_text("u,kind\n" + "".join(f"{i * 7 % 60}.5,{kind}\n" for i, kind in enumerate(kinds)))
    (tmp_path / "x.csv").write_text("u,w\n" + "".join(f"{i * 7 % 60}.5,{i % 9}\n" for i in range(60)))
    (tmp_path / "y.csv").write_text("kind\n" + "".join(kind + "\n" for kind in kinds))
    (tmp_path / "t.libsvm").write_text("".join(f"{kind} 1:{i * 7 % 60} 2:3 # {i}\n" for i, kind in enumerate(kinds[3:] + kinds[:3])))
    for args, line in ((["t.csv"], "line 5"), (["x.csv", "--labels", "y.csv"], "line 5"), (["t.libsvm"], "line 1")):
        found = json.loads(call(tmp_path, "data", *args, "--json").stdout)
        assert (found["rows"], found["classes"]) == (54, 2), found
        assert any("6 rows have no target" in warning and line in warning for warning in found["warnings"]), found["warnings"]
        refused = call(tmp_path, "data", *args, "--strict")
        assert refused.returncode == 2 and line in refused.stderr and f"'{error}'" in refused.stderr, refused.stderr
    (tmp_path / "t.libsvm").write_text(f"1 1:2 2:3\n0 1:{error} 2:3\n" * 9)
    refused = call(tmp_path, "data", "t.libsvm")
    assert refused.returncode == 2 and "line 2" in refused.stderr and error in refused.stderr, refused.stderr


def test_names_the_field_that_makes_a_column_categorical(tmp_path):
    for odd in ("%", "x"):
        fields = [f"{1 + i % 18} %" for i in range(60)]
        fields[20:24] = [odd, "n.a.", odd, odd]
        (tmp_path / "t.csv").write_text("v,y\n" + "".join(f"{field},{'ab'[i % 2]}\n" for i, field in enumerate(fields)))
        told = json.loads(call(tmp_path, "data", "t.csv", "--json").stdout)["warnings"]
        assert any(f"18 different numbers and '{odd}'" in warning for warning in told), told
