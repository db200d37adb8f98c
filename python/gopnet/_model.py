"""Trained networks, in memory and as files."""
from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core, _data
from ._frames import like_model
from ._pictures import network_svg, page_data, write_page


def _write(path: str | os.PathLike[str] | None, content: bytes) -> None:
    if path is not None:
        with open(path, "wb") as file:
            file.write(content)


class Model:
    """A trained network, which predicts and can be saved, loaded and exported.

    ``gopnet.train`` and ``Model.load`` return models; estimators have one as ``model_``. Model files are the same as
    those of the command line. A model never changes, so any thread may use it.

    If the training data had column names, the model finds the columns of a data frame by name. It reads text, dates
    and missing values as in training.

    Examples
    --------
    >>> import os, tempfile
    >>> from gopnet import GOPClassifier, Model
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GOPClassifier(topology=[8], epochs=30).fit(X, y).model_
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "iris.safetensors")
    ...     model.save(path)
    ...     loaded = Model.load(path)
    >>> loaded.predict_proba(X).shape
    (150, 3)
    >>> bool((loaded.predict(X) == model.predict(X)).all())
    True
    """

    def __init__(self, core: _core.Model):
        if not isinstance(core, _core.Model):
            raise TypeError("Model cannot be created directly; use gopnet.train, an estimator's fit, or Model.load")
        self._core = core
        self._info: dict[str, Any] = json.loads(core.json())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Read a model file.

        Parameters
        ----------
        path : path
            A model file, or a run folder that contains one.

        Returns
        -------
        Model

        Raises
        ------
        gopnet.Error
            If the file is missing, damaged or no model.
        """
        name = _data.path(path)
        return cls(_core.Model.load(os.path.join(name, b"model.safetensors") if os.path.isdir(name) else name))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a model file atomically: after a crash the file is complete, or absent.

        Parameters
        ----------
        path : path
            The file to write.
        """
        self._core.save(_data.path(path))

    def to_bytes(self) -> bytes:
        """Return the bytes that ``save`` writes."""
        return self._core.to_bytes()

    @classmethod
    def from_bytes(cls, content: bytes) -> Model:
        """Create a model from the bytes of a model file."""
        return cls(_core.Model.from_bytes(content))

    def to_onnx(self, path: str | os.PathLike[str] | None = None, *, double: bool = False) -> bytes:
        """Export the model as ONNX.

        Parameters
        ----------
        path : path, optional
            A file to write as well.
        double : bool, default=False
            Compute in float64 instead of float32.

        Returns
        -------
        bytes
            The ONNX model.
        """
        content = self._core.to_onnx(double)
        _write(path, content)
        return content

    def to_c(self, path: str | os.PathLike[str] | None = None, *, name: str = "gopnet") -> tuple[str, str]:
        """Export the model as C99.

        Parameters
        ----------
        path : path, optional
            A file to write as well, which must end in ``.c``. The header is written beside it.
        name : str, default="gopnet"
            Prefix of the names in C.

        Returns
        -------
        source, header : str
        """
        stem = name if path is None else os.path.splitext(os.fspath(path))[0]
        if path is not None and os.path.splitext(os.fspath(path))[1] != ".c":
            raise _core.Error(f"to_c: path must end in .c; got '{os.fspath(path)}'")
        source, header = self._core.to_c(name, os.path.basename(stem) + ".h")
        _write(path, source.encode())
        _write(path and stem + ".h", header.encode())
        return source, header

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """Export the model as a web page that predicts in the browser.

        Parameters
        ----------
        path : path, optional
            A file to write as well.

        Returns
        -------
        str
            The page.
        """
        page = self._core.to_html()
        _write(path, page.encode())
        return page

    def __reduce__(self) -> tuple[Any, ...]:
        return Model.from_bytes, (self.to_bytes(),)

    @property
    def algorithm(self) -> str:
        """The algorithm that trained the model."""
        return self._info["algorithm"]

    @property
    def task(self) -> str:
        """Either "classification" or "regression"."""
        return self._info["task"]

    @property
    def classes(self) -> NDArray[Any]:
        """Class labels in the order of the probabilities; empty for regression."""
        texts = self._core.classes()
        if self._core.boolean_classes():
            return np.array([text == "True" for text in texts])
        return np.array(texts, dtype=np.int64) if texts and self._core.integer_classes() else np.array(texts, dtype=str)

    @property
    def feature_names(self) -> list[str]:
        """Names of the features; x0, x1, ... if the training data had no names."""
        return self._info["features"]

    @property
    def layers(self) -> list[dict[str, Any]]:
        """Inputs, units, operator set, memory and blocks of every layer.

        For an average of networks, these are the layers of the first. ``info()["members"]`` has all networks and their
        weights.
        """
        return self._info["layers"]

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that the model was trained with, except ``threads``."""
        return self._info["settings"]

    @property
    def n_parameters(self) -> int:
        """Number of trained weights."""
        return self._info["parameters"]

    def info(self) -> dict[str, Any]:
        """Return what ``gopnet inspect --json`` prints."""
        return json.loads(self._core.json())

    def report(self, path: str | os.PathLike[str] | None = None, history: dict[str, Any] | None = None) -> None:
        """Write a web page about the network, as ``gopnet report`` does.

        Parameters
        ----------
        path : path
            The file to write, such as "report.html".
        history : dict, optional
            The history of the training, to show it as well.
        """
        write_page(path, page_data(self.info(), history))

    def _repr_html_(self) -> str:
        return network_svg(self._info)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict labels or values.

        Parameters
        ----------
        X : array-like of shape (rows, features)
            Rows.

        Returns
        -------
        ndarray of shape (rows,) or (rows, targets)
            Class labels, or values; one column for each target if there are several.
        """
        x = self._rows(X)
        if self.task == "classification":
            return self.classes[self._core.predict_class(x)]
        return self._values(x)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the probabilities of the classes.

        Parameters
        ----------
        X : array-like of shape (rows, features)
            Rows.

        Returns
        -------
        ndarray of shape (rows, classes)
            One column for each class, in the order of ``classes``.
        """
        self._check_classifier("predict_proba")
        return self._core.predict(self._rows(X)).astype(np.float64)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Compute confidence scores, whose softmax gives the probabilities.

        Parameters
        ----------
        X : array-like of shape (rows, features)
            Rows.

        Returns
        -------
        ndarray of shape (rows, classes)
        """
        self._check_classifier("decision_function")
        return self._core.decision(self._rows(X)).astype(np.float64)

    def transform(self, X: Any) -> NDArray[np.float32]:
        """Compute the hidden features, which are the inputs of the output layer.

        Parameters
        ----------
        X : array-like of shape (rows, features)
            Rows.

        Returns
        -------
        ndarray of shape (rows, hidden features)
            Outputs of the last layer's neurons, followed by its memory.
        """
        return self._core.features(self._rows(X))

    def _values(self, x: NDArray[np.float32]) -> NDArray[np.float64]:
        values = self._core.predict_values(x)
        return values[:, 0] if values.shape[1] == 1 else values

    def _rows(self, X: Any) -> NDArray[np.float32]:
        return like_model(X, self._core.schema())

    def _check_classifier(self, method: str) -> None:
        if self.task != "classification":
            raise _core.Error(f"{method}: needs a classifier; this is a regression model")

    def __repr__(self) -> str:
        sets = ", ".join("/".join(layer["operator_set"]) for layer in self.layers)
        nets = self._info.get("members", [])
        first = f"network 1 of {len(nets)} (weight {nets[0]['weight']:.3g}): " if nets else ""
        return f"<gopnet.Model {self.algorithm}, {self.task}: {first}{sets}; {self.n_parameters} parameters>"
