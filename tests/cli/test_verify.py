"""gopnet verify finds changed and removed files, and checks only files of a run."""

import json
import shutil

import pytest

from conftest import TINY, call, write_data


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("verify")
    write_data(folder)
    done = call(folder, "train", *TINY, "--train", "train.csv", "--test", "test.csv", "--save-split", "--out", "good", "--quiet")
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def run(made):
    shutil.rmtree(made / "r", ignore_errors=True)
    shutil.copytree(made / "good", made / "r")
    return made / "r"


def problems(run):
    done = call(run.parent, "verify", run.name, "--json")
    said = json.loads(done.stdout)
    assert done.returncode == (0 if said["whole"] else 2)
    return {f["file"].split("/")[-1]: f["problem"] for f in said["files"] if f["problem"]}


def test_a_whole_run(run):
    assert problems(run) == {}
    said = call(run.parent, "verify", "r").stdout
    assert all(f"r/{name}: intact\n" in said for name in ("test_predictions.csv", "split.csv", "report.json", "model.safetensors"))


@pytest.mark.parametrize("name", ["test_predictions.csv", "split.csv", "report.json"])
def test_a_file_beside_the_model_was_edited(run, name):
    (run / name).write_text((run / name).read_text().replace("1", "2", 1))
    assert problems(run) == {name: "missing, changed or damaged"}


@pytest.mark.parametrize("name", ["model.safetensors", "metrics.json"])
def test_a_file_was_removed(run, name):
    (run / name).unlink()
    assert problems(run) == {name: "missing"}


def cut(text, journal):
    return "".join(text(journal.splitlines(keepends=True)))


@pytest.mark.parametrize("text", [lambda lines: [], lambda lines: lines[:-1], lambda lines: lines[:2] + lines[3:],
                                  lambda lines: lines + lines[-1:], lambda lines: [*lines[:-1], lines[-1].replace("d", "e")]],
                         ids=["emptied", "last line", "third line", "doubled", "last line changed"])
def test_the_journal_of_a_finished_run_was_edited(run, text):
    journal = run / "journal.jsonl"
    journal.write_text(cut(text, journal.read_text()))
    assert problems(run) == {"journal.jsonl": "missing, changed or damaged"}


@pytest.mark.parametrize("name", ["journal.jsonl", "checkpoint.safetensors", "config.json"])
def test_a_file_of_a_finished_run_was_removed(run, name):
    (run / name).unlink()
    if name == "config.json":  # config.json names the run
        assert call(run.parent, "verify", "r").returncode == 2
    else:
        assert problems(run) == {name: "missing"}


def test_another_runs_checkpoint(run):
    shutil.copy(run / "model.safetensors", run / "checkpoint.safetensors")
    assert problems(run) == {"checkpoint.safetensors": "not the model of this run"}


def test_a_name_twice(run):
    text = (run / "metrics.json").read_text()
    (run / "metrics.json").write_text(text.replace('"seed"', '"seed": 99, "seed"', 1))
    assert set(problems(run)) == {"metrics.json"}


def test_checksums_were_taken_out(run):
    for name in ("config.json", "metrics.json"):
        json_ = json.loads((run / name).read_text())
        del json_["checksum"]
        (run / name).write_text(json.dumps(json_))
    assert set(problems(run)) == {"config.json", "metrics.json"}


def test_importances_are_of_the_run(run):
    assert call(run.parent, "importance", "r", "test.csv", "--repeats", "1").returncode == 0
    assert problems(run) == {} and "r/importance.csv: intact" in call(run.parent, "verify", "r").stdout
    (run / "importance.csv").write_text("name,mean,std\na,1,0\n")
    assert problems(run) == {"importance.csv": "missing, changed or damaged"}


def test_metrics_without_their_checksum(run):
    (run / "metrics.json").write_text("{}")
    assert problems(run) == {"metrics.json": "its checksum is missing; the file was changed or damaged"}


def test_importances_do_not_vouch_for_metrics_without_their_checksum(run):
    metrics = json.loads((run / "metrics.json").read_text())
    del metrics["checksum"]
    metrics["test"] = {"accuracy": 0.99}
    (run / "metrics.json").write_text(json.dumps(metrics))
    assert call(run.parent, "importance", "r", "test.csv", "--repeats", "1").returncode == 0
    assert problems(run) == {"metrics.json": "its checksum is missing; the file was changed or damaged"}


def test_no_such_path(run):
    done = call(run.parent, "verify", "nothing")
    assert done.returncode == 2 and done.stderr == "gopnet verify: nothing: no such file or folder\n"


def test_runs_that_were_set_aside_do_not_count(made):
    compare = ["compare", "--train", "train.csv", "--algorithms", "s-elm", "--runs", "2", "--max-layers", "1",
               "--block-size", "8", "--out", "cmp"]
    assert call(made, *compare).returncode == 0
    (made / "cmp" / "s-elm-1" / "test_predictions.csv").unlink(missing_ok=True)
    metrics = made / "cmp" / "s-elm-1" / "metrics.json"
    metrics.write_text("{}")
    assert call(made, *compare).returncode == 0
    assert (made / "cmp" / "s-elm-1.unfit-1").is_dir()
    assert call(made, "verify", "cmp").returncode == 0
    (made / "cmp" / "table.json").unlink()
    page = call(made, "report", "cmp")
    assert page.returncode == 0 and "unfit" not in (made / "cmp" / "report.html").read_text()
