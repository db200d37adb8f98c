"""File names are arbitrary bytes, and names in files may contain anything. gopnet writes both safely
to JSON and terminals."""

import json
import os
import pathlib
import random
import select
import shutil
import subprocess
import urllib.parse

import pytest

from conftest import PROGRAM, TINY, write_csv

ODD = os.fsdecode(b"A\xf63")  # no UTF-8
ANY = {"errors": "surrogateescape"}  # for the output of the program
ESCAPE = "\x1b[31mred\x9b\u202e"


def from_uri(text):
    assert text.startswith("file:///")
    return os.fsdecode(urllib.parse.unquote_to_bytes(text[len("file://"):]))


@pytest.fixture
def odd_data(run, tmp_path):
    shutil.copy(tmp_path / "train.csv", tmp_path / f"{ODD}.csv")
    return f"{ODD}.csv"


def test_a_run_folder_whose_name_is_no_utf8(run, tmp_path, odd_data):
    done = run("train", "--train", odd_data, *TINY, "--out", ODD, "--json", **ANY)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / ODD
    assert from_uri(json.loads(done.stdout)["model"]) == str(folder / "model.safetensors")
    config = json.loads((folder / "config.json").read_text())
    assert from_uri(config["source"]["train"]) == str(tmp_path / odd_data)
    predicted = run("predict", ODD, odd_data, "--json", "--out", f"{ODD}-out.csv", **ANY)
    assert predicted.returncode == 0, predicted.stderr
    assert from_uri(json.loads(predicted.stdout)["out"]) == str(tmp_path / f"{ODD}-out.csv")


def test_such_a_run_is_resumed(run, tmp_path, odd_data):
    words = ["--train", odd_data, "--algorithm", "popfast", "--ensemble", "1", "--topology", "8,8",
             "--finetune-epochs", "1000000"]
    for limit in (f"{0.3 * 2 ** n}s" for n in range(10)):  # until one is long enough to start the run
        stopped = run("train", *words, "--out", ODD, "--time-limit", limit, **ANY)
        assert stopped.returncode == 3, stopped.stderr
        if "gopnet resume" in stopped.stderr:
            break
    assert r"gopnet resume $'A\xf63'" in stopped.stderr
    again = run("resume", ODD, "--time-limit", limit, **ANY)
    assert again.returncode in (0, 3), again.stderr


def test_a_comparison_in_such_a_folder(run, tmp_path, odd_data):
    words = ["--train", odd_data, "--algorithms", "s-elm", "--runs", "1", "--out", ODD, "--json"]
    for _ in range(2):  # the second command resumes it
        done = run("compare", *words, **ANY)
        assert done.returncode == 0, done.stderr
    folder = json.loads(done.stdout)["systems"][0]["runs"][0]["folder"]
    assert pathlib.Path(from_uri(folder)) == tmp_path / ODD / "s-elm-1"
    assert run("resume", ODD, **ANY).returncode == 0


def test_ordinary_paths_are_written_as_they_are(run, tmp_path, train):
    assert train("--train", "train.csv", "--out", "Größe 100%")["model"] == \
        "Größe 100%/model.safetensors"
    source = json.loads((tmp_path / "Größe 100%" / "config.json").read_text())["source"]
    assert source["train"] == str(tmp_path / "train.csv")


@pytest.fixture
def labels(run, tmp_path):
    rows = [[i % 7, i % 5, f'"{ESCAPE}"' if i % 2 else "plain"] for i in range(40)]
    write_csv(tmp_path / "odd.csv", ["a", "b", "kind"], rows)
    return run("train", "--train", "odd.csv", *TINY, "--out", "run")


def test_messages_spell_out_control_characters(run, labels):
    assert labels.returncode == 0 and "\x1b" not in labels.stderr, labels.stderr
    assert r"\x1b[31mred\u009b\u202e" in labels.stderr
    refused = run("train", "--train", f"{ESCAPE}.csv")
    assert refused.returncode == 2 and r"\x1b[31mred\u009b\u202e.csv" in refused.stderr


@pytest.mark.parametrize("words", [["predict", "run", "odd.csv"], ["inspect", "run", "--json"]])
def test_a_terminal_gets_them_spelt_out_and_a_pipe_as_they_are(run, tmp_path, labels, terminal, words):
    shown, end = terminal
    with subprocess.Popen([PROGRAM, *words], cwd=tmp_path, stdout=end) as process:
        text = b""
        while select.select([shown], [], [], 0.1)[0] or process.poll() is None:
            if select.select([shown], [], [], 0)[0]:
                text += os.read(shown, 1 << 16)
    assert "\u202e" not in text.decode() and b"\x1b" not in text
    assert r"\u202e" in text.decode()
    assert "\u202e" in run(*words).stdout


ODD_NAME = "\x1b[2Jred\u202e\x9b\nname"  # clears the screen, reverses the text, starts a new line
SPELT = r"\x1b[2Jred\u202e\u009b\x0aname"


@pytest.fixture
def odd_names(run, tmp_path):
    """Odd names of a column, of labels and of two regression targets."""
    rng = random.Random(1)
    rows = [[rng.random(), rng.random(), f'"{ODD_NAME}{rng.randrange(3)}"'] for _ in range(90)]
    write_csv(tmp_path / "labels.csv", [f'"{ODD_NAME}"', "b", f'"{ODD_NAME} kind"'], rows)
    rows = [[rng.random() for _ in range(4)] for _ in range(60)]
    write_csv(tmp_path / "targets.csv", ["a", f'"{ODD_NAME}"', f'"{ODD_NAME}1"', f'"{ODD_NAME}2"'], rows)
    return {"labels": ["--train", "labels.csv", "--test-split", "0.4", *TINY],
            "targets": ["--train", "targets.csv", "--target", f"{ODD_NAME}1,{ODD_NAME}2", *TINY]}


TABLES = ["labels", "targets"]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("command", ["train", "data", "inspect", "evaluate", "importance"])
def test_texts_for_people_spell_names_out_in_a_pipe_too(run, odd_names, table, command):
    trained = run("train", *odd_names[table], "--out", "run")
    done = {"train": lambda: trained,
            "data": lambda: run("data", f"{table}.csv"),
            "inspect": lambda: run("inspect", "run")}.get(
                command, lambda: run(command, "run", f"{table}.csv"))()
    assert done.returncode == 0, done.stderr
    assert SPELT in done.stdout or (table, command) == ("targets", "train") and SPELT in done.stderr
    for text in (done.stdout, done.stderr):
        assert not set(text) & set("\x1b\u202e\x9b") and "\nname" not in text
    if command == "evaluate":  # the width as shown
        lines = [line for line in done.stdout.splitlines() if line.startswith(r"\x1b")]
        assert len({len(line) for line in lines if line.count(".") > 2}) == 1


@pytest.mark.parametrize("words", [["predict", "run", "labels.csv"], ["inspect", "run", "--json"],
                                   ["data", "labels.csv", "--json"]])
def test_data_for_programs_stay_as_they_are_in_a_pipe(run, odd_names, words):
    assert run("train", *odd_names["labels"], "--out", "run").returncode == 0
    assert "\u202e" in run(*words).stdout
