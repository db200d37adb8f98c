"""Results of training: cross-validation, splits, predictions, importance, metrics."""

import csv
import json
import pathlib
import re
import resource
import signal
import subprocess

import numpy as np
import pytest

from conftest import PROGRAM, TINY

sklearn = pytest.importorskip("sklearn.metrics")


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def test_auc_and_log_loss_of_several_classes_are_scikit_learns(ask, trained):
    rows = table(trained / "run" / "test_predictions.csv")
    p = np.array([[row[c] for c in ("ant", "bee", "cat")] for row in rows], np.float32).astype(float)
    y = np.array([row["true"] for row in rows])
    assert [row["row"] for row in rows] == [str(n) for n in range(45)]
    assert [row["predicted"] for row in rows] == list(np.array(["ant", "bee", "cat"])[p.argmax(1)])
    said = json.loads(ask("evaluate", "run", "test.csv", "--json").stdout)["metrics"]
    assert said == json.loads((trained / "run" / "metrics.json").read_text())["metrics"]["test"]
    areas = [sklearn.roc_auc_score(y == c, p[:, j]) for j, c in enumerate(("ant", "bee", "cat"))]
    assert abs(said["auc"] - np.mean(areas)) < 1e-9
    assert abs(said["log_loss"] - sklearn.log_loss(y, p)) < 1e-9
    assert "pr_auc" not in said


@pytest.mark.parametrize("algorithm", ["popfast", "bls", "pop"])  # cross-entropy, squared errors
def test_brier_and_ece_are_those_of_the_probabilities(run, tmp_path, algorithm):
    options = ["--epochs", "3", "--topology", "4"] if algorithm != "bls" else ["--max-blocks", "2"]
    done = run("train", "--train", "train.csv", "--test", "test.csv", "--algorithm", algorithm, *options, "--out", "r", "--json", "--quiet")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)["metrics"]["test"]
    rows = table(tmp_path / "r" / "test_predictions.csv")
    p = np.array([[row[c] for c in ("ant", "bee", "cat")] for row in rows], np.float32).astype(float)
    y = np.array([("ant", "bee", "cat").index(row["true"]) for row in rows])
    sure, right = p.max(1), p.argmax(1) == y
    bins = np.minimum((sure * 15).astype(int), 14)
    gaps = [abs(sure[bins == b].sum() - right[bins == b].sum()) for b in range(15)]
    assert abs(said["brier"] - ((p - np.eye(3)[y]) ** 2).sum(1).mean()) < 1e-6
    assert abs(said["ece"] - sum(gaps) / len(y)) < 1e-6


def binary(folder, rows=120):
    """A table of two classes; nine different rows, so there are many equal probabilities."""
    rng = np.random.default_rng(3)
    x = rng.integers(0, 3, size=(rows, 2))
    y = np.where(x[:, 0] + rng.normal(size=rows) > 1, "yes", "no")
    lines = ["a,b,y"] + [f"{a},{b},{c}" for (a, b), c in zip(x, y)]
    (folder / "t.csv").write_text("\n".join(lines) + "\n")
    return y == "yes"


@pytest.mark.parametrize("algorithm", ["popfast", "bls"])  # cross-entropy, squared errors
def test_the_brier_score_of_two_classes_is_scikit_learns(run, tmp_path, algorithm):
    y = binary(tmp_path)
    options = ["--epochs", "3", "--topology", "4"] if algorithm != "bls" else ["--max-blocks", "2"]
    done = run("train", "--train", "t.csv", "--test", "t.csv", "--algorithm", algorithm, *options, "--out", "r", "--json", "--quiet")
    assert done.returncode == 0, done.stderr
    p = np.array([float(row["yes"]) for row in table(tmp_path / "r" / "test_predictions.csv")])
    said = json.loads(done.stdout)["metrics"]["test"]["brier"]
    assert abs(said - sklearn.brier_score_loss(y, p)) < 1e-6
    if algorithm == "popfast":  # layers and candidates are on the same scale
        layers = json.loads((tmp_path / "r" / "metrics.json").read_text())["layers"]
        assert all(layer["val"]["brier"] <= 0.5 for layer in layers)
        assert abs(layers[-1]["train"]["brier"] - said) < 0.1


@pytest.mark.parametrize("options, both", [
    (["--loss", "cross_entropy"], False), (["--loss", "mse"], True)])
def test_loss_is_printed_where_it_is_not_log_loss(run, tmp_path, options, both):
    binary(tmp_path)
    assert run("train", *TINY, "--algorithm", "popfast", *options, "--train", "t.csv", "--test", "t.csv", "--out", "r").returncode == 0
    head = next(line for line in run("inspect", "r").stdout.splitlines() if "log_loss" in line).split()
    rows = [line.split()[0] for line in run("evaluate", "r", "t.csv").stdout.splitlines() if line]
    assert ("loss" in head, "loss" in rows) == (both, both)
    assert "log_loss" in rows
    said = json.loads(run("evaluate", "r", "t.csv", "--json").stdout)["metrics"]
    assert {"loss", "log_loss"} <= set(said)


def test_two_classes_with_many_ties(run, tmp_path):
    y = binary(tmp_path)
    done = run("train", *TINY, "--train", "t.csv", "--test", "t.csv", "--out", "r", "--json", "--quiet")
    said = json.loads(done.stdout)["metrics"]["test"]
    p = np.array([float(row["yes"]) for row in table(tmp_path / "r" / "test_predictions.csv")])
    assert len(set(p)) < 20
    assert abs(said["auc"] - sklearn.roc_auc_score(y, p)) < 1e-9
    assert abs(said["pr_auc"] - sklearn.average_precision_score(y, p)) < 1e-9


def test_metrics_of_each_target(run, tmp_path):
    done = run("train", *TINY, "--train", "regression.csv", "--target", "d,value", "--test-split", "0.2", "--out", "r",
               "--json")
    assert "2 targets: d, value" in done.stderr
    targets = json.loads(done.stdout)["targets"]
    assert set(targets) == {"train", "val", "test"}
    rows = table(tmp_path / "r" / "test_predictions.csv")
    for target, name in zip(targets["test"], ["d", "value"]):
        true = [float(row[f"true {name}"]) for row in rows]
        predicted = [float(row[f"predicted {name}"]) for row in rows]
        assert target["target"] == name
        assert abs(target["rmse"] - sklearn.mean_squared_error(true, predicted) ** 0.5) < 1e-5
        assert abs(target["mae"] - sklearn.mean_absolute_error(true, predicted)) < 1e-5
        assert abs(target["r2"] - sklearn.r2_score(true, predicted)) < 1e-5
    said = json.loads(run("evaluate", "r", "regression.csv", "--json").stdout)
    assert [t["target"] for t in said["targets"]] == ["d", "value"]
    assert abs(np.mean([t["r2"] for t in said["targets"]]) - said["metrics"]["r2"]) < 1e-12


def test_targets_far_from_zero(run, tmp_path):
    rng = np.random.default_rng(5)
    lines = ["a,b,y"] + [f"{a},{b},{1e9 + 3 * a - b:.4f}" for a, b in rng.normal(size=(200, 2))]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    done = run("train", *TINY, "--train", "t.csv", "--test", "t.csv", "--epochs", "40", "--out", "r", "--quiet")
    assert done.returncode == 0, done.stderr
    tested = table(tmp_path / "r" / "test_predictions.csv")
    assert [row["predicted"] for row in tested] == run("predict", "r", "t.csv").stdout.split("\n")[1:-1]
    true = np.array([float(line.split(",")[2]) for line in lines[1:]])
    assert np.abs(np.array([float(row["true"]) for row in tested]) - true).max() < 1e-3
    r2 = json.loads(run("evaluate", "r", "t.csv", "--json").stdout)["metrics"]["r2"]
    assert r2 > 0.5
    assert abs(json.loads(run("importance", "r", "t.csv", "--json").stdout)["score"] - r2) < 1e-6


def test_a_table_that_cannot_be_written_costs_no_run(run, tmp_path):
    """Files may not grow beyond 400 KB: the model fits, the predictions do not."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
    x = np.tile((tmp_path / "test.csv").read_text().split("\n")[1:-1], 200)
    (tmp_path / "long.csv").write_text("\n".join(["a,b,c,d,kind", *x]) + "\n")
    done = run("train", *TINY, "--train", "train.csv", "--test", "long.csv", "--out", "r", "--no-report", preexec_fn=limit)
    assert done.returncode == 0 and "r/test_predictions.csv: cannot write: File too large" in done.stderr
    assert run("verify", "r").returncode == 0 and not (tmp_path / "r" / "test_predictions.csv").exists()


def test_cross_validation_with_a_target_that_never_changes_beside_one_that_does(run, tmp_path):
    rows = "".join(f"{i % 7},{i % 5},{i % 7 + i % 5},1\n" for i in range(40))
    (tmp_path / "two.csv").write_text("a,b,t1,t2\n" + rows)
    done = run("train", "--train", "two.csv", "--target", "t1,t2", "--cv", "4", "--algorithm", "s-elm", "--max-layers", "1",
               "--task", "regression")
    assert done.returncode == 0, done.stderr


def test_cross_validation_is_honest_and_leaves_the_model_alone(run, tmp_path):
    args = ["train", *TINY, "--train", "train.csv", "--json", "--quiet", "--out"]
    plain = run(*args, "plain")
    outputs = [run(*args, out, "--cv", "3", "--threads", threads).stdout for out, threads in [("a", "1"), ("b", "2")]]
    first, second = [json.loads(text)["cv"] for text in outputs]
    assert first == second and json.loads((tmp_path / "a" / "metrics.json").read_text())["cv"] == first
    scores = [fold["accuracy"] for fold in first["scores"]]
    assert first["folds"] == len(scores) == 3 and first["metric"] == "accuracy"
    assert first["mean"] == pytest.approx(np.mean(scores)) and first["std"] == pytest.approx(np.std(scores, ddof=1))
    assert "cv" not in json.loads(plain.stdout)
    models = [(tmp_path / out / "model.safetensors").read_bytes() for out in ("plain", "a", "b")]
    assert models[0] == models[1] == models[2]


def test_cross_validation_is_printed(run):
    done = run("train", *TINY, "--train", "train.csv", "--cv", "2")
    scores = re.search(r"cross-validation, 2 folds: accuracy (.*) \+- (.*) \(standard error; (.*) (.*)\)\n", done.stdout)
    mean, error, *folds = map(float, scores.groups())
    assert abs(np.mean(folds) - mean) < 1e-4 and abs(np.std(folds, ddof=1) / np.sqrt(2) - error) < 1e-4
    assert "optimistic" not in done.stdout and "validated on" not in done.stderr  # the score is unbiased; one network
    assert "cross-validation, fold 1 of 2, accuracy " in done.stderr
    told = dict(line.split(maxsplit=1) for line in done.stdout.splitlines() if re.fullmatch(r"\w+( +[0-9.]+){2}", line))
    assert set(told) == {"accuracy", "auc", "balanced_accuracy", "brier", "ece", "f1_macro", "log_loss"}
    assert abs(float(told["accuracy"].split()[0]) - mean) < 1e-4 and abs(float(told["accuracy"].split()[1]) - error) < 1e-4
    values = run("train", *TINY, "--train", "regression.csv", "--target", "value", "--cv", "2").stdout
    assert all(re.search(rf"^{name} +[0-9.-]+ +[0-9.]+$", values, re.M) for name in ("r2", "mse", "rmse", "mae", "loss"))
    assert re.search(r"--cv: .* 2 to .*'1'", run("train", "--train", "train.csv", "--cv", "1").stderr)


def test_rows_and_scores_have_names(run, tmp_path):
    """The output names the folds that validate, and marks weighted scores, which differ from the metrics."""
    (tmp_path / "uneven.csv").write_text("\n".join((tmp_path / "train.csv").read_text().split("\n")[:81]) + "\n")
    done = run("train", *TINY, "--ensemble", "2", "--train", "uneven.csv", "--class-weight", "balanced", "--out", "r")
    assert "rows: 80 train, validated on 5 folds of train; 4 features" in done.stderr
    assert "weighted val accuracy" in done.stdout and ", weighted " in done.stderr
    told = json.loads((tmp_path / "r" / "metrics.json").read_text())["data"]
    assert (told["val"], told["folds"]) == (0, 5)
    assert "weighted" not in run("train", *TINY, "--train", "uneven.csv").stdout


def test_a_run_that_is_not_finished_can_be_looked_at(run, tmp_path):
    assert run("train", *TINY, "--train", "train.csv", "--out", "r").returncode == 0
    for name in ("model.safetensors", "metrics.json"):
        (tmp_path / "r" / name).unlink()
    shown = run("inspect", "r")
    assert shown.returncode == 0 and "gopnet resume r\n" in shown.stdout.partition("\n\n")[0], shown.stderr
    assert "operator set" in shown.stdout and json.loads(run("inspect", "r", "--json").stdout)["finished"] is False
    (tmp_path / "r" / "checkpoint.safetensors").unlink()
    assert "gopnet resume" in run("inspect", "r").stderr


def test_a_time_limit_is_divided_among_the_folds(run, tmp_path):
    x = np.random.default_rng(0).normal(size=(3000, 20))
    lines = [",".join(map(str, row)) + f",{row[0] * row[1]}" for row in x.tolist()]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    slow = ["train", "--train", "t.csv", "--ensemble", "1", "--epochs", "100000", "--topology", "40", "--out", "r"]
    done = run(*slow, "--cv", "3", "--time-limit", "2s")
    assert done.returncode == 3 and re.search(r"cross-validation: .*0 of 3 folds", done.stderr)
    assert (tmp_path / "r" / "config.json").exists()  # of the last training, which had its share


def test_folds_survive_a_stop(run, tmp_path):
    """SIGKILL, SIGINT and a time limit do not change the estimate or the model."""
    x = np.random.default_rng(0).normal(size=(400, 6))
    lines = [",".join(map(str, row)) + f",{row[0] * row[1]}" for row in x.tolist()]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    args = ["train", *TINY, "--epochs", "600", "--train", "t.csv", "--cv", "4", "--no-report", "--out"]
    assert run(*args, "whole").returncode == 0
    result = lambda out: (json.loads((tmp_path / out / "metrics.json").read_text())["cv"],
                          (tmp_path / out / "model.safetensors").read_bytes())
    for out, kind in [("killed", signal.SIGKILL), ("interrupted", signal.SIGINT)]:
        with subprocess.Popen([PROGRAM, *args, out], cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
            for line in process.stderr:
                if "fold 2 of 4" in line:
                    process.send_signal(kind)
            assert process.wait() in (-signal.SIGKILL, 3)
        assert "resume" in run(*args, out).stderr  # names the command that continues
        done = run("resume", out)
        assert done.returncode == 0 and "fold 4 of 4" in done.stderr and "fold 1 of 4" not in done.stderr, done.stderr
        assert result(out) == result("whole")
    for doubled in range(8):  # until the limit lets the run start but not finish
        done = run(*args, "late", "--time-limit", f"{0.02 * 2**doubled}s")
        if "gopnet resume" in done.stderr:
            break
    assert done.returncode == 3 and "gopnet resume late" in done.stderr
    assert run("resume", "late").returncode == 0 and result("late") == result("whole")


def test_the_memory_limit_is_that_of_the_folds_too(run):
    done = run("train", *TINY, "--train", "train.csv", "--cv", "2", "--memory-limit", "1M", "--out", "r")
    assert done.returncode == 2 and "fold" not in done.stderr, done.stderr



def test_the_split_is_kept(run, tmp_path):
    done = run("train", *TINY, "--train", "train.csv", "--test-split", "0.2", "--save-split", "--out", "r", "--json")
    rows = table(tmp_path / "r" / "split.csv")
    assert [int(row["row"]) for row in rows] == list(range(90))
    counts = {part: sum(row["set"] == part for row in rows) for part in ("train", "val", "test")}
    assert counts.items() <= json.loads(done.stdout)["data"].items()
    tested = table(tmp_path / "r" / "test_predictions.csv")
    assert sorted(int(row["row"]) for row in tested) == [int(row["row"]) for row in rows if row["set"] == "test"]
    labels = [line.split(",")[-1] for line in (tmp_path / "train.csv").read_text().split("\n")[1:-1]]
    assert all(labels[int(row["row"])] == row["true"] for row in tested)


def test_errors_and_calibration_are_printed(ask, trained, run):
    done = run("train", "--train", "train.csv", "--test", "val.csv", "--epochs", "0", "--topology", "2", "--ensemble", "1",
               "--activation", "relu", "--pool", "sum", "--nodal", "multiplication", "--finetune-epochs", "0")
    assert re.search(r"^test errors: (ant|bee|cat) .* (ant|bee|cat) \(\d+ of \d+\)", done.stdout, re.M)
    assert re.search(r"^calibration: .*ece 0\.\d+", done.stdout, re.M) and "next:  gopnet predict " in done.stdout


@pytest.fixture(scope="module")
def importance_run(tmp_path_factory):
    """y depends on a, less on b, a little on the text column t, and not on c."""
    folder = tmp_path_factory.mktemp("importance")
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 3))
    t = rng.integers(0, 3, size=300)
    y = 3 * x[:, 0] + x[:, 1] + 0.5 * (t == 1)
    lines = ["a,b,t,c,y"] + [f"{a},{b},{'uvw'[k]},{c},{v}" for (a, b, c), k, v in zip(x.tolist(), t, y)]
    (folder / "t.csv").write_text("\n".join(lines) + "\n")
    from conftest import call
    done = call(folder, "train", *TINY, "--train", "t.csv", "--categorical", "--epochs", "40", "--out", "r", "--quiet")
    assert done.returncode == 0, done.stderr
    return folder


def test_importance_ranks_columns_and_one_hot_columns_are_one(importance_run):
    from conftest import call
    done = call(importance_run, "importance", "r", "t.csv", "--json", "--threads", "2")
    said = json.loads(done.stdout)
    means = {c["name"]: c["mean"] for c in said["importances"]}
    assert list(means)[:2] == ["a", "b"] and set(means) == {"a", "b", "t", "c"}
    assert means["a"] > 5 * means["b"] > 0 and abs(means["c"]) < 0.02
    written = table(importance_run / "r" / "importance.csv")
    assert [(row["name"], float(row["mean"]), float(row["std"])) for row in written] == \
        [(c["name"], c["mean"], c["std"]) for c in said["importances"]]
    again = call(importance_run, "importance", "r", "t.csv", "--json", "--threads", "1", "--csv", "i.csv")
    assert again.stdout == done.stdout
    assert (importance_run / "i.csv").read_text() == (importance_run / "r" / "importance.csv").read_text()
    other = json.loads(call(importance_run, "importance", "r", "t.csv", "--json", "--seed", "2").stdout)
    written = table(importance_run / "r" / "importance.csv")  # written again for the run
    assert [float(row["mean"]) for row in written] == [c["mean"] for c in other["importances"]]
    assert call(importance_run, "verify", "r").returncode == 0
    semicolons = (importance_run / "t.csv").read_text().replace(",", ";")
    (importance_run / "semicolons.csv").write_text(semicolons)
    same = call(importance_run, "importance", "r", "semicolons.csv", "--json", "--separator", ";", "--header", "yes")
    assert json.loads(same.stdout)["importances"] == said["importances"], same.stderr
    assert call(importance_run, "importance", "r", "t.csv", "--separator", "|").returncode == 2
    assert other["score"] == said["score"] and other["importances"] != said["importances"]
    refused = call(importance_run, "importance", "r", "t.csv", "--csv", "i.csv")
    assert refused.returncode == 2 and "i.csv" in refused.stderr and "--force" in refused.stderr
    shown = call(importance_run, "importance", "r", "t.csv").stdout
    assert "##########" in shown and shown.index("\na ") < shown.index("\nb ")


def test_one_shuffle_tells_no_error(importance_run):
    from conftest import call
    args = ("importance", "r", "t.csv", "--repeats", "1", "--csv", "one.csv", "--force")
    shown = call(importance_run, *args).stdout.splitlines()
    assert shown[1].split()[:4] == ["column", "drop", "std", "error"] and all(line.split()[2] == "-" for line in shown[2:])
    assert all(c["std"] is None for c in json.loads(call(importance_run, *args, "--json").stdout)["importances"])
