"""Losses other than squared errors and cross-entropy, and the average precision as the measure that selects."""

import csv
import json
import time

import numpy as np
import pytest

from conftest import TINY

sklearn = pytest.importorskip("sklearn.metrics")

QUANTILE = ["--loss", "pinball", "--quantile", "0.9"]
SMALL = ["--ensemble", "3", "--epochs", "60", "--topology", "20", "--finetune-epochs", "5", "--target", "y",
         "--nodal", "multiplication,harmonic", "--pool", "sum", "--activation", "tanh,relu"]


def write_noisy(path, rows, seed):
    """y = 2 a + sin(2 b), with noise whose size depends on c."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(rows, 3))
    y = 2 * x[:, 0] + np.sin(2 * x[:, 1]) + (0.5 + 0.5 * np.abs(x[:, 2])) * rng.normal(size=rows)
    lines = [",".join(map(str, [*row, t])) for row, t in zip(x.tolist(), y.tolist())]
    path.write_text("a,b,c,y\n" + "\n".join(lines) + "\n")
    return y


def column(path, name):
    with open(path) as file:
        return np.array([float(row[name]) for row in csv.DictReader(file)])


def predictions(folder):
    path = folder / "test_predictions.csv"
    return column(path, "true"), column(path, "predicted")


def metrics(folder):
    return json.loads((folder / "metrics.json").read_text())


def trained(run, tmp_path, *options, rows=600, out="r"):
    """The truth and predictions for 1,000 test rows, and what was measured."""
    y = write_noisy(tmp_path / "t.csv", rows, 1)
    write_noisy(tmp_path / "e.csv", 1000, 2)
    done = run("train", *SMALL, *options, "--train", "t.csv", "--test", "e.csv", "--out", out, "--quiet")
    assert done.returncode == 0, done.stderr
    return *predictions(tmp_path / out), metrics(tmp_path / out), y.std()


def test_a_quantile_is_above_its_share_of_new_rows(run, tmp_path):
    y, p, measured, scale = trained(run, tmp_path, *QUANTILE, rows=1200)
    assert 0.86 <= np.mean(y <= p) <= 0.94
    loss = sklearn.mean_pinball_loss(y, p, alpha=0.9)
    assert abs(measured["metrics"]["test"]["loss"] * scale - loss) < 1e-5 * loss  # of standardised targets
    simple = measured["yardsticks"]
    assert measured["metrics"]["test"]["loss"] < simple["linear"]["loss"] < simple["constant"]["loss"]
    constant = sklearn.mean_pinball_loss(y, np.full(1000, np.quantile(column(tmp_path / "t.csv", "y"), 0.9)), alpha=0.9)
    assert abs(simple["constant"]["loss"] * scale - constant) < 0.01 * constant


@pytest.mark.parametrize("delta", [0.5, None])
def test_huber_has_the_formula_of_scikit_learn(run, tmp_path, delta):
    y, p, measured, scale = trained(run, tmp_path, "--loss", "huber",
                                    *(["--huber-delta", delta] if delta else []))
    delta = delta or 1.35
    z = np.abs(y - p) / scale
    loss = np.mean(np.where(z < delta, z**2, 2 * delta * z - delta**2))  # HuberRegressor's H
    assert abs(measured["metrics"]["test"]["loss"] - loss) < 1e-5
    assert sklearn.r2_score(y, p) > 0.6


def test_an_outlier_moves_a_huber_network_less(run, tmp_path):
    write_noisy(tmp_path / "t.csv", 300, 1)
    with open(tmp_path / "t.csv", "a") as file:
        file.write("0,0,0,1000\n" * 3)
    errors = {}
    for loss in ("mse", "huber"):
        write_noisy(tmp_path / "e.csv", 500, 2)
        done = run("train", *SMALL, "--bounded", "never", "--loss", loss, "--huber-delta", "0.01" if loss == "huber" else "1.35",
                   "--train", "t.csv", "--test", "e.csv", "--out", loss, "--quiet")
        assert done.returncode == 0, done.stderr
        errors[loss] = np.median(np.abs(np.subtract(*predictions(tmp_path / loss))))
    assert errors["huber"] < 0.5 * errors["mse"]


@pytest.mark.parametrize("classes", [2, 3])
def test_average_precision_is_scikit_learns(run, tmp_path, classes):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 3))
    y = (x[:, 0] + rng.normal(size=300) > 1.2).astype(int) + (classes == 3) * (x[:, 1] > 1)
    (tmp_path / "t.csv").write_text("a,b,c,y\n" + "\n".join(f"{a},{b},{c},k{k}" for (a, b, c), k in zip(x.tolist(), y)) + "\n")
    done = run("train", *TINY, "--metric", "pr_auc", "--train", "t.csv", "--test-split", "0.4", "--out", "r")
    assert done.returncode == 0, done.stderr
    measured = metrics(tmp_path / "r")
    assert set(measured["layers"][0]["val"]) >= {"pr_auc", "loss"}
    with open(tmp_path / "r" / "test_predictions.csv") as file:
        rows = list(csv.DictReader(file))
    names = [f"k{k}" for k in range(classes)]
    p = np.array([[float(row[name]) for name in names] for row in rows])
    truth = np.array([row["true"] for row in rows])
    each = [sklearn.average_precision_score(truth == name, p[:, k]) for k, name in enumerate(names)]
    expected = each[1] if classes == 2 else np.mean(each)
    assert abs(measured["metrics"]["test"]["pr_auc"] - expected) < 1e-6
    # The model knows what it was chosen by.
    (tmp_path / "e.csv").write_text((tmp_path / "t.csv").read_text())
    told = json.loads(run("evaluate", "r", "e.csv", "--json").stdout)["metrics"]
    assert "pr_auc" in told
    assert run("verify", "r").returncode == 0


def test_a_classifier_selected_otherwise_reports_what_it_did(run, tmp_path):
    assert run("train", *TINY, "--train", "train.csv", "--test", "test.csv", "--out", "r").returncode == 0
    assert "pr_auc" not in metrics(tmp_path / "r")["metrics"]["test"]  # of three classes


@pytest.mark.parametrize("options, named", [
    (["--quantile", "0.9"], ["quantile", "pinball", "auto"]),
    (["--loss", "huber", "--quantile", "0.9"], ["quantile", "pinball", "huber"]),
    (["--loss", "pinball", "--huber-delta", "2"], ["huber_delta", "huber", "pinball"]),
    (["--loss", "pinball", "--quantile", "1"], ["quantile", "0.999", "'1'"]),
    (["--loss", "huber", "--huber-delta", "0"], ["huber_delta", "0.001", "'0'"]),
    (["--loss", "pinball", "--algorithm", "pop"], ["loss", "mse", "'pinball'"]),
    (["--loss", "huber", "--algorithm", "bls"], ["loss", "mse", "'huber'"]),
    (["--loss", "pinball", "--algorithm", "s-elm"], ["loss", "mse", "'pinball'"]),
    (["--loss", "huber", "--algorithm", "pln"], ["loss", "mse", "'huber'"]),
    (["--loss", "pinball", "--algorithm", "hemlgop"], ["loss", "mse", "'pinball'"]),
    (["--metric", "pr_auc"], ["metric", "r2", "'pr_auc'"])])
def test_what_does_not_fit_is_refused(run, options, named):
    done = run("train", *options, "--train", "regression.csv", "--target", "value", "--out", "r")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert all(word in done.stderr for word in named), done.stderr


@pytest.mark.parametrize("options, named", [
    (["--loss", "pinball"], ["loss", "cross_entropy", "mse", "'pinball'"]),
    (["--loss", "mse", "--metric", "pr_auc"], ["pr_auc", "cross_entropy"])])
def test_what_does_not_fit_classes_is_refused(run, options, named):
    done = run("train", *options, "--algorithm", "popfast", "--train", "train.csv", "--out", "r")
    assert done.returncode == 2 and all(word in done.stderr for word in named), done.stderr


def test_the_quantile_is_a_parameter_of_such_runs_only(run, tmp_path):
    write_noisy(tmp_path / "t.csv", 80, 1)
    (tmp_path / "c.toml").write_text('quantile = 0.2\nloss = "pinball"\n')
    tiny = [*TINY, "--train", "t.csv", "--target", "y", "--quiet"]
    assert run("train", *tiny, "--config", "c.toml", "--out", "a").returncode == 0
    told = lambda out: json.loads((tmp_path / out / "config.json").read_text())["parameters"]
    assert told("a")["quantile"] == 0.2 and "huber_delta" not in told("a")
    assert run("train", *tiny, "--config", "a/config.json", "--out", "b").returncode == 0
    model = lambda out: (tmp_path / out / "model.safetensors").read_bytes()
    assert model("a") == model("b")
    assert run("train", *tiny, "--out", "c").returncode == 0
    assert "quantile" not in told("c")
    assert run("train", *tiny, "--loss", "pinball", "--out", "d").returncode == 0
    assert told("d")["quantile"] == 0.5 and model("d") != model("a")


@pytest.mark.parametrize("options", [[*QUANTILE, "--folds", "3"], QUANTILE])
def test_a_run_that_stops_goes_on_to_the_same_bytes(run, tmp_path, options):
    write_noisy(tmp_path / "t.csv", 400, 1)
    args = ["train", *SMALL, *options, "--epochs", "300", "--finetune-epochs", "300", "--train", "t.csv", "--quiet"]
    start = time.monotonic()
    assert run(*args, "--out", "whole").returncode == 0
    limit = (time.monotonic() - start) / 4
    assert run(*args, "--threads", "1", "--out", "one").returncode == 0
    stopped = 0
    done = run(*args, "--out", "parts", "--time-limit", f"{limit}s")
    while done.returncode == 3 and stopped < 100:
        stopped += 1
        done = run("resume", "parts", "--quiet", "--time-limit", f"{limit * (1 + stopped / 5)}s")
    assert done.returncode == 0 and stopped > 0, done.stderr
    model = lambda out: (tmp_path / out / "model.safetensors").read_bytes()
    assert model("parts") == model("whole") == model("one")


def test_a_comparison_is_by_the_loss(run, tmp_path):
    write_noisy(tmp_path / "t.csv", 150, 1)
    args = ["compare", *TINY, "--loss", "pinball", "--quantile", "0.9", "--train", "t.csv", "--target", "y",
            "--test-split", "0.3", "--quiet", "--json", "--out"]
    done = run(*args, "c", "--algorithms", "popfast,popmem-h")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["metric"] == "loss"
    least = min(told["systems"], key=lambda system: system["test"]["median"])
    assert told["best"] == least.get("name", least.get("system"))
    refused = run(*args, "d", "--algorithms", "popfast,pop")
    assert refused.returncode == 2 and "mse" in refused.stderr


def test_cross_validation_is_by_the_loss(run, tmp_path):
    write_noisy(tmp_path / "t.csv", 150, 1)
    done = run("train", *TINY, *QUANTILE, "--train", "t.csv", "--target", "y", "--cv", "3", "--quiet", "--out", "r")
    assert done.returncode == 0, done.stderr
    told = metrics(tmp_path / "r")["cv"]
    assert told["metric"] == "loss" and 0 < told["mean"] < 0.5
