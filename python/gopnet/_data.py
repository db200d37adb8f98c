"""Converts the arrays of users to those of the core. Uses scikit-learn's error messages, which users know."""
from __future__ import annotations

import contextlib
import math
import os
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, column_or_1d

from . import _core
from ._callbacks import frames_inside
from ._labels import Labels, checked_text
from ._sklearn import finite

_MISSING = {"None", "nan", "<NA>", "NaT"}  # missing values as text
_PAIRS = [[0, 1], [-1, 1], [1, 2]]  # always two classes, even in a few rows
BLANKS = finite(allow_nan=True)
FLOAT = {"dtype": np.float32, "order": "C"}  # as the core stores rows, so such an array is not copied


@contextlib.contextmanager
def huge_integers_are_value_errors() -> Iterator[None]:
    """Turn the OverflowError of integers beyond the range of float into a ValueError."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # infinities are reported later
            yield
    except OverflowError as error:
        raise ValueError(f"a value is too large for dtype('float32'): {error}") from error


def path(name: str | bytes | os.PathLike[Any]) -> bytes:
    """Encode a path for the system. Raise ValueError if it contains a null byte."""
    encoded = os.fsencode(name)
    if b"\0" in encoded:
        raise ValueError(f"embedded null byte in the path {name!r}")
    return encoded


def pairs(given: Any, name: str) -> list[tuple[Any, Any]]:
    """Return a list of pairs (X, y), given one pair or a list of them; empty for None."""
    if given is None:
        return []
    several = isinstance(given, (tuple, list)) and given and all(
        isinstance(item, (tuple, list)) and len(item) == 2 and hasattr(item[0], "shape") for item in given)
    return [pair(item, name) for item in (given if several else [given])]


def pair(given: Any, name: str) -> tuple[Any, Any]:
    """Return the pair (X, y), given the pair or a list of one pair."""
    if isinstance(given, (tuple, list)) and len(given) == 1:
        given = given[0]
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        count = f"{len(given)} items" if isinstance(given, (tuple, list)) else type(given).__name__
        raise ValueError(f"{name}: must be a pair (X, y); got {count}")
    return given[0], given[1]


def plain(y: Any) -> Any:
    """Convert pandas' nullable numbers to NumPy's. Raise ValueError for missing values."""
    if getattr(y, "ndim", 0) == 1 and hasattr(y, "isna") and y.isna().any():  # scikit-learn 1.2 fails on pd.NA
        raise ValueError("Input y contains NaN.")
    check_no_mask(y)
    dtype = getattr(getattr(y, "dtype", None), "numpy_dtype", None)
    return y if dtype is None else y.astype(dtype)


def gathered(x: Any) -> Any:
    """Convert a list of rows or values to a masked array if some of them have a mask; return anything else unchanged."""
    if not isinstance(x, (list, tuple)) or not any(isinstance(row, np.ma.MaskedArray) for row in x):
        return x
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # NumPy warns about each masked value
        return np.ma.array(x)


def check_no_mask(y: Any, sample_weight: Any = None) -> None:
    """Raise ValueError for masked targets or weights."""
    if np.ma.is_masked(gathered(y)):
        raise ValueError("Input y contains masked values.")
    if np.ma.is_masked(gathered(sample_weight)):
        raise ValueError("sample_weight: some of its values are masked")


def unmasked(x: Any) -> Any:
    """Convert masked rows to an array with NaN where they are masked; return anything else unchanged."""
    x = gathered(x)
    if not isinstance(x, np.ma.MaskedArray):
        return x
    kind = x.dtype if x.dtype.kind in "fc" else np.float64 if x.dtype.kind in "iub" else object
    array = np.array(x.data, dtype=kind)
    array[np.ma.getmaskarray(x)] = None if kind is object else np.nan
    return array


def dense(x: Any) -> Any:
    """Convert a sparse or masked matrix to an array, and another library's data frame to pandas."""
    x = unmasked(x)
    if hasattr(x, "__dataframe__") and not hasattr(x, "iloc"):
        from pandas.api.interchange import from_dataframe

        return from_dataframe(x)
    if not issparse(x):
        return x
    size = 4 * math.prod(x.shape)
    warnings.warn(f"X is a sparse matrix of {x.shape[0]} x {x.shape[1]}; converting it to an array of floats takes "
                  f"{size / 1e6:,.1f} MB of memory", UserWarning, stacklevel=frames_inside())
    return x.toarray()


def rows(x: Any) -> NDArray[np.float32]:
    """Convert X to float32 in C order; such an array is not copied. NaN is a missing value."""
    with huge_integers_are_value_errors():
        return aligned(check_array(x, **BLANKS, **FLOAT))


def aligned(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return X itself, or a copy if its address is not aligned."""
    return np.require(x, requirements=["C", "A"])


def column_names(x: Any) -> list[str]:
    """Return the column names of a data frame; empty unless all are strings."""
    names = list(getattr(x, "columns", []))
    if not names or not all(isinstance(name, str) for name in names):
        return []
    return [checked_text(name, "column name") for name in names]


def target_names(y: Any) -> list[str]:
    """Return the name of a series, or the column names of a data frame."""
    name = getattr(y, "name", None)
    return [name] if isinstance(name, str) else column_names(y)


def weights(sample_weight: Any, x: NDArray[np.float32]) -> NDArray[np.float32] | None:
    if sample_weight is None:
        return None
    check_no_mask(None, sample_weight)
    with huge_integers_are_value_errors():
        checked = _check_sample_weight(sample_weight, x, dtype=np.float32)
    return np.require(checked, np.float32, ["C", "A"])


def values(y: Any) -> NDArray[np.float64]:
    """Convert regression targets to a matrix of one row per sample."""
    y = plain(y)
    with huge_integers_are_value_errors(), np.errstate(over="ignore"):  # checked below
        y = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
        if not np.isfinite(np.asarray(y, dtype=np.float32)).all():
            raise ValueError("Input y contains infinity or a value too large for dtype('float32').")
    return np.ascontiguousarray(y).reshape(len(y), -1)


def are_classes(y: Any) -> bool:
    """Whether y holds labels, by the command line's rule (docs/reference/data_files.md)."""
    y = plain(y)
    array = np.asarray(y)
    if array.ndim > 1 and array.shape[1] > 1:
        return False
    if array.dtype.kind not in "iuf":
        return True
    if array.dtype.kind == "f" and not (array == np.floor(array)).all():
        return False
    found = np.unique(array)
    return len(found) <= min(500, len(array) // 5) or found.tolist() in _PAIRS


def labels(y: Any) -> Labels:
    y = column_or_1d(plain(y), warn=True)
    if y.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    if y.dtype == object and any(not isinstance(label, str) and str(label) in _MISSING for label in y):
        raise ValueError("Input y contains missing values.")
    check_classification_targets(y)
    return Labels(y)


def classification(x: NDArray[np.float32], y: Labels, sample_weight: Any = None, columns: list[str] | None = None,
                   targets: list[str] | None = None, schema: _core.Schema | None = None) -> _core.Dataset:
    return _core.classification(x, y.codes, y.texts, y.are_integers, weights(sample_weight, x), columns or [],
                                targets or [], y.are_booleans, schema)


def regression(x: NDArray[np.float32], y: NDArray[np.float64], sample_weight: Any = None,
               columns: list[str] | None = None, targets: list[str] | None = None,
               schema: _core.Schema | None = None) -> _core.Dataset:
    return _core.regression(x, y, weights(sample_weight, x), columns or [], targets or [], schema)
