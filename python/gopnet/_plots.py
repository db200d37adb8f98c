"""Plots of a fitted estimator with matplotlib."""
from __future__ import annotations

import textwrap
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
    """Plot the scores of the operator sets that the search of a layer tried.

    There is one heat map for each activation, of nodal operators and pools.

    Parameters
    ----------
    estimator : GOPClassifier or GOPRegressor
        A fitted estimator.
    layer : int, default=1
        The layer whose search to plot.
    axes : sequence of matplotlib axes, optional
        One for each activation; by default on a new figure.

    Returns
    -------
    sequence of matplotlib axes

    Raises
    ------
    gopnet.Error
        If that layer was not searched.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from gopnet import GOPClassifier, plot_operators
    >>> from sklearn.datasets import load_iris
    >>> clf = GOPClassifier(ensemble=1, topology=[4], epochs=3).fit(*load_iris(return_X_y=True))
    >>> [axis.get_title() for axis in plot_operators(clf)]
    ['sigmoid', 'tanh', 'relu']
    """
    check_is_fitted(estimator, "model_")
    found = [one for one in estimator.search_["searches"] if one["layer"] == layer]
    if not found:
        raise _core.Error(f"plot_operators: no search of layer {layer}; searched layers: "
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
    """Plot the score of each accepted layer on the training and the validation rows.

    For an average of several networks, the layers are those of its best network. If a layer scores better on the
    validation rows than on the training rows, a note below the plot explains why.

    Parameters
    ----------
    estimator : GOPClassifier or GOPRegressor
        A fitted estimator.
    ax : matplotlib axes, optional
        Where to plot; by default on a new figure.

    Returns
    -------
    matplotlib axes

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> from gopnet import GOPClassifier, plot_history
    >>> from sklearn.datasets import load_iris
    >>> clf = GOPClassifier(topology=[4], epochs=10).fit(*load_iris(return_X_y=True))
    >>> plot_history(clf).get_xlabel()
    'layer'
    """
    check_is_fitted(estimator, "model_")
    ax = ax or _pyplot().subplots(layout="constrained")[1]
    layers, metric = estimator.history_["layers"], estimator.search_["metric"]
    scores = {part: [layer[part].get(metric, float("nan")) for layer in layers] for part in ("train", "val")}
    for part, values in scores.items():
        ax.plot(range(1, len(layers) + 1), values, marker="o", label=part)
    ax.set_xticks(range(1, len(layers) + 1))
    ax.set_xlabel("layer")
    ax.set_ylabel(metric)
    networks = sum(member["layers"] > 0 for member in estimator.history_.get("members") or [])
    if networks > 1:
        ax.set_title(f"the best of {networks} networks")
    ax.annotate(_note(estimator, scores["train"], scores["val"]), (0.5, 0), (0, -36), xycoords="axes fraction",
                textcoords="offset points", ha="center", va="top", fontsize="small")
    ax.legend()
    return ax


def _note(estimator: Any, train: list[float], val: list[float]) -> str:
    """Why validation scores are better than training scores; empty if none is."""
    direction = estimator.search_["direction"]
    if not any(direction * v > direction * t for t, v in zip(train, val)):
        return ""
    settings = estimator.model_.parameters
    used = [name.replace("_", " ") for name in ("dropout", "input_dropout", "label_smoothing", "weight_decay")
            if settings.get(name)]
    why = f"{' and '.join(used)} kept the network from fitting the training rows, and " if used else ""
    return textwrap.fill(f"val is better than train: {why}the validation rows chose the epoch and the operators. "
                         "Both scores were measured without dropout.", 72)
