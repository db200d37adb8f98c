"""Parameters from config files, --set and flags: the same names, and the command line wins."""

import json

import pytest

from conftest import TINY

CONFIG = """# a comment
train = "train.csv"
val = "val.csv"   # another
epochs = 5
finetune-epochs = 2
topology = [6, 6]
nodal = ["harmonic", "multiplication"]
pool = "sum"
activation = "tanh"
"""


def parameters(folder):
    return json.loads((folder / "config.json").read_text())["parameters"]


def as_list(value):
    return [int(v) for v in (value.split(",") if isinstance(value, str) else value)]


def test_toml_gives_options_and_parameters(run, tmp_path):
    (tmp_path / "c.toml").write_text(CONFIG)
    done = run("train", "--config", "c.toml", "--out", "r", "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["data"]["val"] == 45 and result["layers"][0]["units"] == 6
    assert int(parameters(tmp_path / "r")["epochs"]) == 5
    assert as_list(parameters(tmp_path / "r")["topology"]) == [6, 6]


@pytest.mark.parametrize("flags", [["--epochs", "3"], ["--epochs=3"], ["--set", "epochs=3"]])
def test_command_line_wins(run, tmp_path, flags):
    (tmp_path / "c.toml").write_text(CONFIG)
    done = run("train", *flags, "--config", "c.toml", "--out", "r")
    assert done.returncode == 0, done.stderr
    assert int(parameters(tmp_path / "r")["epochs"]) == 3


@pytest.mark.parametrize("flags", [["--finetune-epochs", "1"], ["--finetune_epochs", "1"],
                                   ["--finetune_epochs=1"], ["--set", "finetune-epochs=1"],
                                   ["--set", "finetune_epochs=1", "--set", "seed=4"]])
def test_dashes_and_underscores_are_the_same(run, tmp_path, flags):
    tiny = [a for a in TINY if a not in ("--finetune-epochs", "2")]
    done = run("train", *tiny, "--train", "train.csv", *flags, "--out", "r")
    assert done.returncode == 0, done.stderr
    assert int(parameters(tmp_path / "r")["finetune_epochs"]) == 1


def test_the_config_of_a_run_makes_the_same_model_again(train, run, tmp_path):
    train("--train", "train.csv", "--algorithm", "popmem-h", "--memory", "lda", "--seed", "9",
          "--out", "a")
    done = run("train", "--train", "train.csv", "--config", "a/config.json", "--out", "b")
    assert done.returncode == 0, done.stderr
    assert ((tmp_path / "a/model.safetensors").read_bytes()
            == (tmp_path / "b/model.safetensors").read_bytes())


def test_options_override_the_config_of_a_run(run, tmp_path):
    base = ["train", "--train", "train.csv", "--algorithm", "s-elm"]
    for args in (["--grid", "paper", "--out", "a"],  # its config holds val_split, ridge and grid
                 ["--config", "a/config.json", "--val", "val.csv", "--out", "b"],
                 ["--out", "c"], ["--config", "c/config.json", "--grid", "paper", "--out", "d"],
                 ["--val", "val.csv", "--val-split", "0", "--out", "e"]):
        done = run(*base, *args)
        assert done.returncode == 0, done.stderr
    done = run(*base, "--config", "a/config.json", "--ridge", "2", "--out", "f")
    assert done.returncode == 2 and not (tmp_path / "f").exists()
    assert "a/config.json: grid = paper" in done.stderr and "--ridge 2" in done.stderr


def test_compare_takes_a_ridge_beside_a_grid_for_those_without_one(run):
    done = run("compare", "--train", "train.csv", "--algorithms", "hemlgop,s-elm",
               "--grid", "paper", "--ridge", "1", "--runs", "1", "--finetune-epochs", "1", "--max-blocks", "1")
    assert done.returncode == 0, done.stderr


def test_the_last_of_a_repeated_option_counts(run, tmp_path):
    done = run("train", *TINY, "--train", "no.csv", "--train", "train.csv", "--stratify", "true",
               "--stratify", "false", "--set", "seed=4", "--set", "seed=5", "--out", "r")
    assert done.returncode == 0, done.stderr
    assert parameters(tmp_path / "r")["seed"] == 5 and not parameters(tmp_path / "r")["stratify"]


def test_repeated_lists_of_columns_are_joined(run):
    once = run("data", "train.csv", "--ignore", "a,b")
    assert once.stdout.count("ignored ") == 2
    assert run("data", "train.csv", "--ignore", "a", "--ignore", "b").stdout == once.stdout


def test_flat_json(run, tmp_path):
    (tmp_path / "c.json").write_text(json.dumps(
        {"train": "train.csv", "epochs": 4, "topology": [5], "finetune_epochs": 0, "seed": None,
         "nodal": ["harmonic"], "pool": "sum", "activation": "tanh"}))
    done = run("train", "--config", "c.json", "--out", "r")
    assert done.returncode == 0, done.stderr
    assert as_list(parameters(tmp_path / "r")["topology"]) == [5]


def test_all_forms_of_toml(run, tmp_path):
    """Lists over several lines, numbers with underscores, a # within a string, quoted keys."""
    (tmp_path / "rows#1.csv").write_bytes((tmp_path / "train.csv").read_bytes())
    (tmp_path / "c.toml").write_text('\ufefftrain = "rows#1.csv"\r\nseed = 1_000\n"epochs" = 0x3\n'
                                     "topology = [\n  6,  # first\n  5,\n]\nfinetune_epochs = +0\n"
                                     "lr = [1e-2, 0.001]\n"
                                     "nodal = 'harmonic'\npool = ['sum']\nactivation = 'tanh'\n")
    done = run("train", "--config", "c.toml", "--out", "r")
    assert done.returncode == 0, done.stderr
    got = parameters(tmp_path / "r")
    assert got["seed"] == 1000 and got["epochs"] == 3 and as_list(got["topology"]) == [6, 5]


# name of the case, name of the file, its text, parts of the message
HOSTILE = [
    ("deep", "c.json", '{"epochs": ' + "[" * 100000 + "]" * 100000 + "}", ["nested too deep"]),
    ("large", "c.json", " " * 1100000, ["1100000 bytes"]),
    ("control characters", "c.json", '{"a\\n\\u001b[31mb": 1}', [r"unknown key 'a\x0a\x1b[31mb'"]),
    ("long key", "c.json", '{"' + "e" * 500000 + '": 1}', ["unknown key 'eee", "..."]),
    ("deep section", "c.toml", "[" + "a." * 10000 + "a]\nepochs = 3\n", ["section"]),
    ("deepest section", "c.toml", "[" + "a." * 32000 + "a]\nepochs = 3\n", ["section"]),
    ("deep lists", "c.toml", "topology = " + "[" * 60000 + "\n", ["line 1", "nested"]),
    ("dotted key", "c.toml", "a.b = 3\n", ["dot"]),
    ("not UTF-8", "c.toml", b"epochs = 3\nseed = \xff\n", ["line 2, 'seed = ?'", "utf-8"]),
    ("long list", "c.toml", "topology = [" + "1, " * 30000 + "1]\n", ["90015 bytes"]),
]


@pytest.mark.parametrize("_, name, text, parts", HOSTILE, ids=[h[0] for h in HOSTILE])
def test_hostile_config(run, tmp_path, _, name, text, parts):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    done = run("train", "--train", "train.csv", "--config", name, "--out", "r")
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr[:1000]
    assert len(done.stderr) < 5000
    for part in [name, *parts]:
        assert part in done.stderr, done.stderr[:1000]
