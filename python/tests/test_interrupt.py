"""Ctrl-C stops training within a second, and the best network so far is kept."""
import _thread
import os
import signal
import threading
import time

import numpy as np
import pytest
from conftest import ENDLESS, TINY, make_blobs

import gopnet

SOON = 3  # CPU seconds of all threads, within the one second that the documentation promises


@pytest.fixture(autouse=True)
def ctrl_c():
    """Handle SIGINT as in a terminal; background jobs may have inherited that it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class InterruptAfter(gopnet.Callback):
    """Sends SIGINT, as Ctrl-C does, from another thread after the first layer."""

    def __init__(self):
        self.sent = None

    def on_layer(self, event):
        if self.sent is None:
            self.sent = time.process_time()
            os.kill(os.getpid(), signal.SIGINT)


class Interrupt(gopnet.Callback):
    def on_start(self, event):
        os.kill(os.getpid(), signal.SIGINT)


def interrupt_when(condition):
    """Send SIGINT as soon as the condition holds. The returned list then has the CPU time of the signal."""
    sent = []

    def watch():
        while not condition():
            time.sleep(0.01)
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=watch).start()
    return sent


def test_an_interrupted_estimator_is_fitted_with_the_best_network_so_far(names):
    interrupt = InterruptAfter()
    clf = gopnet.GOPClassifier(callbacks=interrupt, **ENDLESS)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(*names)
    assert time.process_time() - interrupt.sent < SOON
    assert len(clf.layers_) >= 1
    assert np.mean(clf.predict(names[0]) == names[1]) > 0.6


def test_training_without_callbacks_can_be_interrupted(names, tmp_path):
    sent = interrupt_when((tmp_path / "run" / "checkpoint.safetensors").exists)
    with pytest.raises(gopnet.Interrupted) as caught:
        gopnet.train(*names, out=tmp_path / "run", **ENDLESS)
    assert time.process_time() - sent[0] < SOON
    assert not caught.value.result.finished
    assert caught.value.result.model.predict(names[0]).shape == (90,)
    assert caught.value.result.folder == str(tmp_path / "run")
    caught.value.result.report()
    assert (tmp_path / "run" / "report.html").exists()


def test_before_the_first_layer_the_best_candidate_so_far_is_the_network():
    x, y = make_blobs(2000)
    clf = gopnet.GOPClassifier(epochs=100000, search="exhaustive")
    soon = time.monotonic() + 1
    sent = interrupt_when(lambda: time.monotonic() > soon)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(x, y)
    assert time.process_time() - sent[0] < SOON
    assert np.mean(clf.predict(x) == y) > 0.5
    assert len(clf.history_["layers"]) == len(clf.layers_) == 1


def test_before_there_is_a_network_the_estimator_is_not_fitted(names):
    clf = gopnet.GOPClassifier(callbacks=Interrupt())
    with pytest.raises(KeyboardInterrupt, match="before there was a network"):
        clf.fit(*names)
    with pytest.raises(Exception, match="not fitted yet"):
        clf.predict(names[0])


def test_an_interrupted_fit_without_network_deletes_the_earlier_one(names):
    clf = gopnet.GOPClassifier(**TINY).fit(*names)
    with pytest.raises(KeyboardInterrupt):
        clf.set_params(callbacks=Interrupt()).fit(*names)
    with pytest.raises(Exception, match="not fitted yet"):
        clf.predict(names[0])


def test_a_custom_signal_handler_runs_and_training_continues(names):
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    try:
        result = gopnet.train(*names, callbacks=InterruptAfter(), topology=[4, 4], epochs=5, finetune_epochs=2)
    finally:
        signal.signal(signal.SIGINT, before)
    assert result.finished and heard == [1]


def test_other_threads_run_during_training_and_may_interrupt_the_main_one():
    x, y = make_blobs(2000)
    ticks = []

    def tick():
        while len(ticks) < 20:
            time.sleep(0.02)
            ticks.append(time.process_time())
        _thread.interrupt_main()

    thread = threading.Thread(target=tick)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        gopnet.train(x, y, epochs=100000, search="exhaustive")
    assert len(ticks) == 20
    assert time.process_time() - ticks[-1] < SOON
    thread.join()
