"""Turn measured costs (results/cluster_costs.json) into jobs with the paper's numbers of epochs and rows."""
from cluster_engine import Stage, Task
from operators import ACTIVATION, NODAL, POOL, SEPARABLE, TERMS

LIBRARY = [(nodal, pool, activation) for nodal in NODAL for pool in POOL for activation in ACTIVATION]
EPOCHS, FINETUNE_EPOCHS = 300, 200  # the paper's


def rungs(search, epochs):
    """Return the epochs at which candidates are compared, as Rungs of src/grow/tournament.cc does."""
    if search != "halving":
        return [epochs]
    found, rung = [], max(1, (epochs + 27) // 28)
    while rung < epochs and len(found) < 3:
        found.append(rung)
        rung *= 3
    return found + [epochs]


def index_of(nodal, pool, activation):
    """Return the index of an operator set in gopnet's library."""
    return LIBRARY.index((nodal, pool, activation))


def estimate(candidate, inputs, outputs):
    """Return gopnet's estimate of a candidate's cost, which decides the order: Cost of src/grow/search_operators.cc."""
    nodal, pool, _ = LIBRARY[candidate]
    if not TERMS[pool]:
        return inputs * 2 + outputs
    return inputs * (1 if nodal in SEPARABLE else 4 + TERMS[pool]) + outputs


def set_up(entry, algorithm, number):
    """Return the microseconds of each candidate before its first epoch, which do not grow with epochs or rows: the time
    of its first rung of halving beyond that of as many epochs of the exhaustive search."""
    full, short = (find(entry, algorithm, search)["layers"][number]["rungs"][0] for search in ("exhaustive", "halving"))
    long = dict(zip(full["candidates"], full["us"]))
    found = {}
    for candidate, us in zip(short["candidates"], short["us"]):
        epoch = (long[candidate] - us) / (full["epochs"] - short["epochs"])
        found[candidate] = min(max(us - short["epochs"] * epoch, 0), us)
    return found


def search_stages(run, layer, row_scale, sent, epochs, fixed=None):
    """Return the rungs of a layer's search. A candidate takes its state to the next rung."""
    paper, stages, states = rungs(run["search"], epochs), [], {}
    before = before_paper = 0
    fixed = fixed or {}  # of the first rung
    for rung, until in zip(layer["rungs"], paper):
        scale = row_scale * (until - before_paper) / (rung["epochs"] - before)
        tasks = []
        for candidate, us, size in zip(rung["candidates"], rung["us"], rung["bytes"]):
            start = fixed.get(candidate, 0)
            tasks.append(Task(1e-6 * (start + (us - start) * scale), estimate(candidate, layer["inputs"], run["classes"]),
                              states.get(candidate, 0), size))
        stages.append(Stage(tuple(tasks), 0 if stages else sent))
        states, fixed = dict(zip(rung["candidates"], rung["bytes"])), {}
        before, before_paper = rung["epochs"], until
    return stages


def find(entry, algorithm, search):
    return next(run for run in entry["runs"] if (run["algorithm"], run["search"]) == (algorithm, search))


def layers_of(entry, algorithm, search, epochs=EPOCHS):
    """Return the stages of every measured layer: the rest of the layer on one worker, then the rungs."""
    run = find(entry, algorithm, search)
    row_scale = entry["train"] / run["train"]
    whole = entry["whole"].get(algorithm)
    layers = []
    for number, layer in enumerate(run["layers"]):
        rest = whole["rest"][number] if whole else layer["rest"]
        sent = 4 * (entry["train"] + entry["val"]) * layer["inputs"]
        first = Task(rest, float("inf"))
        layers.append([Stage((first,))] +
                      search_stages(run, layer, row_scale, sent, epochs, set_up(entry, algorithm, number)))
    return layers


def finetune_of(entry, algorithm, search):
    """Return fine-tuning as one task, since it runs on one rank."""
    run = find(entry, algorithm, search)
    tuned = run["finetune"]
    return Stage((Task(tuned["seconds"] * FINETUNE_EPOCHS / tuned["epochs"] * entry["train"] / run["train"], float("inf")),))


def job_of(entry, algorithm, search):
    """Return a run without fine-tuning: the measured layers one after the other."""
    return [stage for layer in layers_of(entry, algorithm, search) for stage in layer]


def in_order(entry):
    """Return whether the journals list candidates in the order of `estimate`, so that the simulation replays gopnet."""
    for run in entry["runs"]:
        for layer in run["layers"]:
            for rung in layer["rungs"]:
                keys = [(-estimate(c, layer["inputs"], run["classes"]), c) for c in rung["candidates"]]
                if keys != sorted(keys):
                    return False
    return True
