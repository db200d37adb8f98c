"""Arrays as they come from users to what the core takes. Messages are scikit-learn's, which users know."""
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

_MISSING = {"None", "nan", "<NA>", "NaT"}  # as they are shown
_PAIRS = [[0, 1], [-1, 1], [1, 2]]  # two classes, however few rows there are
BLANKS = finite(allow_nan=True)
FLOAT = {"dtype": np.float32, "order": "C"}  # the core's own; such an array is not copied


@contextlib.contextmanager
def huge_integers_are_value_errors() -> Iterator[None]:
    """Python integers beyond float's range raise OverflowError, which is no ValueError."""
    try:
        with np.errstate(over="ignore", invalid="ignore"):  # what they lead to is told
            yield
    except OverflowError as error:
        raise ValueError(f"a value is too large for dtype('float32'): {error}") from error


def path(name: str | bytes | os.PathLike[Any]) -> bytes:
    """As the system takes it; ValueError for what names no file."""
    encoded = os.fsencode(name)
    if b"\0" in encoded:
        raise ValueError(f"embedded null byte in the path {name!r}")
    return encoded


def pairs(given: Any, name: str) -> list[tuple[Any, Any]]:
    """(X, y), or a list of such pairs, as other libraries take it; empty for None."""
    if given is None:
        return []
    several = isinstance(given, (tuple, list)) and given and all(
        isinstance(item, (tuple, list)) and len(item) == 2 and hasattr(item[0], "shape") for item in given)
    return [pair(item, name) for item in (given if several else [given])]


def pair(given: Any, name: str) -> tuple[Any, Any]:
    """(X, y), or a list of one such pair."""
    if isinstance(given, (tuple, list)) and len(given) == 1:
        given = given[0]
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        count = f"{len(given)} items" if isinstance(given, (tuple, list)) else type(given).__name__
        raise ValueError(f"{name}: {count} given, a pair (X, y) is wanted")
    return given[0], given[1]


def plain(y: Any) -> Any:
    """A series of pandas' nullable numbers as one of NumPy's; ValueError if one is missing."""
    if getattr(y, "ndim", 0) == 1 and hasattr(y, "isna") and y.isna().any():  # pd.NA is more than scikit-learn 1.2 takes
        raise ValueError("Input y contains NaN.")
    if np.ma.is_masked(y):
        raise ValueError("Input y contains masked values.")
    dtype = getattr(getattr(y, "dtype", None), "numpy_dtype", None)
    return y if dtype is None else y.astype(dtype)


def unmasked(x: Any) -> Any:
    """NumPy's masked array as one with NaN where it is masked; anything else as it is."""
    if not isinstance(x, np.ma.MaskedArray):
        return x
    kind = x.dtype if x.dtype.kind in "fc" else np.float64 if x.dtype.kind in "iub" else object
    array = np.array(x.data, dtype=kind)
    array[np.ma.getmaskarray(x)] = None if kind is object else np.nan
    return array


def dense(x: Any) -> Any:
    """A masked array as a plain one; a sparse matrix, too, with a note on the memory that it takes; another library's data
    frame as one of pandas."""
    x = unmasked(x)
    if hasattr(x, "__dataframe__") and not hasattr(x, "iloc"):
        from pandas.api.interchange import from_dataframe

        return from_dataframe(x)
    if not issparse(x):
        return x
    size = 4 * math.prod(x.shape)
    warnings.warn(f"X is a sparse matrix of {x.shape[0]} x {x.shape[1]}: as an array of floats it takes "
                  f"{size / 1e6:,.1f} MB of memory", UserWarning, stacklevel=frames_inside())
    return x.toarray()


def rows(x: Any) -> NDArray[np.float32]:
    """X as the core takes it: the array itself if it is of floats in C order. NaN is a blank."""
    with huge_integers_are_value_errors():
        return aligned(check_array(x, **BLANKS, **FLOAT))


def aligned(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """X itself, unless it lies across the borders of floats."""
    return np.require(x, requirements=["C", "A"])


def column_names(x: Any) -> list[str]:
    """Names of a data frame's columns; none unless all are texts."""
    names = list(getattr(x, "columns", []))
    if not names or not all(isinstance(name, str) for name in names):
        return []
    return [checked_text(name, "column name") for name in names]


def target_names(y: Any) -> list[str]:
    """Names of a series, or of the columns of a data frame."""
    name = getattr(y, "name", None)
    return [name] if isinstance(name, str) else column_names(y)


def weights(sample_weight: Any, x: NDArray[np.float32]) -> NDArray[np.float32] | None:
    if sample_weight is None:
        return None
    if np.ma.is_masked(sample_weight):
        raise ValueError("sample_weight: some of its values are masked")
    with huge_integers_are_value_errors():
        checked = _check_sample_weight(sample_weight, x, dtype=np.float32)
    return np.require(checked, np.float32, ["C", "A"])


def values(y: Any) -> NDArray[np.float64]:
    """Regression targets as a matrix, one row each."""
    y = plain(y)
    with huge_integers_are_value_errors(), np.errstate(over="ignore"):  # told below
        y = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y")
        if not np.isfinite(np.asarray(y, dtype=np.float32)).all():
            raise ValueError("Input y contains infinity or a value too large for dtype('float32').")
    return np.ascontiguousarray(y).reshape(len(y), -1)


def are_classes(y: Any) -> bool:
    """Whether y holds labels: the rule that the command line has for a column of a table (docs/data.md)."""
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
