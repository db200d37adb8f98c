"""The progress bar in a terminal, in a file and in a notebook."""
import io
import re
import sys
import types

from conftest import TINY

import gopnet
from gopnet import _progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_shows_a_line_that_is_redrawn(names):
    stream = Terminal()
    gopnet.train(*names, callbacks=gopnet.ProgressBar(stream), **TINY)
    written = stream.getvalue()
    assert "\rlayer 1 [" in written
    assert "layer 1 accepted" in written
    last = written.rstrip().splitlines()[-1].split("\r")[-1]
    assert re.fullmatch(r"done: val accuracy [01]\.\d{4}, log_loss \d\.\d{4} in \d+\.\d s", last)


def test_a_file_gets_complete_lines_only(names):
    stream = io.StringIO()
    gopnet.train(*names, callbacks=gopnet.ProgressBar(stream), **TINY)
    lines = stream.getvalue().splitlines()
    assert lines[0].startswith("layer 1 accepted")
    assert all("[" not in line for line in lines)


def test_verbose_estimators_and_train_in_a_terminal_show_it(names, monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    gopnet.GOPClassifier(**TINY).fit(*names)
    gopnet.train(*names, progress=False, **TINY)
    assert stream.getvalue() == ""
    gopnet.GOPClassifier(verbose=1, **TINY).fit(*names)
    once = stream.getvalue().count("layer 1 accepted")
    gopnet.train(*names, **TINY)
    assert (once, stream.getvalue().count("layer 1 accepted")) == (1, 2)


def test_unusual_streams_do_no_harm(names, monkeypatch):
    class Bare:
        def __init__(self):
            self.text = ""

        def write(self, text):
            self.text += text

        def flush(self):
            pass

    closed = io.StringIO()
    closed.close()
    for stream in [Bare(), closed, None]:
        monkeypatch.setattr(sys, "stderr", stream)
        gopnet.train(*names, **TINY)
    for stream in [Bare(), None]:
        monkeypatch.setattr(sys, "stderr", stream)
        gopnet.GOPClassifier(verbose=1, **TINY).fit(*names)


def test_a_line_that_would_wrap_is_cut(names, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    stream = Terminal()
    gopnet.train(*names, callbacks=gopnet.ProgressBar(stream), **TINY)
    drawn = [line for line in stream.getvalue().split("\r") if "[" in line]
    assert drawn and all(len(line) <= 19 for line in drawn)


def test_a_notebook_shows_a_display_that_is_updated(names, monkeypatch):
    shown = []

    class Handle:
        def update(self, what):
            shown.append(what)

    display = types.ModuleType("IPython.display")
    display.Pretty = str
    display.display = lambda what, display_id: Handle()
    ipython = types.ModuleType("IPython")
    ipython.get_ipython = type("ZMQInteractiveShell", (), {})
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    gopnet.train(*names, **TINY)
    assert any("#" in text for text in shown)
    assert "layer 1 accepted" in shown[-1] and "[" not in shown[-1]
    assert shown[-1].splitlines()[-1].startswith("done: val accuracy ")
    gopnet.train(*names, **{**TINY, "ensemble": 2})
    assert any("networks [####" in text for text in shown)
    ranked, end = shown[-1].splitlines()
    assert ranked.startswith("operator sets ranked: ")
    assert re.match(r"average of \d networks: val accuracy [01]\.\d{4}, log_loss ", end)


def test_a_stopped_training_says_so(names):
    class Stop(gopnet.Callback):
        def on_layer(self, event):
            return False

    stream = io.StringIO()
    gopnet.train(*names, callbacks=[gopnet.ProgressBar(stream), Stop()], **TINY)
    assert stream.getvalue().splitlines()[-1].startswith("stopped early: val accuracy ")


def test_the_bar():
    assert _progress.bar(0, 4).startswith("[......")
    assert _progress.bar(4, 4) == "[" + "#" * _progress.WIDTH + "] 4/4"
