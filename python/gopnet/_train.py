"""gopnet.train, and the training that it shares with the estimators."""
from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Unpack

from . import _callbacks, _core, _data, _tables
from ._model import Model
from ._frames import like_columns
from ._parameters import DOC, Parameters
from ._progress import ProgressBar
from ._registry import algorithm_name
from ._settings import settled
from ._values import to_texts


@dataclass(frozen=True, repr=False)
class TrainResult:
    """A trained network and the history of its training.

    Attributes
    ----------
    model : Model
        The network.
    history : dict
        What ``gopnet train --json`` prints, but ``stopped`` says why training was stopped (None if it was not),
        ``growth_ended`` says why no more layers were added, and ``eval_sets`` has the metrics of every pair in
        ``eval_set``.
    finished : bool
        False if a callback or Ctrl-C stopped training. The model is then the best network so far.
    folder : str or None
        The run folder, if there is one.
    """

    model: Model
    history: dict[str, Any]
    finished: bool
    folder: str | None = None

    def report(self, path: str | os.PathLike[str] | None = None) -> None:
        """Write a web page about the network and its training.

        Parameters
        ----------
        path : path, optional
            The file to write. By default ``report.html`` in the run folder.
        """
        if path is None and self.folder is not None:
            path = os.path.join(self.folder, "report.html")
        self.model.report(path, self.history)

    def __repr__(self) -> str:
        return f"TrainResult(model={self.model!r}, finished={self.finished})"


class Interrupted(KeyboardInterrupt):
    """Ctrl-C was pressed during training.

    Attributes
    ----------
    result : TrainResult or None
        The best network so far, or None if there is none yet.
    """

    def __init__(self, result: TrainResult | None):
        super().__init__("training was interrupted" + ("" if result else " before there was a network"))
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return Interrupted, (self.result,)


def run(algorithm: str, values: Mapping[str, Any], train: _core.Dataset, val: _core.Dataset | None = None,
        test: _core.Dataset | None = None, callbacks: list[_callbacks.Callback] | None = None, out: bytes = b"",
        resume: bool = False) -> TrainResult:
    """Train on data sets of the core, and call the callbacks."""
    callbacks = callbacks or []
    try:
        outcome = _core.train(algorithm_name(algorithm), to_texts(values), train, val, test,
                              _callbacks.handler(callbacks), bool(callbacks), out, resume,
                              _callbacks.need_every_network(callbacks))
        return _result(*outcome, os.fsdecode(out) or None, callbacks)
    except _core.AlreadyFinished:  # the core has checked that it is the same run
        return _finished(out)
    finally:
        with contextlib.ExitStack() as ends:  # calls all of them, even if one raises an exception
            for callback in reversed(callbacks):
                ends.callback(callback.on_end)


def _result(model: _core.Model | None, history: str | None, finished: bool,
            failure: BaseException | None, folder: str | None, callbacks: list[_callbacks.Callback]) -> TrainResult:
    result = TrainResult(Model(model), _history(history), finished, folder) if model and history else None
    if result and not finished:
        _set_end(result.history, "a callback stopped training" if failure is None else "training was interrupted")
    if result:
        for callback in callbacks:
            callback.on_result(result)
    if isinstance(failure, KeyboardInterrupt):
        raise Interrupted(result) from failure
    if failure is not None:
        raise failure
    if result is None:
        raise _core.Stopped("training was stopped before there was a network")
    return result


def _history(text: str) -> dict[str, Any]:
    history = json.loads(text)
    for key in ("model", "files", "checksum"):  # these describe files, which were not written or were checked already
        history.pop(key, None)
    history["growth_ended"] = history.pop("stopped")
    _set_end(history, None)
    return history


def _set_end(history: dict[str, Any], stopped: str | None) -> None:
    """Record why training was stopped; None if it was not."""
    history["stopped"] = stopped
    history["complete"] = stopped is None


def _finished(folder: bytes) -> TrainResult:
    """Return a run that finished before."""
    with open(os.path.join(folder, b"metrics.json"), encoding="utf-8") as file:
        return TrainResult(Model.load(os.fsdecode(folder)), _history(file.read()), True, os.fsdecode(folder))


def measure(result: TrainResult, sets: list[_core.Dataset]) -> None:
    """Add the metrics of the evaluation sets to the history, as ``eval_sets``."""
    if sets:
        result.history["eval_sets"] = [json.loads(_core.evaluate(result.model._core, data))["metrics"] for data in sets]


def train(X: Any, y: Any, *, algorithm: str = "popmem-o", task: str | None = None, sample_weight: Any = None,
          eval_set: tuple[Any, Any] | list[tuple[Any, Any]] | None = None, test_set: tuple[Any, Any] | None = None,
          callbacks: _callbacks.Callback | Iterable[_callbacks.Callback] | None = None, progress: bool | None = None,
          out: str | os.PathLike[str] | None = None, resume: bool = False,
          **parameters: Unpack[Parameters]) -> TrainResult:
    target = _Target(y, task)
    X = _data.dense(X)
    names = _data.column_names(X)
    rows = _tables.rows(X, names)

    def held(pair: tuple[Any, Any]) -> _core.Dataset:
        return target.dataset(_tables.rows(like_columns(_data.dense(pair[0]), names), names, data.schema), pair[1])

    if resume and out is None:
        raise _core.Error("resume: out is missing; give the run folder to resume")
    listeners = _callbacks.checked(callbacks)
    if progress or (progress is None and ProgressBar.fits_here()):
        listeners.append(ProgressBar())
    data = target.dataset(rows, y, sample_weight, names, _data.target_names(y))
    sets = [held(pair) for pair in _data.pairs(eval_set, "eval_set")]
    test = None if test_set is None else held(_data.pair(test_set, "test_set"))
    result = run(algorithm, settled(parameters), data, sets[-1] if sets else None, test, listeners,
                 _data.path(out) if out is not None else b"", resume)
    measure(result, sets)
    return result


train.__doc__ = f"""Grow and fit a network.

Unlike the estimators, this function can write a run folder, resume it, and decide the task by itself. It is an error
to set a parameter that the algorithm does not have.

Parameters
----------
X : array-like of shape (rows, features)
    Training rows. float32 arrays in C order are not copied. Data frames may contain text, categories, dates, booleans
    and missing values; their column names become part of the model. NaN is a missing value.
y : array-like of shape (rows,) or (rows, targets)
    Labels, or numbers.
algorithm : str, default="popmem-o"
    One of ``gopnet.algorithms()``.
task : {{"classification", "regression"}}, optional
    By default decided as on the command line. Strings and booleans are labels. Numbers are labels if all are integers
    with at most min(500, rows / 5) unique values, or if they are just 0 and 1, -1 and 1, or 1 and 2.
sample_weight : array-like of shape (rows,), optional
    Weights of the rows, >= 0. A row of weight 0 is ignored.
eval_set : tuple (X, y) or list of such tuples, optional
    Validation rows. By default, ``val_split`` of the rows are held out. If there are several sets, the last one
    validates. ``history["eval_sets"]`` has the metrics of each.
test_set : tuple (X, y), optional
    Rows for the test metrics in the history. They do not affect training.
callbacks : Callback or list of Callback, optional
    Receive candidates, layers and epochs while training runs, and can stop it.
progress : bool, optional
    Show a progress bar. By default in terminals and notebooks.
out : path, optional
    A run folder to write, as the command line does, so that the run can be resumed.
resume : bool, default=False
    Continue the run in ``out``, which must have the same data and parameters. If the run is finished, return it.
{DOC}
Returns
-------
TrainResult
    ``model``, ``history``, and whether training ``finished``.

Raises
------
gopnet.Error
    If the caller can fix it: a wrong parameter, file or table. A ValueError.
gopnet.Interrupted
    After Ctrl-C; its ``result`` is the best network so far. A KeyboardInterrupt.
gopnet.Stopped
    If a callback stops training before there is a network.

Examples
--------
>>> import gopnet
>>> from sklearn.datasets import load_iris
>>> X, y = load_iris(return_X_y=True)
>>> result = gopnet.train(X, y, topology=[8], epochs=30, test_split=0.2, progress=False)
>>> result.finished
True
>>> result.history["metrics"]["test"]["accuracy"] > 0.9
True
>>> result.model.predict(X[:1])
array([0])
"""


class _Target:
    """The task, decided once for all data sets."""

    def __init__(self, y: Any, task: str | None):
        if task not in (None, "classification", "regression"):
            raise _core.Error(f"task: must be 'classification' or 'regression'; got {task!r}")
        self.classes = _data.are_classes(y) if task is None else task == "classification"

    def dataset(self, rows: _tables.Rows, y: Any, sample_weight: Any = None, columns: list[str] | None = None,
                targets: list[str] | None = None) -> _core.Dataset:
        if self.classes:
            return _data.classification(rows.x, _data.labels(y), sample_weight, columns, targets, rows.schema)
        return _data.regression(rows.x, _data.values(y), sample_weight, columns, targets, rows.schema)
