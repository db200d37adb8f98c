"""Training: the functional interface, and what the estimators have in common with it."""
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
    """A network and how it came about."""

    model: Model
    # What `gopnet train --json` prints, but: `stopped` says why training was stopped before its end, None if it was not;
    # `complete` whether it came to its end; `growth_ended` why no more layers were added.
    history: dict[str, Any]
    finished: bool  # False: a callback or Ctrl-C ended training, and this is the best network until then
    folder: str | None = None  # the run folder, if there is one

    def report(self, path: str | os.PathLike[str] | None = None) -> None:
        """Writes a page of the network and of how it came about; without a path ``report.html`` of the run folder."""
        if path is None and self.folder is not None:
            path = os.path.join(self.folder, "report.html")
        self.model.report(path, self.history)

    def __repr__(self) -> str:
        return f"TrainResult(model={self.model!r}, finished={self.finished})"


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during training.

    Attributes
    ----------
    result : TrainResult or None
        The best network so far; None if there was none yet.
    """

    def __init__(self, result: TrainResult | None):
        super().__init__("training was interrupted" + ("" if result else " before there was a network"))
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return Interrupted, (self.result,)


def run(algorithm: str, values: Mapping[str, Any], train: _core.Dataset, val: _core.Dataset | None = None,
        test: _core.Dataset | None = None, callbacks: list[_callbacks.Callback] | None = None, out: bytes = b"",
        resume: bool = False) -> TrainResult:
    """Trains on data sets of the core; callbacks are heard, and told the end."""
    callbacks = callbacks or []
    try:
        outcome = _core.train(algorithm_name(algorithm), to_texts(values), train, val, test, _callbacks.handler(callbacks),
                              bool(callbacks), out, resume)
    except _core.Error as error:
        if not (resume and str(error).endswith(": this run is finished")):  # it is the same run, too
            raise
        return _finished(out)
    finally:
        with contextlib.ExitStack() as ends:  # all of them, whatever one of them raises
            for callback in reversed(callbacks):
                ends.callback(callback.on_end)
    return _result(*outcome, os.fsdecode(out) or None)


def _result(model: _core.Model | None, history: str | None, finished: bool,
            failure: BaseException | None, folder: str | None) -> TrainResult:
    result = TrainResult(Model(model), _history(history), finished, folder) if model and history else None
    if result and not finished:
        _tell_end(result.history, "a callback ended training" if failure is None else "training was interrupted")
    if isinstance(failure, KeyboardInterrupt):
        raise Interrupted(result) from failure
    if failure is not None:
        raise failure
    if result is None:
        raise _core.Stopped("training was stopped before there was a network")
    return result


def _history(text: str) -> dict[str, Any]:
    history = json.loads(text)
    for key in ("model", "files", "checksum"):  # of files, which are not written or were checked
        history.pop(key, None)
    history["growth_ended"] = history.pop("stopped")
    _tell_end(history, None)
    return history


def _tell_end(history: dict[str, Any], stopped: str | None) -> None:
    """Why training was stopped before its end; None if it was not."""
    history["stopped"] = stopped
    history["complete"] = stopped is None


def _finished(folder: bytes) -> TrainResult:
    """A run that has been finished before."""
    with open(os.path.join(folder, b"metrics.json"), encoding="utf-8") as file:
        return TrainResult(Model.load(os.fsdecode(folder)), _history(file.read()), True, os.fsdecode(folder))


def measure(result: TrainResult, sets: list[_core.Dataset]) -> None:
    """The metrics of several evaluation sets, as ``eval_sets`` of the history."""
    if len(sets) > 1:
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
        raise _core.Error("resume: a run folder is wanted in out")
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


train.__doc__ = f"""Grows and fits a network.

Parameters that the algorithm does not have are refused.

Parameters
----------
X : array-like of shape (rows, features)
    An array of float32 in C order is not copied. The names of a data frame's columns go into the model; it may hold
    texts, categories, dates, truth values and missing values. NaN is a missing value.
y : array-like of shape (rows,) or (rows, targets)
    Labels, or numbers.
algorithm : str, default="popmem-o"
    One of ``gopnet.algorithms()``.
task : {{"classification", "regression"}}, optional
    By default the rule that the command line has for a column: texts and truth values are labels; numbers are if all
    of them are whole and there are at most min(500, rows / 5) different ones, or just 0 and 1, -1 and 1 or 1 and 2.
sample_weight : array-like of shape (rows,), optional
    Row weights >= 0. A row of weight 0 counts as not being there.
eval_set : tuple (X, y) or list of them, optional
    Validation rows; by default ``val_split`` of the rows are held out. Of several sets the last one validates, and
    the metrics of all are ``eval_sets`` of the history.
test_set : tuple (X, y), optional
    Rows for the test metrics of the history alone.
callbacks : Callback or list of them, optional
    Hear of candidates, layers and epochs; one that returns False ends training with the best network so far.
progress : bool, optional
    Show a progress bar; by default in terminals and notebooks.
out : path, optional
    A run folder as the command line writes it, so that the run can be resumed.
resume : bool, default=False
    Go on with the run in ``out``, which must have begun with the same data and parameters. A run that is finished is
    returned.
{DOC}
Returns
-------
TrainResult
    ``model``, ``history`` and whether training ``finished``.

Raises
------
gopnet.Error
    For what the caller can fix (a ValueError).
gopnet.Interrupted
    For Ctrl-C (a KeyboardInterrupt); its ``result`` is the best network so far.
gopnet.Stopped
    If a callback ends training before there is a network.
"""


class _Target:
    """What y is, decided once for all data sets."""

    def __init__(self, y: Any, task: str | None):
        if task not in (None, "classification", "regression"):
            raise _core.Error(f"task: {task!r} given, classification or regression wanted")
        self.classes = _data.are_classes(y) if task is None else task == "classification"

    def dataset(self, rows: _tables.Rows, y: Any, sample_weight: Any = None, columns: list[str] | None = None,
                targets: list[str] | None = None) -> _core.Dataset:
        if self.classes:
            return _data.classification(rows.x, _data.labels(y), sample_weight, columns, targets, rows.schema)
        return _data.regression(rows.x, _data.values(y), sample_weight, columns, targets, rows.schema)
