"""Docstrings of the estimators and their methods: what is theirs, around what all have in common."""
from collections.abc import Callable
from typing import Any, TypeVar

from ._parameters import DOC

Method = TypeVar("Method", bound=Callable[..., Any])

_TEMPLATE = """{title}

A network of generalized operational perceptrons (GOPs) that grows layer by layer: each layer's operators are searched
for, and growth ends when validation no longer improves. The same data, parameters and seed give the same network, bit
for bit, for any number of threads and any order of the rows.

All parameters are keywords. None leaves a parameter to the algorithm and the preset. To set one that the chosen
algorithm does not have is an error; a search over several algorithms has a list of dicts, one for each.

Parameters
----------
algorithm : str, default="popmem-o"
    One of ``gopnet.algorithms()``.
{parameters}callbacks : Callback or list of them, default=None
    Hear of candidates, layers and epochs, and may end training.
verbose : int, default=0
    Other than 0 shows a progress bar.

Attributes
----------
{attributes}n_features_in_ : int
    Features seen in ``fit``.
feature_names_in_ : ndarray of shape (n_features_in_,)
    Their names, if X was a data frame with names that are all texts.
layers_ : list of dict
    Inputs, units, operator set, memory and blocks of every layer; of several networks, of the first
    (``model_.info()["members"]`` has all, with their weights).
n_layers_ : int
    How many there are; of several networks, in the first.
stopped_early_ : bool
    Whether a callback or Ctrl-C ended training before its end.
history_ : dict
    How training went: what ``gopnet train --json`` prints, but ``stopped`` is None unless training was stopped before
    its end, and ``growth_ended`` says why no more layers were added. With ``sample_weight`` or ``class_weight`` the
    scores of layers are weighted, as they chose; those of ``metrics`` are not.
model_ : Model
    The network; ``model_.save(path)`` writes the file that the command line reads.

Notes
-----
The network trains on all cores, or on as many as OMP_NUM_THREADS, joblib or threadpoolctl allow. Ctrl-C ends ``fit`` by
KeyboardInterrupt; the best network so far is then fitted.

Examples
--------
{example}"""

_CLASSES = """classes_ : ndarray of shape (n_classes,)
    Labels, in the order of the probabilities.
"""

classifier_doc = _TEMPLATE.format(
    title="Classification by a network that grows.", parameters=DOC, attributes=_CLASSES,
    example="""\
>>> from sklearn.datasets import load_iris
>>> from gopnet import GOPClassifier
>>> X, y = load_iris(return_X_y=True)
>>> clf = GOPClassifier(topology=[8], epochs=30, finetune_epochs=10).fit(X, y)
>>> clf.predict(X[:1])
array([0])
""")

regressor_doc = _TEMPLATE.format(
    title="Regression, of one target or several, by a network that grows.", parameters=DOC, attributes="",
    example="""\
>>> from sklearn.datasets import load_diabetes
>>> from gopnet import GOPRegressor
>>> X, y = load_diabetes(return_X_y=True)
>>> reg = GOPRegressor(topology=[8], epochs=30, finetune_epochs=10).fit(X, y)
>>> reg.predict(X[:2]).shape
(2,)
""")

_FIT = """Grow and fit a network.

Parameters
----------
X : array-like of shape (n_samples, n_features)
    Rows; float32 in C order is not copied. A sparse matrix becomes an array, with a warning that tells its size. NaN is
    a missing value; a data frame may hold texts, categories, dates and truth values, too.
y : array-like of shape {shape}
    {values}
sample_weight : array-like of shape (n_samples,), default=None
    Weights of the rows, >= 0; a row of weight 0 counts as not being there.
eval_set : tuple (X, y) or list of them, default=None
    Validation rows; without them ``val_split`` of the rows are held out. Of several sets the last one validates, and
    the metrics of all are ``eval_sets`` of ``history_``.

Returns
-------
{estimator}
    The fitted estimator.
"""

_OF_ROWS = """{summary}

Parameters
----------
X : array-like of shape (n_samples, n_features)
    Rows.

Returns
-------
ndarray of shape {shape}
    {result}
"""


def _documented(text: str) -> Callable[[Method], Method]:
    def document(method: Method) -> Method:
        method.__doc__ = text
        return method

    return document


def documented_fit(estimator: str, shape: str, values: str) -> Callable[[Method], Method]:
    """For a ``fit`` that takes y of this shape."""
    return _documented(_FIT.format(estimator=estimator, shape=shape, values=values))


def documented(summary: str, shape: str, result: str) -> Callable[[Method], Method]:
    """For a method that takes rows and returns an array of this shape."""
    return _documented(_OF_ROWS.format(summary=summary, shape=shape, result=result))
