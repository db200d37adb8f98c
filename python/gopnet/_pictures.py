"""The record of a search for report pages and plots, and a small drawing of a network."""
from __future__ import annotations

import json
import os
from html import escape
from typing import Any

from . import _core
from ._callbacks import Callback, Candidate, Epoch, Start

_SMALLER_IS_BETTER = ("loss", "mse", "brier")


class SearchRecord(Callback):
    """Keeps the last training of each operator set of each layer, as the journal of a run folder does."""

    _every_network = False

    def __init__(self) -> None:
        self.found: dict[str, Any] = {"metric": "", "direction": 1, "searches": [], "layers": [], "blocks": [],
                                      "networks": 0, "seconds": 0, "finetune": []}
        self._sets: dict[tuple[int, tuple[str, ...]], dict[str, Any]] = {}

    def on_start(self, event: Start) -> None:
        self.found["metric"] = event.metric
        self.found["direction"] = -1 if event.metric in _SMALLER_IS_BETTER else 1

    def on_candidate(self, event: Candidate) -> None:
        metric = self.found["metric"]
        searches = self.found["searches"]
        if not searches or searches[-1]["layer"] != event.layer:
            searches.append({"variant": 0, "layer": event.layer, "blocks": 1, "candidates": []})
        key = (len(searches), tuple(event.operator_set))
        if key not in self._sets:
            self._sets[key] = {"set": list(event.operator_set), "points": []}
            searches[-1]["candidates"].append(self._sets[key])
        entry = self._sets[key]
        points = entry["points"]
        if points and event.epochs <= points[-1][0]:  # trained again for another block
            points.clear()
        if event.diverged:
            entry["diverged"] = True
        elif metric in event.val:
            points.append([event.epochs, event.val[metric], event.val.get("loss", event.val[metric])])

    def on_epoch(self, event: Epoch) -> None:
        if event.network == 0 and self.found["metric"] in event.val:
            self.found["finetune"].append([event.epoch, event.val[self.found["metric"]]])


def page_data(model: dict[str, Any], history: dict[str, Any] | None, search: dict[str, Any] | None = None) -> str:
    """Return the data of a report page as JSON, as far as they are known without a run folder."""
    journal = search or SearchRecord().found
    report = {"finetune": journal["finetune"]} if journal["finetune"] else None
    data = {"kind": "run", "finished": True, "name": model["algorithm"], "version": _core.version(), "journal": journal,
            "config": {"algorithm": model["algorithm"], "parameters": model["settings"], "source": {}, "simd": None,
                       "version": _core.version(), "data": {"features": model["inputs"]}},
            "metrics": history, "model": model, "columns": [{"name": name, "categories": 0} for name in model["features"][:2000]],
            "report": report, "importance": None, "operators": _core.operators(), "command": ""}
    return json.dumps(_finite(data), allow_nan=False)


def write_page(path: str | os.PathLike[str] | None, data: str) -> None:
    if path is None:
        raise _core.Error("report: path is missing; give one such as 'report.html' (only a run folder, out=..., has a default)")
    with open(path, "w", encoding="utf-8") as file:
        file.write(_core.report_page(data))


def _finite(value: Any) -> Any:
    """Replace NaN and infinity by None, which JSON can express."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and value - value != 0 else value


def network_svg(model: dict[str, Any]) -> str:
    """Draw the layers from left to right, with one row for each network."""
    nets = model.get("members") or [{"weight": 1, "layers": model["layers"], "output": model["output"]}]
    rows = [_network_boxes(net, model) for net in nets[:8]]
    width = max(len(row) for row in rows) * 190 + 10
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{len(rows) * 62 + 4}" role="img" '
             'font-family="sans-serif" font-size="11" fill="currentColor">']
    for n, row in enumerate(rows):
        for k, lines in enumerate(row):
            x, y = 5 + k * 190, 5 + n * 62
            parts.append(f'<rect x="{x}" y="{y}" width="165" height="52" rx="6" fill="none" stroke="currentColor"/>')
            parts += [f'<text x="{x + 82}" y="{y + 16 + 14 * i}" text-anchor="middle">{escape(line)}</text>'
                      for i, line in enumerate(lines)]
            if k:
                parts.append(f'<path d="M{x - 25} {y + 26}h17v-4l8 4l-8 4v-4" fill="currentColor" stroke="currentColor"/>')
    return "".join(parts) + "</svg>"


def _network_boxes(net: dict[str, Any], model: dict[str, Any]) -> list[list[str]]:
    boxes = [["input", f"{model['inputs']} features"]]
    if net["weight"] != 1:
        boxes[0].append(f"weight {net['weight']:.3g}")
    for number, layer in enumerate(net["layers"], 1):
        sets = {"/".join(block["operator_set"]) for block in layer["blocks"]}
        name = next(iter(sets)) if len(sets) == 1 else f"{len(sets)} operator sets"
        memory = layer["memory"]
        beside = [f"+ {memory['type'].upper()} memory {memory['dims']}"] if memory["dims"] else \
            ["+ its input"] if layer["keeps_input"] else []
        boxes.append([f"layer {number}: {layer['units']} neurons", name, *beside])
    outputs = f"{model['outputs']} " + ("classes" if model["task"] == "classification" else "values")
    boxes.append(["output", outputs, "/".join(net["output"]["operator_set"] or ["linear"])])
    return boxes
