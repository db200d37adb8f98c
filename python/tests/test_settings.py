"""scikit-learn's names for parameters, parameters of other algorithms, limits on threads."""
import copy
import io
import os
import pickle
import subprocess

import joblib
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from conftest import PROGRAM, TINY
from sklearn.inspection import permutation_importance
from sklearn.model_selection import cross_validate
from threadpoolctl import threadpool_limits

import gopnet
from gopnet import GOPClassifier, GOPRegressor, _settings


@pytest.mark.parametrize("columns, target", [(["price", "b", "c", "d"], "price"), (["a", "a", "c", "d"], "y"),
                                             (["a", "a", "c", "d"], "a")])
def test_column_and_target_names_may_be_equal(line, tmp_path, columns, target):
    x, y = pd.DataFrame(line[0], columns=columns), pd.Series(line[1], name=target)
    fitted = GOPRegressor(**TINY).fit(x, y)
    expected = fitted.predict(x)
    fitted.model_.save(tmp_path / "m")
    buffer = io.BytesIO()
    joblib.dump(fitted, buffer)
    buffer.seek(0)
    for copied in [pickle.loads(pickle.dumps(fitted)), joblib.load(buffer), copy.deepcopy(fitted)]:
        assert copied.predict(x).tolist() == expected.tolist()
    loaded = gopnet.Model.load(tmp_path / "m")
    assert loaded.predict(x).tolist() == expected.tolist() and loaded.feature_names == columns
    if target not in columns or len(set(columns)) == 4:
        x.to_csv(tmp_path / "x.csv", index=False, header=len(set(columns)) == 4)
        done = subprocess.run([PROGRAM, "predict", tmp_path / "m", tmp_path / "x.csv"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert np.allclose([float(v) for v in done.stdout.split()[1:]], expected, rtol=1e-6)
    cv = cross_validate(GOPRegressor(**TINY), x, y, cv=2, n_jobs=2, return_estimator=True)
    assert len(cv["estimator"]) == 2


@pytest.mark.parametrize("given, message", [
    ({"max_layers": 1}, "popmem-o has no parameter 'max_layers'"), ({"ridge": "abc"}, "popmem-o has no parameter 'ridge'"),
    ({"algorithm": "bls", "epochs": 3}, "bls has no parameter 'epochs'"), ({"l1": object()}, "l1"),
])
def test_parameters_that_the_algorithm_does_not_have_are_errors(names, given, message):
    with pytest.raises((gopnet.Error, TypeError), match=message):
        GOPClassifier(**given).fit(*names)
    assert GOPClassifier(**given).get_params().items() >= given.items()  # only fit raises, as scikit-learn requires


def test_setting_a_parameter_to_its_default_has_no_effect(names):
    fitted = GOPClassifier(algorithm="s-elm", lr=[0.01, 0.001, 0.0001], memory="pca", max_layers=1).fit(*names)
    assert fitted.n_layers_ == 1


@pytest.mark.parametrize("estimator", [GOPClassifier, GOPRegressor])
def test_unknown_keywords_name_the_estimator(estimator):
    with pytest.raises(TypeError, match=f"{estimator.__name__} has no parameter 'epoch' .did you mean 'epochs'"):
        estimator(epoch=3)
    with pytest.raises(TypeError, match=f"{estimator.__name__} has no parameter 'zebra'$"):
        estimator(zebra=3)
    with pytest.raises(TypeError, match=f"{estimator.__name__} accepts keyword arguments only"):
        estimator("popfast")


def test_random_state_and_n_jobs_are_aliases(names):
    seeded = GOPClassifier(seed=7, threads=1, **TINY).fit(*names).model_.to_bytes()
    assert GOPClassifier(random_state=7, n_jobs=1, **TINY).fit(*names).model_.to_bytes() == seeded
    assert GOPClassifier(random_state=np.int64(7), n_jobs=-1, **TINY).fit(*names).model_.to_bytes() == seeded
    assert gopnet.train(*names, random_state=7, n_jobs=2, **TINY).model.to_bytes() == seeded
    drawn = np.random.RandomState(3).randint(2**31 - 1)
    assert _settings.settled({"random_state": np.random.RandomState(3)})["seed"] == drawn
    for both in [{"seed": 2, "random_state": 2}, {"threads": 2, "n_jobs": 2}]:
        with pytest.raises(gopnet.Error, match="(seed|threads) and (random_state|n_jobs)"):
            GOPClassifier(**both, **TINY).fit(*names)
    for wrong in [{"random_state": "seven"}, {"n_jobs": 0}, {"random_state": -1}, {"n_jobs": "all"}]:
        with pytest.raises(ValueError, match=next(iter(wrong))):
            GOPClassifier(**wrong, **TINY).fit(*names)


def test_limits_on_threads_are_respected(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))
    monkeypatch.setattr(_settings, "threadpool_info", lambda: [])
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert _settings.default_threads() == 0
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert _settings.default_threads() == 3
    assert _settings.settled({"threads": 5})["threads"] == 5
    monkeypatch.setenv("OMP_NUM_THREADS", "64")
    assert _settings.default_threads() == 0


def test_threadpoolctl_limits_threads():
    with threadpool_limits(1, user_api="openmp"):
        limited = _settings.default_threads()
    assert limited == (1 if len(os.sched_getaffinity(0)) > 1 else 0)


def test_the_papers_spelling_of_an_algorithm(names):
    assert GOPClassifier(algorithm="POPmem-O", **TINY).fit(*names).model_.algorithm == "popmem-o"
    assert gopnet.train(*names, algorithm="S-ELM", max_layers=1).model.algorithm == "s-elm"


@pytest.mark.parametrize("kind", [np.array, pd.Series, lambda y: pd.Series(y, dtype="boolean")])
def test_booleans_come_back(blobs, tmp_path, kind):
    x, y = blobs[0], kind(blobs[1] == 1)
    model = gopnet.train(x, y, **TINY).model
    model.save(tmp_path / "m")
    for read in [model, gopnet.Model.load(tmp_path / "m"), pickle.loads(pickle.dumps(model))]:
        assert read.classes.dtype == bool and read.predict(x).dtype == bool
        assert np.mean(read.predict(x) == np.asarray(y, dtype=bool)) > 0.8
    assert GOPClassifier(**TINY).fit(x, np.asarray(y, dtype=bool)).classes_.tolist() == [False, True]
    texts = gopnet.train(x, np.where(np.asarray(y, dtype=bool), "True", "False"), **TINY).model
    assert texts.classes.tolist() == ["False", "True"] and texts.predict(x)[0] in ("False", "True")


def test_integers_in_an_array_and_in_a_series_give_the_same_task():
    y = np.arange(400) * 3 % 214
    x = np.random.default_rng(0).normal(size=(400, 3)).astype(np.float32)
    tasks = {gopnet.train(x, kind(y), algorithm="bls", max_blocks=1, block_size=2).history["task"]
             for kind in (np.array, pd.Series, list)}
    assert tasks == {"regression"}


def test_history_says_that_training_was_stopped(names):
    class Stop(gopnet.Callback):
        def on_layer(self, event):
            return False

    whole = GOPClassifier(**TINY).fit(*names)
    assert whole.history_["stopped"] is None and whole.history_["complete"] and not whole.stopped_early_
    assert whole.history_["growth_ended"] and whole.n_layers_ == len(whole.layers_)
    early = GOPClassifier(callbacks=Stop(), **TINY).fit(*names)
    assert early.history_["stopped"] == "a callback stopped training" and not early.history_["complete"]
    assert early.stopped_early_


def test_layers_show_the_weighted_score_that_chose(names):
    x, y = names
    weight = np.where(y == "ant", 50.0, 0.1)
    seen = []

    class See(gopnet.Callback):
        def on_candidate(self, event):
            seen.append(event.best_score)

    fitted = GOPClassifier(callbacks=See(), **{**TINY, "topology": [4], "epochs": 3, "metric": "accuracy"})
    fitted.fit(x, y, sample_weight=weight, eval_set=(x, y))
    unweighted = fitted.fit(x, y, eval_set=(x, y)).history_["layers"][0]["val"]["accuracy"]
    assert seen and isinstance(unweighted, float)
    seen.clear()
    fitted.fit(x, y, sample_weight=weight)
    assert fitted.history_["layers"][0]["val"]["accuracy"] == pytest.approx(seen[-1], abs=1e-9)


def test_sparse_matrices_become_arrays_with_a_warning(names):
    x, y = names
    plain = GOPClassifier(**TINY).fit(x, y)
    with pytest.warns(UserWarning, match="sparse matrix of 90 x 4.* 0.0 MB"):
        fitted = GOPClassifier(**TINY).fit(scipy.sparse.csr_matrix(x), y)
    assert fitted.model_.to_bytes() == plain.model_.to_bytes()
    with pytest.warns(UserWarning, match="sparse"):
        assert fitted.predict(scipy.sparse.csc_matrix(x)).tolist() == plain.predict(x).tolist()
    with pytest.warns(UserWarning, match="sparse"):
        assert gopnet.train(scipy.sparse.coo_matrix(x), y, **TINY).model.to_bytes() == plain.model_.to_bytes()


def test_the_last_of_several_evaluation_sets_validates(names):
    x, y = names
    sets = [(x[:45], y[:45]), (x[45:], y[45:])]
    fitted = GOPClassifier(**TINY).fit(x, y, eval_set=sets)
    assert fitted.model_.to_bytes() == GOPClassifier(**TINY).fit(x, y, eval_set=sets[1]).model_.to_bytes()
    assert [m["accuracy"] for m in fitted.history_["eval_sets"]] == \
        pytest.approx([np.mean(fitted.predict(a) == b) for a, b in sets])
    trained = gopnet.train(x, y, eval_set=sets, **TINY)
    assert trained.history["eval_sets"] == fitted.history_["eval_sets"]


def test_a_finished_run_is_returned(names, tmp_path):
    first = gopnet.train(*names, out=tmp_path / "r", **TINY)
    again = gopnet.train(*names, out=tmp_path / "r", resume=True, **TINY)
    assert again.finished and again.model.to_bytes() == first.model.to_bytes()
    assert again.history["metrics"] == first.history["metrics"] and again.history["stopped"] is None
    with pytest.raises(gopnet.Error, match="seed"):
        gopnet.train(*names, out=tmp_path / "r", resume=True, seed=9, **TINY)
    with pytest.raises(gopnet.Error, match="rows"):
        gopnet.train(names[0][:60], names[1][:60], out=tmp_path / "r", resume=True, **TINY)


def test_importance_agrees_with_scikit_learns(tmp_path):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 3)).astype(np.float32)
    y = 2 * x[:, 0] + x[:, 1]
    fitted = GOPRegressor(**{**TINY, "epochs": 30}).fit(x, y)
    fitted.model_.save(tmp_path / "m")
    pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "y": y}).to_csv(
        tmp_path / "t.csv", index=False, header=False)  # a model of arrays has no names
    done = subprocess.run([PROGRAM, "importance", tmp_path / "m", tmp_path / "t.csv", "--repeats", "40", "--csv",
                           tmp_path / "i.csv"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    ours = pd.read_csv(tmp_path / "i.csv").sort_values("name")
    theirs = permutation_importance(fitted, x, y, n_repeats=40, random_state=0)
    assert list(ours["name"]) == ["x0", "x1", "x2"]
    for mean, std, mean_of_others, std_of_others in zip(ours["mean"], ours["std"], theirs.importances_mean,
                                                        theirs.importances_std):
        assert abs(mean - mean_of_others) < 4 * max(std, std_of_others, 1e-4) * (2 / 40) ** 0.5
        assert std < 2 * std_of_others + 1e-4 and std_of_others < 2 * std + 1e-4
