"""What scikit-learn spells differently from version to version (1.2 to 1.7)."""
from __future__ import annotations

import inspect
from typing import Any

from sklearn.utils import check_array

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before 1.6 it was a method

    def validate_data(estimator: Any, *args: Any, **options: Any) -> Any:
        return estimator._validate_data(*args, **options)


_OPTIONS = inspect.signature(check_array).parameters
_FINITE = "ensure_all_finite" if "ensure_all_finite" in _OPTIONS else "force_all_finite"


def finite(allow_nan: bool) -> dict[str, Any]:
    """The keyword of check_array that refuses infinities, and NaN unless it is allowed."""
    return {_FINITE: "allow-nan" if allow_nan else True}


__all__ = ["finite", "validate_data"]
