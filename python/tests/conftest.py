"""Small settings and data for the tests of the Python package."""
import os
import pathlib

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("GOPNET", ROOT / "build" / "release" / "cli" / "gopnet")).resolve()

# Trains in a moment.
TINY = {"ensemble": 1, "topology": [8, 6], "epochs": 24, "batch_size": 16, "dropout": 0.1, "finetune_epochs": 2,
        "nodal": ["multiplication", "harmonic"], "pool": ["sum"], "activation": ["tanh"]}
# Trains until it is stopped: the first layer takes less than a second, the others take minutes.
ENDLESS = {**TINY, "topology": [8] * 60, "finetune_epochs": 1000000, "patience": 64, "search": "exhaustive"}


def make_blobs(rows=90, seed=0):
    """Return points of three clouds in four dimensions, and the cloud of each point."""
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % 3
    return (rng.normal(size=(rows, 4)) + 3 * np.eye(3, 4)[y]).astype(np.float32), y


@pytest.fixture
def blobs():
    return make_blobs()


@pytest.fixture
def names(blobs):
    """The same points, with names for the clouds."""
    return blobs[0], np.array(["ant", "bee", "cat"])[blobs[1]]


@pytest.fixture
def line(blobs):
    """The same points, with a number to predict."""
    return blobs[0], 2.0 * blobs[0][:, 0] - blobs[0][:, 1] + 0.125
