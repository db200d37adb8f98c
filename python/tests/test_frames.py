"""Models find the columns of data frames by name, as the command line does in a file."""
import subprocess

import numpy as np
import pytest
from conftest import PROGRAM, TINY, make_blobs

import gopnet

pd = pytest.importorskip("pandas")


@pytest.fixture
def frame(blobs):
    return pd.DataFrame(blobs[0], columns=list("abcd"))


@pytest.fixture
def model(frame, blobs):
    return gopnet.train(frame, pd.Series(blobs[1], name="kind"), **TINY).model


def test_columns_are_found_by_their_names(model, frame):
    expected = model.predict_proba(frame)
    assert np.array_equal(model.predict_proba(frame[list("dbca")]), expected)
    assert np.array_equal(model.predict_proba(frame.assign(kind=0)), expected)  # the target column is ignored
    assert np.array_equal(model.predict_proba(frame.to_numpy()), expected)


@pytest.mark.parametrize("change, message", [
    (lambda f: f.rename(columns={"a": "z"}), "X: is missing column 'a' that the training data has"),
    (lambda f: f.drop(columns=["b", "c"]), "X: is missing columns 'b', 'c' that the training data has"),
    (lambda f: f.assign(e=1, f=2), "X: has extra columns 'e', 'f' that the training data does not have"),
])
def test_other_columns_are_errors(model, frame, change, message):
    with pytest.raises(gopnet.Error) as error:
        model.predict(change(frame))
    assert str(error.value) == message


def test_columns_of_validation_rows_are_found_by_name(frame, blobs):
    y = blobs[1]
    straight = gopnet.train(frame, y, eval_set=(frame, y), **TINY)
    turned = gopnet.train(frame, y, eval_set=[(frame[list("dcba")], y)], **TINY)
    assert straight.model.to_bytes() == turned.model.to_bytes()
    with pytest.raises(gopnet.Error, match="X: is missing column 'a'"):
        gopnet.train(frame, y, test_set=(frame.rename(columns={"a": "z"}), y), **TINY)


def test_a_model_of_the_command_line_with_texts_predicts_frames(tmp_path):
    x, y = make_blobs(60)
    frame = pd.DataFrame({"age": x[:, 0], "city": np.array(["Bonn", "Oslo", "Rome"])[y], "size": x[:, 1], "kind": y})
    frame.to_csv(tmp_path / "rows.csv", index=False)
    small = ["--ensemble", "1", "--topology", "4", "--epochs", "5", "--finetune-epochs", "1", "--nodal", "multiplication", "--quiet"]
    subprocess.run([PROGRAM, "train", "--train", "rows.csv", "--categorical", "--out", "run", *small], cwd=tmp_path,
                   check=True, stdout=subprocess.DEVNULL)
    frame.loc[0, "city"] = "Paris"  # never seen
    frame.to_csv(tmp_path / "rows.csv", index=False)
    subprocess.run([PROGRAM, "predict", "run/model.safetensors", "rows.csv", "--out", "out.csv", "--quiet"], cwd=tmp_path,
                   check=True, stdout=subprocess.DEVNULL)
    model = gopnet.Model.load(tmp_path / "run" / "model.safetensors")
    predicted = pd.read_csv(tmp_path / "out.csv").iloc[:, 0].to_numpy()
    assert np.array_equal(model.predict(frame), predicted)
    assert np.array_equal(model.predict(frame[["size", "city", "age"]]), predicted)


def test_nullable_numbers_are_numbers(blobs):
    x, y = blobs
    clf = gopnet.GOPClassifier(**TINY).fit(pd.DataFrame(x).astype("Float32"), pd.Series(y).astype("Int64"))
    assert clf.classes_.dtype == np.int64
    assert gopnet.train(x, pd.Series(x[:, 0].astype(float)).astype("Float64"), **TINY).model.task == "regression"


def test_thousands_separators_are_read_as_in_a_file():
    rng = np.random.default_rng(0)
    income, other = rng.integers(100, 9999, 200), rng.normal(size=200)
    texts = pd.DataFrame({"income": [f"{n:,}" for n in income], "other": other})
    numbers = pd.DataFrame({"income": income.astype(float), "other": other})
    clf = gopnet.GOPClassifier(ensemble=1, epochs=3, topology=[4], threads=1).fit(texts, income > 5000)
    assert np.array_equal(clf.predict_proba(texts), clf.predict_proba(numbers))
