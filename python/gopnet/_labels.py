"""Class labels of any NumPy type to the texts that the core keeps, and back."""
from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

_INT64 = np.iinfo(np.int64)


def label_text(label: Any) -> str:
    """A label as the command line would read it from a file: 3, not 3.0."""
    if isinstance(label, (bool, np.bool_)):
        return str(bool(label))
    if isinstance(label, (float, np.floating)):
        return str(int(label)) if float(label).is_integer() else repr(float(label))
    return str(label)


def _is_integer(label: Any) -> bool:
    """Whether the core can keep it as a number."""
    if isinstance(label, (bool, np.bool_)):
        return False
    whole = isinstance(label, numbers.Integral) or (isinstance(label, float) and label.is_integer())
    return whole and bool(_INT64.min <= label <= _INT64.max)


def checked_text(text: str, what: str) -> str:
    """The text itself, which must be one that a file can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError(f"{what} {text!r} is not UTF-8 text") from None
    return text


def _distinct(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """As np.unique, which compares Python's texts one by one: a dictionary is ten times faster."""
    items = y.tolist() if y.dtype == object else []
    if not items or not all(type(item) is str for item in items):
        distinct, codes = np.unique(y, return_inverse=True)
        return distinct, codes
    values = np.array(sorted(set(items)), dtype=object)
    number = {text: i for i, text in enumerate(values)}
    return values, np.fromiter((number[item] for item in items), np.intp, len(items))


class Labels:
    """The distinct labels of ``y`` and, for every row, the number of its label."""

    def __init__(self, y: NDArray[Any]):
        self.values, codes = _distinct(y)
        self.codes: NDArray[np.int32] = codes.reshape(-1).astype(np.int32)
        items = self.values.tolist() if self.values.dtype != object else list(self.values)
        self.texts = [checked_text(label_text(item), "label") for item in items]
        self.are_integers = all(_is_integer(item) for item in items)
        self.are_booleans = all(isinstance(item, (bool, np.bool_)) for item in items)

    def pick(self, texts: list[str]) -> NDArray[Any]:
        """The labels with these texts, in this order."""
        number = {text: i for i, text in enumerate(self.texts)}
        return self.values[[number[text] for text in texts]]
