"""Converts the keywords of an estimator or of gopnet.train to the parameters of the core."""
from __future__ import annotations

import difflib
import inspect
import numbers
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from threadpoolctl import threadpool_info

from . import _core
from ._parameters import ParametersMixin
from ._registry import algorithm_name, parameter_names
from ._values import to_text

ALIASES = {"random_state": "seed", "n_jobs": "threads"}
DEFAULTS: dict[str, Any] = {name: parameter.default
                            for name, parameter in inspect.signature(ParametersMixin).parameters.items()}
_OWN = {"algorithm", "callbacks", "verbose", *ALIASES}  # keywords of the estimators that are no parameters of an algorithm


def check_keywords(estimator: str, positional: tuple[Any, ...], given: Iterable[str], known: Iterable[str]) -> None:
    """Raise a TypeError that names the estimator and suggests a similar keyword."""
    if positional:
        raise TypeError(f"{estimator} accepts keyword arguments only: {estimator}(algorithm=...)")
    known = list(known)
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1, 0.7)
            raise TypeError(f"{estimator} has no parameter '{name}'" + (f" (did you mean '{near[0]}'?)" if near else ""))


def of_estimator(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that the algorithm has, and any others that were set, which the core then rejects."""
    own = parameter_names(algorithm_name(values["algorithm"]))
    chosen = {name: value for name, value in values.items()
              if name not in _OWN and (name in own or name == "preset" or is_set(name, value))}
    aliases = {name: values[name] for name in ALIASES}
    for alias, name in ALIASES.items():
        if aliases[alias] is not None and not is_set(name, chosen[name]):
            chosen[name] = None
    return settled({**chosen, **aliases})


def is_set(name: str, value: Any) -> bool:
    """Whether a value differs from the default."""
    default = DEFAULTS[name]
    if value is None or value is default:
        return False
    try:
        return default is None or to_text(name, value) != to_text(name, default)
    except (TypeError, ValueError):  # no valid value
        return True


def settled(given: Mapping[str, Any]) -> dict[str, Any]:
    """Replace scikit-learn's aliases by seed and threads, and limit the threads as other libraries do."""
    values = {name: value for name, value in given.items() if name not in ALIASES}
    for alias, name in ALIASES.items():
        value = given.get(alias)
        if value is None:
            continue
        if values.get(name) is not None:
            raise _core.Error(f"{name} and {alias} are the same parameter; give only one of them")
        values[name] = _seed(value) if alias == "random_state" else _jobs(value)
    if not values.get("threads"):
        values["threads"] = default_threads()
    return values


def _seed(random_state: Any) -> Any:
    """Return a seed; a generator draws one."""
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    if isinstance(random_state, numbers.Integral) and int(random_state) >= 0:
        return int(random_state)
    raise ValueError(f"random_state: must be an integer >= 0 or a NumPy generator; got {random_state!r}")


def _jobs(n_jobs: Any) -> int:
    if not isinstance(n_jobs, numbers.Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs: must be an integer other than 0 (-1 uses all cores); got {n_jobs!r}")
    return int(effective_n_jobs(int(n_jobs)))


def default_threads() -> int:
    """Return 0 for all cores, or fewer if OMP_NUM_THREADS, joblib (which sets it) or threadpoolctl limit them."""
    limits = [pool["num_threads"] for pool in threadpool_info() if pool.get("user_api") == "openmp"]
    said = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    if said.isdigit():
        limits.append(int(said))
    limit = min([n for n in limits if n > 0], default=0)
    return limit if limit < len(os.sched_getaffinity(0)) else 0
