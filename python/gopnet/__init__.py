"""Networks of generalized operational perceptrons that grow layer by layer.

``GOPClassifier`` and ``GOPRegressor`` are scikit-learn estimators; ``train`` is the same without scikit-learn's
conventions, with callbacks. ``Model`` reads and writes the files of the command line program.
"""
from ._callbacks import Block, Callback, Candidate, Epoch, Grid, Layer, Member, Start
from ._core import Error, Stopped, simd_targets, use_simd
from ._core import version as _version
from ._estimators import GOPClassifier, GOPRegressor
from ._model import Model
from ._plots import plot_history, plot_operators
from ._progress import ProgressBar
from ._registry import algorithms, operators, parameters
from ._train import Interrupted, TrainResult, train

__version__ = _version()

__all__ = [
    "GOPClassifier", "GOPRegressor", "Model", "train", "TrainResult",
    "Callback", "Start", "Candidate", "Grid", "Member", "Block", "Layer", "Epoch", "ProgressBar",
    "Error", "Stopped", "Interrupted",
    "plot_operators", "plot_history",
    "algorithms", "operators", "parameters", "simd_targets", "use_simd",
    "__version__",
]
