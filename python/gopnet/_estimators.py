"""The scikit-learn estimators."""
from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import (BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, RegressorMixin,
                          TransformerMixin)
from sklearn.utils.validation import _check_y, check_consistent_length, check_is_fitted, column_or_1d

from . import _callbacks, _core, _data, _tables
from ._estimator_docs import classifier_doc, documented, documented_fit, regressor_doc
from ._labels import Labels
from ._parameters import ParametersMixin
from ._pictures import SearchRecord, network_svg, page_data, write_page
from ._progress import ProgressBar
from ._settings import check_keywords, of_estimator
from ._sklearn import remember_columns, validate_data
from ._train import Interrupted, TrainResult, measure, run


class _Estimator(ParametersMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Common base of both estimators."""

    __signature__ = inspect.signature(ParametersMixin)

    if not TYPE_CHECKING:  # type checkers read the keywords of ParametersMixin.__init__

        def __new__(cls, *args: Any, **given: Any) -> Any:
            """Check the keywords before __init__ does, whose message would name ParametersMixin."""
            check_keywords(cls.__name__, args, given, cls._get_param_names())
            return super().__new__(cls)

    @documented("Compute the hidden features, which are the inputs of the output layer.",
                "(n_samples, n_hidden)", "Outputs of the last layer's neurons, followed by its memory.")
    def transform(self, X: Any) -> NDArray[np.float32]:
        x = self._rows(X)
        return self.model_._core.features(x)

    def to_onnx(self, path: str | os.PathLike[str] | None = None, *, double: bool = False) -> bytes:
        """Export the fitted model as ONNX; see ``Model.to_onnx``."""
        check_is_fitted(self, "model_")
        return self.model_.to_onnx(path, double=double)

    def to_c(self, path: str | os.PathLike[str] | None = None, *, name: str = "gopnet") -> tuple[str, str]:
        """Export the fitted model as C; see ``Model.to_c``."""
        check_is_fitted(self, "model_")
        return self.model_.to_c(path, name=name)

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """Export the fitted model as a web page; see ``Model.to_html``."""
        check_is_fitted(self, "model_")
        return self.model_.to_html(path)

    def _forget(self) -> None:
        """Delete the results of an earlier fit."""
        for name in ("model_", "history_", "layers_", "n_layers_", "stopped_early_", "classes_", "search_"):
            self.__dict__.pop(name, None)

    def _fit(self, train: _core.Dataset, sets: list[_core.Dataset], labels: Labels | None = None) -> None:
        callbacks = _callbacks.checked(self.callbacks)
        if self.verbose:
            callbacks.append(ProgressBar())
        record = SearchRecord()
        callbacks.append(record)
        self.search_ = record.found
        try:
            result = run(self.algorithm, self._chosen(), train, sets[-1] if sets else None, callbacks=callbacks)
            measure(result, sets)
            self._keep(result, labels)
        except Interrupted as interrupt:  # keep the best network so far
            if interrupt.result is not None:
                self._keep(interrupt.result, labels)
            raise

    def _chosen(self) -> dict[str, Any]:
        return of_estimator(self.get_params(deep=False))

    def _keep(self, result: TrainResult, labels: Labels | None) -> None:
        self.model_ = result.model
        self.history_ = result.history
        self.layers_ = result.model.layers
        self.n_layers_ = len(self.layers_)
        self.stopped_early_ = not result.finished
        self._n_features_out = self.model_._core.n_hidden()
        if labels is not None:  # only classes that have a row of positive weight
            self.classes_ = labels.pick(result.model._core.classes())

    def report(self, path: str | os.PathLike[str] | None = None) -> None:
        """Write a web page about the fitted network and its training, as ``gopnet report`` does.

        Parameters
        ----------
        path : path
            The file to write, such as "report.html".
        """
        check_is_fitted(self, "model_")
        write_page(path, page_data(self.model_.info(), self.history_, self.search_))

    @property
    def _repr_html_(self) -> Any:
        inner = super()._repr_html_
        return lambda: inner() + self._picture()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] += self._picture()
        return bundle

    def _picture(self) -> str:
        return network_svg(self.model_._info) if hasattr(self, "model_") else ""

    def _rows(self, X: Any) -> NDArray[np.float32]:
        check_is_fitted(self, "model_")
        return self._new_rows(X, self.model_._core.schema()).x

    def _new_rows(self, X: Any, schema: _core.Schema) -> _tables.Rows:
        """Read rows as the training rows were read."""
        X = _data.dense(X)
        if _tables.is_table(X):
            remember_columns(self, X, reset=False)
            return _tables.read(X, self._columns(), schema)
        with _data.huge_integers_are_value_errors():
            x = validate_data(self, X, reset=False, **_data.BLANKS, **_data.FLOAT)
        return _tables.read_numbers(_data.aligned(x), X, self._columns(), schema)

    def _training_rows(self, X: Any, y: Any, **options: Any) -> tuple[_tables.Rows, NDArray[Any]]:
        self._forget()
        X, y = _data.dense(X), _data.plain(y)
        if _tables.is_table(X):
            return self._training_table(X, y, **options)
        with _data.huge_integers_are_value_errors():
            x, y = validate_data(self, X, y, ensure_min_samples=2, **_data.BLANKS, **_data.FLOAT, **options)
        return _tables.read_numbers(_data.aligned(x), X, self._columns()), y

    def _training_table(self, X: Any, y: Any, **options: Any) -> tuple[_tables.Rows, NDArray[Any]]:
        """Do what validate_data does, for a data frame with text."""
        remember_columns(self, X, reset=True)
        with _data.huge_integers_are_value_errors():
            y = _check_y(y, estimator=self, **options)
        check_consistent_length(X, y)
        if len(X) < 2:
            raise ValueError(f"Found array with {len(X)} sample(s) (shape={X.shape}) while a minimum of 2 is required.")
        return _tables.read(X, self._columns()), y

    def _eval_rows(self, eval_set: Any, schema: _core.Schema) -> list[tuple[_tables.Rows, Any]]:
        sets = []
        for x, y in _data.pairs(eval_set, "eval_set"):
            try:
                sets.append((self._new_rows(x, schema), y))
            except ValueError as error:
                raise ValueError(f"eval_set: {error}") from None
        return sets

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"preserves_dtype": [np.float32], "allow_nan": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float32"]
        tags.input_tags.allow_nan = True
        return tags

    def _columns(self) -> list[str]:
        return list(getattr(self, "feature_names_in_", []))


class GOPClassifier(ClassifierMixin, _Estimator):
    __doc__ = classifier_doc

    @documented_fit("GOPClassifier", "(n_samples,)", "Class labels: numbers or strings.")
    def fit(self, X: Any, y: Any, sample_weight: Any = None, eval_set: Any = None) -> GOPClassifier:
        targets = _data.target_names(y)
        rows, y = self._training_rows(X, y)
        labels = _data.labels(y)
        train = _data.classification(rows.x, labels, sample_weight, self._columns(), targets, rows.schema)
        sets = [_data.classification(new.x, _data.labels(answers), schema=new.schema)
                for new, answers in self._eval_rows(eval_set, train.schema)]
        self._fit(train, sets, labels)
        return self

    @documented("Predict the class of each row.", "(n_samples,)", "The most probable class, as ``y`` has it.")
    def predict(self, X: Any) -> NDArray[Any]:
        x = self._rows(X)
        return self.classes_[self.model_._core.predict_class(x)]

    @documented("Predict the probabilities of the classes.",
                "(n_samples, n_classes)", "One column for each class, in the order of ``classes_``.")
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        x = self._rows(X)
        return self.model_._core.predict(x).astype(np.float64)

    @documented("Predict the logarithms of the probabilities of the classes.",
                "(n_samples, n_classes)", "One column for each class, in the order of ``classes_``.")
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        with np.errstate(divide="ignore"):  # probabilities of 0
            return np.log(self.predict_proba(X))

    @documented("Compute confidence scores, whose softmax gives the probabilities.",
                "(n_samples,) or (n_samples, n_classes)",
                "One column for each class; for two classes their difference, positive for the second.")
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        x = self._rows(X)
        scores = self.model_._core.decision(x).astype(np.float64)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        _data.check_no_mask(y, sample_weight)
        return float(super().score(X, y, sample_weight))

    score.__doc__ = ClassifierMixin.score.__doc__


class GOPRegressor(RegressorMixin, _Estimator):
    __doc__ = regressor_doc

    @documented_fit("GOPRegressor", "(n_samples,) or (n_samples, n_targets)", "Target values.")
    def fit(self, X: Any, y: Any, sample_weight: Any = None, eval_set: Any = None) -> GOPRegressor:
        targets = _data.target_names(y)
        rows, y = self._training_rows(X, y, multi_output=True, y_numeric=True)
        if np.ndim(y) == 2 and y.shape[1] == 1:
            y = column_or_1d(y, warn=True)
        train = _data.regression(rows.x, _data.values(y), sample_weight, self._columns(), targets, rows.schema)
        sets = [_data.regression(new.x, _data.values(answers), schema=new.schema)
                for new, answers in self._eval_rows(eval_set, train.schema)]
        self._fit(train, sets)
        return self

    @documented("Predict the values of each row.", "(n_samples,) or (n_samples, n_targets)", "Predicted values.")
    def predict(self, X: Any) -> NDArray[np.float64]:
        x = self._rows(X)
        return self.model_._values(x)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        _data.check_no_mask(y, sample_weight)
        return float(super().score(X, y, sample_weight))

    score.__doc__ = RegressorMixin.score.__doc__

    def _more_tags(self) -> dict[str, Any]:
        return {"multioutput": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
