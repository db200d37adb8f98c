"""Wrong arguments raise ValueError or TypeError; nothing crashes the process."""
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from conftest import TINY, make_blobs
from scipy import sparse
from sklearn.exceptions import NotFittedError

import gopnet
from gopnet import GOPClassifier, GOPRegressor, _core

X, Y = make_blobs(30)
NAN = np.where(np.arange(120).reshape(30, 4) == 5, np.nan, X)
RAGGED = np.array([[1, 2], [3]] * 15, dtype=object)
HUGE = np.array([[10**400, 1, 2, 3]] * 30, dtype=object)


@pytest.mark.parametrize("x, message", [
    (np.where(NAN == NAN, X, np.inf), "infinity"), (X.astype(float) * 1e300, "too large"),
    (X[0], "Expected 2D"), (X[:, :, None], "dim 3"), (X[:0], "0 sample"), (X[:, :0], "0 feature"),
    (X[:20], "inconsistent"),
    (np.full((30, 4), "a"), "could not convert"), (RAGGED, ""), (HUGE, "too large"), (sparse.csr_matrix(X.astype(float) * 1e300), "too large"),
    (X.astype(complex), "Complex"),
    (np.zeros(30, [("a", "f4")]), ""), (None, ""), (3, ""), ("text", ""), ({}, ""), ([[]], ""), (X.view(np.matrix), ""),
], ids=range(19))
@pytest.mark.parametrize("estimator", [GOPClassifier, GOPRegressor])
def test_bad_features(estimator, x, message):
    with pytest.raises((ValueError, TypeError), match=message):
        estimator(**TINY).fit(x, Y)
    with pytest.raises((ValueError, TypeError)):
        gopnet.train(x, Y, **TINY)
    if message != "inconsistent":
        fitted = estimator(**TINY).fit(X, Y)
        with pytest.raises((ValueError, TypeError)):
            fitted.predict(x)


@pytest.mark.parametrize("y", [
    None, Y[:20], Y[:0], np.where(Y == 1, np.nan, Y), np.full(30, 1e300), np.full(30, None), [10**400] * 30, [{}] * 30,
    np.zeros((30, 2, 2)), np.zeros(30), sparse.csr_matrix(Y), Y.astype(complex), 3, np.zeros((30, 0)),
], ids=range(14))
@pytest.mark.parametrize("estimator", [GOPClassifier, GOPRegressor])
def test_bad_targets(estimator, y):
    with pytest.raises((ValueError, TypeError)):
        estimator(**TINY).fit(X, y)
    with pytest.raises((ValueError, TypeError)):
        gopnet.train(X, y, **TINY, task="classification" if estimator is GOPClassifier else "regression")


@pytest.mark.parametrize("weight, message", [
    (np.ones(29), "sample_weight.shape"), (-np.ones(30), "weight.*-1"), (np.full(30, np.nan), "NaN"),
    (np.zeros(30), "rows.* 0|0 rows"), (np.ones((30, 2)), "1D"), (["a"] * 30, "could not convert"),
    ([10**400] * 30, "too large"),
])
def test_bad_weights(weight, message):
    with pytest.raises(ValueError, match=message):
        GOPClassifier(**TINY).fit(X, Y, sample_weight=weight)


@pytest.mark.parametrize("parameter, error, message", [
    ({"epochs": 10**30}, ValueError, "parameter epochs: .*1000000000000000000000000000000"),
    ({"epochs": -1}, gopnet.Error, "parameter epochs: .*-1"),
    ({"epochs": 2.5}, gopnet.Error, "parameter epochs: .*2.5"), ({"dropout": float("nan")}, gopnet.Error, "dropout: .*nan"),
    ({"dropout": 1}, gopnet.Error, "dropout: .*1"), ({"topology": []}, gopnet.Error, "topology"),
    ({"topology": [[3], None]}, TypeError, "parameter topology: .*None"), ({"epochs": object()}, TypeError, "epochs"),
    ({"epochs": b"3"}, TypeError, "epochs"), ({"nodal": "multiplicatoin"}, gopnet.Error, "did you mean"),
    ({"algorithm": "pop-mem"}, gopnet.Error, "unknown algorithm 'pop-mem'"), ({"algorithm": None}, TypeError, ""),
    ({"memory": "\ud800"}, (ValueError, TypeError), ""), ({"preset": "slow"}, gopnet.Error, "preset .slow.; .*default, paper, fast, best"),
    ({"weight_decay": 1.0, "max_norm": 1.0}, gopnet.Error, "weight_decay.*max_norm|max_norm.*weight_decay"), ({"callbacks": 3}, TypeError, "instances of gopnet.Callback"), ({"callbacks": gopnet.Callback}, TypeError, "instances of gopnet.Callback"),
    ({"algorithm": ["pop"]}, TypeError, "algorithm: must be one of pop, .*; got .*'pop'"), ({"dropout": Fraction(10**400)}, ValueError, "dropout"),
    ({"class_weight": {0: 10**400}}, ValueError, "class_weight"),
    ({"seed": -1}, gopnet.Error, "seed"), ({"class_weight": {0: "much"}}, ValueError, ""),
])
def test_bad_parameters(parameter, error, message):
    with pytest.raises(error, match=message):
        GOPClassifier(**{**TINY, **parameter}).fit(X, Y)


@pytest.mark.parametrize("given", [(X,), {"a": 1}, [X, Y, Y], 3, "ab"])
def test_bad_pairs(given):
    with pytest.raises(ValueError, match=r"eval_set: must be a pair \(X, y\); got"):
        GOPClassifier(**TINY).fit(X, Y, eval_set=given)
    with pytest.raises(ValueError, match=r"test_set: must be a pair \(X, y\); got"):
        gopnet.train(X, Y, test_set=given, **TINY)


def test_an_error_in_the_validation_rows_says_so():
    with pytest.raises(ValueError, match="eval_set: X has 3 features"):
        GOPClassifier(**TINY).fit(X, Y, eval_set=(X[:, :3], Y))


def test_strings_that_are_not_utf8():
    with pytest.raises(ValueError, match=r"label '\\ud800' is not UTF-8 text"):
        GOPClassifier(**TINY).fit(X, np.where(Y == 1, "\ud800", "a").astype(object))
    with pytest.raises(ValueError, match=r"column name '\\ud800' is not UTF-8 text"):
        gopnet.train(pd.DataFrame(X, columns=["a", "b", "c", "\ud800"]), Y, **TINY)


def test_other_arguments():
    with pytest.raises(gopnet.Error, match="resume: out is missing"):
        gopnet.train(X, Y, resume=True, **TINY)
    with pytest.raises(TypeError, match="Model cannot be created directly"):
        gopnet.Model(None)
    with pytest.raises(TypeError, match="algorithm: .*got None"):
        gopnet.parameters(None)


def test_one_class_and_one_row_are_errors():
    with pytest.raises(gopnet.Error, match="class.*'1'"):
        GOPClassifier(**TINY).fit(X, np.ones(30, int))
    with pytest.raises(ValueError, match="1 sample"):
        GOPClassifier(**TINY).fit(X[:1], Y[:1])
    with pytest.raises(ValueError, match="Unknown label type"):
        GOPClassifier(**TINY).fit(X, X[:, 0])


def test_unfitted_estimators_raise_not_fitted():
    for method in ["predict", "predict_proba", "decision_function", "transform"]:
        with pytest.raises(NotFittedError, match="is not fitted yet"):
            getattr(GOPClassifier(), method)(X)
    failed = GOPClassifier(epochs=-1)
    with pytest.raises(gopnet.Error):
        failed.fit(X, Y)
    with pytest.raises(NotFittedError):
        failed.predict(X)


def test_arrays_of_unusual_memory_layout_give_the_same_model(tmp_path):
    same = GOPClassifier(**TINY).fit(X, Y).model_.to_bytes()
    np.save(tmp_path / "x.npy", X)
    packed = np.zeros(30, [("pad", "i1"), ("x", "f4", 4)])
    packed["x"] = X
    frozen, label = X.copy(), Y.copy()
    frozen.flags.writeable = label.flags.writeable = False

    class Sub(np.ndarray):
        pass

    for x in [np.load(tmp_path / "x.npy", mmap_mode="r"), packed["x"], frozen, X.view(Sub), X[::-1][::-1], X.tolist(),
              pd.DataFrame(X), np.frombuffer(b"\0" + X.tobytes(), np.uint8)[1:].view(np.float32).reshape(30, 4),
              np.ma.masked_array(X)]:
        assert GOPClassifier(**TINY).fit(x, label).model_.to_bytes() == same


def test_the_extension_rejects_wrong_arrays():
    model = gopnet.train(X, Y, **TINY).model._core
    unaligned = np.frombuffer(b"\0" + X.tobytes(), np.uint8)[1:].view(np.float32).reshape(30, 4)
    for x in [X.astype(float), np.asfortranarray(X), X[0], X.tolist(), None, unaligned]:
        for method in [model.predict, model.decision, model.features, model.predict_class]:
            with pytest.raises(TypeError):
                method(x)
    with pytest.raises(gopnet.Error, match="4 columns.* 3"):
        model.predict(np.ascontiguousarray(X[:, :3]))
    for codes, classes in [(Y, ["a"]), (Y - 5, ["a", "b", "c"]), (Y[:3], ["a", "b", "c"])]:
        data = _core.classification(X, codes.astype(np.int32), classes, False)
        with pytest.raises(gopnet.Error):
            _core.train("bls", {}, data, None, None, lambda *_: None, False, "", False)
    for made_by_the_core in [_core.Dataset, _core.Model, _core.Schema]:
        for make in [made_by_the_core, lambda kind=made_by_the_core: kind.__new__(kind)]:
            with pytest.raises(TypeError, match="No constructor"):
                make()
