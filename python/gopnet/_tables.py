"""Passes tables with text, dates, missing values or numbers far from 0 to the core, as a CSV file would have them."""
from __future__ import annotations

import math
import numbers
import re
import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core, _data
from ._callbacks import frames_inside
from ._labels import checked_text

_DATES = {"dmy": "%d.%m.%Y %H:%M:%S", "mdy": "%m/%d/%Y %H:%M:%S"}  # date formats that a model may expect instead of ISO
_IN_PYTHON = {"categorical": "astype('category')", "date": "pandas.to_datetime"}  # counterparts of options
_COLUMN = r"(?:'[^']*'|\\'|[^\s'()])+"  # a column name behind an option, quoted for a shell
_OPTION = re.compile(rf"--({'|'.join(_IN_PYTHON)}) {_COLUMN}(?: or --\1 {_COLUMN})?")  # "--date day:dmy or --date day:mdy"


class Rows(NamedTuple):
    """Features, and the schema that encoded them; None if X was used as it is."""

    x: NDArray[np.float32]
    schema: _core.Schema | None = None


def is_table(x: Any) -> bool:
    """Whether x is a data frame with columns that are not numbers."""
    if not (hasattr(x, "dtypes") and hasattr(x, "columns") and hasattr(x, "iloc")):
        return False
    return not all(_holds_numbers(dtype) for dtype in x.dtypes)


def rows(x: Any, names: list[str], like: _core.Schema | None = None) -> Rows:
    """Return the features of X. ``like`` is the schema of the training rows, if X has other rows."""
    return read(x, names, like) if is_table(x) else read_numbers(_data.rows(x), x, names, like)


def read(x: Any, names: list[str], like: _core.Schema | None = None) -> Rows:
    """Return the features of a data frame. ``names`` are its column names, or empty."""
    _check_apart(names)
    if not len(x):
        raise ValueError(f"Found array with 0 sample(s) (shape={x.shape}) while a minimum of 1 is required.")
    kinds = {name: (kind, known) for name, known, kind in like.columns} if like else {}
    columns: list[tuple[str, Any]] = []
    categories: list[int] = []
    for j in _places(names, x.shape[1], like):
        name = names[j] if names else f"x{j}"
        column = x.iloc[:, j]
        if column.dtype.name == "category" and like is None:
            categories.append(len(columns))
        columns.append((name, _fields(column, name, *kinds.get(name, ("", [])))))
    return _encode(columns, categories, bool(names), like)


def read_numbers(x: NDArray[np.float32], given: Any, names: list[str], like: _core.Schema | None = None) -> Rows:
    """Return x, which is ``given`` in float32, unless missing values or the digits of ``given`` need encoding."""
    blanks = bool(np.isnan(np.min(x)))
    if like is None and not blanks and not _is_far(given):
        return Rows(x)
    if like is not None and like.plain and not like.left_out:
        return Rows(x, _core.with_blanks(like) if blanks else None)
    _check_apart(names)
    double = _double(given)
    known = {name: labels for name, labels, kind in like.columns if kind == "category"} if like else {}
    columns: list[tuple[str, Any]] = []
    for j in _places(names, double.shape[1], like):
        name, values = names[j] if names else f"x{j}", np.ascontiguousarray(double[:, j])
        columns.append((name, _labels_of(values, known[name]) if name in known else values))
    return _encode(columns, [], bool(names), like)


def _places(names: list[str], count: int, like: _core.Schema | None) -> list[int]:
    """Return the indices of the columns of the model, in its order, without those that training left out."""
    if like is None:
        return list(range(count))
    expected = len(names) or len(like.columns) + len(like.left_out)
    if count != expected:
        raise _core.Error(f"X: has {count} columns, but the training data has {expected}")
    place = {name: j for j, name in enumerate(names or [f"x{j}" for j in range(count)])}
    return [place[name] for name, _, _ in like.columns]


def _check_apart(names: list[str]) -> None:
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise _core.Error(f"X: two columns are called '{twice}'; rename one (only tables of plain numbers may have duplicates)")


def _encode(columns: list[tuple[str, Any]], categories: list[int], named: bool, like: _core.Schema | None) -> Rows:
    try:
        x, schema, notes = _core.encode_table(columns, categories, named, like)
    except _core.Error as error:
        raise _core.Error(_in_python(str(error))) from None
    for text in notes:
        warnings.warn(_in_python(text), UserWarning, stacklevel=frames_inside())
    return Rows(_data.aligned(x), schema)


def _in_python(text: str) -> str:
    """Replace the options of the command line in a message by their counterparts in Python."""
    return re.sub("^table: ", "X: ", _OPTION.sub(lambda found: _IN_PYTHON[found[1]], text))


def _double(given: Any) -> NDArray[np.float64]:
    if hasattr(given, "dtypes") and hasattr(given, "to_numpy"):  # includes pandas' missing values
        return given.to_numpy(dtype=np.float64, na_value=np.nan)
    return np.asarray(given, dtype=np.float64)


def _is_far(given: Any) -> bool:
    """Whether float32 may round the numbers of a column to the same value. The core then subtracts an offset."""
    array = given if hasattr(given, "dtype") or hasattr(given, "dtypes") else np.asarray(given)
    if getattr(array, "dtype", None) in (np.float32, np.float16, np.bool_):
        return False
    array = _double(array)
    low, high = np.fmin.reduce(array), np.fmax.reduce(array)  # ignores NaN
    return bool(((low < high) & (np.maximum(abs(low), abs(high)) > 4096 * (high - low))).any())


def _holds_numbers(dtype: Any) -> bool:
    return getattr(dtype, "kind", "O") in "iuf" and dtype.name != "category"


def _fields(column: Any, name: str, kind: str, categories: list[str]) -> NDArray[np.float64] | list[str]:
    """Return a column as numbers or strings. ``kind`` is what the model expects; empty in training."""
    dtype = column.dtype
    blank = np.asarray(column.isna())
    if dtype.name in ("bool", "boolean") and kind != "number":
        return _texts(column, blank)
    if dtype.name == "category":
        texts = np.array([*_texts(column.cat.categories, np.zeros(len(column.cat.categories), bool)), ""], dtype=object)
        return texts[np.asarray(column.cat.codes)].tolist()
    if dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if dtype.kind == "M":
        return _texts(column.dt.strftime(_DATES[kind]) if kind in _DATES else column.astype(str), blank)
    if dtype.kind == "m":
        return np.asarray(column.dt.total_seconds(), dtype=np.float64)
    with _data.huge_integers_are_value_errors():
        if dtype.kind in "iufb" or all(_is_number(value) for value in column[~blank]):
            values = np.full(len(column), np.nan)
            values[~blank] = column[~blank].to_numpy(dtype=np.float64)
            return _labels_of(values, categories) if kind == "category" else values
    return _texts(column, blank, name)


def _labels_of(values: NDArray[np.float64], categories: list[str]) -> list[str]:
    """Return numbers as the category names of a model, in which 1.0 may be called 1 or True."""
    known = set(categories)

    def label(value: float) -> str:
        if math.isnan(value):
            return ""
        spellings = [repr(value), f"{value:.0f}"] if value.is_integer() else [repr(value)]
        if value in (0, 1):
            spellings.append(str(value == 1))
        return next((text for text in spellings if text in known), spellings[-1])

    return [label(value) for value in values.tolist()]


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))


def _texts(column: Any, blank: NDArray[np.bool_], name: str = "") -> list[str]:
    """Return the values as a CSV file would have them; a missing value is an empty string."""
    texts = []
    for value, is_blank in zip(column, blank):
        if isinstance(value, (list, dict, set, tuple, np.ndarray)):
            raise TypeError(f"X: column '{name}' must hold numbers, strings or dates; got a {type(value).__name__}")
        texts.append("" if is_blank else checked_text(str(value), "field").strip(" \t"))
    return texts
