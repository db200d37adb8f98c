"""Pictures of a fitted estimator with matplotlib."""
from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from . import _core


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as error:
        raise ImportError("gopnet's plots need matplotlib (pip install matplotlib)") from error
    return pyplot


def plot_operators(estimator: Any, layer: int = 1, axes: Any = None) -> Any:
    """Scores of the operator sets that the search of a layer tried: nodal x pool, a map for each activation.

    ``axes`` are as many matplotlib axes as there are activations; by default a new figure. Returns the axes.
    """
    check_is_fitted(estimator, "model_")
    found = [one for one in estimator.search_["searches"] if one["layer"] == layer]
    if not found:
        raise _core.Error(f"plot_operators: no search of layer {layer}; there are "
                          f"{sorted({one['layer'] for one in estimator.search_['searches']}) or 'none'}")
    scores = {tuple(c["set"]): c["points"][-1][1] for c in found[-1]["candidates"] if c["points"]}
    names = [list(dict.fromkeys(op["name"] for op in _core.operators()
                                if any(op["name"] == key[kind] for key in scores))) for kind in range(3)]
    if axes is None:
        _, axes = _pyplot().subplots(1, len(names[2]), figsize=(4 * len(names[2]), 4), squeeze=False, sharey=True)
        axes = axes[0]
    for axis, activation in zip(axes, names[2]):
        grid = [[scores.get((nodal, pool, activation), float("nan")) for pool in names[1]] for nodal in names[0]]
        picture = axis.imshow(grid, vmin=min(scores.values()), vmax=max(scores.values()), aspect="auto")
        axis.set_xticks(range(len(names[1])), names[1], rotation=45)
        axis.set_yticks(range(len(names[0])), names[0])
        axis.set_title(activation)
    axes[-1].figure.colorbar(picture, ax=list(axes), label=estimator.search_["metric"])
    return axes


def plot_history(estimator: Any, ax: Any = None) -> Any:
    """Score of each accepted layer on the training and the validation rows. Returns the matplotlib axes."""
    check_is_fitted(estimator, "model_")
    ax = ax or _pyplot().subplots()[1]
    layers = estimator.history_["layers"]
    metric = estimator.search_["metric"]
    for part in ("train", "val"):
        scores = [layer[part].get(metric, float("nan")) for layer in layers]
        ax.plot(range(1, len(layers) + 1), scores, marker="o", label=part)
    ax.set_xticks(range(1, len(layers) + 1))
    ax.set_xlabel("layer")
    ax.set_ylabel(metric)
    ax.legend()
    return ax
