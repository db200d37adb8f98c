"""Lists algorithms, their parameters, and operators."""
from __future__ import annotations

import functools
from typing import Any

from . import _core


@functools.cache
def _parameter_names() -> dict[str, frozenset[str]]:
    """Return the names of the parameters of each algorithm."""
    return {info["name"]: frozenset(parameter["name"] for parameter in info["parameters"])
            for info in _core.algorithms()}


def parameter_names(algorithm: str) -> frozenset[str]:
    """Return the parameters of an algorithm; empty for an unknown one."""
    return _parameter_names().get(algorithm, frozenset())


def algorithms() -> list[str]:
    """List the names of the algorithms.

    Returns
    -------
    list of str
        The values that ``algorithm=`` accepts.

    Examples
    --------
    >>> import gopnet
    >>> gopnet.algorithms()[:4]
    ['pop', 'popfast', 'popmem-h', 'popmem-o']
    """
    return list(_parameter_names())


def algorithm_name(given: Any) -> str:
    """Return the core's spelling of an algorithm (the paper writes POPmem-O). The core rejects unknown names."""
    if not isinstance(given, str):
        raise TypeError(f"algorithm: must be one of {', '.join(algorithms())}; got {given!r}")
    return given.lower() if given.lower() in _parameter_names() else given


def operators(kind: str | None = None) -> list[dict[str, Any]]:
    """List the operators.

    Parameters
    ----------
    kind : {"nodal", "pool", "activation"}, optional
        List only the operators of this kind.

    Returns
    -------
    list of dict
        Name, kind and formula of each operator, and whether it is in the paper.

    Examples
    --------
    >>> import gopnet
    >>> [operator["name"] for operator in gopnet.operators("pool")]
    ['sum', 'correlation1', 'correlation2', 'maximum']
    """
    return [info for info in _core.operators() if kind in (None, info["kind"])]


def parameters(algorithm: str, **given: Any) -> dict[str, str]:
    """Return the value of every parameter of an algorithm.

    Parameters
    ----------
    algorithm : str
        One of ``algorithms()``.
    **given
        Parameters to change from their defaults; ``preset`` is one of them.

    Returns
    -------
    dict
        Name and value of each parameter, both as strings.

    Raises
    ------
    gopnet.Error
        If a name is unknown or a value is out of range.

    Examples
    --------
    >>> import gopnet
    >>> gopnet.parameters("popmem-o", preset="fast")["ensemble"]
    '3'
    """
    from ._values import to_texts

    return _core.resolve(algorithm_name(algorithm), to_texts(given))
