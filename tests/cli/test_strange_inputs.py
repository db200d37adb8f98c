"""Inputs that are not regular files, or unusual files: gopnet answers quickly."""

import json
import os
import re
import struct
import subprocess
import time

import numpy as np
import pytest

from conftest import PROGRAM, TINY


def answer(folder, *words):
    """Return the one error line, which must come within a second (more on slow machines)."""
    start = time.monotonic()
    subprocess.run([PROGRAM, "--version"], capture_output=True, check=True)
    begun = time.monotonic()
    done = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    assert time.monotonic() - begun < 3 + 50 * (begun - start)
    return done.stderr


def link(folder, name, to):
    (folder / name).symlink_to(to)
    return name


@pytest.mark.parametrize("kind", ["pipe", "/dev/zero", "/dev/urandom", "folder"])
@pytest.mark.parametrize("name", ["x.csv", "x.npy", "x.csv.gz", "x.safetensors", "x.toml"])
def test_a_device_or_pipe_is_refused_at_once(run, tmp_path, trained, kind, name):
    if kind == "pipe":
        os.mkfifo(tmp_path / name)
    elif kind == "folder":
        (tmp_path / name).mkdir()
    else:
        link(tmp_path, name, kind)
    words = {"x.safetensors": ["predict", name, "train.csv"],
             "x.toml": ["train", "--train", "train.csv", "--config", name]}
    for command in [words.get(name, ["train", "--train", name]),
                    words.get(name, ["predict", trained / "run", name])]:
        assert name in answer(tmp_path, *command)


@pytest.mark.parametrize("name", ["pipe", "/dev/null"])
def test_a_device_or_pipe_is_not_replaced(run, tmp_path, trained, name):
    os.mkfifo(tmp_path / "pipe")
    link(tmp_path, "out.csv", name)
    for command in [["predict", trained / "run", "train.csv", "--out", "out.csv"],
                    ["export", trained / "run", "-o", "out.csv", "--format", "onnx"],
                    ["report", trained / "run", "-o", "out.csv"]]:
        for more in [[], ["--force"]]:
            assert "out.csv: is a device or a pipe" in answer(tmp_path, *command, *more)
    assert (tmp_path / "out.csv").is_symlink()


def test_a_link_is_not_replaced(run, tmp_path, trained):
    for target in ["kept.csv", "nowhere"]:
        (tmp_path / "kept.csv").write_text("precious")
        (tmp_path / "out.csv").unlink(missing_ok=True)
        link(tmp_path, "out.csv", target)
        for command in [["predict", trained / "run", "train.csv", "--out", "out.csv", "--force"],
                        ["importance", trained / "run", "train.csv", "--csv", "out.csv", "--force"],
                        ["export", trained / "run", "-o", "out.csv", "--format", "onnx", "--force"],
                        ["report", trained / "run", "-o", "out.csv", "--force"]]:
            assert "out.csv: is a link" in answer(tmp_path, *command)
        assert (tmp_path / "out.csv").is_symlink() and (tmp_path / "kept.csv").read_text() == "precious"


def test_a_file_created_meanwhile_is_not_replaced(run, tmp_path, trained):
    predict = subprocess.Popen([PROGRAM, "predict", trained / "run", "-", "--out", "out.csv"], cwd=tmp_path,
                               stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    rows = (tmp_path / "train.csv").read_bytes()
    predict.stdin.write(rows)
    predict.stdin.flush()
    time.sleep(0.5)
    (tmp_path / "out.csv").write_text("precious")
    said = predict.communicate()[1].decode()
    assert predict.returncode == 2 and "out.csv" in said and "exists" in said, said
    assert (tmp_path / "out.csv").read_text() == "precious"
    assert not list(tmp_path.glob("*.tmp*"))


@pytest.mark.parametrize("words, why", [
    (["importance", "run", "train.csv", "--csv", "train.csv", "--force"], "train.csv: "),
    (["importance", "run", "train.csv", "--csv", "run/metrics.json", "--force"], "is a file of the run"),
    (["predict", "run", "train.csv", "--out", "run/test_predictions.csv", "--force"], "is a file of the run"),
    (["report", "run", "-o", "run/model.safetensors", "--force"], "is a file of the run")])
def test_inputs_are_not_replaced(run, tmp_path, words, why):
    assert run("train", "--train", "train.csv", *TINY, "--out", "run").returncode == 0
    assert why in answer(tmp_path, *words)


def test_a_standard_input_that_cannot_be_read(run, tmp_path, trained):
    for command in [["data", "-"], ["train", "--train", "-"], ["evaluate", trained / "run", "-"],
                    ["predict", trained / "run", "-"]]:
        folder = os.open(tmp_path, os.O_RDONLY)
        done = subprocess.run([PROGRAM, *command], cwd=tmp_path, stdin=folder, capture_output=True, text=True)
        os.close(folder)
        assert done.returncode == 2 and "standard input: cannot read: Is a directory" in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_pipe_without_line_ends_is_refused(run, tmp_path):
    os.mkfifo(tmp_path / "p.csv")
    for words, name in [(["data", "-"], "standard input"), (["data", "p.csv"], "p.csv")]:
        with open("/dev/zero", "rb") as zeros:
            writer = None
            if name == "p.csv":
                writer = subprocess.Popen(["sh", "-c", "cat /dev/zero > p.csv"], cwd=tmp_path,
                                          stderr=subprocess.DEVNULL)
            done = subprocess.run([PROGRAM, *words], cwd=tmp_path, stdin=zeros, capture_output=True, text=True,
                                  timeout=60)
        assert done.returncode == 2 and name in done.stderr and "64 MB" in done.stderr, done.stderr
        if writer:
            writer.wait(timeout=10)


def test_waiting_for_a_pipe_ends_with_the_first_signal(run, tmp_path, trained):
    os.mkfifo(tmp_path / "p.csv")
    with subprocess.Popen(["sh", "-c", "exec >p.csv; exec sleep 60"], cwd=tmp_path) as writer:
        predict = subprocess.Popen([PROGRAM, "predict", trained / "run", "p.csv", "--out", "out.csv"],
                                   cwd=tmp_path, stderr=subprocess.PIPE)
        time.sleep(1)
        predict.terminate()
        said = predict.communicate(timeout=10)[1].decode()
        writer.kill()
    assert predict.returncode == 3 and said.count("\n") == 1 and "interrupted" in said, said


def test_a_link_that_leads_nowhere_takes_the_name_of_a_run(run, tmp_path):
    (tmp_path / "runs").mkdir()
    today = time.strftime("%Y%m%d")
    link(tmp_path / "runs", f"s-elm-{today}-1", "nowhere")
    done = run("train", "--train", "train.csv", "--algorithm", "s-elm", "--max-layers", "1", "--quiet")
    assert done.returncode == 0 and done.stdout == f"runs/s-elm-{today}-2/model.safetensors\n"


def test_a_working_folder_that_is_gone(run, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    words = f'rmdir "{gone}"; "{PROGRAM}" train --train "{tmp_path}/train.csv" --algorithm s-elm --quiet'
    done = subprocess.run(["sh", "-c", words], cwd=gone, capture_output=True, text=True)
    assert done.returncode == 2 and "internal" not in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_a_model_in_a_pipe(run, tmp_path, trained):
    os.mkfifo(tmp_path / "model")
    with subprocess.Popen(["sh", "-c", f'cat "{trained}/run/model.safetensors" >model'], cwd=tmp_path):
        done = run("inspect", "model")
    assert done.returncode == 0 and "popmem-o" in done.stdout, done.stderr


def test_a_pipe_with_a_slow_writer_is_read(run, tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with subprocess.Popen(["sh", "-c", "exec >pipe.csv; sleep 1; cat train.csv"], cwd=tmp_path):
        done = run("train", "--train", "pipe.csv", *TINY, "--out", "piped", "--quiet")
    assert done.returncode == 0, done.stderr


def test_a_line_of_more_than_64_mb_is_refused(run, tmp_path):
    with open(tmp_path / "long.csv", "wb") as file:
        file.write(b"a,b\n1,2\n")
        file.truncate(1 << 30)  # a sparse file of zeros without a line end
    assert "64 MB" in answer(tmp_path, "train", "--train", "long.csv")


def test_targets_that_overflow_are_refused(run, tmp_path):
    rows = [f"{i % 7},{i % 5},{3e38 if i % 2 else -3e38}" for i in range(40)]
    (tmp_path / "huge.csv").write_text("a,b,y\n" + "\n".join(rows) + "\n")
    assert "1e37" in answer(tmp_path, "train", "--train", "huge.csv", "--task", "regression")
    (tmp_path / "some.csv").write_text("a,b,c,d,value\n1,2,3,4,3e38\n1,2,3,4,-3e38\n")
    run("train", "--train", "regression.csv", *TINY, "--out", "run")
    assert "1e37" in answer(tmp_path, "evaluate", "run", "some.csv")


@pytest.mark.parametrize("largest", [9.9e36, 2.5e38])
def test_huge_features_are_refused_or_give_a_model_that_is_read(run, tmp_path, largest):
    tail = [largest, -largest] + [i * largest / 50 for i in range(-20, 20)]
    rows = [f"{x:g},{i % 5},{'pq'[x > 0]}" for i, x in enumerate(tail)]
    (tmp_path / "huge.csv").write_text("a,b,y\n" + "\n".join(rows) + "\n")
    words = ["train", "--train", "huge.csv", *TINY, "--scale", "robust", "--out", "run"]
    if largest > 1e37:
        said = answer(tmp_path, *words)
        assert all(part in said for part in ["huge.csv: 37 values", "row 1, column 1", "1e37"]), said
        return
    assert run(*words).returncode == 0
    assert run("predict", "run", "huge.csv", "--out", "p.csv").returncode == 0
    assert run("export", "run", "--out", "m.c").returncode == 0


def rewrite(path, change):
    """A model with changed numbers and no checksums, as another program might write it."""
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header, body = json.loads(data[8:8 + size]), bytearray(data[8 + size:])
    for name in ("checksum", "tensors_checksum"):
        header["__metadata__"].pop(name)
    for name, value in change.items():
        begin, end = header[name]["data_offsets"]
        kind = {"F32": np.float32, "F64": np.float64}[header[name]["dtype"]]
        body[begin:end] = np.full((end - begin) // np.dtype(kind).itemsize, value, kind).tobytes()
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)


def test_models_that_overflow_are_refused_or_give_a_warning(run, tmp_path):
    done = run("train", "--train", "regression.csv", *TINY, "--bounded", "never", "--out", "run")
    assert done.returncode == 0, done.stderr
    model = tmp_path / "run" / "model.safetensors"
    good = model.read_bytes()
    rewrite(model, {"output.weight": 3e38})
    assert "1e+30" in answer(tmp_path, "predict", "run", "regression.csv")
    model.write_bytes(good)
    rewrite(model, {"output.weight": 9e29, "targets.scale": 1e30})
    done = run("predict", "run", "regression.csv", "--out", "p.csv")
    assert "90 of 90 rows have predictions that are NaN or inf" in done.stderr, done.stderr
    metrics = json.loads(run("evaluate", "run", "regression.csv", "--json").stdout)["metrics"]
    assert metrics["mse"] is not None or metrics["r2"] is None


def test_many_trainings_at_once_get_a_folder_each(run, tmp_path):
    words = [PROGRAM, "train", "--train", "train.csv", "--algorithm", "s-elm", "--max-layers", "1",
             "--block-size", "4", "--quiet", "--threads", "1"]
    processes = [subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True) for _ in range(12)]
    models = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * 12
    assert len(set(models)) == 12
