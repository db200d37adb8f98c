"""Networks of generalized operational perceptrons that grow layer by layer.

``GOPClassifier`` and ``GOPRegressor`` are scikit-learn estimators. ``train`` does the same without scikit-learn's
conventions, and can write and resume run folders. ``Model`` reads and writes the model files of the command line.

Examples
--------
>>> from sklearn.datasets import load_iris
>>> from gopnet import GOPClassifier
>>> X, y = load_iris(return_X_y=True)
>>> GOPClassifier(topology=[8], epochs=30).fit(X, y).score(X, y) > 0.9
True
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
