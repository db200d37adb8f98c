"""What an estimator or a call was given, as the parameters that the core takes."""
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
_OWN = {"algorithm", "callbacks", "verbose", *ALIASES}  # of the estimators, of no algorithm


def check_keywords(estimator: str, positional: tuple[Any, ...], given: Iterable[str], known: Iterable[str]) -> None:
    """TypeError that names the estimator, and what may have been meant."""
    if positional:
        raise TypeError(f"{estimator} takes parameters by name only: {estimator}(algorithm=...)")
    known = list(known)
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1, 0.7)
            raise TypeError(f"{estimator} has no parameter '{name}'" + (f" (did you mean '{near[0]}'?)" if near else ""))


def of_estimator(values: Mapping[str, Any]) -> dict[str, Any]:
    """For the core: what the algorithm has, and what was set although it has it not, which the core refuses."""
    own = parameter_names(algorithm_name(values["algorithm"]))
    chosen = {name: value for name, value in values.items()
              if name not in _OWN and (name in own or name == "preset" or is_set(name, value))}
    aliases = {name: values[name] for name in ALIASES}
    for alias, name in ALIASES.items():
        if aliases[alias] is not None and not is_set(name, chosen[name]):
            chosen[name] = None
    return settled({**chosen, **aliases})


def is_set(name: str, value: Any) -> bool:
    """Whether a value is another than the default."""
    default = DEFAULTS[name]
    if value is None or value is default:
        return False
    try:
        return default is None or to_text(name, value) != to_text(name, default)
    except (TypeError, ValueError):  # no value at all
        return True


def settled(given: Mapping[str, Any]) -> dict[str, Any]:
    """With seed and threads for the names that scikit-learn has for them, and no more threads than others allow."""
    values = {name: value for name, value in given.items() if name not in ALIASES}
    for alias, name in ALIASES.items():
        value = given.get(alias)
        if value is None:
            continue
        if values.get(name) is not None:
            raise _core.Error(f"{name} and {alias} are both given, one is wanted")
        values[name] = _seed(value) if alias == "random_state" else _jobs(value)
    if not values.get("threads"):
        values["threads"] = default_threads()
    return values


def _seed(random_state: Any) -> Any:
    """Of a generator the next number that it draws."""
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    if isinstance(random_state, numbers.Integral) and int(random_state) >= 0:
        return int(random_state)
    raise ValueError(f"random_state: {random_state!r} given, a whole number >= 0 or a generator of NumPy is wanted")


def _jobs(n_jobs: Any) -> int:
    if not isinstance(n_jobs, numbers.Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs: {n_jobs!r} given, a whole number other than 0 is wanted; -1 is all cores")
    return int(effective_n_jobs(int(n_jobs)))


def default_threads() -> int:
    """0, which is all cores, unless OMP_NUM_THREADS, joblib (which sets it) or threadpoolctl allow fewer."""
    limits = [pool["num_threads"] for pool in threadpool_info() if pool.get("user_api") == "openmp"]
    said = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    if said.isdigit():
        limits.append(int(said))
    limit = min([n for n in limits if n > 0], default=0)
    return limit if limit < len(os.sched_getaffinity(0)) else 0
