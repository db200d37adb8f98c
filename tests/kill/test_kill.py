"""A run that is interrupted in any way and resumed on any number of threads yields the same model.
GOPNET_KILL_ROUNDS sets the number of rounds per mode (default 3); kill_test.py plays many more."""

import os
import pathlib
import random

import pytest

import faults
import kill_test
import settings
from modes import MODES
from runs import Lab

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("GOPNET", ROOT / "build" / "release" / "cli" / "gopnet")).resolve()
ROUNDS = int(os.environ.get("GOPNET_KILL_ROUNDS", 3))
# Only the quick settings by default.
NAMES = list(settings.SETTINGS) if ROUNDS > 5 else ["popmem-h-small", "default", "homlrn", "bls-grid"]


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kill")
    return Lab(PROGRAM, folder, faults.build(folder))


@pytest.mark.parametrize("mode", MODES)
def test_interrupted_runs_yield_the_same_model(lab, mode):
    if mode in ("calls", "enospc") and not lab.faults:
        pytest.skip("no C compiler to build the library that injects faults")
    played = kill_test.play_rounds(lab, ROUNDS, random.Random(mode), 1, [mode], NAMES)
    assert [one.line() for one in played if one.failure] == []
