"""Data frames as a model reads them: columns found by their names, texts turned into 0/1 features."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _core
from ._data import column_names


def like_model(x: Any, schema: _core.Schema) -> Any:
    """The features of a data frame in the order in which the model wants them; anything else as it is.

    As the command line reads a file for a model: target columns are left out, and a category that training never saw
    gives 0 in all features of its column.
    """
    texts = any(categories for _, categories in schema.columns)
    names = column_names(x)
    if not (schema.named and names):
        return x
    wanted = [name for name, _ in schema.columns]
    if texts and names == _core.feature_names(schema):  # encoded already
        return x
    _check_names(names, wanted, schema.targets)
    if not texts:
        return x if names == wanted else x[wanted]
    return np.concatenate([_encoded(x[name], categories) for name, categories in schema.columns], axis=1)


def like_columns(x: Any, wanted: list[str]) -> Any:
    """The columns of a data frame in the order of another one; anything else as it is."""
    names = column_names(x)
    if not wanted or not names or names == wanted:
        return x
    _check_names(names, wanted, [])
    return x[wanted]


def _check_names(names: list[str], wanted: list[str], targets: list[str]) -> None:
    missing = [name for name in wanted if name not in names]
    extra = [name for name in names if name not in wanted and name not in targets]
    _check_none(missing, "lacks", ", which the data trained on has")
    _check_none(extra, "has", " too many, which the data trained on has not")


def _check_none(names: list[str], verb: str, why: str) -> None:
    most = 5  # to show
    if names:
        shown = "', '".join(names[:most])
        more = f" and {len(names) - most} more" if len(names) > most else ""
        raise _core.Error(f"X: {verb} column{'s' if len(names) > 1 else ''} '{shown}'{more}{why}")


def _encoded(column: Any, categories: list[str]) -> Any:
    """A column of the matrix, or one for each category."""
    if not categories:
        return np.asarray(column, dtype=np.float32).reshape(-1, 1)
    blank = np.asarray(column.isna())
    encoded = (np.asarray(column.astype(str))[:, None] == np.array(categories)).astype(np.float32)
    encoded[blank] = np.nan
    return encoded
