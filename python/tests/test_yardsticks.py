"""The baselines of a run agree with scikit-learn's linear and constant models."""
import numpy as np
from sklearn.datasets import load_diabetes, load_wine
from sklearn.linear_model import LogisticRegression, QuantileRegressor, Ridge
from sklearn.metrics import accuracy_score, log_loss, mean_pinball_loss, r2_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gopnet

QUICK = dict(ensemble=1, epochs=2, topology="4", scale="standard", nodal="multiplication", pool="sum", activation="tanh")


def test_linear_and_constant_of_classes():
    x, y = load_wine(return_X_y=True)
    x = x + np.random.RandomState(0).normal(scale=2 * x.std(0), size=x.shape)  # otherwise all predictions would be right
    train, val, test = np.arange(len(y)) % 3 == 0, np.arange(len(y)) % 3 == 1, np.arange(len(y)) % 3 == 2
    fitted = gopnet.train(x[train], y[train].astype(str), eval_set=(x[val], y[val].astype(str)), test_set=(x[test], y[test].astype(str)), **QUICK)
    own = fitted.history["yardsticks"]
    peer = make_pipeline(StandardScaler(), LogisticRegression(C=1, max_iter=1000)).fit(x[train], y[train])
    proba = peer.predict_proba(x[test])
    assert abs(own["linear"]["loss"] - log_loss(y[test], proba)) < 0.01
    assert abs(own["linear"]["accuracy"] - accuracy_score(y[test], proba.argmax(1))) < 0.02
    assert own["constant"]["accuracy"] == (y[test] == np.bincount(y[train]).argmax()).mean()


def test_linear_and_mean_of_regression():
    x, y = load_diabetes(return_X_y=True)
    train = np.arange(len(y)) % 2 == 0
    fitted = gopnet.train(x[train], y[train], test_set=(x[~train], y[~train]), eval_set=(x[~train], y[~train]), **QUICK)
    own = fitted.history["yardsticks"]
    # the same penalty, although gopnet standardises the targets
    peer = make_pipeline(StandardScaler(), Ridge(1.0)).fit(x[train], y[train])
    assert abs(own["linear"]["r2"] - r2_score(y[~train], peer.predict(x[~train]))) < 0.002
    assert abs(own["constant"]["r2"] - r2_score(y[~train], np.full((~train).sum(), y[train].mean()))) < 1e-6


def test_linear_and_constant_of_a_quantile():
    x, y = load_diabetes(return_X_y=True)
    train = np.arange(len(y)) % 2 == 0
    fitted = gopnet.train(x[train], y[train], test_set=(x[~train], y[~train]), eval_set=(x[~train], y[~train]), loss="pinball",
                          quantile=0.8, **QUICK)
    own, scale = fitted.history["yardsticks"], y[train].std()
    peer = make_pipeline(StandardScaler(), QuantileRegressor(quantile=0.8, alpha=0, solver="highs")).fit(x[train], y[train])
    peers = mean_pinball_loss(y[~train], peer.predict(x[~train]), alpha=0.8)
    assert abs(own["linear"]["loss"] * scale / peers - 1) < 0.03
    constant = mean_pinball_loss(y[~train], np.full((~train).sum(), np.quantile(y[train], 0.8)), alpha=0.8)
    assert abs(own["constant"]["loss"] * scale / constant - 1) < 0.01
