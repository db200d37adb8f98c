"""Runs that cannot be resumed."""

import json

from .case import case


def stopped(change=None, journal=None, data=None):
    """Files of a run killed early: those of the finished run in the folder, without its model."""

    def config(folder):
        value = json.loads((folder / "run" / "config.json").read_text())
        for name in ("train", "val", "test"):
            value["source"][name] = data.get(name, f"{name}.csv") if data else f"{name}.csv"
        if change:
            change(value)
        return json.dumps(value)

    def lines(folder):
        text = (folder / "run" / "journal.jsonl").read_text()
        return journal(text) if journal else text.splitlines(True)[0]

    return {"stopped/config.json": config, "stopped/journal.jsonl": lines}


def set_epochs(config):
    config["parameters"]["epochs"] = 50


def set_version(config):
    config["version"] = "0.0.1"


def set_algorithm(config):
    config["algorithm"] = "popmem-q"


def drop_source(config):
    config["source"] = {}


def without_first_row(folder):
    text = (folder / "train.csv").read_text().splitlines(True)
    return text[0] + "".join(text[2:])


RESUMES = [
    case("no such folder", {}, "resume nowhere", "nowhere", "config.json"),
    case("a folder without a run", {"empty/": None}, "resume empty", "empty", "config.json"),
    case("a file", {}, "resume train.csv", "train.csv", "config.json"),
    case("no run named", {}, "resume", "RUN"),
    case("a parameter changed", {}, "resume run --epochs 7", "--epochs", "--threads"),
    case("threads that are no number", {}, "resume run --threads two", "--threads", "two"),
    case("an unknown option", {}, "resume run --thread 2", "--thread"),
    case("an unknown instruction set", stopped(), "resume stopped --simd mmx", "'mmx'",
         varies=r"(?<=one of ).*(?= on this CPU)"),
    case("a config that is cut short", {**stopped(), "stopped/config.json": '{"version": "0.1'},
         "resume stopped", "stopped/config.json", "damaged"),
    case("a config without parameters", {**stopped(), "stopped/config.json": "{}"},
         "resume stopped", "stopped/config.json", "damaged"),
    case("a config that was edited", stopped(set_epochs), "resume stopped --quiet", "stopped",
         "epochs was 5", "50"),
    case("a run of another version", stopped(set_version, journal=lambda text: ""), "resume stopped --quiet", "stopped",
         "0.0.1"),
    case("an algorithm that is not known", stopped(set_algorithm), "resume stopped --quiet",
         "popmem-q"),
    case("rows in another place", stopped(data={"train": "moved.csv"}), "resume stopped",
         "moved.csv", "cannot open"),
    case("rows that were changed", {**stopped(data={"train": "changed.csv"}),
                                    "changed.csv": without_first_row},
         "resume stopped --quiet", "stopped", "rows"),
    case("a run that names no rows", stopped(drop_source), "resume stopped", "stopped: "),
    case("a time limit that is no time", {}, "resume run --time-limit soon", "--time-limit", "soon",
         "2h"),
    case("a time limit of no time", {}, "train --train train.csv --time-limit 0s --out new",
         "--time-limit", "0s"),
    case("a negative pause between checkpoints", {},
         "train --train train.csv --checkpoint-every -1 --out new", "--checkpoint-every", "-1"),
    case("a comparison whose plan is damaged", {"c/compare.json": "[]"}, "resume c",
         "c/compare.json", "damaged"),
]
