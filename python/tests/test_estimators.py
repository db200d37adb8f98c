"""GOPClassifier and GOPRegressor do what scikit-learn users expect."""
import pickle
import threading

import joblib
import numpy as np
import pandas as pd
import pytest
from conftest import TINY, make_blobs
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gopnet import GOPClassifier, GOPRegressor, _data


def classifier(**more):
    return GOPClassifier(**{**TINY, **more})


def regressor(**more):
    return GOPRegressor(**{**TINY, **more})


def test_grid_search_in_a_pipeline_with_text_labels(names):
    x, y = names
    search = GridSearchCV(make_pipeline(StandardScaler(), classifier(threads=1)),
                          [{"gopclassifier__memory": ["pca", "none"], "gopclassifier__algorithm": ["popmem-o"]},
                           {"gopclassifier__algorithm": ["popfast"]}], cv=3, n_jobs=2, error_score="raise")
    with joblib.parallel_backend("threading"):
        search.fit(x, y)
    assert search.best_score_ > 0.8
    assert set(search.predict(x)) <= {"ant", "bee", "cat"}
    assert search.best_estimator_[-1].classes_.tolist() == ["ant", "bee", "cat"]


def test_cross_validation_of_a_regression(line):
    assert cross_val_score(regressor(epochs=60, topology=[20]), *line, cv=3).mean() > 0.8


@pytest.mark.parametrize("labels", [
    np.array([3, 5, 11]), np.array([-1, 0, 1], dtype=np.int8), np.array([0.0, 1.0, 2.0]), np.array([False, True, True]),
    np.array(["a", "b,c", "ünï:"]), np.array(["x", "y", "z"], dtype=object),
    np.array([2**63 + 1, 2**63, 1], dtype=np.uint64),
], ids=lambda a: f"{a.dtype}-{a[0]}")
def test_labels_come_back_as_they_were_given(blobs, labels):
    x, y = blobs[0], labels[blobs[1]]
    fitted = classifier().fit(x, y)
    np.testing.assert_array_equal(fitted.classes_, np.unique(y))
    assert fitted.classes_.dtype == y.dtype
    predicted = fitted.predict(x)
    assert predicted.dtype == y.dtype
    assert np.mean(predicted == y) > 0.6
    np.testing.assert_array_equal(fitted.classes_[fitted.predict_proba(x).argmax(axis=1)], predicted)


def test_probabilities_are_the_softmax_of_the_decision(names, blobs):
    x, y = names
    fitted = classifier().fit(x, y)
    exps = np.exp(fitted.decision_function(x))
    np.testing.assert_allclose(exps / exps.sum(axis=1, keepdims=True), fitted.predict_proba(x), atol=1e-6)
    two = blobs[1] < 2
    fitted = GOPClassifier(algorithm="bls", max_blocks=2).fit(x[two], y[two])  # trained on squared errors; a temperature gives the probabilities
    decision = fitted.decision_function(x[two])
    assert decision.shape == (two.sum(),)
    np.testing.assert_allclose(1 / (1 + np.exp(-decision)), fitted.predict_proba(x[two])[:, 1], atol=1e-6)


def test_quantiles_of_a_regression():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(900, 3))
    y = x[:, 0] + rng.normal(size=900)
    low, high = (regressor(loss="pinball", quantile=q, epochs=60, finetune_epochs=0).fit(x[:600], y[:600])
                 for q in (0.1, 0.9))
    inside = (low.predict(x[600:]) <= y[600:]) & (y[600:] <= high.predict(x[600:]))
    assert 0.7 < inside.mean() < 0.9
    assert high.get_params()["quantile"] == 0.9 and clone(high).quantile == 0.9
    with pytest.raises(ValueError, match="quantile"):
        regressor(quantile=0.9).fit(x, y)
    with pytest.raises(ValueError, match="'huber'"):
        regressor(algorithm="pop", loss="huber").fit(x, y)


def test_average_precision_can_select(blobs):
    fitted = classifier(metric="pr_auc").fit(*blobs)
    assert 0.5 < fitted.history_["layers"][-1]["val"]["pr_auc"] <= 1


def test_hidden_features_are_what_the_output_layer_sees(blobs):
    fitted = classifier(memory="pca").fit(*blobs)
    last = fitted.layers_[-1]
    features = fitted.transform(blobs[0])
    assert features.shape == (90, last["units"] + last["memory"]["dims"])
    assert fitted.get_feature_names_out()[0] == "gopclassifier0"
    frame = classifier().set_output(transform="pandas").fit(*blobs).transform(blobs[0])
    assert frame.shape[0] == 90 and frame.columns[0] == "gopclassifier0"


def test_pickle_joblib_and_clone(names, tmp_path):
    x, y = names
    fitted = classifier().fit(x, y)
    joblib.dump(fitted, tmp_path / "model.joblib")
    for copy in [pickle.loads(pickle.dumps(fitted)), joblib.load(tmp_path / "model.joblib")]:
        np.testing.assert_array_equal(copy.predict_proba(x), fitted.predict_proba(x))
        assert copy.history_ == fitted.history_
        assert copy.model_.to_bytes() == fitted.model_.to_bytes()
    with pytest.raises(NotFittedError):
        clone(fitted).predict(x)


def test_four_threads_fit_at_once(names):
    x, y = names
    alone = [classifier(seed=seed).fit(x, y).model_.to_bytes() for seed in range(4)]
    together = [None] * 4

    def fit(seed):
        together[seed] = classifier(seed=seed).fit(x, y).model_.to_bytes()

    threads = [threading.Thread(target=fit, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone
    assert len(set(alone)) == 4


def test_data_frames_keep_their_names(names):
    frame = pd.DataFrame(names[0], columns=["width", "height", "depth", "age"])
    fitted = classifier().fit(frame, pd.Series(names[1], name="kind"))
    assert fitted.feature_names_in_.tolist() == list(frame.columns)
    assert fitted.model_.feature_names == list(frame.columns)
    assert fitted.model_.info()["targets"] == ["kind"]
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.predict(frame[["height", "width", "depth", "age"]])
    with pytest.warns(UserWarning, match="valid feature names"):
        fitted.predict(names[0])


@pytest.mark.parametrize("dtype", [np.float16, np.float64, np.int8, np.uint64, np.bool_, object, ">f4"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_any_type_and_order_gives_the_same_network(blobs, dtype, order):
    x = np.round(blobs[0]).clip(0, 1)
    same = classifier().fit(x, blobs[1]).model_.to_bytes()
    assert classifier().fit(np.array(x, dtype=dtype, order=order), blobs[1]).model_.to_bytes() == same
    assert classifier().fit(np.repeat(x, 2, axis=1)[:, ::2], blobs[1]).model_.to_bytes() == same


def test_floats_in_c_order_are_not_copied():
    x = np.zeros((100, 7), np.float32)
    assert _data.rows(x) is x
    x.flags.writeable = False
    assert np.shares_memory(_data.rows(x), x)


def test_rows_of_weight_zero_are_ignored(names):
    x, y = names
    weight = np.ones(90)
    weight[60:] = 0
    weighted = classifier().fit(x, y, sample_weight=weight)
    assert weighted.model_.to_bytes() == classifier().fit(x[:60], y[:60]).model_.to_bytes()
    weighted = classifier().fit(x, y, sample_weight=np.where(y == "bee", 0, 1))
    assert weighted.classes_.tolist() == ["ant", "cat"]
    assert weighted.predict_proba(x).shape == (90, 2)


def test_validation_rows(names):
    x, y = names
    other = make_blobs(30, seed=5)
    fitted = classifier().fit(x, y, eval_set=(other[0], np.array(["ant", "bee", "cat"])[other[1]]))
    assert fitted.history_["data"]["train"] == 90
    assert fitted.history_["data"]["val"] == 30
    listed = classifier().fit(x, y, eval_set=[(other[0], np.array(["ant", "bee", "cat"])[other[1]])])
    assert listed.model_.to_bytes() == fitted.model_.to_bytes()
    with pytest.raises(ValueError, match="eval_set"):
        classifier().fit(x, y, eval_set=(x, y, y))
    with pytest.raises(ValueError, match="expecting 4 features"):
        classifier().fit(x, y, eval_set=(x[:, :3], y))


def test_class_weights_by_label(names):
    x, y = names
    y = np.where(y == "cat", "a:b,c", y)
    fitted = classifier(class_weight={"a:b,c": 500, "ant": 0.01, "bee": 0.01}, epochs=60).fit(x, y)
    assert np.mean(fitted.predict(x) == "a:b,c") > np.mean(y == "a:b,c")
    with pytest.raises(ValueError, match="no class 'dog'"):
        classifier(class_weight={"dog": 2}).fit(x, y)
    numbers = classifier(class_weight={0: 1, 1: 1, np.int64(2): 1}).fit(x, np.arange(90) % 3)
    assert numbers.classes_.tolist() == [0, 1, 2]


def test_several_targets(line):
    x, y = line
    both = regressor().fit(x, np.column_stack([y, -y]))
    assert both.predict(x).shape == (90, 2)
    assert both.predict(x).dtype == np.float64
    assert regressor().fit(x, y).predict(x).shape == (90,)
    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert regressor().fit(x, y[:, None]).predict(x).shape == (90,)
    with pytest.warns(DataConversionWarning, match="column-vector"):
        classifier().fit(x, (y > 0)[:, None])


def test_history_and_layers(names):
    fitted = classifier().fit(*names)
    assert fitted.history_["metrics"]["train"]["accuracy"] > 0.8
    assert [layer["operator_set"] for layer in fitted.history_["layers"]] == \
        [layer["operator_set"] for layer in fitted.layers_]
    assert len(fitted.layers_[0]["operator_set"]) == 3
    assert fitted.n_features_in_ == 4
