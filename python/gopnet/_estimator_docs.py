"""Docstrings of the estimators and their methods."""
from collections.abc import Callable
from typing import Any, TypeVar

from ._parameters import DOC

Method = TypeVar("Method", bound=Callable[..., Any])

_TEMPLATE = """{title}

The network consists of generalized operational perceptrons (GOPs). For each new layer, gopnet searches for the best
operators. The network stops growing when the validation score no longer improves. The same data, parameters and seed
give the same network, bit for bit, for any number of threads and any order of the rows.

All parameters are keywords. None leaves a parameter to the algorithm and the preset. It is an error to set a parameter
that the algorithm does not have. To search over several algorithms, give GridSearchCV a list of dicts, one for each
algorithm.

Parameters
----------
algorithm : str, default="popmem-o"
    One of ``gopnet.algorithms()``.
{parameters}callbacks : Callback or list of Callback, default=None
    Receive candidates, layers and epochs while training runs, and can stop it.
verbose : int, default=0
    Show a progress bar unless 0.

Attributes
----------
{attributes}n_features_in_ : int
    Number of features seen in ``fit``.
feature_names_in_ : ndarray of shape (n_features_in_,)
    Their names, if X was a data frame whose column names are all strings.
layers_ : list of dict
    Inputs, units, operator set, memory and blocks of every layer. For an average of networks, these are the layers of
    the first; ``model_.info()["members"]`` has all networks and their weights.
n_layers_ : int
    Number of layers in ``layers_``.
stopped_early_ : bool
    Whether a callback or Ctrl-C stopped training.
history_ : dict
    What ``gopnet train --json`` prints, with three differences. ``stopped`` is None unless training was stopped;
    ``growth_ended`` says why no more layers were added. ``eval_sets`` has the metrics of every pair in ``eval_set``.
    The scores of layers use ``sample_weight`` and ``class_weight``; those in ``metrics`` and ``eval_sets`` do not.
model_ : Model
    The network. ``model_.save(path)`` writes a file that the command line reads.

Notes
-----
Training uses all cores, unless OMP_NUM_THREADS, joblib or threadpoolctl allow fewer. Ctrl-C stops ``fit`` with a
KeyboardInterrupt; the estimator is then fitted with the best network so far.

Examples
--------
{example}"""

_CLASSES = """classes_ : ndarray of shape (n_classes,)
    Class labels, in the order of the probabilities.
"""

classifier_doc = _TEMPLATE.format(
    title="Classifier that grows a network layer by layer.", parameters=DOC, attributes=_CLASSES,
    example="""\
>>> from sklearn.datasets import load_iris
>>> from gopnet import GOPClassifier
>>> X, y = load_iris(return_X_y=True)
>>> clf = GOPClassifier(topology=[8], epochs=30, finetune_epochs=10).fit(X, y)
>>> clf.predict(X[:1])
array([0])
""")

regressor_doc = _TEMPLATE.format(
    title="Regressor, for one or several targets, that grows a network layer by layer.", parameters=DOC, attributes="",
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
    Training rows. float32 arrays in C order are not copied. A sparse matrix is converted to an array, with a warning
    that states its size. NaN is a missing value. Data frames may contain text, categories, dates and booleans.
y : array-like of shape {shape}
    {values}
sample_weight : array-like of shape (n_samples,), default=None
    Weights of the rows, >= 0. A row of weight 0 is ignored.
eval_set : tuple (X, y) or list of such tuples, default=None
    Validation rows. By default, ``val_split`` of the rows are held out. If there are several sets, the last one
    validates. ``history_["eval_sets"]`` has the metrics of each.

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
    """Give ``fit`` its docstring, for y of this shape."""
    return _documented(_FIT.format(estimator=estimator, shape=shape, values=values))


def documented(summary: str, shape: str, result: str) -> Callable[[Method], Method]:
    """Give a docstring to a method that takes rows and returns an array of this shape."""
    return _documented(_OF_ROWS.format(summary=summary, shape=shape, result=result))
