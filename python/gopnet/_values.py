"""Converts parameter values to text, so that only the core needs to check them."""
from __future__ import annotations

import json
import numbers
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ._labels import label_text


def to_texts(parameters: Mapping[str, Any]) -> dict[str, str]:
    """Convert the parameters that are set. None leaves a parameter to the algorithm and the preset."""
    return {name: to_text(name, value) for name, value in parameters.items() if value is not None}


def to_text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(_number(name, value))
    if isinstance(value, Mapping):  # class_weight; JSON, as a label may hold a comma
        return json.dumps({label_text(label): _number(name, weight) for label, weight in value.items()})
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        return ",".join(to_text(name, item) for item in value)
    raise TypeError(f"parameter {name}: must be a number, a string or a list of them; "
                    f"got {value!r} of type {type(value).__name__}")


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except OverflowError as error:
        raise ValueError(f"parameter {name}: number is too large: {error}") from error
