"""The runs that a comparison accepts, and the answers of `gopnet verify` for changed files."""

import json
import re
import shutil

import pytest

from conftest import call, write_data

COMPARE = ["compare", "--train", "train.csv", "--algorithms", "s-elm,bls", "--runs", "2",
           "--max-layers", "2", "--block-size", "8", "--max-blocks", "2"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Two comparisons that differ in a parameter. Read-only."""
    folder = tmp_path_factory.mktemp("made")
    write_data(folder)
    assert call(folder, *COMPARE, "--out", "good").returncode == 0
    assert call(folder, *COMPARE, "--ridge", "0.5", "--out", "other").returncode == 0
    # the value that the first one chooses by its rows ("auto")
    assert call(folder, *COMPARE, "--scale", "robust", "--out", "given").returncode == 0
    return folder


@pytest.fixture
def folder(made):
    """A folder with a copy of the first one, `cmp`, that tests may change."""
    shutil.rmtree(made / "cmp", ignore_errors=True)
    shutil.copytree(made / "good", made / "cmp")
    return made


def edit(path, change):
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def foreign_run(folder):
    shutil.rmtree(folder / "cmp" / "bls-1")
    shutil.copytree(folder / "other" / "bls-1", folder / "cmp" / "bls-1")


def run_of_other_values(folder):
    shutil.rmtree(folder / "cmp" / "bls-1")
    shutil.copytree(folder / "given" / "bls-1", folder / "cmp" / "bls-1")


def checksums_taken_out(folder):
    for name in ("config.json", "metrics.json"):
        edit(folder / "cmp" / "bls-1" / name, lambda m: m.pop("checksum"))
    edit(folder / "cmp" / "bls-1" / "metrics.json", lambda m: m["metrics"]["test"].update(accuracy=1.25))


def link_out_of_the_folder(folder):
    shutil.rmtree(folder / "elsewhere", ignore_errors=True)
    shutil.move(folder / "cmp" / "bls-1", folder / "elsewhere")
    (folder / "cmp" / "bls-1").symlink_to(folder / "elsewhere")


def file_behind_a_link(folder):
    (folder / "cmp" / "bls-1" / "model.safetensors").rename(folder / "moved.safetensors")
    (folder / "cmp" / "bls-1" / "model.safetensors").symlink_to(folder / "moved.safetensors")


def config_removed(folder):
    (folder / "cmp" / "bls-1" / "config.json").unlink()


def config_of_nothing(folder):
    (folder / "cmp" / "bls-1" / "config.json").write_text('{"parameters":null,"version":"0.1.0"}')


def edited_metrics(folder):
    edit(folder / "cmp" / "bls-1" / "metrics.json",
         lambda m: m["metrics"]["test"].update(accuracy=1.25))


def edited_config(folder):
    edit(folder / "cmp" / "bls-1" / "config.json", lambda c: c["parameters"].update(seed=7))


def damaged_model(folder):
    path = folder / "cmp" / "bls-1" / "model.safetensors"
    data = bytearray(path.read_bytes())
    data[-5] ^= 1
    path.write_bytes(data)


def other_model(folder):
    shutil.copy(folder / "other" / "bls-1" / "model.safetensors", folder / "cmp" / "bls-1")


def scores(folder):
    table = json.loads((folder / "table.json").read_text())
    return [[run["test"] for run in system["runs"]] for system in table["systems"]]


@pytest.mark.parametrize("harm", [foreign_run, edited_metrics, edited_config, damaged_model,
                                  other_model, run_of_other_values, checksums_taken_out,
                                  link_out_of_the_folder, config_of_nothing, config_removed,
                                  file_behind_a_link])
def test_a_run_that_does_not_fit_is_trained_again_with_a_warning(folder, harm):
    harm(folder)
    broken = (folder / "cmp" / "bls-1" / "metrics.json").read_bytes()
    done = call(folder, *COMPARE, "--out", "cmp")
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stderr.splitlines() if "warning" in line]
    assert len(told) == 1 and "bls seed 1: " in told[0] and "moved" in told[0], done.stderr
    assert scores(folder / "cmp") == scores(folder / "good")
    assert (folder / "cmp" / "bls-1.unfit-1" / "metrics.json").read_bytes() == broken
    model = "bls-1/model.safetensors"
    assert (folder / "cmp" / model).read_bytes() == (folder / "good" / model).read_bytes()
    assert "warning" not in call(folder, "resume", "cmp").stderr


def swap(folder):
    for old, new in [("bls-1", "x"), ("bls-2", "bls-1"), ("x", "bls-2")]:
        (folder / "cmp" / old).rename(folder / "cmp" / new)


@pytest.mark.parametrize("harm", [lambda f: shutil.rmtree(f / "cmp" / "bls-1"), swap,
                                  config_removed],
                         ids=["run removed", "runs swapped", "config removed"])
def test_verify_knows_the_runs_of_a_comparison(folder, harm):
    harm(folder)
    done = call(folder, "verify", "cmp")
    assert done.returncode == 2 and "cmp/bls-1/" in done.stderr, done.stderr


@pytest.mark.parametrize("name", ["compare.json", "table.json"])
def test_verify_names_what_a_comparison_lost(folder, name):
    (folder / "cmp" / name).unlink()
    done = call(folder, "verify", "cmp")
    assert done.returncode == 2 and f"cmp/{name}: missing" in done.stderr, done.stderr


def test_a_file_in_the_place_of_a_run_is_moved_aside(folder):
    shutil.rmtree(folder / "cmp" / "bls-1")
    (folder / "cmp" / "bls-1").write_text("notes")
    assert call(folder, *COMPARE, "--out", "cmp").returncode == 0
    assert (folder / "cmp" / "bls-1.unfit-1").read_text() == "notes"
    assert scores(folder / "cmp") == scores(folder / "good")


def test_runs_that_fit_are_not_trained_again(folder):
    before = {path: path.stat().st_mtime_ns for path in (folder / "cmp").rglob("metrics.json")}
    done = call(folder, *COMPARE, "--out", "cmp")
    assert done.returncode == 0 and re.search(r"\b4 (already )?finished\b", done.stderr)
    assert before == {path: path.stat().st_mtime_ns
                      for path in (folder / "cmp").rglob("metrics.json")}


def test_verify_accepts_unchanged_files(folder):
    for path in ["cmp", "cmp/bls-1", "cmp/bls-1/model.safetensors"]:
        done = call(folder, "verify", path, "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["whole"] is True
    assert "table.md: intact" in call(folder, "verify", "cmp").stdout


@pytest.mark.parametrize("file", ["compare.json", "table.json", "table.csv", "table.md",
                                  "bls-1/config.json", "bls-1/metrics.json",
                                  "bls-1/model.safetensors", "bls-1/journal.jsonl"])
def test_verify_names_the_file_that_was_changed(folder, file):
    path = folder / "cmp" / file
    data = bytearray(path.read_bytes())
    at = data.index(b'"systems"') + 1 if file == "compare.json" else \
        len(data) // 2 if file.endswith("safetensors") else 5
    data[at] ^= 4
    path.write_bytes(data)
    done = call(folder, "verify", "cmp")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert f"1 of 32 files damaged: cmp/{file}" in done.stderr, done.stderr


def test_the_place_of_the_rows_may_be_corrected(folder):
    edit(folder / "cmp" / "bls-1" / "config.json",
         lambda c: c.update(source={"train": "/elsewhere.csv"}))
    assert call(folder, "verify", "cmp/bls-1").returncode == 0


def test_verify_refuses_other_paths(folder):
    for path in ["train.csv", "missing", "."]:
        done = call(folder, "verify", path)
        assert done.returncode == 2 and done.stderr.count("\n") == 1
