"""What there is to choose from: algorithms, their parameters, operators."""
from __future__ import annotations

import functools
from typing import Any

from . import _core


@functools.cache
def _parameter_names() -> dict[str, frozenset[str]]:
    """By algorithm."""
    return {info["name"]: frozenset(parameter["name"] for parameter in info["parameters"])
            for info in _core.algorithms()}


def parameter_names(algorithm: str) -> frozenset[str]:
    """Empty for an unknown algorithm."""
    return _parameter_names().get(algorithm, frozenset())


def algorithms() -> list[str]:
    """Names of the algorithms, as ``algorithm=`` takes them."""
    return list(_parameter_names())


def algorithm_name(given: Any) -> str:
    """As the core spells it: the paper writes POPmem-O. It must be a text; the core knows which texts are names."""
    if not isinstance(given, str):
        raise TypeError(f"algorithm: {given!r} given, one of {', '.join(algorithms())} is wanted")
    return given.lower() if given.lower() in _parameter_names() else given


def operators(kind: str | None = None) -> list[dict[str, Any]]:
    """Operators with name, kind ("nodal", "pool" or "activation"), formula and whether the paper has them.

    Parameters
    ----------
    kind : str, optional
        Only the operators of this kind.
    """
    return [info for info in _core.operators() if kind in (None, info["kind"])]


def parameters(algorithm: str, **given: Any) -> dict[str, str]:
    """Every parameter of an algorithm with the value that it has, as text.

    Parameters
    ----------
    algorithm : str
        One of ``algorithms()``.
    **given
        Parameters that differ from their defaults, ``preset`` among them.

    Raises
    ------
    gopnet.Error
        For an unknown name or a value out of range.
    """
    from ._values import to_texts

    return _core.resolve(algorithm_name(algorithm), to_texts(given))
