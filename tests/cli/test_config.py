"""Parameters from config files, --set and flags: one spelling, the command line wins."""

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


def test_flat_json(run, tmp_path):
    (tmp_path / "c.json").write_text(json.dumps(
        {"train": "train.csv", "epochs": 4, "topology": [5], "finetune_epochs": 0, "seed": None,
         "nodal": ["harmonic"], "pool": "sum", "activation": "tanh"}))
    done = run("train", "--config", "c.json", "--out", "r")
    assert done.returncode == 0, done.stderr
    assert as_list(parameters(tmp_path / "r")["topology"]) == [5]


@pytest.mark.parametrize("name, text, parts", [
    ("c.toml", "epocs = 3\n", ["c.toml", "'epocs'", "'epochs'"]),
    ("c.toml", "epochs = 3\nzebra = 1\n", ["c.toml", "'zebra'"]),
    ("c.toml", "topology = [3, 4\n", ["c.toml", "list"]),
    ("c.toml", "[search]\nepochs = 3\n", ["c.toml", "[search]"]),
    ("c.toml", "categorical = 7\n", ["c.toml", "categorical", "'7'"]),
    ("c.toml", "epochs = many\n", ["epochs", "many"]),
    ("c.toml", "what is this\n", ["c.toml", "what is this"]),
    ("c.json", "{\"epocs\": 3}", ["c.json", "'epocs'", "'epochs'"]),
    ("c.json", "{\"epochs\": ", ["c.json", "JSON"]),
    ("c.json", "[1]", ["c.json", "JSON object"]),
    ("c.yaml", "epochs: 3", ["c.yaml", ".toml"]),
    (None, "", ["c.none: cannot open"]),
])
def test_bad_config(run, tmp_path, name, text, parts):
    if name:
        (tmp_path / name).write_text(text)
    done = run("train", "--train", "train.csv", "--config", name or "c.none", "--out", "r")
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
    for part in parts:
        assert part in done.stderr
    assert not (tmp_path / "r").exists()


# name of the case, of the file, its text, parts of the message
HOSTILE = [
    ("deep", "c.json", '{"epochs": ' + "[" * 100000 + "]" * 100000 + "}", ["nested too deep"]),
    ("large", "c.json", " " * 1100000, ["1100000 bytes"]),
    ("control characters", "c.json", '{"a\\n\\u001b[31mb": 1}', ["unknown key 'a  [31mb'"]),
    ("long key", "c.json", '{"' + "e" * 500000 + '": 1}', ["unknown key 'eee", "..."]),
    ("deep section", "c.toml", "[" + "a." * 10000 + "a]\nepochs = 3\n", ["section"]),
    ("dotted key", "c.toml", "a.b = 3\n", ["dot"]),
    ("long list", "c.toml", "topology = [" + "1, " * 30000 + "1]\n", ["90015 bytes"]),
]


@pytest.mark.parametrize("_, name, text, parts", HOSTILE, ids=[h[0] for h in HOSTILE])
def test_hostile_config(run, tmp_path, _, name, text, parts):
    (tmp_path / name).write_text(text)
    done = run("train", "--train", "train.csv", "--config", name, "--out", "r")
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr[:1000]
    assert len(done.stderr) < 5000
    for part in [name, *parts]:
        assert part in done.stderr, done.stderr[:1000]
