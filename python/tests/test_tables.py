"""Tables with text, categories, dates, booleans, missing values and numbers far from 0."""
import pickle
import subprocess
import warnings

import numpy as np
import pytest
from conftest import PROGRAM, TINY, make_blobs

import gopnet

pd = pytest.importorskip("pandas")
OPTIONS = ["--ensemble", "1", "--topology", "8,6", "--epochs", "24", "--batch-size", "16", "--dropout", "0.1", "--finetune-epochs", "2",
           "--nodal", "multiplication,harmonic", "--pool", "sum", "--activation", "tanh", "--quiet"]


def people(rows=90):
    """A data frame with a column of each kind, from which the class follows, and the class."""
    x, y = make_blobs(rows)
    frame = pd.DataFrame({
        "age": x[:, 0].astype(float), "city": np.array(["Bonn", "Oslo", "Rome"])[y],
        "size": pd.Categorical(np.array(["S", "M", "L"])[(y + np.arange(rows) // 30) % 3]),
        "member": y == 1, "since": pd.to_datetime("2020-01-31") + pd.to_timedelta(np.arange(rows) % 7 + 400 * y, "D"),
        "visits": pd.array(y + np.arange(rows) % 5, dtype="Int64"), "score": x[:, 1].astype(float)})
    frame.loc[frame.index % 9 == 0, ["age", "city", "since", "visits"]] = None
    frame["member"] = frame["member"].astype("boolean").mask(frame.index % 11 == 0)
    return frame, pd.Series(np.array(["ant", "bee", "cat"])[y], name="kind")


def command_line(folder, frame, y, *options):
    """The bytes of the model that the command line trains on the same table."""
    frame.assign(**{y.name: y.to_numpy()}).to_csv(folder / "rows.csv", index=False)
    subprocess.run([PROGRAM, "train", "--train", "rows.csv", "--out", "run", *OPTIONS, *options], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return (folder / "run" / "model.safetensors").read_bytes()


def test_a_data_frame_with_columns_of_all_kinds():
    frame, y = people()
    clf = gopnet.GOPClassifier(**TINY).fit(frame, y)
    assert clf.score(frame, y) > 0.9
    assert clf.n_features_in_ == 7 and list(clf.feature_names_in_) == list(frame.columns)
    again = pickle.loads(pickle.dumps(clf))
    assert np.array_equal(again.predict_proba(frame), clf.predict_proba(frame))
    assert np.array_equal(clf.model_.predict_proba(frame[frame.columns[::-1]]), clf.predict_proba(frame))
    one_by_one = [clf.predict_proba(frame.iloc[[i]])[0] for i in range(12)]
    assert np.allclose(one_by_one, clf.predict_proba(frame)[:12], atol=1e-6)


def test_the_same_bytes_as_from_the_command_line(tmp_path):
    frame, y = people()
    expected = command_line(tmp_path, frame, y)
    assert gopnet.GOPClassifier(**TINY).fit(frame, y).model_.to_bytes() == expected
    assert gopnet.train(frame, y, **TINY).model.to_bytes() == expected
    model = gopnet.Model.load(tmp_path / "run")
    subprocess.run([PROGRAM, "predict", "run/model.safetensors", "rows.csv", "--out", "out.csv", "--quiet"], cwd=tmp_path, check=True)
    assert model.predict(frame).tolist() == pd.read_csv(tmp_path / "out.csv").iloc[:, 0].tolist()


def test_the_same_bytes_for_regression_with_blanks_and_far_numbers(tmp_path):
    x, y = make_blobs()
    frame = pd.DataFrame(x.astype(float), columns=list("abcd"))
    frame["c"] += 1.6e9
    frame.loc[::8, "a"] = np.nan
    target = pd.Series(1e9 + 2 * x[:, 1].astype(float), name="value")
    expected = command_line(tmp_path, frame, target)
    reg = gopnet.GOPRegressor(**TINY).fit(frame, target)
    assert reg.model_.to_bytes() == expected
    assert reg.score(frame, target) > 0.8


@pytest.mark.parametrize("blank", [None, np.nan, pd.NA, pd.NaT])
def test_every_missing_value_is_a_blank(blank):
    frame, y = people()
    expected = gopnet.train(frame, y, **TINY).model
    other = frame.astype({"city": object, "age": object, "visits": object})
    for name in ["city", "age", "visits"]:
        other[name] = [blank if missing else value for value, missing in zip(other[name], frame[name].isna())]
    assert gopnet.train(other, y, **TINY).model.to_bytes() == expected.to_bytes()
    assert np.array_equal(expected.predict_proba(other), expected.predict_proba(frame))


def test_nan_in_arrays_is_a_blank(blobs):
    x, y = blobs
    holes = x.copy()
    holes[::7, 2] = np.nan
    clf = gopnet.GOPClassifier(**TINY).fit(holes, y, eval_set=(holes, y))
    assert clf.score(holes, y) > 0.9 and clf.n_features_in_ == 4
    assert clf.model_.feature_names == ["x0", "x1", "x2", "x2 missing", "x3"]
    assert np.array_equal(clf.model_.predict(holes), clf.predict(holes))
    assert clf.model_.to_bytes() == gopnet.train(holes.astype(float), y, eval_set=(holes, y), **TINY).model.to_bytes()
    frame = pd.DataFrame(holes)
    assert gopnet.GOPClassifier(**TINY).fit(frame, y, eval_set=(frame, y)).model_.to_bytes() == clf.model_.to_bytes()
    full = gopnet.GOPClassifier(**TINY).fit(x, y, eval_set=(holes, y))  # missing values in new rows only
    mean = np.where(np.isnan(holes), x[:, 2].mean(), holes).astype(np.float32)
    np.testing.assert_allclose(full.predict_proba(holes), full.predict_proba(mean), atol=1e-5)
    np.testing.assert_allclose(full.model_.predict_proba(holes), full.predict_proba(mean), atol=1e-5)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64, object])
def test_what_a_mask_hides_is_a_blank(blobs, kind):
    x, y = np.round(blobs[0] * 10), blobs[1]
    mask = np.zeros(x.shape, bool)
    mask[::7, 2] = True
    hidden = np.ma.masked_array(np.where(mask, 10000, x).astype(kind), mask)
    holes = np.where(mask, np.nan, x)
    wanted = gopnet.train(holes, y, eval_set=(holes, y), **TINY).model
    assert gopnet.train(hidden, y, eval_set=(hidden, y), **TINY).model.to_bytes() == wanted.to_bytes()
    clf = gopnet.GOPClassifier(**TINY).fit(hidden, y, eval_set=(hidden, y))
    assert clf.model_.to_bytes() == wanted.to_bytes()
    assert np.array_equal(clf.predict_proba(hidden), clf.predict_proba(holes))
    assert np.array_equal(wanted.predict_proba(hidden), wanted.predict_proba(holes))
    for rows in [list(hidden), tuple(hidden), [list(holes[0]), *hidden[1:]]]:
        assert np.array_equal(clf.predict_proba(rows), clf.predict_proba(holes))
        assert np.array_equal(wanted.predict_proba(rows), wanted.predict_proba(holes))
    assert gopnet.train(list(hidden), y, **TINY).model.to_bytes() == gopnet.train(holes, y, **TINY).model.to_bytes()


def test_masked_targets_and_weights_are_errors(blobs):
    x, y = blobs
    some = np.arange(len(y)) % 9 == 0
    for target in [np.ma.masked_array(np.unique(y, return_inverse=True)[1], some), np.ma.masked_array(x[:, 0], some)]:
        for fit in [lambda: gopnet.train(x, target, **TINY), lambda: gopnet.GOPClassifier(**TINY).fit(x, target),
                    lambda: gopnet.GOPRegressor(**TINY).fit(x, target)]:
            with pytest.raises(ValueError, match="masked"):
                fit()
    with pytest.raises(ValueError, match="masked"):
        gopnet.train(x, y, sample_weight=np.ma.masked_array(np.ones(len(y)), some), **TINY)
    codes = np.unique(y, return_inverse=True)[1]
    for estimator in [gopnet.GOPClassifier(**TINY).fit(x, codes), gopnet.GOPRegressor(**TINY).fit(x, codes)]:
        for target, weights in [(np.ma.masked_array(codes, some), None), (list(np.ma.masked_array(codes, some)), None),
                                (codes, np.ma.masked_array(np.ones(len(y)), some))]:
            with pytest.raises(ValueError, match="masked"):
                estimator.score(x, target, weights)
            with pytest.raises(ValueError, match="masked"):
                estimator.fit(x, target, weights)
        estimator.fit(x, codes)
        weights = np.ma.masked_array(1.0 + some)
        assert estimator.score(x, np.ma.masked_array(codes), weights) == estimator.score(x, codes, 1.0 + some)
    assert gopnet.train(x, np.ma.masked_array(y), **TINY).model.to_bytes() == gopnet.train(x, y, **TINY).model.to_bytes()


def test_a_first_column_of_row_numbers_is_a_feature_of_an_array(blobs):
    x, y = blobs
    holes = np.column_stack([np.arange(90.0), x])
    holes[::7, 2] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf = gopnet.GOPClassifier(**TINY).fit(holes, y)
    assert clf.model_.feature_names[0] == "x0"


def test_numbers_far_from_zero(blobs):
    x, y = blobs[0].astype(np.float64), blobs[1]
    x += 1.6e9
    far = gopnet.GOPClassifier(**TINY).fit(x, y)
    assert far.score(x, y) > 0.9
    assert np.array_equal(gopnet.GOPClassifier(**TINY).fit(x - x.min(0), y).predict_proba(x - x.min(0)), far.predict_proba(x))
    assert np.array_equal(far.model_.predict_proba(x), far.predict_proba(x))
    whole = np.arange(90)[:, None] * [[1, -1]] + 10**9
    reg = gopnet.GOPRegressor(**TINY).fit(whole, whole[:, 0])
    assert reg.score(whole, whole[:, 0]) > 0.9
    assert np.array_equal(reg.model_.predict(whole), reg.predict(whole))


def test_far_targets_keep_their_digits(line):
    x, y = line[0], line[1].astype(float) + 1e9
    near = gopnet.GOPRegressor(**TINY).fit(x, y - y.min())
    far = gopnet.GOPRegressor(**TINY).fit(x, y)
    assert np.abs(far.predict(x) - y.min() - near.predict(x)).max() < 1e-5
    scores = gopnet.GOPRegressor(**TINY).fit(x, y, eval_set=[(x[:60], y[:60]), (x[60:], y[60:])]).history_["eval_sets"]
    assert all(score["r2"] > 0.8 for score in scores)


def test_useless_columns_are_left_out_with_a_warning(names):
    x, y = names
    frame = pd.DataFrame(x, columns=list("abcd")).assign(**{"it's (a) note": [f"text {i}" for i in range(90)]}, flag="yes")
    with pytest.warns(UserWarning) as caught:
        clf = gopnet.GOPClassifier(**TINY).fit(frame, y)
    texts = [str(warning.message) for warning in caught]
    assert texts[0].startswith("X: column 'it's (a) note' ") and "left out" in texts[0] and "astype('category')" in texts[0]
    assert len(texts) == 2 and texts[1].startswith("X: column 'flag' ") and "left out" in texts[1]
    assert not any("--" in text for text in texts)
    assert all(warning.filename == __file__ for warning in caught)
    assert clf.n_features_in_ == 6 and clf.score(frame, y) > 0.9
    expected = clf.predict_proba(frame)
    assert np.array_equal(clf.model_.predict_proba(frame), expected)
    assert np.array_equal(clf.model_.predict_proba(frame[list("dcba")]), expected)


def test_category_columns_stay_categories(names, tmp_path):
    x, y = names
    frame = pd.DataFrame({"a": x[:, 0].astype(float), "code": pd.Categorical(make_blobs()[1] * 10)})
    model = gopnet.train(frame, pd.Series(y, name="kind"), **TINY).model
    assert model.feature_names == ["a", "code=0", "code=10", "code=20"]
    assert model.to_bytes() == command_line(tmp_path, frame, pd.Series(y, name="kind"), "--categorical", "code")
    for kind in ["int64", "float64", "str", object]:
        assert np.array_equal(model.predict_proba(frame.astype({"code": kind})), model.predict_proba(frame))


def test_booleans_may_come_as_numbers(names):
    x, y = names
    frame = pd.DataFrame({"a": x[:, 0].astype(float), "bee": y == "bee"})
    clf = gopnet.GOPClassifier(**TINY).fit(frame, y)
    expected = clf.predict_proba(frame)
    assert np.array_equal(clf.predict_proba(frame.astype({"bee": int})), expected)
    with pytest.warns(UserWarning, match="feature names"):
        assert np.array_equal(clf.predict_proba(frame.to_numpy(dtype=float)), expected)


def test_a_column_of_an_array_without_values_is_left_out(blobs):
    x = np.insert(blobs[0], 1, np.nan, axis=1)
    with pytest.warns(UserWarning, match=r"X: column 'X\[:, 1\]' .*left out"):
        clf = gopnet.GOPClassifier(**TINY).fit(x, blobs[1])
    expected = clf.predict_proba(x)
    assert np.array_equal(clf.model_.predict_proba(x), expected)
    assert np.array_equal(clf.model_.predict_proba(blobs[0]), expected)


class Foreign:
    """A data frame of another library."""

    def __init__(self, frame):
        self._frame = frame
        self.columns, self.shape = list(frame.columns), frame.shape

    def __dataframe__(self, *args, **keywords):
        return self._frame.__dataframe__(*args, **keywords)


def test_data_frames_of_other_libraries():
    frame, y = people()
    frame = frame[["age", "city", "size", "since", "score"]]
    clf = gopnet.GOPClassifier(**TINY).fit(Foreign(frame), y)
    assert clf.model_.to_bytes() == gopnet.GOPClassifier(**TINY).fit(frame, y).model_.to_bytes()
    assert np.array_equal(clf.predict_proba(Foreign(frame)), clf.predict_proba(frame))
    result = gopnet.train(Foreign(frame), y, eval_set=(Foreign(frame), y), **TINY)
    assert np.array_equal(result.model.predict(Foreign(frame)), result.model.predict(frame))


@pytest.mark.parametrize("blank", [None, np.nan, pd.NA])
def test_a_missing_label_is_an_error(blank):
    frame, y = people()
    with pytest.raises(ValueError, match="missing|NaN"):
        gopnet.GOPClassifier(**TINY).fit(frame, y.mask(y == "bee", blank))
    with pytest.raises(ValueError, match="missing|NaN"):
        gopnet.train(frame, y.mask(y == "bee", blank), **TINY)


def test_unknown_categories_give_a_warning(names):
    frame, y = people()
    clf = gopnet.GOPClassifier(**TINY).fit(frame, y)
    frame.loc[1, "city"] = "Paris"
    with pytest.warns(UserWarning, match="X: 1 field .*'Paris' in column 'city'"):
        clf.predict(frame)


def test_dates_with_any_order_of_parts(tmp_path, names):
    x, y = names
    days = pd.Series(pd.to_datetime("2020-01-25 10:30") + pd.to_timedelta(np.arange(90) % 9 + 30 * make_blobs()[1], "D"))
    expected = command_line(tmp_path, pd.DataFrame({"a": x[:, 0].astype(float), "day": days.dt.strftime("%d.%m.%Y %H:%M")}), pd.Series(y, name="kind"))
    model = gopnet.Model.from_bytes(expected)
    frame = pd.DataFrame({"a": x[:, 0].astype(float), "day": days})
    iso = gopnet.train(frame, pd.Series(y, name="kind"), **TINY).model
    assert np.array_equal(model.predict_proba(frame), iso.predict_proba(frame))
    assert np.array_equal(iso.predict_proba(frame.assign(day=days.dt.tz_localize("Europe/Oslo"))), iso.predict_proba(frame))
    assert np.array_equal(iso.predict_proba(frame.assign(day=days.dt.date.astype(str) + "T10:30")), iso.predict_proba(frame))


@pytest.mark.parametrize("change, message", [
    (lambda f: f.assign(age="old"), "X: row 0 \\(from 0\\), column 'age': .*'old'"),
    (lambda f: f.assign(since="soon"), "column 'since': .*'soon'"),
    (lambda f: f.drop(columns="city"), "X: is missing column 'city'"),
    (lambda f: f.assign(more=1), "X: has extra column 'more'"),
    (lambda f: f.assign(age=np.inf), "infinite"),
    (lambda f: f.iloc[:0], "0 sample"),
    (lambda f: f.to_numpy(), "must be a data frame"),
    (lambda f: np.zeros((3, 7)), "must be a data frame"),
])
def test_rows_that_do_not_fit_a_model(change, message):
    frame, y = people()
    with pytest.raises(ValueError, match=message):
        gopnet.train(frame, y, **TINY).model.predict(change(frame))


@pytest.mark.parametrize("frame, message", [
    (pd.DataFrame({"a": [[1]] * 30}), "got a list"),
    (pd.DataFrame({"a": [1j] * 30}), "Complex"),
    (pd.DataFrame([["u", 1.0], ["v", 2.0]] * 15, columns=["a", "a"]), "two columns are called 'a'"),
    (pd.DataFrame({"a": ["u"] * 30}), "X: .*constant or empty"),
    (np.full((30, 4), None), "X: .*constant or empty"),
    (np.full((30, 4), np.nan), "X: .*constant or empty"),
    (pd.DataFrame({"a": ["u", "v"] * 14}), "inconsistent numbers of samples"),
    (pd.DataFrame({"a": ["03.04.2020", "05.06.2020"] * 15}), r"2020' may [^-]*pandas.to_datetime[^-]*astype\('category'\)[^-]*$"),
])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_tables_that_cannot_be_read(frame, message):
    with pytest.raises((TypeError, ValueError), match=message):
        gopnet.GOPClassifier(**TINY).fit(frame, np.arange(30) % 2)


def test_texts_of_new_rows_have_the_decimal_sign_of_training(tmp_path):
    text = [f"{1 + i % 9},{i * 37 % 1000:03}" for i in range(60)]
    values = np.array([float(t.replace(",", "")) for t in text])
    for sign, new, same in ((".", ["7,100", "0,457"], 7100.0), (".", ["7,5", "0,457"], 7.5), (",", ["7,100", "8,200"], 7.1)):
        (tmp_path / "t.csv").write_text("v;y\n" + "".join(f"{t if sign == '.' else t + '5'};{v:.0f}\n" for t, v in zip(text, values)))
        subprocess.run([PROGRAM, "train", "--train", "t.csv", "--decimal", sign, "--separator", ";", "--task", "regression", "--algorithm", "bls",
                        "--max-blocks", "1", "--block-size", "4", "--out", f"run{same}", "--quiet"], cwd=tmp_path, check=True)
        model = gopnet.Model.load(tmp_path / (f"run{same}") / "model.safetensors")
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            said = model.predict(pd.DataFrame({"v": new}))
        assert np.allclose(said[0], model.predict(pd.DataFrame({"v": [same]}))[0]), (sign, new)
        assert any("'0,457'" in str(w.message) for w in told) == ("0,457" in new), told
