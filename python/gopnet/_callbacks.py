"""What training tells while it goes on, and who listens."""
from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

Metrics = dict[str, float]


@dataclass(frozen=True)
class Start:
    """Training begins."""

    algorithm: str
    memory: str
    task: str  # "classification" or "regression"
    metric: str  # the validation measure that decides
    seed: int
    data: dict[str, int]  # rows of train, val and test; features; classes or targets


@dataclass(frozen=True)
class Candidate:
    """An operator set was trained."""

    layer: int  # from 1
    done: int  # of `total` in this search, this one included
    total: int
    operator_set: list[str]  # nodal, pool, activation
    output_set: list[str]  # of the output layer (POP), else empty
    val: Metrics
    diverged: bool
    epochs: int
    best_operator_set: list[str]  # so far
    best_score: float
    metric: str


@dataclass(frozen=True)
class Grid:
    """A network of a grid of parameters was trained."""

    done: int
    total: int
    setting: dict[str, str]
    val: Metrics
    best_setting: dict[str, str]
    best_score: float
    metric: str


@dataclass(frozen=True)
class Member:
    """A network of an ensemble was trained."""

    done: int
    total: int
    operator_set: list[str]  # of its first layer; empty if the algorithm has none to choose
    fold: int  # that it was validated on, from 0; -1: the validation rows
    val: Metrics
    metric: str


@dataclass(frozen=True)
class Block:
    """A block was added to a layer, or dropped."""

    layer: int
    block: int
    accepted: bool
    units: int
    operator_set: list[str]
    val: Metrics
    candidates: int
    seconds: float


@dataclass(frozen=True)
class Layer:
    """A layer was added to the network, or dropped."""

    layer: int
    accepted: bool
    units: int
    operator_set: list[str]  # of its first block
    memory: str  # its kind, or empty
    memory_dims: int
    train: Metrics
    val: Metrics
    candidates: int
    epochs: int  # of all candidates together
    seconds: float


@dataclass(frozen=True)
class Epoch:
    """An epoch of fine-tuning the whole network is over."""

    epoch: int
    epochs: int
    val: Metrics


class Callback:
    """Hears of training; override what is of interest.

    A method that returns False ends training with the best network so far; an exception ends it too, and is raised
    to the caller. Calls come one at a time, on the thread that called ``train`` or ``fit``, and training waits for
    their return.
    """

    def on_start(self, event: Start) -> bool | None:
        """Training begins."""

    def on_candidate(self, event: Candidate) -> bool | None:
        """An operator set was trained."""

    def on_grid(self, event: Grid) -> bool | None:
        """A network of a grid of parameters was trained."""

    def on_member(self, event: Member) -> bool | None:
        """A network of an ensemble was trained."""

    def on_block(self, event: Block) -> bool | None:
        """A block was added to a layer, or dropped."""

    def on_layer(self, event: Layer) -> bool | None:
        """A layer was added to the network, or dropped."""

    def on_epoch(self, event: Epoch) -> bool | None:
        """An epoch of fine-tuning the whole network is over."""

    def on_end(self) -> None:
        """Training is over, whether it finished or not."""


EVENTS: dict[str, type] = {"start": Start, "candidate": Candidate, "grid": Grid, "member": Member, "block": Block,
                           "layer": Layer, "epoch": Epoch}


def checked(callbacks: Callback | Iterable[Callback] | None) -> list[Callback]:
    """The callbacks as a list; TypeError for what is none."""
    if callbacks is None:
        return []
    given: list[Any] = [callbacks]
    if isinstance(callbacks, Iterable) and not isinstance(callbacks, (Callback, type, str)):
        given = list(callbacks)
    for callback in given:
        if not isinstance(callback, Callback):
            raise TypeError(f"callbacks: {callback!r} given, instances of gopnet.Callback are wanted")
    return given


def frames_inside() -> int:
    """How many frames there are up to the line that called train or fit."""
    package = __name__.partition(".")[0] + "."
    frame, depth = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(package):
        frame, depth = frame.f_back, depth + 1
    return depth


def handler(callbacks: list[Callback]) -> Callable[[str, Any], bool]:
    """Hands an event on to all callbacks; False if one of them wants to stop."""

    def handle(kind: str, event: Any) -> bool:
        if kind == "warning":
            warnings.warn(event, UserWarning, stacklevel=frames_inside())
            return True
        made = EVENTS[kind](**event)
        answers = [getattr(callback, "on_" + kind)(made) for callback in callbacks]
        return not any(isinstance(answer, (bool, np.bool_)) and not answer for answer in answers)

    return handle
