"""Measure the cost of the candidates of a search, for cluster_sim.py.

One thread trains the candidates one after the other, so differences of the journal's `seconds` are their costs. The
steady clock of the measured program counts processor time (cpu_clock.c). Other work on the machine therefore only
shows through shared caches and memory.
"""
import datetime
import functools
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

import common
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
# Samples, inputs and classes of the paper's data sets (arXiv:1808.06377, table 2). 60% of the samples train and 20%
# validate: the paper's split of its three large sets; it does not give the sizes of the standard splits of the others.
SHAPES = {"Olympic Sports": (774, 100, 16), "Hollywood3d": (945, 100, 14), "Caltech256": (30607, 512, 257),
          "MIT indoor": (15620, 512, 67), "CFW60k": (60000, 512, 500)}
ALGORITHMS = ("popmem-o", "popmem-h", "popfast")
SEARCHES = ("exhaustive", "halving")
UNITS, LAYERS = 40, 2  # two layers of the paper's eight: later ones have the size of the second
MOST_ROWS = 1024  # of a measured search; costs of larger sets are scaled
REPEATS = 2  # the least counts: a hypervisor that takes the processor away is in the processor time
WHOLE_EPOCHS = 2  # of the two candidates that are trained on all rows


def rows_of(samples):
    """Return the numbers of training and validation rows."""
    return round(0.6 * samples), round(0.2 * samples)


def epochs_for(rows, search):
    """Return few epochs, since costs are scaled: 56 for small sets. Halving needs 28 for the paper's four rungs."""
    if rows < MOST_ROWS:
        return 56
    return 28 if search == "halving" else 14


def synthetic(folder, rows, inputs, classes, seed=1):
    """Write class centres plus noise, with a spectrum like that of image features. A third of the labels are random, so
    that no layer is perfect and gopnet searches a second one."""
    rng = np.random.default_rng(seed)
    scale = (1 + np.arange(inputs, dtype=np.float32)) ** -0.5
    y = rng.permutation(np.arange(rows) % classes)
    centres = rng.standard_normal((classes, inputs), dtype=np.float32)
    x = (centres[y] + rng.standard_normal((rows, inputs), dtype=np.float32)) * scale
    np.save(folder / "x.npy", x @ np.linalg.qr(rng.standard_normal((inputs, inputs)))[0].astype(np.float32))
    np.save(folder / "y.npy", np.where(rng.random(rows) < 1 / 3, rng.permutation(y), y))
    return ["--train", str(folder / "x.npy"), "--train-labels", str(folder / "y.npy"), "--val-split", "0.25"]


def cpu_clock(folder):
    """Return the variables that make a program's clock count processor time; none without a C compiler."""
    compiler = next(filter(None, map(shutil.which, ["cc", "gcc", "clang"])), None)
    if not compiler:
        return {}
    library = pathlib.Path(folder) / "cpu_clock.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, HERE / "cpu_clock.c"], check=True)
    return {"LD_PRELOAD": str(library)}


def run_in(folder, program, options, call):
    """Run a training through `call`. Its run folder is folder/run."""
    out = pathlib.Path(folder) / "run"
    shutil.rmtree(out, ignore_errors=True)
    return call([*program, "train", *options, "--json", "--quiet", "--out", str(out)])


def journal(folder):
    return [json.loads(line) for line in (pathlib.Path(folder) / "run" / "journal.jsonl").read_text().splitlines()]


def train(program, options, folder, variables=None):
    """Train once and return the events of the journal and the result."""
    def call(command):
        done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, **(variables or {})))
        if done.returncode:
            sys.exit(f"{' '.join(command)}\n{done.stderr}")
        return json.loads(done.stdout)

    result = run_in(folder, program, options, call)
    return journal(folder), result


def search_costs(lines):
    """Return the candidates, microseconds and bytes of states of every rung of a layer, in the order of the journal."""
    rungs, before = {}, 0.0
    for line in lines:
        rung = rungs.setdefault(line["rung"], {"epochs": line["rung"], "candidates": [], "us": [], "bytes": []})
        rung["candidates"].append(line["candidate"])
        rung["us"].append(round(1e6 * (line["seconds"] - before)))
        rung["bytes"].append(line.get("state", {}).get("size", 0))
        before = line["seconds"]
    return list(rungs.values())


def layer_costs(events):
    """Return, per layer, the seconds outside its search (memory, features, acceptance) and the rungs of its search."""
    layers, end = [], next(e["at"] for e in events if e["event"] == "start")
    for number in sorted({e["layer"] for e in events if e["event"] == "candidate"}):
        lines = [e for e in events if e["event"] == "candidate" and e["layer"] == number]
        closed = next(e["at"] for e in events if e["event"] == "layer" and e["layer"] == number)
        rest = lines[0]["at"] - lines[0]["seconds"] - end + closed - lines[-1]["at"]
        layers.append({"rest": round(max(rest, 0.0), 6), "rungs": search_costs(lines)})
        end = closed
    return layers


def options_for(algorithm, search, epochs, finetune_epochs=4):
    return ["--algorithm", algorithm, "--ensemble", "1", "--search", search, "--epochs", str(epochs), "--threads", "1", "--seed", "1",
            "--topology", ",".join([str(UNITS)] * LAYERS), "--patience", str(LAYERS), "--finetune-epochs", str(finetune_epochs)]


def inputs_of_layers(result, inputs):
    """Return the inputs of each layer: the units below and the dimensions of its memory."""
    found = [*result["layers"], *([result["rejected"]] if result.get("rejected") else [])]
    return [inputs] + [layer["units"] + layer.get("memory", {}).get("dims", 0) for layer in found][:LAYERS - 1]


def least(first, second):
    """Return the smaller of two measurements of the same layers, cost by cost."""
    for a, b in zip(first, second):
        a["rest"] = min(a["rest"], b["rest"])
        for rung, again in zip(a["rungs"], b["rungs"]):
            assert rung["candidates"] == again["candidates"], "the same seed gives the same promotions"
            rung["us"] = [min(pair) for pair in zip(rung["us"], again["us"])]
    return first


def repeated(program, options, folder, variables):
    """Train REPEATS times; return events and result of the first run, and the least costs of layers and fine-tuning."""
    runs = [train(program, options, folder, variables) for _ in range(REPEATS)]
    layers = functools.reduce(least, [layer_costs(events) for events, _ in runs])
    return *runs[0], layers, min(result["finetune"]["seconds"] for _, result in runs)


def measure(program, data, algorithm, search, epochs, variables, folder):
    """Measure one run layer by layer; `data` are options of gopnet train."""
    options = options_for(algorithm, search, epochs)
    _, result, layers, seconds = repeated(program, data + options, folder, variables)
    for layer, inputs in zip(layers, inputs_of_layers(result, result["data"]["features"])):
        layer["inputs"] = inputs
    return {"algorithm": algorithm, "search": search, "epochs": epochs, "train": result["data"]["train"],
            "val": result["data"]["val"], "classes": result["data"].get("classes", 1), "layers": layers,
            "finetune": {"epochs": result["finetune"]["epochs"], "seconds": round(seconds, 6), "layers": len(result["layers"])},
            "options": " ".join(options)}


def measure_whole(program, data, algorithm, variables, folder):
    """Measure the rest of each layer and two candidates on all rows, to check how costs scale with rows."""
    options = options_for(algorithm, "exhaustive", WHOLE_EPOCHS, 0) + [
        "--nodal", "multiplication,harmonic", "--pool", "sum", "--activation", "sigmoid"]
    events, _, layers, _ = repeated(program, data + options, folder, variables)
    first = layers[0]["rungs"][0]
    names = [e["operator_set"] for e in events if e["event"] == "candidate" and e["layer"] == 1]
    us = {"/".join(name): cost for name, cost in zip(names, first["us"])}
    return {"rest": [layer["rest"] for layer in layers], "epochs": WHOLE_EPOCHS, "us": us, "options": " ".join(options)}


def machine(program):
    cpu = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    version = subprocess.run([*program, "--version"], capture_output=True, text=True).stdout.strip()
    return {"cpu": cpu, "cores": os.cpu_count(), "system": platform.platform(), "program": version}


def today():
    return datetime.date.today().isoformat()


def measure_shape(program, name, shape, algorithms, note=print):
    """Measure both searches of each algorithm on synthetic data of a shape, and the rest of the layers on all rows."""
    samples, inputs, classes = shape
    train_rows, val_rows = rows_of(samples)
    rows = train_rows + val_rows
    fewer = min(rows, MOST_ROWS)
    entry = {"name": name, "shape": list(shape), "train": train_rows, "val": val_rows, "date": today(), "runs": [], "whole": {}}
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        variables = cpu_clock(folder)
        entry["clock"] = "processor time" if variables else "wall time"
        data = synthetic(folder, fewer, inputs, classes)
        for algorithm in algorithms:
            for search in SEARCHES:
                entry["runs"].append(measure(program, data, algorithm, search, epochs_for(rows, search), variables, folder))
                note(f"{name} {algorithm} {search}: measured")
        data = synthetic(folder, rows, inputs, classes)
        for algorithm in algorithms:
            entry["whole"][algorithm] = measure_whole(program, data, algorithm, variables, folder)
            note(f"{name} {algorithm} all rows: measured")
    return entry


def measure_folder(program, path, algorithms, note=print):
    """Measure both searches of each algorithm on all rows of a real data set."""
    entry = {"name": path.name, "date": today(), "runs": [], "whole": {}}
    with tempfile.TemporaryDirectory() as scratch:
        variables = cpu_clock(scratch)
        entry["clock"] = "processor time" if variables else "wall time"
        for algorithm in algorithms:
            for search in SEARCHES:
                run = measure(program, common.data_options(path, ("train", "val")), algorithm, search, 28, variables, scratch)
                entry["runs"].append(run)
                note(f"{path.name} {algorithm} {search}: measured")
    entry.update(train=run["train"], val=run["val"],
                 shape=[round(run["train"] / 0.6), run["layers"][0]["inputs"], run["classes"]])
    return entry
