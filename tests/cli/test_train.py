"""gopnet train: its output and files, and that the result depends only on data, parameters and seed."""

import fcntl
import json
import os
import random
import re
import signal
import struct
import subprocess
import termios
import time

import numpy as np
import pytest

from conftest import CLASSES, PROGRAM, TINY

FILES = ["--train", "train.csv", "--val", "val.csv", "--test", "test.csv"]
RUN_FILES = ["checkpoint.safetensors", "config.json", "journal.jsonl", "metrics.json",
             "model.safetensors", "report.html", "report.json", "test_predictions.csv"]


def test_stdout_holds_only_json(run, tmp_path):
    done = run("train", *TINY, *FILES, "--out", "r", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["algorithm"] == "popmem-o" and result["memory"] == "pca"
    assert result["task"] == "classification"
    data = {"train": 90, "val": 45, "test": 45, "features": 4, "classes": 3}
    assert data.items() <= result["data"].items()
    assert set(result["metrics"]["test"]) >= {"accuracy", "loss", "f1_macro", "balanced_accuracy"}
    assert result["metrics"]["test"]["accuracy"] > 0.5
    assert result["layers"][0]["search"]["candidates"] == 4
    assert set(result["seconds"]) >= {"total", "load"}
    assert result["model"] == "r/model.safetensors"
    assert sorted(os.listdir(tmp_path / "r")) == RUN_FILES
    assert "classification, 3 classes (ant, bee, cat)" in done.stderr


def test_metrics_json_equals_stdout(train, tmp_path):
    result = train(*FILES, "--out", "r")
    written = json.loads((tmp_path / "r" / "metrics.json").read_text())
    assert written["metrics"] == result["metrics"] and written["layers"] == result["layers"]


def test_val_score_never_falls_from_layer_to_layer(train):
    scores = [layer["val"]["accuracy"] for layer in train(*FILES)["layers"]]
    assert scores == sorted(scores)


def test_human_output_names_layers_metrics_model_and_the_next_step(run):
    done = run("train", *TINY, *FILES, "--out", "r")
    assert done.returncode == 0, done.stderr
    for part in ["operator set", "stopped: ", "val is optimistic", "test ", "r/model.safetensors",
                 "next:  gopnet "]:
        assert part in done.stdout
    assert "layer 1 accepted: " in done.stderr


def test_dog_is_explained_where_it_is_printed(run):
    for nodal, told in (("dog", 1), ("gaussian", 0)):
        done = run("train", *TINY, *FILES, "--nodal", nodal, "--out", nodal)
        assert done.stdout.count("dog: the derivative of a Gaussian\n") == told, done.stderr
        assert run("inspect", nodal).stdout.count("dog: the derivative of a Gaussian\n") == told


def test_a_terminal_sees_one_line_a_layer_drawn_again(run, tmp_path, terminal):
    reader, screen = terminal
    args = [PROGRAM, "train", *TINY, *FILES, "--search", "exhaustive", "--out", "r"]
    done = subprocess.run(args, cwd=tmp_path, stdout=subprocess.PIPE, stderr=screen,
                          env={**os.environ, "TERM": "xterm"})
    shown = os.read(reader, 1 << 16).decode()
    assert done.returncode == 0 and b"\r" not in done.stdout
    assert "\r\x1b[Klayer 1, set 1 of 4" in shown and "\r\x1b[Klayer 1 accepted: " in shown


def test_progress_fits_a_narrow_screen(run, tmp_path, terminal):
    reader, screen = terminal
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 61, 0, 0))
    args = [PROGRAM, "train", "--train", "train.csv", "--epochs", "9", "--topology", "8", "--out", "r"]
    done = subprocess.run(args, cwd=tmp_path, stdout=subprocess.PIPE, stderr=screen,
                          env={**os.environ, "TERM": "xterm"})
    drawn = [line.split("\r\n")[0] for line in os.read(reader, 1 << 20).decode().split("\r\x1b[K")[1:]]
    progress = [line for line in drawn if line.startswith("round ")]
    assert done.returncode == 0 and progress
    for line in progress:
        assert re.match(r"round \d of 2, set \d+ of \d+(, about [\d.]+ (s|min|h) left|$)", line), line
        assert len(line) <= 60
    assert any("operator sets" in line and "best " in line for line in drawn)
    assert "layer 1 accepted" not in "".join(drawn)  # a search that only ranks accepts no layer


def test_a_pipe_sees_plain_lines(run):
    messages = run("train", *TINY, *FILES, "--out", "r").stderr
    assert "\r" not in messages and "\x1b" not in messages and "layer 1 accepted: " in messages


def test_the_end_of_a_time_limit_does_not_mention_keys(run):
    done = run("train", "--train", "train.csv", "--time-limit", "0.001s")
    assert done.returncode == 3 and "time limit of 0.001s" in done.stderr and "Ctrl-C" not in done.stderr


def test_a_run_that_was_not_stopped_is_complete(train):
    assert train(*FILES, "--out", "r")["complete"] is True


def test_quiet_prints_the_model_path_only(run):
    done = run("train", *TINY, *FILES, "--out", "r", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "r/model.safetensors\n", "")


def test_default_folders_are_numbered(train):
    models = [train(*FILES)["model"] for _ in range(2)]
    assert models[0].startswith("runs/popmem-o-20") and models[0].endswith("-1/model.safetensors")
    assert models[1] == models[0].replace("-1/", "-2/")


@pytest.mark.parametrize("algorithm, memory", [("popfast", None), ("popmem-h", "pca"),
                                               ("popmem-h", "lda"), ("popmem-o", "lda"),
                                               ("popmem-o", "none")])
def test_every_algorithm_and_memory(train, algorithm, memory):
    extra = ["--memory", memory] if memory else []
    result = train(*FILES, "--algorithm", algorithm, *extra)
    assert result["algorithm"] == algorithm and result["metrics"]["test"]["accuracy"] > 0.5


def test_arrays_with_labels_in_files_of_their_own(train):
    result = train("--train", "x_train.npy", "--train-labels", "y_train.npy",
                   "--val", "x_val.npy", "--val-labels", "y_val.npy")
    assert result["data"]["classes"] == 3 and result["metrics"]["test"] == {}


def test_splits_of_one_file(train):
    result = train("--train", "train.csv", "--val-split", "0.2", "--test-split", "0.2")
    assert [result["data"][part] for part in ("train", "val", "test")] == [58, 14, 18]
    assert result["metrics"]["test"]


def test_regression_with_one_and_two_targets(train):
    one = train("--train", "regression.csv")
    assert one["task"] == "regression"
    assert set(one["metrics"]["val"]) >= {"loss", "mse", "rmse", "mae", "r2"}
    two = train("--train", "regression.csv", "--target", "d,value")
    assert two["data"]["features"] == 3 and two["data"]["targets"] == 2


def test_text_and_blanks_on_request(run, train, tmp_path):
    rng = np.random.default_rng(0)
    rows = [f"{x:.3f},{city},{'' if x > 1.5 else 1},{'yes' if x > 0 else 'no'}"
            for x, city in zip(rng.normal(size=60), ["Oslo", "Rome"] * 30)]
    (tmp_path / "mixed.csv").write_text("\n".join(["x,city,flag,label", *rows]) + "\n")
    result = train("--train", "mixed.csv", "--categorical", "--missing", "mean", "--out", "r")
    assert result["data"]["features"] == 4  # x, city=Oslo, city=Rome, flag
    assert run("predict", "r", "mixed.csv").returncode == 0


def test_weights_from_a_file_or_a_column(train, tmp_path):
    weights = np.where(np.arange(90) % 3 == 0, 2.0, 1.0)
    np.save(tmp_path / "w.npy", weights)
    lines = (tmp_path / "train.csv").read_text().splitlines()
    weighted = ["w," + lines[0]] + [f"{w},{line}" for w, line in zip(weights, lines[1:])]
    (tmp_path / "weighted.csv").write_text("\n".join(weighted) + "\n")
    train("--train", "train.csv", "--train-weights", "w.npy", "--out", "a")
    train("--train", "weighted.csv", "--weight-column", "w", "--out", "b")
    train("--train", "train.csv", "--out", "c")
    a, b, c = ((tmp_path / r / "model.safetensors").read_bytes() for r in "abc")
    assert a == b != c


def test_any_number_of_threads_writes_the_same_bytes(train, tmp_path):
    models = []
    for threads in (1, 2, 5):
        train(*FILES, "--threads", threads, "--dropout", "0.2", "--out", f"t{threads}")
        models.append((tmp_path / f"t{threads}" / "model.safetensors").read_bytes())
    assert models[0] == models[1] == models[2]


@pytest.mark.parametrize("files", [FILES[:4], FILES[:2]])
def test_any_order_of_rows_writes_the_same_bytes(train, tmp_path, files):
    head, *rows = (tmp_path / "train.csv").read_text().splitlines()
    train(*files, "--out", "before")
    for seed in range(2):
        random.Random(seed).shuffle(rows)
        (tmp_path / "train.csv").write_text("\n".join([head, *rows]) + "\n")
        train(*files, "--out", f"after{seed}")
    models = [(tmp_path / r / "model.safetensors").read_bytes()
              for r in ("before", "after0", "after1")]
    assert models[0] == models[1] == models[2]


def test_seed_matters(train, tmp_path):
    for seed in (1, 2):
        train(*FILES, "--seed", seed, "--out", f"s{seed}")
    assert ((tmp_path / "s1" / "model.safetensors").read_bytes()
            != (tmp_path / "s2" / "model.safetensors").read_bytes())


def test_memory_none_predicts_what_popfast_predicts(run, train):
    train(*FILES, "--algorithm", "popfast", "--out", "a")
    train(*FILES, "--algorithm", "popmem-o", "--memory", "none", "--out", "b")
    a, b = (run("predict", r, "test.csv", "--proba").stdout for r in "ab")
    assert a == b and a.count("\n") == 46


def test_model_holds_no_trace_of_the_machine(train, tmp_path):
    train(*FILES, "--out", "r")
    model = (tmp_path / "r" / "model.safetensors").read_bytes()
    for trace in (str(tmp_path), "train.csv", "threads", os.uname().nodename):
        assert trace.encode() not in model


def wait_for(done, seconds=120):
    end = time.time() + seconds
    while not done() and time.time() < end:
        time.sleep(0.02)
    assert done()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_with_code_3_and_leaves_the_best_network_so_far(run, tmp_path, sign):
    args = ["train", *TINY, *FILES, "--topology", ",".join(["8"] * 50), "--epochs", "3000",
            "--layer-threshold", "0", "--out", "r"]
    program = subprocess.Popen([PROGRAM, *args], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    journal = tmp_path / "r" / "journal.jsonl"
    wait_for(lambda: journal.exists() and b'"event":"candidate"' in journal.read_bytes())
    program.send_signal(sign)
    _, messages = program.communicate(timeout=120)
    assert program.returncode == 3, messages
    last = messages.splitlines()[-1]
    assert last.startswith("gopnet train: ") and last.endswith(
        "gopnet resume r, or use the best network so far: gopnet predict r/checkpoint.safetensors ROWS")
    assert not (tmp_path / "r/model.safetensors").exists()
    metrics = json.loads((tmp_path / "r/metrics.json").read_text())
    assert metrics["stopped"] == "stopped early" and 0 <= metrics["metrics"]["test"]["accuracy"] <= 1
    assert metrics["model"] == "r/checkpoint.safetensors" and metrics["complete"] is False
    assert run("predict", "r/checkpoint.safetensors", "test.csv").returncode == 0
    assert json.loads(run("inspect", "r/checkpoint.safetensors", "--json").stdout)["layers"]


def test_an_impossible_file_name_gives_one_error_line(run):
    done = run("train", "x" * 5000)
    assert done.returncode == 2 and done.stderr.startswith("gopnet train: unexpected argument 'xxx") and done.stderr.count("\n") == 1


def test_two_rows_without_errors_prove_little(tmp_path, run):
    rows = "".join(f"{i},{-i},{'low' if i < 30 else 'high'}\n" for i in range(60))
    (tmp_path / "t.csv").write_text("a,b,kind\n" + rows)
    (tmp_path / "two.csv").write_text("a,b,kind\n0,0,low\n59,-59,high\n")
    done = run("train", "--train", "t.csv", "--test", "two.csv", "--preset", "fast", "--out", "r")
    assert "this network 100.0 +- 30.6" in done.stdout  # p = 3 / 4: sqrt(p (1 - p) / 2)


def test_a_run_without_other_rows_that_is_stopped_is_measured_on_its_own(tmp_path, run):
    stopped = run("train", "--train", "train.csv", "--epochs", "100000", "--time-limit", "1s", "--out", "r")
    assert stopped.returncode == 3, stopped.stderr
    metrics = json.loads((tmp_path / "r/metrics.json").read_text())["metrics"]
    assert 0 <= metrics["train"]["accuracy"] <= 1 and metrics["val"] == metrics["test"] == {}
    assert re.search(r"^train +\d\.\d{4}.*\ntrain is optimistic", stopped.stdout, re.M)


def training_simd(run):
    return re.search(r"Instruction set: ([\w, ]+);", " ".join(run("resume", "--help").stdout.split()))[1].split(", ")


@pytest.mark.parametrize("command", ["train", "compare"])
def test_training_needs_fused_multiply_add(run, tmp_path, command):
    if "sse4" not in run("--version").stdout:
        pytest.skip("this program has no SSE4")
    done = run(command, "--train", "train.csv", "--simd", "sse4", "--quiet", "--out", "r")
    assert done.returncode == 2 and "sse4" in done.stderr and "fused multiply-add" in done.stderr, done.stderr
    assert not (tmp_path / "r").exists()


def test_a_run_goes_on_with_any_instruction_set(tmp_path, run):
    words = ["train", *FILES, *TINY, "--seed", "5", "--finetune-epochs", "3000", "--quiet"]
    whole, other = (training_simd(run) * 2)[:2]
    assert run(*words, "--simd", whole, "--out", "whole").returncode == 0
    for doubled in range(10):  # until it is stopped after it has begun
        if run(*words, "--simd", whole, "--time-limit", f"{0.05 * 2**doubled}s", "--out", "r").returncode == 3 \
                and (tmp_path / "r/config.json").exists():
            break
    assert json.loads((tmp_path / "r/config.json").read_text())["simd"] == whole
    done = run("resume", "r", "--simd", other, "--quiet")
    assert done.returncode == 0, done.stderr
    for name in ("model.safetensors", "config.json"):
        assert (tmp_path / "r" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert run("verify", "r").returncode == 0


def test_labels_are_kept_as_given(run, train):
    train(*FILES, "--out", "r")
    lines = run("predict", "r", "test.csv").stdout.split()
    assert set(lines[1:]) <= set(CLASSES)
