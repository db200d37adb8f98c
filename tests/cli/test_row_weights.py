"""Row weights are relative unless they are integers: their unit does not change the model."""

import json

import numpy as np
import pytest

from conftest import call

ALGORITHMS = {"bls": ["--max-blocks", "3"], "s-elm": ["--max-layers", "2", "--block-size", "20"],
              "hemlgop": ["--max-layers", "1", "--max-blocks", "1", "--finetune-epochs", "0"]}


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("weights")
    rng = np.random.default_rng(5)
    x = rng.normal(size=(200, 4)).astype(np.float32)
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", (x[:, 0] + x[:, 1] ** 2 > 0.5).astype(int))
    weights = rng.choice([0.5, 1.0, 1.5], size=200)
    for name, factor in {"one": 1, "tiny": 2.0 ** -20, "huge": 2.0 ** 10 + 0.5}.items():
        np.save(folder / f"{name}.npy", weights * factor)
    np.save(folder / "equal.npy", np.full(200, 1e-6))
    return folder


def accuracy(folder, algorithm, weights):
    words = ["--train-weights", f"{weights}.npy"] if weights else []
    out = f"{algorithm}-{weights}"
    done = call(folder, "train", "--train", "x.npy", "--train-labels", "y.npy", *words,
                "--val", "x.npy", "--val-labels", "y.npy",
                "--algorithm", algorithm, *ALGORITHMS[algorithm], "--out", out, "--json", "--quiet")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["metrics"]["train"]["accuracy"]


def model(folder, algorithm, weights):
    return (folder / f"{algorithm}-{weights}" / "model.safetensors").read_bytes()


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_unit_of_weights_does_not_matter(data, algorithm):
    one = accuracy(data, algorithm, "one")
    assert one > 0.85
    for name in ("tiny", "huge"):
        assert abs(accuracy(data, algorithm, name) - one) < 0.03
    assert model(data, algorithm, "tiny") == model(data, algorithm, "one")  # a power of two
    plain = accuracy(data, algorithm, None)
    assert abs(accuracy(data, algorithm, "equal") - plain) < 0.03
