"""Training events and the callbacks that receive them."""
from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._train import TrainResult

Metrics = dict[str, float]


@dataclass(frozen=True)
class Start:
    """Training begins.

    Attributes
    ----------
    algorithm : str
        Name of the algorithm.
    memory : {"pca", "lda", "none"}
        Memory of the layers.
    task : {"classification", "regression"}
        Kind of the target.
    metric : str
        The validation metric that decides.
    seed : int
        The seed.
    data : dict
        Number of rows in train, val and test; of features; of classes or targets.
    """

    algorithm: str
    memory: str
    task: str
    metric: str
    seed: int
    data: dict[str, int]


@dataclass(frozen=True)
class Candidate:
    """An operator set was trained in a search.

    Attributes
    ----------
    layer : int
        The layer, from 1.
    done : int
        Number of candidates trained in this search, including this one.
    total : int
        Number of candidates to train in this search.
    operator_set : list of str
        Nodal operator, pool and activation.
    output_set : list of str
        Operators of the output layer (POP only), else empty.
    val : dict
        Metrics on the validation rows.
    diverged : bool
        Whether training diverged.
    epochs : int
        Number of epochs trained so far.
    best_operator_set : list of str
        The best operator set so far.
    best_score : float
        Its score.
    metric : str
        The metric that decides.
    """

    layer: int
    done: int
    total: int
    operator_set: list[str]
    output_set: list[str]
    val: Metrics
    diverged: bool
    epochs: int
    best_operator_set: list[str]
    best_score: float
    metric: str


@dataclass(frozen=True)
class Grid:
    """A network of a parameter grid was trained.

    Attributes
    ----------
    done : int
        Number of networks trained so far.
    total : int
        Number of networks to train.
    setting : dict
        The parameters of this network.
    val : dict
        Metrics on the validation rows.
    best_setting : dict
        The best parameters so far.
    best_score : float
        Their score.
    metric : str
        The metric that decides.
    """

    done: int
    total: int
    setting: dict[str, str]
    val: Metrics
    best_setting: dict[str, str]
    best_score: float
    metric: str


@dataclass(frozen=True)
class Member:
    """A network of an average was trained. Networks finish in any order.

    Attributes
    ----------
    done : int
        Number of networks trained so far.
    total : int
        Number of networks to train.
    operator_set : list of str
        Operators of its first layer; empty if the algorithm does not search for operators.
    fold : int
        The fold that validated it, from 0; -1 for the validation rows.
    val : dict
        Metrics on the validation rows.
    metric : str
        The metric that decides.
    network : int
        Number of the network, from 1.
    """

    done: int
    total: int
    operator_set: list[str]
    fold: int
    val: Metrics
    metric: str
    network: int = 1


@dataclass(frozen=True)
class Block:
    """A block was added to a layer, or rejected.

    Attributes
    ----------
    layer : int
        The layer, from 1.
    block : int
        The block, from 1.
    accepted : bool
        Whether the block was added.
    units : int
        Number of neurons.
    operator_set : list of str
        Nodal operator, pool and activation.
    val : dict
        Metrics on the validation rows.
    candidates : int
        Number of candidates trained.
    seconds : float
        Time spent.
    """

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
    """A layer was added to the network, or rejected.

    Attributes
    ----------
    layer : int
        The layer, from 1.
    accepted : bool
        Whether the layer was added.
    units : int
        Number of neurons.
    operator_set : list of str
        Operators of its first block.
    memory : str
        Memory of the layer: "pca", "lda" or empty.
    memory_dims : int
        Number of outputs of the memory.
    train : dict
        Metrics on the training rows.
    val : dict
        Metrics on the validation rows.
    candidates : int
        Number of candidates trained.
    epochs : int
        Number of epochs, over all candidates.
    seconds : float
        Time spent.
    ranks_only : bool
        The search only ranked operator sets for the networks of an average; the layer is not kept.
    """

    layer: int
    accepted: bool
    units: int
    operator_set: list[str]
    memory: str
    memory_dims: int
    train: Metrics
    val: Metrics
    candidates: int
    epochs: int
    seconds: float
    ranks_only: bool = False


@dataclass(frozen=True)
class Epoch:
    """An epoch of training ended.

    It trained a layer of a network that will be averaged with others, or it fine-tuned a whole network. The search for
    operators sends ``Candidate`` events instead.

    Attributes
    ----------
    epoch : int
        The epoch, from 1.
    epochs : int
        Number of epochs planned.
    val : dict
        Metrics on the validation rows.
    network : int
        Number of the network in an average, from 1; 0 for a single network.
    networks : int
        Number of networks.
    layer : int
        The layer that is trained, from 1; 0 for fine-tuning.
    operator_set : list of str
        Operators of that layer; empty for fine-tuning.
    """

    epoch: int
    epochs: int
    val: Metrics
    network: int = 0
    networks: int = 1
    layer: int = 0
    operator_set: list[str] | tuple[str, ...] = ()


class Callback:
    """Receives training events. Override the methods you need.

    Training stops if a method returns False, and keeps the best network so far. It also stops if a method raises an
    exception, which ``train`` or ``fit`` raises again. gopnet calls one method at a time, on the thread that called
    ``train`` or ``fit``, and training waits until the method returns.

    By default gopnet averages several networks and trains them at the same time. ``on_epoch`` then receives their
    epochs interleaved; ``event.network`` tells which network it was.

    Examples
    --------
    >>> import gopnet
    >>> from sklearn.datasets import load_iris
    >>> class CountEpochs(gopnet.Callback):
    ...     epochs = 0
    ...     def on_epoch(self, event):
    ...         self.epochs += 1
    ...         return self.epochs < 1000  # False stops training
    >>> counter = CountEpochs()
    >>> result = gopnet.train(*load_iris(return_X_y=True), topology=[4], epochs=7, callbacks=counter, progress=False)
    >>> counter.epochs  # 8 networks of one layer
    56
    """

    # Whether on_epoch also needs the epochs of networks that are averaged. There are thousands of them.
    _every_network = True

    def on_start(self, event: Start) -> bool | None:
        """Training begins."""

    def on_candidate(self, event: Candidate) -> bool | None:
        """An operator set was trained."""

    def on_grid(self, event: Grid) -> bool | None:
        """A network of a parameter grid was trained."""

    def on_member(self, event: Member) -> bool | None:
        """A network of an average was trained."""

    def on_block(self, event: Block) -> bool | None:
        """A block was added to a layer, or rejected."""

    def on_layer(self, event: Layer) -> bool | None:
        """A layer was added to the network, or rejected."""

    def on_epoch(self, event: Epoch) -> bool | None:
        """An epoch of a network that will be averaged, or of fine-tuning, ended."""

    def on_result(self, result: TrainResult) -> None:
        """Training ended and left a network, maybe because it was stopped. ``on_end`` follows."""

    def on_end(self) -> None:
        """Training ended, with or without a network."""


EVENTS: dict[str, type] = {"start": Start, "candidate": Candidate, "grid": Grid, "member": Member, "block": Block,
                           "layer": Layer, "epoch": Epoch}


def checked(callbacks: Callback | Iterable[Callback] | None) -> list[Callback]:
    """Return the callbacks as a list. Raise TypeError for anything that is not a Callback."""
    if callbacks is None:
        return []
    given: list[Any] = [callbacks]
    if isinstance(callbacks, Iterable) and not isinstance(callbacks, (Callback, type, str)):
        given = list(callbacks)
    for callback in given:
        if not isinstance(callback, Callback):
            raise TypeError(f"callbacks: must be instances of gopnet.Callback; got {callback!r}")
    return given


def need_every_network(callbacks: list[Callback]) -> bool:
    """Whether any callback handles the epochs of networks that are averaged."""
    return any(callback._every_network and getattr(callback.on_epoch, "__func__", None) is not Callback.on_epoch
               for callback in callbacks)


def frames_inside() -> int:
    """The number of stack frames down to the line that called train or fit, for warnings.warn."""
    package = __name__.partition(".")[0] + "."
    frame, depth = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith(package):
        frame, depth = frame.f_back, depth + 1
    return depth


def handler(callbacks: list[Callback]) -> Callable[[str, Any], bool]:
    """Return a function that passes an event to all callbacks, and returns False if one wants to stop."""

    def handle(kind: str, event: Any) -> bool:
        if kind == "warning":
            warnings.warn(event, UserWarning, stacklevel=frames_inside())
            return True
        made = EVENTS[kind](**event)
        answers = [getattr(callback, "on_" + kind)(made) for callback in callbacks]
        return not any(isinstance(answer, (bool, np.bool_)) and not answer for answer in answers)

    return handle
