"""Help, the overview, and suggestions for misspelt names."""

import json
import os
import re

import pytest

from conftest import PROGRAM, ROOT, call, listed

COMMANDS = [c["name"] for c in listed("commands")]
TRAINING = [c["name"] for c in listed("commands") if c["trains"]]
TOPICS = json.loads(call(ROOT, "help", "--json").stdout)["topics"]


def test_overview_and_version(run):
    for args in ([], ["--help"], ["help"]):
        done = run(*args)
        assert done.returncode == 0 and all(f"\n  {c} " in done.stdout for c in COMMANDS)


def test_version_names_the_build(run):
    first, *facts = run("--version").stdout.splitlines()
    assert re.fullmatch(r"gopnet \d+\.\d+\.\d+", first)
    facts = dict(fact.split(": ", 1) for fact in facts)
    assert list(facts) == ["build", "instruction set", "MPI", "live view"]
    assert re.fullmatch(r"\w+, (GCC|Clang) \d+\..*", facts["build"])
    in_use = json.loads(run("bench", "--no-pairs", "--shape", "20,3,2,2", "--json").stdout)["simd"]
    assert facts["instruction set"].startswith(in_use + " (this CPU has ")
    missing = run("--version", env={**os.environ, "GOPNET_MPI_LIBRARY": "/nowhere/libgopnet_mpi.so"}).stdout
    assert "MPI: no\n" in missing
    assert ("MPI: yes" in run("--version").stdout) == (PROGRAM.parents[1] / "libgopnet_mpi.so").exists()
    assert facts["live view"] in ("yes", "no")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(run, command):
    done = run(command, "--help")
    assert done.returncode == 0 and done.stderr == ""
    for part in ("Usage: gopnet " + command, "--quiet", "--json", "Example:\n  gopnet " + command):
        assert part in done.stdout
    assert run("help", command).stdout == done.stdout


def test_the_program_lists_its_commands_and_topics():
    assert set(COMMANDS) >= {"train", "resume", "compare", "predict", "evaluate", "inspect", "help"}
    assert set(TRAINING) == {"train", "resume", "compare"}
    assert set(TOPICS) >= {"algorithms", "operators", "parameters"}


@pytest.mark.parametrize("command", sorted(set(TRAINING) - {"resume"}))  # resume takes no parameters
def test_help_of_training_lists_every_parameter_once(run, command):
    text = run(command, "--help-all").stdout
    for parameter in json.loads(run("help", "parameters", "--json").stdout)["parameters"]:
        flag = "  --" + parameter["name"].replace("_", "-")
        assert text.count(flag + " ") == 1, flag
    assert "optimistic" in text and "dog: the derivative of a Gaussian" in " ".join(text.split())


@pytest.mark.parametrize("command", sorted(set(TRAINING) - {"resume"}))
def test_help_of_training_is_short(run, command):
    text = run(command, "--help").stdout
    shown = [line.split()[0] for line in text.splitlines() if line.startswith("  --")]
    assert 15 <= len(shown) <= 28 and {"--train", "--target", "--seed", "--help-all"} <= set(shown)
    assert set(shown) < {line.split()[0] for line in run(command, "--help-all").stdout.splitlines()
                         if line.startswith("  --")}


@pytest.mark.parametrize("given, ours", [
    ("--learning-rate", "--lr"), ("--n-estimators", "--ensemble"), ("--max-iter", "--epochs"), ("--epocs", "--epochs"),
    ("--random-state", "--seed"), ("--n_jobs", "--threads"), ("--label", "--target"), ("--algo", "--algorithm")])
def test_names_of_other_tools_lead_to_ours(run, given, ours):
    done = run("train", "--train", "train.csv", given, "3")
    assert done.returncode == 2 and f"unknown option {given.replace('_', '-')} (did you mean '{ours}'?)" in done.stderr


@pytest.mark.parametrize("given", ["--xy", "--ignored-things", "--zebra", "--qz"])
def test_unrelated_names_get_no_suggestion(run, given):
    done = run("train", "--train", "train.csv", given, "3")
    assert done.returncode == 2 and f"option {given}" in done.stderr and "did you mean" not in done.stderr


def test_algorithms_are_found_in_any_case_and_presets_are_listed(run):
    done = run("train", "--train", "train.csv", "--algorithm", "S-ELM", "--max-layers", "1", "--json", "--quiet")
    assert done.returncode == 0 and json.loads(done.stdout)["algorithm"] == "s-elm"
    done = run("train", "--train", "train.csv", "--preset", "quick")
    assert done.returncode == 2 and "'quick'" in done.stderr and "default, paper, fast, best" in done.stderr


@pytest.mark.parametrize("topic", TOPICS)
def test_topics(run, topic):
    assert run("help", topic).returncode == 0
    assert run("help", topic, "--markdown").stdout.startswith(f"# {topic}\n")
    items = json.loads(run("help", topic, "--json").stdout)[topic]
    text = run("help", topic).stdout
    assert items and all(item["name"] in text for item in items)


def test_operators_and_algorithms_of_this_version(run):
    text = run("help", "operators").stdout
    for operator in listed("operators"):
        row = [operator["name"], "yes" if operator["in_paper"] else "no"]
        assert row in [line.split()[:2] for line in text.splitlines()]
    searched = {o["kind"] for o in listed("operators") if o["in_paper"]}
    assert searched == {"nodal", "pool", "activation"}
    assert {a["name"] for a in listed("algorithms")} >= {"popfast", "popmem-h", "popmem-o"}
