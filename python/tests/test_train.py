"""gopnet.train: callbacks, stopping, run folders."""
import pickle
import threading
import typing

import numpy as np
import pandas as pd
import pytest
from conftest import ENDLESS, TINY

import gopnet


class Recorder(gopnet.Callback):
    """Keeps every event, and stops at the first event of a given type."""

    def __init__(self, stop_at=None):
        self.heard = []
        self.stop_at = stop_at
        self.ended = False

    def record(self, event):
        self.heard.append(event)
        return False if isinstance(event, self.stop_at or ()) else None

    on_start = on_candidate = on_grid = on_block = on_layer = on_epoch = on_member = record

    def on_end(self):
        self.ended = True

    def of(self, kind):
        return [event for event in self.heard if isinstance(event, kind)]


def test_callbacks_receive_candidates_layers_and_epochs(names):
    recorder = Recorder()
    result = gopnet.train(*names, callbacks=recorder, **TINY)
    assert result.finished and recorder.ended
    start, = recorder.of(gopnet.Start)
    assert (start.algorithm, start.task, start.metric) == ("popmem-o", "classification", "accuracy")
    layers = recorder.of(gopnet.Layer)
    assert [layer.operator_set for layer in layers if layer.accepted] == \
        [layer["operator_set"] for layer in result.model.layers]
    candidates = [event for event in recorder.of(gopnet.Candidate) if event.layer == 1]
    assert candidates[-1].done == candidates[-1].total == len(candidates)
    assert {"/".join(event.operator_set) for event in candidates} == {"multiplication/sum/tanh", "harmonic/sum/tanh"}
    assert [event.epoch for event in recorder.of(gopnet.Epoch)] == [1, 2]


def test_callbacks_receive_blocks_and_grids(names):
    recorder = Recorder()
    gopnet.train(*names, algorithm="hemlgop", callbacks=recorder, max_blocks=2, block_size=4, epochs=2,
                 finetune_epochs=0)
    assert recorder.of(gopnet.Block)[0].units == 4
    recorder = Recorder()
    gopnet.train(*names, algorithm="pln", callbacks=recorder, grid="paper", max_layers=1, max_blocks=1)
    grid = recorder.of(gopnet.Grid)
    assert grid[-1].done == grid[-1].total == len(grid) > 1


def test_false_stops_training_with_the_best_network_so_far(names):
    result = gopnet.train(*names, callbacks=Recorder(stop_at=gopnet.Layer), **ENDLESS)
    assert not result.finished and result.history["stopped"] == "a callback stopped training"
    assert len(repr(result)) < 300
    assert len(result.model.layers) == len(result.history["layers"]) == 1
    assert np.mean(result.model.predict(names[0]) == names[1]) > 0.6
    result = gopnet.train(*names, callbacks=Recorder(stop_at=gopnet.Epoch), **{**ENDLESS, "topology": [4]})
    assert not result.finished


def test_false_before_the_first_layer_leaves_the_best_candidate_so_far(names):
    result = gopnet.train(*names, callbacks=Recorder(stop_at=gopnet.Candidate), **ENDLESS)
    assert not result.finished
    assert np.mean(result.model.predict(names[0]) == names[1]) > 0.5


def test_false_at_the_start_leaves_no_network(names):
    class Stop(gopnet.Callback):
        def on_start(self, event):
            return False

    with pytest.raises(gopnet.Stopped, match="before there was a network"):
        gopnet.train(*names, callbacks=Stop(), **ENDLESS)


@pytest.mark.parametrize("y, task", [
    (np.arange(90) % 3, "classification"), (np.arange(90), "regression"), (np.arange(90) % 3 * 1.0, "classification"),
    (np.arange(90) * 1.0, "regression"), (np.arange(90) % 3 + 0.5, "regression"), (np.arange(90) % 2 == 0, "classification"),
    (np.array(["a", "b", "c"])[np.arange(90) % 3], "classification"), (np.zeros((90, 2)) + np.arange(90)[:, None], "regression"),
    (pd.Series(np.arange(90) % 3), "classification"), (pd.Series(np.arange(90)), "regression"),
    (pd.DataFrame({"y": np.arange(90)}), "regression"),
])
def test_the_task_is_decided_as_on_the_command_line(blobs, y, task):
    assert gopnet.train(blobs[0], y, algorithm="bls", max_blocks=1, block_size=2).history["task"] == task


def test_numpys_false_is_false(names):
    class Stop(gopnet.Callback):
        def on_layer(self, event):
            return np.float64(1) < 0.5

    assert not gopnet.train(*names, callbacks=Stop(), **ENDLESS).finished


def test_on_end_is_called_for_every_callback(names):
    class Last(gopnet.Callback):
        ended = False

        def on_end(self):
            self.ended = True
            raise LookupError("mine")

    both = [Last(), Last()]
    with pytest.raises(LookupError):
        gopnet.train(*names, callbacks=both, **TINY)
    assert all(callback.ended for callback in both)


def test_a_warning_names_the_line_that_called(names):
    x, y = names[0][:, :1], names[1]  # too few columns for correlations
    for call in [lambda: gopnet.train(x, y, **{**TINY, "pool": ["sum", "correlation1"]}),
                 lambda: gopnet.GOPClassifier(**{**TINY, "pool": ["sum", "correlation1"]}).fit(x, y)]:
        with pytest.warns(UserWarning, match="operator sets") as caught:
            call()
        assert caught[0].filename == __file__


def test_type_hints_resolve():
    hints = typing.get_type_hints(gopnet.train)
    assert "X" in hints
    assert typing.get_type_hints(gopnet.GOPClassifier.__init__)["seed"] == typing.Optional[int]


def test_interrupted_survives_pickling():
    copy = pickle.loads(pickle.dumps(gopnet.Interrupted(None)))
    assert copy.result is None and str(copy) == "training was interrupted before there was a network"


def test_callbacks_stop_estimators(names):
    fitted = gopnet.GOPClassifier(callbacks=[Recorder(stop_at=gopnet.Layer)], **ENDLESS).fit(*names)
    assert len(fitted.layers_) == 1


def test_an_exception_in_a_callback_is_raised(names):
    class Broken(Recorder):
        def on_layer(self, event):
            raise LookupError("mine")

    broken = Broken()
    with pytest.raises(LookupError, match="mine"):
        gopnet.train(*names, callbacks=broken, **ENDLESS)
    assert broken.ended
    with pytest.raises(TypeError, match="gopnet.Callback"):
        gopnet.train(*names, callbacks=[print], **TINY)


def test_callbacks_may_train(names):
    class Nested(gopnet.Callback):
        def on_layer(self, event):
            self.model = gopnet.train(*names, **TINY).model

    nested = Nested()
    outer = gopnet.train(*names, callbacks=nested, **TINY).model
    assert outer.to_bytes() == nested.model.to_bytes()


def test_the_task_follows_the_type_of_y(blobs, line):
    assert gopnet.train(*blobs, **TINY).model.task == "classification"
    assert gopnet.train(*line, **TINY).model.task == "regression"
    assert gopnet.train(blobs[0], blobs[1], task="regression", **TINY).model.task == "regression"
    with pytest.raises(gopnet.Error, match="task: .*got 'clustering'"):
        gopnet.train(*blobs, task="clustering", **TINY)


def test_unknown_parameters_are_errors_with_a_suggestion(names):
    with pytest.raises(gopnet.Error, match="'epoch' .*'epochs'"):
        gopnet.train(*names, epoch=3)
    with pytest.raises(gopnet.Error, match="bls .*'epochs'"):
        gopnet.train(*names, algorithm="bls", epochs=3)


def test_a_run_folder_can_be_resumed(names, tmp_path):
    whole = gopnet.train(*names, **TINY).model.to_bytes()
    stopped = gopnet.train(*names, callbacks=Recorder(stop_at=gopnet.Layer), out=tmp_path / "run", **TINY)
    assert not stopped.finished
    resumed = gopnet.train(*names, out=tmp_path / "run", resume=True, **TINY)
    assert resumed.finished and resumed.model.to_bytes() == whole
    assert (tmp_path / "run" / "model.safetensors").read_bytes() == whole


def test_warnings_of_the_core_are_warnings(names):
    x, y = names
    with pytest.warns(UserWarning, match="rows have a label"):
        gopnet.train(x, y, eval_set=(x, np.where(y == "ant", "dog", y)), **TINY)


def test_test_rows_are_measured(names):
    assert "test" in gopnet.train(*names, test_set=names, **TINY).history["metrics"]


AVERAGE = {**TINY, "ensemble": 2, "topology": [6], "finetune_epochs": 3}


def test_epochs_of_an_average_name_the_network_and_the_layer(names):
    recorder = Recorder()
    expected = gopnet.train(*names, **AVERAGE).model.to_bytes()
    assert gopnet.train(*names, callbacks=recorder, **AVERAGE).model.to_bytes() == expected
    assert sorted(event.network for event in recorder.of(gopnet.Member)) == [1, 2]
    for network in (1, 2):
        own = [event for event in recorder.of(gopnet.Epoch) if event.network == network]
        assert [event.epoch for event in own if event.layer == 1] == list(range(1, 25))
        assert [event.epoch for event in own if event.layer == 0] == [1, 2, 3]
        assert all(event.networks == 2 and "loss" in event.val for event in own)


def test_epochs_are_received_with_the_defaults(names):
    seen = []

    class Epochs(gopnet.Callback):
        def on_epoch(self, event):
            seen.append((event.network, threading.current_thread()))

    gopnet.GOPClassifier(callbacks=Epochs(), epochs=2).fit(*names)
    assert {network for network, _ in seen} == set(range(1, 9))
    assert {thread for _, thread in seen} == {threading.current_thread()}


def test_on_epoch_can_stop_an_average(names):
    result = gopnet.train(*names, callbacks=Recorder(stop_at=gopnet.Epoch), **AVERAGE)
    assert not result.finished and result.history["stopped"] == "a callback stopped training"
    assert result.model.predict(names[0]).shape == (90,)


def test_callbacks_receive_the_result(names):
    class Result(gopnet.Callback):
        result = None

        def on_result(self, result):
            self.result = result

        def on_end(self):
            self.had_result = self.result is not None

    for more, finished in [([], True), ([Recorder(stop_at=gopnet.Layer)], False)]:
        callback = Result()
        result = gopnet.train(*names, callbacks=[callback, *more], **TINY)
        assert callback.result is result and callback.had_result and result.finished == finished


def test_one_evaluation_set_is_in_the_history(names):
    for history in [gopnet.train(*names, eval_set=names, **TINY).history,
                    gopnet.GOPClassifier(**TINY).fit(*names, eval_set=names).history_]:
        only, = history["eval_sets"]
        assert only == pytest.approx(history["metrics"]["val"])
    assert "eval_sets" not in gopnet.train(*names, **TINY).history
