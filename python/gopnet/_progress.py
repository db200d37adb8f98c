"""A progress bar: one line that is written over in a terminal, one that is updated in a notebook."""
from __future__ import annotations

import shutil
import sys
import time
from typing import Any, Protocol, TextIO

from ._callbacks import Block, Callback, Candidate, Epoch, Grid, Layer

WIDTH = 24  # of the bar


def is_terminal(stream: Any) -> bool:
    """Also of streams that are closed, or that others put in their place."""
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


class Line(Protocol):
    def draw(self, text: str) -> None: ...
    def keep(self, text: str) -> None: ...
    def end(self) -> None: ...


class TerminalLine:
    """Writes over itself by a carriage return; in a file only what is kept."""

    def __init__(self, stream: TextIO):
        self._stream = stream
        self._width = 0
        self._live = is_terminal(stream)

    def draw(self, text: str) -> None:
        if not self._live:
            return
        text = text[: shutil.get_terminal_size().columns - 1]  # a line that wraps is not written over
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
    """A display of IPython that holds all kept lines and the present one."""

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
    """Shows how far the search of a layer and fine-tuning are, and every layer that was tried.

    Parameters
    ----------
    stream : text file, default=sys.stderr
        Where to, outside of notebooks.
    """

    def __init__(self, stream: TextIO | None = None):
        self._stream = stream
        self._line: Line | None = None
        self._drawn = 0.0
        self._metric = ""

    @staticmethod
    def fits_here() -> bool:
        """Whether somebody is likely to watch: a terminal or a notebook."""
        return in_notebook() or is_terminal(sys.stderr)

    def on_start(self, event: Any) -> None:
        self._metric = event.metric
        stream = self._stream or sys.stderr
        if self._stream is None and in_notebook():
            self._line = NotebookLine()
        elif stream is not None:  # a service may have none
            self._line = TerminalLine(stream)

    def on_candidate(self, event: Candidate) -> None:
        best = "/".join(event.best_operator_set) or "none yet"
        self._draw(f"layer {event.layer} {bar(event.done, event.total)} best {best} "
                   f"{event.metric} {event.best_score:.4f}")

    def on_grid(self, event: Grid) -> None:
        self._draw(f"grid {bar(event.done, event.total)} best {event.metric} {event.best_score:.4f}")

    def on_block(self, event: Block) -> None:
        self._draw(f"layer {event.layer} block {event.block} {'/'.join(event.operator_set)}{self._score(event.val)}")

    def on_layer(self, event: Layer) -> None:
        if self._line is None:
            return
        fate = "accepted" if event.accepted else "rejected"
        self._line.keep(f"layer {event.layer} {fate} {'/'.join(event.operator_set)} {event.units} units"
                        f"{self._score(event.val)} {event.seconds:.1f} s")

    def on_epoch(self, event: Epoch) -> None:
        self._draw(f"fine-tuning {bar(event.epoch, event.epochs)}{self._score(event.val)}",
                   last=event.epoch == event.epochs)

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


def bar(done: int, total: int) -> str:
    filled = WIDTH * done // max(total, 1)
    return f"[{'#' * filled}{'.' * (WIDTH - filled)}] {done}/{total}"
