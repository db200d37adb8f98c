"""Exports from Python are the same as from the command line; tests/export runs them."""
import numpy as np
import pytest

import gopnet


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(60, 3)).astype(np.float32)
    return gopnet.GOPClassifier(algorithm="s-elm").fit(x, np.where(x[:, 0] > 0, "yes", "no"))


def test_exports_are_returned_and_written(fitted, tmp_path):
    model = fitted.model_
    assert model.to_onnx(tmp_path / "m.onnx") == (tmp_path / "m.onnx").read_bytes() == fitted.to_onnx()
    assert len(model.to_onnx(double=True)) > len(model.to_onnx())
    source, header = fitted.to_c(tmp_path / "net.c", name="net")
    assert (source, header) == ((tmp_path / "net.c").read_text(), (tmp_path / "net.h").read_text())
    assert '#include "net.h"' in source and "int net_predict(const float* x, float* out);" in header
    assert '"no",' in source and '"yes"}' in source
    assert fitted.to_html(tmp_path / "m.html") == (tmp_path / "m.html").read_text() == model.to_html()


def test_impossible_exports_are_errors(fitted, tmp_path):
    with pytest.raises(gopnet.Error, match="must end in .c; got .*net.txt"):
        fitted.model_.to_c(tmp_path / "net.txt")
    with pytest.raises(gopnet.Error, match="1st"):
        fitted.model_.to_c(name="1st")
    with pytest.raises(Exception, match="not fitted"):
        gopnet.GOPClassifier().to_onnx()
