"""Trained networks, as files and in memory."""
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
    """A trained network: predicts, saves, loads, and tells what it is.

    Made by ``gopnet.train``, by ``Model.load`` and, as ``model_``, by the estimators. Immutable: any thread may use
    it. Files are those of the command line program, in both directions. Columns of a data frame are found by their
    names, if the model was trained on named ones; texts, dates and blanks are read as they were in training.
    """

    def __init__(self, core: _core.Model):
        if not isinstance(core, _core.Model):
            raise TypeError("models are made by gopnet.train, an estimator's fit and Model.load")
        self._core = core
        self._info: dict[str, Any] = json.loads(core.json())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Model:
        """Reads a model file, or that of a run folder; ``gopnet.Error`` if it is none, or damaged."""
        name = _data.path(path)
        return cls(_core.Model.load(os.path.join(name, b"model.safetensors") if os.path.isdir(name) else name))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model file, which exists whole or not at all."""
        self._core.save(_data.path(path))

    def to_bytes(self) -> bytes:
        """What ``save`` writes."""
        return self._core.to_bytes()

    @classmethod
    def from_bytes(cls, content: bytes) -> Model:
        """What ``load`` reads."""
        return cls(_core.Model.from_bytes(content))

    def to_onnx(self, path: str | os.PathLike[str] | None = None, *, double: bool = False) -> bytes:
        """The model as ONNX, in float32 or ``double``; also written to ``path``, if given."""
        content = self._core.to_onnx(double)
        _write(path, content)
        return content

    def to_c(self, path: str | os.PathLike[str] | None = None, *, name: str = "gopnet") -> tuple[str, str]:
        """A C99 source and its header, whose names begin with ``name``; also written to ``path``, which ends in .c, and beside it."""
        stem = name if path is None else os.path.splitext(os.fspath(path))[0]
        if path is not None and os.path.splitext(os.fspath(path))[1] != ".c":
            raise _core.Error(f"to_c: the path '{os.fspath(path)}' is given, one that ends in .c is wanted")
        source, header = self._core.to_c(name, os.path.basename(stem) + ".h")
        _write(path, source.encode())
        _write(path and stem + ".h", header.encode())
        return source, header

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """A page that predicts in the browser; also written to ``path``, if given."""
        page = self._core.to_html()
        _write(path, page.encode())
        return page

    def __reduce__(self) -> tuple[Any, ...]:
        return Model.from_bytes, (self.to_bytes(),)

    @property
    def algorithm(self) -> str:
        """The algorithm that made it."""
        return self._info["algorithm"]

    @property
    def task(self) -> str:
        """"classification" or "regression"."""
        return self._info["task"]

    @property
    def classes(self) -> NDArray[Any]:
        """Labels in the order of the probabilities; empty in regression."""
        texts = self._core.classes()
        if self._core.boolean_classes():
            return np.array([text == "True" for text in texts])
        return np.array(texts, dtype=np.int64) if texts and self._core.integer_classes() else np.array(texts, dtype=str)

    @property
    def feature_names(self) -> list[str]:
        """Names of the features; x0, x1, ... if they came without."""
        return self._info["features"]

    @property
    def layers(self) -> list[dict[str, Any]]:
        """Inputs, units, operator set, memory and blocks of every layer; of several networks, of the first.

        ``info()["members"]`` has all networks and their weights."""
        return self._info["layers"]

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that it was trained with, threads aside."""
        return self._info["settings"]

    @property
    def n_parameters(self) -> int:
        """How many numbers were trained."""
        return self._info["parameters"]

    def info(self) -> dict[str, Any]:
        """What ``gopnet inspect --json`` prints."""
        return json.loads(self._core.json())

    def report(self, path: str | os.PathLike[str] | None = None, history: dict[str, Any] | None = None) -> None:
        """Writes a page of the network and, with a ``history``, of how it came about; as ``gopnet report`` does."""
        write_page(path, page_data(self.info(), history))

    def _repr_html_(self) -> str:
        return network_svg(self._info)

    def predict(self, X: Any) -> NDArray[Any]:
        """Labels of the rows, or their values: (rows,) or, for several targets, (rows, targets)."""
        x = self._rows(X)
        if self.task == "classification":
            return self.classes[self._core.predict_class(x)]
        return self._values(x)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Probabilities of the classes, (rows, classes)."""
        self._check_classifier("predict_proba")
        return self._core.predict(self._rows(X)).astype(np.float64)

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """What the probabilities are the softmax of, (rows, classes)."""
        self._check_classifier("decision_function")
        return self._core.decision(self._rows(X)).astype(np.float64)

    def transform(self, X: Any) -> NDArray[np.float32]:
        """Hidden features, which the output layer sees: neurons of the last layer, its memory after them."""
        return self._core.features(self._rows(X))

    def _values(self, x: NDArray[np.float32]) -> NDArray[np.float64]:
        values = self._core.predict_values(x)
        return values[:, 0] if values.shape[1] == 1 else values

    def _rows(self, X: Any) -> NDArray[np.float32]:
        return like_model(X, self._core.schema())

    def _check_classifier(self, method: str) -> None:
        if self.task != "classification":
            raise _core.Error(f"{method}: the model is one of regression, which has no classes")

    def __repr__(self) -> str:
        sets = ", ".join("/".join(layer["operator_set"]) for layer in self.layers)
        nets = self._info.get("members", [])
        first = f"network 1 of {len(nets)} (weight {nets[0]['weight']:.3g}): " if nets else ""
        return f"<gopnet.Model {self.algorithm}, {self.task}: {first}{sets}; {self.n_parameters} parameters>"
