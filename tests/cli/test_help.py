"""Help, the overview, and names that are nearly right."""

import json

import pytest

COMMANDS = ["train", "compare", "predict", "evaluate", "inspect", "slurm-script", "bench", "help"]
TOPICS = ["algorithms", "operators", "parameters"]


def test_overview_and_version(run):
    for args in ([], ["--help"], ["help"]):
        done = run(*args)
        assert done.returncode == 0 and all(f"\n  {c} " in done.stdout for c in COMMANDS)
    assert run("--version").stdout.startswith("gopnet ")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(run, command):
    done = run(command, "--help")
    assert done.returncode == 0 and done.stderr == ""
    for part in ("Usage: gopnet " + command, "--quiet", "--json", "Example:\n  gopnet " + command):
        assert part in done.stdout
    assert run("help", command).stdout == done.stdout


@pytest.mark.parametrize("command", ["train", "compare"])
def test_help_of_training_lists_every_parameter_once(run, command):
    text = run(command, "--help").stdout
    for parameter in json.loads(run("help", "parameters", "--json").stdout)["parameters"]:
        flag = "  --" + parameter["name"].replace("_", "-")
        assert text.count(flag + " ") == 1, flag
    assert "optimistic" in text


@pytest.mark.parametrize("topic", TOPICS)
def test_topics(run, topic):
    assert run("help", topic).returncode == 0
    assert run("help", topic, "--markdown").stdout.startswith(f"# {topic}\n")
    items = json.loads(run("help", topic, "--json").stdout)[topic]
    text = run("help", topic).stdout
    assert items and all(item["name"] in text for item in items)


def test_operators_and_algorithms_of_this_version(run):
    operators = json.loads(run("help", "operators", "--json").stdout)["operators"]
    kinds = [o["kind"] for o in operators if o["in_paper"]]
    assert [kinds.count(k) for k in ("nodal", "pool", "activation")] == [6, 4, 3]
    algorithms = json.loads(run("help", "algorithms", "--json").stdout)["algorithms"]
    assert {a["name"] for a in algorithms} >= {"popfast", "popmem-h", "popmem-o"}
