"""Bad input: exit code 2, one line that says what is wrong, and nothing left behind."""

import os

import numpy as np
import pytest

from conftest import TINY

TRAIN = ["train", "--out", "new"]
HEAD = "a,b,kind\n"
GOOD = "".join(f"{i},{i % 7},{'xy'[i % 2]}\n" for i in range(40))

# name of the case, content of bad.csv, arguments after it, parts of the message
FILES = [
    ("empty", "", [], ["bad.csv", "empty"]),
    ("header only", HEAD, [], ["bad.csv", "no rows"]),
    ("ragged", HEAD + GOOD + "1,2\n", [], ["bad.csv", "line 42", "2 fields"]),
    ("text in a number", HEAD + GOOD + "1,red,x\n", [], ["line 42", "'b'", "red", "--categorical"]),
    ("NaN", HEAD + "nan,1,x\n" + GOOD + "1,,y\n", [], ["bad.csv", "2", "line 2", "--missing"]),
    ("infinite", HEAD + GOOD + "1,inf,y\n", [], ["bad.csv", "line 42", "'b'", "inf"]),
    ("one class", HEAD + "1,2,x\n2,3,x\n3,4,x\n", [], ["class"]),
    ("one row", HEAD + "1,2,x\n", [], ["row"]),
    ("unknown target", HEAD + GOOD, ["--target", "kid"], ["'kid'", "'kind'"]),
    ("unknown weight column", HEAD + GOOD, ["--weight-column", "q"], ["'q'"]),
    ("text for regression", HEAD + GOOD, ["--task", "regression"], ["bad.csv", "'x'"]),
]

# arguments after `train --out new`, parts of the message
OPTIONS = [
    (["--train", "no.csv"], ["no.csv: cannot open: No such file or directory"]),
    ([], ["--train is required"]),
    (["--train", "train.csv", "--val", "no.csv"], ["no.csv: cannot open"]),
    (["--train", "train.txt"], ["train.txt"]),
    (["--train", "x_train.npy", "--train-labels", "y_val.npy"], ["y_val.npy", "45", "90"]),
    (["--train", "train.csv", "--val-labels", "y_val.npy"], ["--val-labels", "--val"]),
    (["--train", "x_train.npy", "--train-labels", "y_train.npy", "--val", "x_val.npy"],
     ["--val-labels"]),
    (["--train", "train.csv", "--val", "regression.csv"], ["regression.csv", "'kind'"]),
    (["--train", "train.csv", "--algorithm", "popmem-p"], ["'popmem-p'", "'popmem-"]),
    (["--train", "train.csv", "--nodal", "harmonics"], ["harmonics", "harmonic'"]),
    (["--train", "train.csv", "--pool", "sun"], ["sun", "'sum'"]),
    (["--train", "train.csv", "--epocs", "3"], ["--epocs", "--epochs"]),
    (["--train", "train.csv", "--finetune_epoch=3"], ["--finetune-epoch", "--finetune-epochs"]),
    (["--train", "train.csv", "--set", "epocs=3"], ["'epocs'", "'epochs'"]),
    (["--train", "train.csv", "--set", "epochs"], ["KEY=VALUE"]),
    (["--train", "train.csv", "--set", "epochs=x"], ["epochs", "x"]),
    (["--train", "train.csv", "--epochs", "-1"], ["epochs", "-1"]),
    (["--train", "train.csv", "--epochs"], ["--epochs needs a value"]),
    (["--train", "train.csv", "stray"], ["'stray'"]),
    (["--train", "train.csv", "--topology", "0"], ["topology", "0"]),
    (["--train", "train.csv", "--topology", "8,-3"], ["topology", "-3"]),
    (["--train", "train.csv", "--topology", ""], ["topology"]),
    (["--train", "train.csv", "--val-split", "1.5"], ["val_split", "1.5"]),
    (["--train", "train.csv", "--task", "regresion"], ["'regresion'", "'regression'"]),
    (["--train", "train.csv", "--missing", "zero"], ["'zero'", "mean"]),
    (["--train", "train.csv", "--simd", "mmx"], ["mmx"]),
    (["--train", "train.csv", "--weight_decay", "0.1", "--max_norm", "2"],
     ["weight_decay", "max_norm"]),
    (["--train", "train.csv", "--out", "train.csv/run"], ["train.csv is not a folder"]),
    (["--train", "train.csv", "--out", "train.csv"], ["train.csv"]),
    (["--train", "train.csv", "--out", "/proc/run"], ["/proc"]),
    (["--train", "train.csv", "--out", "full"], ["full", "not empty"]),
]


def listing(folder):
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*"))


def refuse(run, folder, args, parts):
    before = listing(folder)
    done = run(*args)
    lines = done.stderr.splitlines()
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert len(lines) == 1 and done.stdout == "", done.stderr
    assert lines[0].startswith(f"gopnet {args[0]}: ")
    for part in parts:
        assert part in lines[0], lines[0]
    assert listing(folder) == before


@pytest.mark.parametrize("name, content, extra, parts", FILES, ids=[f[0] for f in FILES])
def test_bad_file(run, tmp_path, name, content, extra, parts):
    (tmp_path / "bad.csv").write_text(content)
    refuse(run, tmp_path, [*TRAIN, *TINY, "--quiet", "--train", "bad.csv", *extra], parts)


@pytest.mark.parametrize("extra, parts", OPTIONS, ids=[" ".join(o[0][2:]) for o in OPTIONS])
def test_bad_option(run, tmp_path, extra, parts):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").touch()
    (tmp_path / "train.txt").write_text(HEAD + GOOD)
    refuse(run, tmp_path, [*TRAIN, "--quiet", *extra], parts)


def test_bad_array(run, tmp_path):
    x = np.ones((30, 3), np.float32)
    x[4, 1] = x[5, 0] = np.nan
    np.save(tmp_path / "x.npy", x)
    refuse(run, tmp_path, [*TRAIN, "--quiet", "--train", "x.npy"], ["x.npy", "2 values", "row 4"])
    (tmp_path / "x.npy").write_bytes((tmp_path / "x_train.npy").read_bytes()[:-7])
    refuse(run, tmp_path, [*TRAIN, "--quiet", "--train", "x.npy"], ["x.npy", "cut short"])


def test_an_empty_folder_may_be_the_run_folder(train, tmp_path):
    (tmp_path / "r").mkdir()
    assert train("--train", "train.csv", "--out", "r")["model"] == "r/model.safetensors"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_unwritable_folder(run, tmp_path):
    (tmp_path / "locked").mkdir(mode=0o555)
    refuse(run, tmp_path, ["train", "--train", "train.csv", "--out", "locked/r"], ["cannot write"])


@pytest.mark.parametrize("command", ["predict", "evaluate", "inspect"])
def test_foreign_and_truncated_models(run, trained, tmp_path, command):
    whole = (trained / "run" / "model.safetensors").read_bytes()
    rest = [] if command == "inspect" else ["test.csv"]
    for size in (0, 1, 8, 100, len(whole) // 2, len(whole) - 1):
        (tmp_path / "m.safetensors").write_bytes(whole[:size])
        refuse(run, tmp_path, [command, "m.safetensors", *rest], ["m.safetensors"])
    refuse(run, tmp_path, [command, "train.csv", *rest], ["train.csv"])
    refuse(run, tmp_path, [command, "no.safetensors", *rest], ["no.safetensors: cannot open"])
    (tmp_path / "m.safetensors").write_bytes((8).to_bytes(8, "little") + b'{"a": 1}')
    refuse(run, tmp_path, [command, "m.safetensors", *rest], ["m.safetensors"])
    (tmp_path / "empty").mkdir()
    refuse(run, tmp_path, [command, "empty", *rest], ["empty", "no model.safetensors"])


def test_rows_that_do_not_fit_the_model(run, trained, tmp_path):
    model = trained / "run"
    (tmp_path / "extra.csv").write_text("a,b,c,d,e\n1,2,3,4,5\n")
    (tmp_path / "less.csv").write_text("a,b,c\n1,2,3\n")
    np.save(tmp_path / "wide.npy", np.ones((2, 9), np.float32))
    refuse(run, tmp_path, ["predict", model, "extra.csv"], ["extra.csv", "'e'"])
    refuse(run, tmp_path, ["predict", model, "less.csv"], ["less.csv", "'d'"])
    refuse(run, tmp_path, ["predict", model, "wide.npy"], ["wide.npy", "9", "4"])
    refuse(run, tmp_path, ["predict", model, "no.csv"], ["no.csv: cannot open"])
    refuse(run, tmp_path, ["evaluate", model, "less.csv"], ["less.csv", "'kind'"])


@pytest.mark.parametrize("extra, parts", [
    (["--out", "p.txt"], ["p.txt", ".csv or .npy"]), (["--out", "no/p.csv"], ["no"]),
    (["--out", "test.csv"], ["test.csv", "exists", "--force"]), (["--threads", "-1"], ["'-1'"]),
    (["--threads", "two"], ["'two'"]), (["--prob"], ["--prob", "--proba"])])
def test_bad_predict_option(run, trained, tmp_path, extra, parts):
    refuse(run, tmp_path, ["predict", trained / "run", "test.csv", *extra], parts)


def test_missing_arguments(run, tmp_path):
    refuse(run, tmp_path, ["predict"], ["MODEL is required", "--help"])
    refuse(run, tmp_path, ["evaluate", "m"], ["DATA is required"])


def test_metrics_nested_too_deep(run, trained, tmp_path):
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "model.safetensors").write_bytes(
        (trained / "run" / "model.safetensors").read_bytes())
    (tmp_path / "r" / "metrics.json").write_text('{"metrics": ' + "[" * 100000 + "]" * 100000 + "}")
    refuse(run, tmp_path, ["inspect", "r"], ["metrics.json", "nested too deep"])
