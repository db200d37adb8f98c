"""A progress bar for terminals and notebooks."""
from __future__ import annotations

import shutil
import sys
import time
from typing import TYPE_CHECKING, Any, Protocol, TextIO

from ._callbacks import Block, Callback, Candidate, Epoch, Grid, Layer, Member

if TYPE_CHECKING:
    from ._train import TrainResult

WIDTH = 24  # characters of the bar


def is_terminal(stream: Any) -> bool:
    """Whether the stream is a terminal; False for closed streams and for replacements without isatty."""
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


class Line(Protocol):
    def draw(self, text: str) -> None: ...
    def keep(self, text: str) -> None: ...
    def end(self) -> None: ...


class TerminalLine:
    """Redraws one line with a carriage return. In a file it writes only the lines to keep."""

    def __init__(self, stream: TextIO):
        self._stream = stream
        self._width = 0
        self._live = is_terminal(stream)

    def draw(self, text: str) -> None:
        if not self._live:
            return
        text = text[: shutil.get_terminal_size().columns - 1]  # a wrapped line cannot be redrawn
        self._stream.write("\r" + text.ljust(self._width))
        self._stream.flush()
        self._width = len(text)

    def keep(self, text: str) -> None:
        self._stream.write(("\r" if self._live else "") + text.ljust(self._width) + "\n")
        self._stream.flush()
        self._width = 0

    def end(self) -> None:
        if self._width:
            self._stream.write("\r" + " " * self._width + "\r")
            self._stream.flush()


class NotebookLine:
    """An IPython display that shows the lines to keep, and the current one below them."""

    def __init__(self) -> None:
        from IPython.display import Pretty, display

        self._pretty = Pretty
        self._kept: list[str] = []
        self._display = display(self._pretty(""), display_id=True)

    def draw(self, text: str) -> None:
        self._display.update(self._pretty("\n".join([*self._kept, text])))

    def keep(self, text: str) -> None:
        self._kept.append(text)
        self._display.update(self._pretty("\n".join(self._kept)))

    def end(self) -> None:
        self._display.update(self._pretty("\n".join(self._kept)))


def in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return type(shell).__name__ == "ZMQInteractiveShell"


class ProgressBar(Callback):
    """Shows the progress of training, every layer that was tried, and the final score.

    Parameters
    ----------
    stream : text file, default=sys.stderr
        Where to write outside of notebooks.

    Examples
    --------
    >>> import sys
    >>> from gopnet import GOPClassifier, ProgressBar
    >>> from sklearn.datasets import load_iris
    >>> clf = GOPClassifier(topology=[4], epochs=5, callbacks=ProgressBar(sys.stdout))
    >>> clf = clf.fit(*load_iris(return_X_y=True))  # doctest: +ELLIPSIS
    operator sets ranked: ... leads brier ... s
    average of 9 networks: val accuracy ..., log_loss ... in ... s
    """

    _every_network = False

    def __init__(self, stream: TextIO | None = None):
        self._stream = stream
        self._line: Line | None = None
        self._drawn = 0.0
        self._metric = ""

    @staticmethod
    def fits_here() -> bool:
        """Whether the output is a terminal or a notebook."""
        return in_notebook() or is_terminal(sys.stderr)

    def on_start(self, event: Any) -> None:
        self._metric = event.metric
        stream = self._stream or sys.stderr
        if self._stream is None and in_notebook():
            self._line = NotebookLine()
        elif stream is not None:  # services may have no stderr
            self._line = TerminalLine(stream)

    def on_candidate(self, event: Candidate) -> None:
        best = "/".join(event.best_operator_set) or "none yet"
        self._draw(f"layer {event.layer} {bar(event.done, event.total)} best {best} "
                   f"{event.metric} {event.best_score:.4f}")

    def on_grid(self, event: Grid) -> None:
        self._draw(f"grid {bar(event.done, event.total)} best {event.metric} {event.best_score:.4f}")

    def on_member(self, event: Member) -> None:
        self._draw(f"networks {bar(event.done, event.total)}{self._score(event.val)}", last=event.done == event.total)

    def on_block(self, event: Block) -> None:
        self._draw(f"layer {event.layer} block {event.block} {'/'.join(event.operator_set)}{self._score(event.val)}")

    def on_layer(self, event: Layer) -> None:
        if self._line is None:
            return
        names = "/".join(event.operator_set)
        fate = "accepted" if event.accepted else "rejected"
        what = f"operator sets ranked: {names} leads" if event.ranks_only else \
            f"layer {event.layer} {fate} {names} {event.units} units"
        self._line.keep(f"{what}{self._score(event.val)} {event.seconds:.1f} s")

    def on_epoch(self, event: Epoch) -> None:
        self._draw(f"fine-tuning {bar(event.epoch, event.epochs)}{self._score(event.val)}",
                   last=event.epoch == event.epochs)

    def on_result(self, result: TrainResult) -> None:
        if self._line is not None:
            self._line.keep(final_line(result))

    def on_end(self) -> None:
        if self._line is not None:
            self._line.end()
            self._line = None

    def _score(self, val: dict[str, float]) -> str:
        return f" {self._metric} {val[self._metric]:.4f}" if self._metric in val else ""

    def _draw(self, text: str, last: bool = False) -> None:
        now = time.monotonic()
        if self._line is None or (now - self._drawn < 0.1 and not last):
            return
        self._drawn = now
        self._line.draw(text)


def final_line(result: TrainResult) -> str:
    """The scores on the test rows, else on the validation rows, else on the training rows."""
    history = result.history
    measured: dict[str, Any] = history["metrics"] if result.finished else (history["layers"] or [{}])[-1]
    part = next((name for name in ("test", "val") if measured.get(name)), "train")
    metrics: dict[str, float] = measured.get(part, {})
    names = [name for name in ("accuracy", "log_loss", "r2", "rmse") if name in metrics]
    scores = ", ".join(f"{name} {metrics[name]:.4f}" for name in names)
    networks = len(history.get("members") or [])
    what = f"average of {networks} networks" if networks > 1 else "done"
    return f"{what if result.finished else 'stopped early'}: {part} {scores} in {history['seconds']['total']:.1f} s"


def bar(done: int, total: int) -> str:
    filled = WIDTH * done // max(total, 1)
    return f"[{'#' * filled}{'.' * (WIDTH - filled)}] {done}/{total}"
