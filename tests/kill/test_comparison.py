"""A comparison that is interrupted repeatedly yields the models and table of an uninterrupted one."""

import json
import random
import subprocess

import pytest

import faults
import folder as run_folder
import settings
from runs import LIMIT
from test_kill import PROGRAM, ROUNDS

COMPARE = ["compare", "--train", "digits.csv", "--algorithms", "popmem-h,hemlrn,bls", "--runs", "2",
           "--test-split", "0.2", "--ensemble", "1", "--topology", "8,8", "--epochs", "9", "--finetune-epochs", "40",
           "--max-layers", "2", "--max-blocks", "2"]


def call(folder, *words, kill_after=LIMIT, env=None):
    """Return the exit code, or None if the program was killed after `kill_after` seconds."""
    try:
        return subprocess.run([PROGRAM, *words, "--quiet"], cwd=folder, timeout=kill_after, env=env,
                              stdout=subprocess.DEVNULL).returncode
    except subprocess.TimeoutExpired:
        return None


def strip(value):
    """The table without the values that vary between runs."""
    if isinstance(value, dict):
        return {key: strip(item) for key, item in value.items()
                if "seconds" not in key and key not in ("folder", "threads", "files", "checksum")}
    return [strip(item) for item in value] if isinstance(value, list) else value


def outcome(folder):
    models = {path.relative_to(folder): run_folder.sha256(path)
              for path in folder.rglob("model.safetensors")}
    left = [path.name for path in folder.rglob("*") if ".tmp" in path.name or path.name == "state"]
    return models, strip(json.loads((folder / "table.json").read_text())), left


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    folder = tmp_path_factory.mktemp("comparison")
    settings.write_data(folder)
    assert call(folder, *COMPARE, "--out", "reference", "--threads", "2") == 0
    return folder


def start_or_resume(folder, out, threads):
    begun = (folder / out / "compare.json").exists()
    return [*(["resume", out] if begun else [*COMPARE, "--out", out]), "--threads", str(threads)]


@pytest.mark.parametrize("number", range(ROUNDS))
def test_a_killed_comparison_yields_the_same_table(reference, number):
    rng, out = random.Random(number), f"killed-{number}"
    for _ in range(3):
        words = start_or_resume(reference, out, rng.randint(1, 4))
        assert call(reference, *words, kill_after=rng.uniform(0, 1)) in (0, None)
    assert call(reference, *start_or_resume(reference, out, rng.randint(1, 4))) == 0
    assert outcome(reference / out) == outcome(reference / "reference")


@pytest.mark.parametrize("number", range(ROUNDS))
def test_a_comparison_on_a_failing_disk_yields_the_same_table(reference, number):
    library = faults.build(reference)
    if not library:
        pytest.skip("no C compiler to build the library that injects faults")
    rng, out = random.Random(number), f"faulty-{number}"
    for kind in rng.sample(["kill", "torn", "enospc", "eio"], 3):
        env = faults.environment(library, reference / out, at=rng.randint(1, 600), kind=kind)
        code = call(reference, *start_or_resume(reference, out, rng.randint(1, 4)), env=env)
        assert code in ((0, -9) if kind in ("kill", "torn") else (0, 3))
    assert call(reference, *start_or_resume(reference, out, rng.randint(1, 4))) == 0
    assert outcome(reference / out) == outcome(reference / "reference")
