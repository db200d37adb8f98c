"""Bad input: exit code 2, one line on stderr, and no new or changed files."""

import os

import numpy as np
import pytest
from conftest import ROOT
from error_cases import GROUPS
from errors import outcome, page

CASES = [pytest.param(group, i, id=f"{group}: {case.title}")
         for group, cases in GROUPS.items() for i, case in enumerate(cases)]


@pytest.fixture(scope="session")
def outcomes(trained, tmp_path_factory):
    """Return the outcome of a case by group and number. Each case runs once."""
    known = {}

    def get(group, i):
        if (group, i) not in known:
            folder = tmp_path_factory.getbasetemp() / "case"
            known[group, i] = outcome(GROUPS[group][i], trained, folder)
        return known[group, i]

    return get


@pytest.mark.parametrize("group, i", CASES)
def test_is_refused_in_one_line(outcomes, group, i):
    found = outcomes(group, i)
    assert found.code == 2, found
    assert found.message.startswith("gopnet") and found.message.count("\n") == 1, found.message
    assert found.message.endswith("\n") and found.message[:-1].isprintable()
    assert found.stdout == b"" and found.changed == []
    for part in GROUPS[group][i].parts:
        assert part in found.message


def test_the_page_of_errors_is_up_to_date(outcomes):
    found = {group: [outcomes(group, i) for i in range(len(cases))]
                for group, cases in GROUPS.items()}
    assert (ROOT / "docs/reference/errors.md").read_text() == page(found), (
        "docs/reference/errors.md is out of date; tools/update_docs errors writes it")


def refuse(run, *args):
    done = run(*args)
    assert done.returncode == 2 and done.stdout == "", done
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize("size", [0, 1, 8, 100, 3000, -1])
@pytest.mark.parametrize("command", ["predict", "evaluate", "inspect", "bench --model"])
def test_a_model_cut_anywhere_is_refused(run, trained, tmp_path, command, size):
    whole = (trained / "run" / "model.safetensors").read_bytes()
    (tmp_path / "m.safetensors").write_bytes(whole[:size])
    rows = ["test.csv"] if command in ("predict", "evaluate") else []
    assert "m.safetensors" in refuse(run, *command.split(), "m.safetensors", *rows)


def test_an_empty_folder_may_be_the_run_folder(train, tmp_path):
    (tmp_path / "r").mkdir()
    assert train("--train", "train.csv", "--out", "r")["model"] == "r/model.safetensors"


def test_odd_files_that_are_no_errors(train, tmp_path):
    x = np.load(tmp_path / "x_train.npy")
    np.save(tmp_path / "f.npy", np.asfortranarray(x.astype(np.float64)))
    train("--train", "f.npy", "--train-labels", "y_train.npy", "--out", "fortran")
    text = (tmp_path / "train.csv").read_text()
    (tmp_path / "bom.csv").write_bytes(("\ufeff" + text.replace("\n", "\r\n") + "\r\n").encode())
    train("--train", "bom.csv", "--out", "bom")


# The messages depend on the user, so these cases are not in docs/reference/errors.md.
@pytest.mark.parametrize("command", [["train", "--train", "train.csv"],
                                     ["compare", "--train", "train.csv", "--algorithms", "s-elm"]])
def test_a_place_that_cannot_be_written(run, tmp_path, command):
    assert "/proc" in refuse(run, *command, "--quiet", "--out", "/proc/run")
    if os.geteuid() != 0:
        (tmp_path / "locked").mkdir(mode=0o555)
        assert "cannot write" in refuse(run, *command, "--out", "locked/r")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_cannot_be_read(run, tmp_path):
    (tmp_path / "train.csv").chmod(0)
    assert "train.csv: cannot open" in refuse(run, "train", "--train", "train.csv")
