"""Model files are the same as those of the command line, byte for byte."""
import os
import pickle
import subprocess

import numpy as np
import pandas as pd
import pytest
from conftest import PROGRAM, TINY, make_blobs

import gopnet
from gopnet._values import to_text


def command_line(folder, *arguments):
    flags = [f"--{name}={to_text(name, value)}" for name, value in TINY.items()]
    done = subprocess.run([PROGRAM, "train", *flags, "--quiet", "--out", "run", *arguments], cwd=folder,
                          capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return (folder / "run" / "model.safetensors").read_bytes()


@pytest.mark.parametrize("seed", [1, 7])
def test_same_bytes_as_the_command_line_from_arrays(blobs, tmp_path, seed):
    np.save(tmp_path / "x.npy", blobs[0])
    np.save(tmp_path / "y.npy", blobs[1])
    made = command_line(tmp_path, "--train", "x.npy", "--train-labels", "y.npy", f"--seed={seed}")
    assert gopnet.train(*blobs, seed=seed, **TINY).model.to_bytes() == made
    assert gopnet.GOPClassifier(seed=seed, **TINY).fit(*blobs).model_.to_bytes() == made


def test_same_bytes_as_the_command_line_from_a_table(names, tmp_path):
    frame = pd.DataFrame(names[0], columns=list("abcd")).assign(kind=names[1])
    frame.to_csv(tmp_path / "table.csv", index=False)
    read = pd.read_csv(tmp_path / "table.csv")
    made = command_line(tmp_path, "--train", "table.csv")
    fitted = gopnet.GOPClassifier(**TINY).fit(read.drop(columns="kind"), read["kind"])
    assert fitted.model_.to_bytes() == made


def test_same_bytes_as_the_command_line_for_regression(line, tmp_path):
    np.save(tmp_path / "x.npy", line[0])
    np.save(tmp_path / "y.npy", line[1])
    made = command_line(tmp_path, "--train", "x.npy", "--train-labels", "y.npy", "--task", "regression")
    assert gopnet.GOPRegressor(**TINY).fit(*line).model_.to_bytes() == made


@pytest.mark.parametrize("kind", ["numbers", "texts", "values"])
def test_a_saved_model_predicts_the_same(blobs, names, line, tmp_path, kind):
    x, y = {"numbers": blobs, "texts": names, "values": line}[kind]
    model = gopnet.train(x, y, **TINY).model
    model.save(tmp_path / "model.safetensors")
    loaded = gopnet.Model.load(tmp_path / "model.safetensors")
    for copy in [loaded, pickle.loads(pickle.dumps(model))]:
        np.testing.assert_array_equal(copy.predict(x), model.predict(x))
        np.testing.assert_array_equal(copy.transform(x), model.transform(x))
    if kind == "values":
        with pytest.raises(gopnet.Error, match="regression"):
            model.predict_proba(x)
    else:
        assert loaded.predict(x).dtype.kind == ("i" if kind == "numbers" else "U")
        assert np.mean(loaded.predict(x) == y) > 0.6


def test_a_pipe_is_not_replaced_by_a_model(blobs, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(gopnet.Error, match="pipe: .*a device or a pipe"):
        gopnet.train(*blobs, **TINY).model.save(tmp_path / "pipe")
    assert os.listdir(tmp_path) == ["pipe"] and (tmp_path / "pipe").is_fifo()


def test_paths_of_all_kinds(names, tmp_path):
    model = gopnet.train(*names, **TINY).model
    for name in [b"bytes.safetensors", "\udcff.safetensors"]:  # the second is not UTF-8
        path = os.path.join(os.fsencode(tmp_path), name) if isinstance(name, bytes) else tmp_path / name
        model.save(path)
        assert gopnet.Model.load(path).to_bytes() == model.to_bytes()
    for use in [model.save, gopnet.Model.load, lambda path: gopnet.train(*names, out=path, **TINY)]:
        with pytest.raises(ValueError, match="null byte"):
            use(str(tmp_path / "cut\0tail.safetensors"))
    assert not (tmp_path / "cut").exists()


def test_properties_of_a_model(names):
    model = gopnet.train(*names, **TINY).model
    assert (model.algorithm, model.task) == ("popmem-o", "classification")
    assert model.classes.tolist() == ["ant", "bee", "cat"]
    assert model.parameters["epochs"] == 24
    assert model.n_parameters > 0
    assert "popmem-o" in repr(model) and "network" not in repr(model)
    several = gopnet.train(*names, **{**TINY, "ensemble": 2}).model
    nets = several.info()["members"]
    assert f"network 1 of {len(nets)} (weight {nets[0]['weight']:.3g})" in repr(several)


def test_a_damaged_model_is_an_error(names, tmp_path):
    content = gopnet.train(*names, **TINY).model.to_bytes()
    rng = np.random.default_rng(0)
    for _ in range(200):
        broken = bytearray(content)
        for at in rng.integers(len(content), size=3):
            broken[at] = rng.integers(256)
        try:
            gopnet.Model.from_bytes(bytes(broken)).predict(names[0])
        except gopnet.Error:
            pass
    for size in [0, 7, 100, len(content) - 1]:
        with pytest.raises(gopnet.Error):
            gopnet.Model.from_bytes(content[:size])
    with pytest.raises(gopnet.Error, match="cannot open"):
        gopnet.Model.load(tmp_path / "none.safetensors")


def test_threads_can_predict_at_the_same_time():
    import threading

    x, y = make_blobs(300)
    model = gopnet.train(x, y, **TINY).model
    many = np.repeat(x, 2000, axis=0)
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(model.predict(many))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 3
    assert all((answer == answers[0]).all() for answer in answers)
