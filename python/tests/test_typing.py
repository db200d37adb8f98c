"""mypy accepts correct calls, and rejects unknown keywords and wrong types."""
import pathlib
import shutil
import subprocess

import pytest

import gopnet

GOOD = """import gopnet

clf = gopnet.GOPClassifier(epochs=3, topology=[4], class_weight={"a": 2.0}, random_state=3, callbacks=[gopnet.ProgressBar()])
result: gopnet.TrainResult = gopnet.train([[1]], [1], epochs=3, preset="fast", out="runs/first")
model: gopnet.Model = gopnet.Model.load("model.safetensors")


class Stop(gopnet.Callback):
    def on_epoch(self, event: gopnet.Epoch) -> bool:
        return event.network < 3
"""
WRONG = ["gopnet.GOPClassifier(epochz=3)", "gopnet.GOPRegressor(epochz=3)", "gopnet.GOPClassifier(epochs=[3])",
         "gopnet.GOPClassifier('popfast')", "gopnet.train([[1]], [1], epochz=3)", "gopnet.train([[1]], [1], seed='one')",
         "gopnet.Model.load(3)"]


def mypy(folder, code):
    """The lines of a program in which mypy finds errors."""
    if not shutil.which("mypy"):
        pytest.skip("mypy is not installed")
    (folder / "program.py").write_text(code)
    done = subprocess.run(["mypy", "--ignore-missing-imports", "--enable-incomplete-feature=Unpack", "--cache-dir", folder,
                           "program.py"], cwd=folder, capture_output=True, text=True,
                          env={"MYPYPATH": str(pathlib.Path(gopnet.__file__).parents[1]), "PATH": "/usr/bin:/bin"})
    assert done.returncode in (0, 1), done.stderr
    found = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert all(line.startswith("program.py:") for line in found), done.stdout
    return {int(line.split(":")[1]) for line in found}


def test_mypy_accepts_correct_code(tmp_path):
    assert mypy(tmp_path, GOOD) == set()


def test_mypy_rejects_wrong_keywords_and_types(tmp_path):
    assert mypy(tmp_path, "\n".join(["import gopnet", *WRONG])) == set(range(2, 2 + len(WRONG)))
