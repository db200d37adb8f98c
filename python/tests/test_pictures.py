"""Report pages, and pictures of networks."""
import copy
import json
import re

import numpy as np
import pytest

import gopnet

RNG = np.random.default_rng(1)
X = RNG.normal(size=(120, 4))
Y = np.where(X[:, 0] > 0, "<b>yes</b>", "no")
SMALL = {"topology": [4, 4], "epochs": 6, "finetune_epochs": 3, "ensemble": 1, "random_state": 1}


@pytest.fixture(scope="module")
def fitted():
    small = {key: value for key, value in SMALL.items() if key in gopnet.GOPClassifier().get_params()}
    return gopnet.GOPClassifier(**small).fit(X, Y)


def page(path):
    text = path.read_text()
    return text, json.loads(re.search(r'id="data">(.*?)</script>', text, re.S)[1])


def test_the_page_of_an_estimator_has_its_history_and_search(fitted, tmp_path):
    fitted.report(tmp_path / "page.html")
    text, data = page(tmp_path / "page.html")
    assert "<b>" not in text and "Content-Security-Policy" in text
    assert data["metrics"] == fitted.history_
    assert len(data["journal"]["searches"][0]["candidates"]) == 72
    assert data["model"]["classes"] == ["<b>yes</b>", "no"]


def test_the_search_record_ends_with_the_score_of_the_layer(fitted):
    first = fitted.history_["layers"][0]
    metric = fitted.search_["metric"]
    chosen = [c for c in fitted.search_["searches"][0]["candidates"] if c["set"] == first["operator_set"]]
    assert chosen[0]["points"][-1][1] == pytest.approx(first["val"][metric])


def test_results_and_models_write_pages(tmp_path):
    result = gopnet.train(X, X[:, 0], task="regression", topology=[4], epochs=3, finetune_epochs=0, ensemble=1)
    result.report(tmp_path / "result.html")
    result.model.report(tmp_path / "model.html")
    assert page(tmp_path / "result.html")[1]["metrics"]["task"] == "regression"
    assert page(tmp_path / "model.html")[1]["metrics"] is None


def test_without_a_path_the_page_goes_to_the_run_folder(fitted, tmp_path):
    tiny = {"task": "regression", "topology": [4], "epochs": 3, "finetune_epochs": 0, "ensemble": 1, "out": tmp_path / "r"}
    for again in (False, True):  # resuming a finished run returns it
        result = gopnet.train(X, X[:, 0], resume=again, **tiny)
        assert result.folder == str(tmp_path / "r") and not {"files", "checksum", "model"} & set(result.history)
        (tmp_path / "r" / "report.html").unlink(missing_ok=True)
        result.report()
        assert page(tmp_path / "r" / "report.html")[1]["metrics"] == result.history
    for pathless in (fitted, result.model, gopnet.TrainResult(result.model, result.history, True)):
        with pytest.raises(gopnet.Error, match="path is missing"):
            pathless.report()


def test_notebooks_show_the_network_of_a_fitted_estimator(fitted):
    own = gopnet.GOPClassifier()
    assert "<svg" not in own._repr_html_() and "<svg" not in own._repr_mimebundle_()["text/html"]
    for html in (fitted._repr_html_(), fitted._repr_mimebundle_()["text/html"], fitted.model_._repr_html_()):
        assert "/".join(fitted.layers_[0]["operator_set"]) in html and "2 classes" in html


def test_plots_show_every_operator_set_and_layer(fitted):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = gopnet.plot_operators(fitted)
    assert [axis.get_title() for axis in axes] == ["sigmoid", "tanh", "relu"]
    shown = np.array([axis.images[0].get_array() for axis in axes])
    assert shown.shape == (3, 6, 4)
    lines = gopnet.plot_history(fitted).get_lines()
    assert list(lines[1].get_ydata()) == [layer["val"][fitted.search_["metric"]] for layer in fitted.history_["layers"]]
    with pytest.raises(gopnet.Error, match="layer 9"):
        gopnet.plot_operators(fitted, layer=9)


def test_the_plot_explains_why_validation_is_better_than_training(fitted):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    changed = copy.deepcopy(fitted)
    layers, metric = changed.history_["layers"], changed.search_["metric"]

    def note(train, val):
        layers[0]["train"][metric], layers[0]["val"][metric] = train, val
        del layers[1:]
        return " ".join(text.get_text().replace("\n", " ") for text in gopnet.plot_history(changed).texts)

    assert note(0.9, 0.8).strip() == ""
    text = note(0.8, 0.9)
    assert "val is better than train: dropout and label smoothing" in text and "without dropout" in text
    changed.model_._info["settings"].update(dropout=0, label_smoothing=0)
    assert "better" in note(0.8, 0.9) and "dropout and" not in note(0.8, 0.9)


def test_the_plot_of_an_average_says_whose_layers_it_shows():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    average = gopnet.GOPClassifier(topology=[4], epochs=5, ensemble=3, linear_member=False).fit(X, Y)
    networks = len(average.history_["members"])
    assert gopnet.plot_history(average).get_title() == (f"the best of {networks} networks" if networks > 1 else "")
