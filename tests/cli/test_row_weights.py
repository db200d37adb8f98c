"""Row weights are relative, whole numbers aside: their unit changes no model."""

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


def model(folder, algorithm, weights):
    words = ["--train-weights", f"{weights}.npy"] if weights else []
    out = f"{algorithm}-{weights}"
    done = call(folder, "train", "--train", "x.npy", "--train-labels", "y.npy", *words,
                "--algorithm", algorithm, *ALGORITHMS[algorithm], "--out", out, "--json", "--quiet")
    assert done.returncode == 0, done.stderr
    accuracy = json.loads(done.stdout)["metrics"]["train"]["accuracy"]
    return (folder / out / "model.safetensors").read_bytes(), accuracy


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_unit_of_weights_does_not_matter(data, algorithm):
    _, accuracy = model(data, algorithm, "one")
    for name in ("tiny", "huge"):
        assert abs(model(data, algorithm, name)[1] - accuracy) < 0.02
    assert model(data, algorithm, "equal")[0] == model(data, algorithm, None)[0]
