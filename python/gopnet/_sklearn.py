"""Differences between the versions of scikit-learn (1.2 to 1.7)."""
from __future__ import annotations

import inspect
from typing import Any

from sklearn.utils import check_array

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before 1.6 it was a method

    def validate_data(estimator: Any, *args: Any, **options: Any) -> Any:
        return estimator._validate_data(*args, **options)


def remember_columns(estimator: Any, x: Any, reset: bool) -> None:
    """Set or check the number and names of columns, for tables that check_array rejects."""
    if hasattr(estimator, "_check_feature_names"):
        estimator._check_feature_names(x, reset=reset)
        estimator._check_n_features(x, reset=reset)
    else:  # from 1.6 on
        validate_data(estimator, x, reset=reset, skip_check_array=True)


_OPTIONS = inspect.signature(check_array).parameters
_FINITE = "ensure_all_finite" if "ensure_all_finite" in _OPTIONS else "force_all_finite"


def finite(allow_nan: bool) -> dict[str, Any]:
    """Return the keyword of check_array that rejects infinities, and NaN unless it is allowed."""
    return {_FINITE: "allow-nan" if allow_nan else True}


__all__ = ["finite", "remember_columns", "validate_data"]
