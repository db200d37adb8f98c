"""Inspects a run folder: how far the run got, and whether a file is damaged."""

import collections
import hashlib
import json
import pathlib
import struct

STAGES = ["before config", "search", "between layers", "fine-tuning", "final write"]
VARIES = ["seconds", "model", "files", "checksum"]  # the last two hold checksums of files with such values
NAMES = ["variant", "layer", "block", "attempt", "candidate", "rung", "epochs"]


def events(folder):
    """Return the lines of the journal, without lines that a kill or a write error cut short."""
    journal = pathlib.Path(folder) / "journal.jsonl"
    found = []
    for line in journal.read_bytes().split(b"\n") if journal.exists() else []:
        try:
            found.append(json.loads(line))
        except ValueError:
            pass
    return found


def stage(folder):
    """Return the one of STAGES in which the run stopped, or "finished"."""
    folder = pathlib.Path(folder)
    if (folder / "metrics.json").exists():
        return "finished"
    if not (folder / "config.json").exists():
        return "before config"
    if list(folder.glob("model.safetensors*")):
        return "final write"
    lines = [line for line in events(folder) if line["event"] in ("candidate", "layer", "stage")]
    if not lines or lines[-1]["event"] == "candidate":
        return "search"
    return "fine-tuning" if "finetune" in lines[-1].get("stage", "") else "between layers"


def trained(folder):
    """Count how often each candidate was trained, according to the journal."""
    return collections.Counter(json.dumps([event.get(name) for name in NAMES])
                               for event in events(folder) if event["event"] == "candidate")


def whole(path):
    """Whether the length of a .safetensors file agrees with its header."""
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0] if len(data) >= 8 else len(data)
    if 8 + size > len(data):
        return False
    try:
        tensors = json.loads(data[8:8 + size])
    except ValueError:
        return False
    tensors.pop("__metadata__", None)
    return 8 + size + max((t["data_offsets"][1] for t in tensors.values()), default=0) == len(data)


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def results(folder):
    """metrics.json without the values that vary between runs."""
    def strip(value):
        if isinstance(value, dict):
            return {k: strip(v) for k, v in value.items() if k not in VARIES}
        return [strip(v) for v in value] if isinstance(value, list) else value

    return strip(json.loads((folder / "metrics.json").read_text()))


def damage(folder, reference):
    """Return a list of problems in the folder of an interrupted run."""
    wrong = [f"{path.name} is not whole" for path in folder.glob("*.safetensors")
             if not whole(path)]
    model = folder / "model.safetensors"
    if model.exists() and sha256(model) != reference.model:
        wrong.append("model.safetensors differs from the uninterrupted run's")
    for name in ("config.json", "metrics.json"):
        if (folder / name).exists():
            try:
                json.loads((folder / name).read_text())
            except ValueError:
                wrong.append(f"{name} is not whole")
    return wrong


def difference(folder, reference):
    """Return a list of differences between a finished run and the uninterrupted one."""
    absent = [n for n in ("model.safetensors", "metrics.json", "config.json", "journal.jsonl")
               if not (folder / n).exists()]
    if absent:
        return [f"{name} is missing" for name in absent]
    wrong = damage(folder, reference)
    if results(folder) != reference.results:
        wrong.append("metrics.json differs from the uninterrupted run's")
    left = [path.name for path in folder.rglob("*.tmp*")]
    if left or (folder / "state").exists():
        wrong.append("left behind: " + ", ".join(left or ["state"]))
    return wrong


def missing(folder, reference):
    """Candidates of the uninterrupted run that are not in this journal."""
    return list(reference.trained - trained(folder))


def trained_again(folder, reference):
    """Number of candidates that were trained more often than in the uninterrupted run."""
    return sum((trained(folder) - reference.trained).values())
