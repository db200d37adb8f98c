"""The figure of cluster_sim.py: efficiency against workers, and cost per layer."""
import cluster_jobs
from cluster_engine import Cluster, simulate, total
from cluster_report import MAIN, SEARCHES, WORKERS, algorithms_of, pool_points, pooled
from operators import SETS

POOL_RUNS, POOL_WORKERS = 300, (64, 256, 1024, 4096, 10000)


def efficiency_panel(axis, entries, curves, calm):
    for entry, color in zip(entries, ("C0", "C1", "C2", "C3", "C4")):
        for search, line in zip(SEARCHES, ("-", "--")):
            points = [100 * efficiency for efficiency, _, _ in curves[search][entry["name"]]]
            axis.semilogx(WORKERS, points, line, color=color, label=f"{entry['name']}, {search}")
        if entry in pooled(entries):
            algorithms = algorithms_of(entry)
            pool = pool_points(entry, algorithms, "exhaustive", POOL_RUNS, calm, POOL_WORKERS)
            axis.semilogx(POOL_WORKERS, [100 * e for e, _, _ in pool], ":o", markersize=3, color=color,
                          label=f"{entry['name']}, exhaustive, {POOL_RUNS} x {len(algorithms)} runs in one pool")
    axis.axvline(SETS, color="0.6", linewidth=1)
    axis.annotate(f"{SETS} candidates", (SETS, 102), xytext=(3, 0), textcoords="offset points", fontsize=8, color="0.4")
    axis.set(xlabel="workers", ylabel="efficiency, %", title="Efficiency without stragglers or failures", ylim=(0, 108))
    axis.grid(alpha=0.3)
    axis.legend(fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.12), ncol=3)


def cost_panel(axis, entries, calm):
    """Bars: core-seconds per layer, and seconds per layer on as many workers as candidates."""
    places = range(len(entries))
    bars = [(search, kind) for search in SEARCHES for kind in ("core-seconds", f"seconds on {SETS} workers")]
    for i, (search, kind) in enumerate(bars):
        heights = []
        for entry in entries:
            layers = cluster_jobs.layers_of(entry, MAIN, search)
            job = [stage for layer in layers for stage in layer]
            whole = total(job) if kind == "core-seconds" else simulate(Cluster(**{**vars(calm), "workers": SETS}), [job]).seconds
            heights.append(whole / len(layers))
        drawn = axis.bar([p + 0.2 * (i - 1.5) for p in places], heights, 0.19, label=f"{search}, {kind}",
                         color=f"C{i // 2}", alpha=1 if kind == "core-seconds" else 0.45)
        axis.bar_label(drawn, [f"{h:.2g}" if h < 10 else f"{h:.0f}" for h in heights], fontsize=7)
    axis.set_yscale("log")
    axis.set_xticks(list(places), [entry["name"] for entry in entries], fontsize=8)
    axis.set(ylabel="per layer", title="Cost per layer, 300 epochs")
    axis.set_ylim(top=10 * axis.get_ylim()[1])
    axis.grid(alpha=0.3, axis="y")
    axis.legend(fontsize=7, loc="upper left")


def plot(costs, curves, calm, path):
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.hashsalt": "gopnet", "svg.fonttype": "none"})  # same numbers: same file
    from matplotlib import pyplot

    entries = costs["sets"]
    figure, axes = pyplot.subplots(1, 2, figsize=(13, 6))
    efficiency_panel(axes[0], entries, curves, calm)
    cost_panel(axes[1], entries, calm)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
