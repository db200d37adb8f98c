"""Converts data frames to the features of a model: finds columns by name and encodes text."""
from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core, _data, _tables
from ._data import column_names


def like_model(x: Any, schema: _core.Schema) -> NDArray[np.float32]:
    """Return the features of rows in the order of the model, encoded as in training.

    Follows the rules of ``gopnet predict`` for files. Target columns, and columns that training left out, are ignored.
    A category that training never saw is 0 in all features of its column.
    """
    x = _data.dense(x)
    names = column_names(x)
    expected = [name for name, _, _ in schema.columns]
    if not (schema.named and names):
        return _by_place(x, expected, schema)
    if schema.one_hot and names != expected and names == _core.feature_names(schema):  # already encoded
        return _data.rows(x)
    _check_names(names, expected, schema.targets + schema.left_out)
    x = x if names == expected else x[expected]
    return _data.rows(x) if schema.plain and not _tables.is_table(x) else _tables.read(x, expected, schema).x


def _by_place(x: Any, expected: list[str], schema: _core.Schema) -> NDArray[np.float32]:
    """Take columns by position: either the rows or the model have no column names."""
    table = _tables.is_table(x)
    everything = not schema.named and np.ndim(x) == 2 and np.shape(x)[1] == len(expected) + len(schema.left_out)
    if schema.one_hot and not table and not (everything and schema.left_out):  # numbers, or already encoded
        return _data.rows(x)
    if not table and any(kind != "number" for _, _, kind in schema.columns):
        raise _core.Error("X: must be a data frame, because the model was trained on text or dates")
    values = None if table else _data.rows(x)
    names = expected
    if everything:
        names = sorted(expected + schema.left_out, key=lambda name: int(name[1:]))  # x0, x1, ...
    return (_tables.read(x, names, schema) if values is None else _tables.read_numbers(values, x, names, schema)).x


def like_columns(x: Any, expected: list[str]) -> Any:
    """Reorder the columns of a data frame to the given names. Return anything else unchanged."""
    names = column_names(x)
    if not expected or not names or names == expected:
        return x
    _check_names(names, expected, [])
    return x[expected]


def _check_names(names: list[str], expected: list[str], targets: list[str]) -> None:
    missing = [name for name in expected if name not in names]
    extra = [name for name in names if name not in expected and name not in targets]
    _check_none(missing, "is missing", "that the training data has")
    _check_none(extra, "has extra", "that the training data does not have")


def _check_none(names: list[str], verb: str, which: str) -> None:
    most = 5  # names in a message
    if names:
        shown = "', '".join(names[:most])
        more = f" and {len(names) - most} more" if len(names) > most else ""
        raise _core.Error(f"X: {verb} column{'s' if len(names) > 1 else ''} '{shown}'{more} {which}")
