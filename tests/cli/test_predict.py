"""gopnet predict, evaluate and inspect on finished runs."""

import csv
import io
import json
import re
import subprocess

import numpy as np

from conftest import CLASSES, PROGRAM, blobs, call


def table(text):
    return list(csv.reader(io.StringIO(text)))


def test_labels_as_csv(ask):
    done = ask("predict", "run/model.safetensors", "test.csv")
    rows = table(done.stdout)
    assert done.returncode == 0 and done.stderr == ""
    assert len(rows) == 46 and {r[0] for r in rows[1:]} <= set(CLASSES)


def test_probabilities_are_in_class_order_and_agree_with_the_label(ask):
    rows = table(ask("predict", "run", "test.csv", "--proba").stdout)
    p = np.array([row[1:] for row in rows[1:]], float)
    assert p.shape == (45, 3) and np.allclose(p.sum(1), 1, atol=1e-5)
    assert [CLASSES[k] for k in p.argmax(1)] == [row[0] for row in rows[1:]]


def test_the_target_column_is_ignored_and_so_is_column_order(run, trained, tmp_path):
    rows = table((tmp_path / "test.csv").read_text())
    mixed = "\n".join(",".join([r[2], r[0], r[3], r[1]]) for r in rows) + "\n"
    (tmp_path / "mixed.csv").write_text(mixed)
    one, two = (run("predict", trained / "run", f, "--proba").stdout
                for f in ("test.csv", "mixed.csv"))
    assert one == two and one


def test_files_hold_what_stdout_shows(run, trained, tmp_path):
    model = trained / "run"
    shown = run("predict", model, "test.csv", "--proba").stdout
    for args in (["--out", "p.csv", "--proba"], ["--out", "p.npy", "--proba"],
                 ["--out", "l.npy"]):
        done = run("predict", model, "test.csv", *args)
        assert done.returncode == 0 and done.stdout == "", done.stderr
    assert (tmp_path / "p.csv").read_text() == shown
    p, labels = np.load(tmp_path / "p.npy"), np.load(tmp_path / "l.npy")
    assert p.dtype == np.float32 and p.shape == (45, 3)
    assert list(labels) == [row[0] for row in table(shown)[1:]]


def test_integer_labels_stay_integers(run, tmp_path):
    tiny = ["--ensemble", "1", "--epochs", "2", "--finetune-epochs", "0", "--topology", "4", "--nodal", "harmonic",
            "--pool", "sum", "--activation", "tanh", "--algorithm", "popfast", "--quiet"]
    np.save(tmp_path / "y_train.npy", np.load(tmp_path / "y_train.npy") * 10 - 5)
    done = run("train", *tiny, "--train", "x_train.npy", "--train-labels", "y_train.npy",
               "--out", "r")
    assert done.returncode == 0, done.stderr
    result = json.loads(run("predict", "r", "x_test.npy", "--json").stdout)
    assert result["classes"] == [-5, 5, 15] and set(result["labels"]) <= {-5, 5, 15}
    assert run("predict", "r", "x_test.npy", "--out", "l.npy").returncode == 0
    labels = np.load(tmp_path / "l.npy")
    assert labels.dtype.kind == "i" and labels.tolist() == result["labels"]


def test_force_overwrites(run, trained, tmp_path):
    (tmp_path / "p.csv").write_text("old")
    done = run("predict", trained / "run", "test.csv", "--out", "p.csv", "--force", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert len((tmp_path / "p.csv").read_text().splitlines()) == 46


def test_json(ask):
    result = json.loads(ask("predict", "run", "test.csv", "--proba", "--json").stdout)
    assert result["rows"] == 45 and result["classes"] == CLASSES
    best = np.array(result["probabilities"]).argmax(1)
    assert result["labels"] == [CLASSES[k] for k in best]


def test_any_number_of_threads_gives_the_same_bytes(run, trained, tmp_path):
    np.save(tmp_path / "many.npy", blobs(20000, 3)[0])
    outputs = [run("predict", trained / "run", "many.npy", "--proba", "--threads", t).stdout
               for t in (1, 2, 5)]
    assert outputs[0].count("\n") == 20001 and outputs[0] == outputs[1] == outputs[2]


def test_a_row_predicts_the_same_alone_and_among_others(run, trained, tmp_path):
    x = np.load(tmp_path / "x_test.npy")
    np.save(tmp_path / "one.npy", x[7:8])
    every = run("predict", trained / "run", "x_test.npy", "--proba").stdout.splitlines()
    assert run("predict", trained / "run", "one.npy", "--proba").stdout.splitlines()[1] == every[8]


def test_regression_values(ask):
    rows = table(ask("predict", "regression", "regression.csv").stdout)
    assert len(rows) == 91 and np.isfinite(np.array(rows[1:], float)).all()
    assert ask("predict", "regression", "regression.csv", "--proba").returncode == 2


def test_a_reader_that_leaves_early_is_no_error(trained, tmp_path):
    np.save(tmp_path / "many.npy", blobs(60000, 3)[0])
    with subprocess.Popen([PROGRAM, "predict", trained / "run", tmp_path / "many.npy", "--proba"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        program.stdout.readline()
        program.stdout.close()
        assert program.stderr.read() == b"" and program.wait() == 0


def test_a_full_disk_is_an_error(ask):
    with open("/dev/full", "w") as full:
        done = subprocess.run([PROGRAM, "help", "operators"], stdout=full, stderr=subprocess.PIPE,
                              text=True)
    assert done.returncode == 2 and "No space left" in done.stderr


def test_evaluate_agrees_with_training(ask, trained):
    result = json.loads(ask("evaluate", "run", "test.csv", "--json").stdout)
    trained_metrics = json.loads((trained / "run" / "metrics.json").read_text())["metrics"]["test"]
    for name, value in trained_metrics.items():
        assert abs(result["metrics"][name] - value) < 1e-6, name
    assert np.array(result["confusion"]).sum() == 45


def test_evaluate_agrees_with_predict(ask, trained):
    labels = [row[0] for row in table(ask("predict", "run", "test.csv").stdout)[1:]]
    truth = [row[-1] for row in table((trained / "test.csv").read_text())[1:]]
    result = json.loads(ask("evaluate", "run", "test.csv", "--json").stdout)
    assert abs(result["metrics"]["accuracy"] - np.mean(np.array(labels) == truth)) < 1e-9


def test_evaluate_for_people(ask):
    done = ask("evaluate", "run", "test.csv")
    for part in ("accuracy", "precision", "recall", "true \\ predicted", "ant"):
        assert part in done.stdout
    assert "rmse" in ask("evaluate", "regression", "regression.csv").stdout


def test_evaluate_counts_labels_never_seen(trained, tmp_path):
    (tmp_path / "odd.csv").write_text("a,b,c,d,kind\n1,2,3,4,dog\n3,0,0,0,ant\n")
    done = call(tmp_path, "evaluate", trained / "run", "odd.csv")
    assert done.returncode == 0 and re.search(r"^rows with labels .*: 1;", done.stdout, re.M)


def test_inspect_a_model_and_a_run(ask):
    model = ask("inspect", "run/model.safetensors")
    for part in ("popmem-o", "classification", "a, b, c, d", "ant, bee, cat", "operator set",
                 "formula", "parameters"):
        assert part in model.stdout
    assert "stopped: " not in model.stdout
    assert "stopped: " in ask("inspect", "run").stdout
    assert json.loads(ask("inspect", "run/model.safetensors", "--json").stdout)
    assert json.loads(ask("inspect", "run", "--json").stdout)["run"]["metrics"]["test"]
