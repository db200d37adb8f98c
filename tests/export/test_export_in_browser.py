"""Tests exports in Chromium: HTML pages, and ONNX models in ONNX Runtime Web with the page of docs/reference/exports.md. Skipped if
chromium, node or the packages of build/node are missing."""
import functools
import http.server
import json
import re
import shutil
import subprocess
import threading

import numpy as np
import pytest

import exporting
from exporting import MODULES, ROOT, error, run, train
from model_files import with_categories

RUNTIME = MODULES / "onnxruntime-web" / "dist"
WANTED = shutil.which("chromium") and shutil.which("node") and RUNTIME.is_dir() and (MODULES / "playwright-core").is_dir()
needs_browser = pytest.mark.skipif(not WANTED, reason="no chromium, node, onnxruntime-web or playwright-core: nothing ran in a browser")
TELL = 'document.body.append(JSON.stringify([[...label.data].map(String), [...probabilities.data]])); document.body.id = "done";'


def write_page(folder, name, rows, inputs):
    """Writes the page of the docs for other rows and inputs; it shows all outputs as JSON."""
    text = re.search(r"```html\n(.*?)```", (ROOT / "docs/reference/exports.md").read_text(), re.S)[1]
    for pattern, by in ((r"model\.onnx", f"{name}.onnx"), (r"const rows = .*", f"const rows = {rows};"), (r"run\({x}\)", f"run({inputs})"),
                        (r"document\.body\.append.*", TELL)):
        text, count = re.subn(pattern, lambda _: by, text)
        assert count == 1, pattern
    (folder / f"{name}.html").write_text(text)


def look(folder, pages):
    """Returns what look.mjs reports about pages."""
    (folder / "jobs.json").write_text(json.dumps({"modules": str(MODULES), "screenshots": str(folder), "pages": pages}))
    done = subprocess.run(["node", ROOT / "tests/cli/browser/look.mjs", folder / "jobs.json"], capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def look_at_served(folder, names):
    """Serves the pages on loopback, since browsers do not load WebAssembly from file URLs."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        where = f"http://127.0.0.1:{server.server_port}"
        seen = look(folder, [{"name": name, "url": f"{where}/{name}.html", "once": True, "until": "#done"} for name in names])
        server.shutdown()
    return seen


def write_texts(folder):
    """Writes a model with a text column and hostile names, and rows for it."""
    names = [name for name, _ in with_categories(folder / "texts")]
    head = ",".join('"' + name.replace('"', '""') + '"' for name in names)
    (folder / "rows.csv").write_text(head + "\n1.5,green,2\n-1,never seen,0\n,blue,-9\n3,,1\n")


@needs_browser
def test_onnx_in_a_page_matches_predict(tmp_path):
    exporting.write_rows(tmp_path)
    x = np.load(tmp_path / "x.npy")[:20]
    np.save(tmp_path / "rows.npy", x)
    numbers = train(tmp_path, "average", "y.npy", "popmem-o", "--ensemble", "3", "--scale", "quantile")
    write_texts(tmp_path)
    texts = 'column_x: new ort.Tensor("string", ["green", "never seen", "blue", ""], [4, 1])'
    write_page(tmp_path, "numbers", json.dumps(x.tolist()), "{x}")
    write_page(tmp_path, "texts", "[[1.5, 2], [-1, 0], [NaN, -9], [3, 1]]", "{x, " + texts + "}")
    for file in ("ort.wasm.bundle.min.mjs", "ort-wasm-simd-threaded.wasm"):
        (tmp_path / file).symlink_to(RUNTIME / file)
    models = {"numbers": (numbers, "rows.npy"), "texts": (tmp_path / "texts", "rows.csv")}
    for name, (model, _) in models.items():
        run("export", model, "-o", tmp_path / f"{name}.onnx", "--quiet")
    for name, [view] in look_at_served(tmp_path, models).items():
        model, rows = models[name]
        said = json.loads(run("predict", model, tmp_path / rows, "--proba", "--json"))
        assert view["errors"] == []
        labels, probabilities = json.loads(view["text"])
        assert labels == list(map(str, said["labels"])), name
        theirs = np.array(said["probabilities"])
        assert error(np.array(probabilities).reshape(theirs.shape), theirs) < 1e-5, name


# Moves the first slider to its end, predicts pasted rows, and returns whether the result changed, the slider's width and the table.
USE = """(() => {
  const result = () => document.getElementById("result").innerText, before = result(), slider = document.querySelector("input[type=range]");
  slider.value = slider.max;
  slider.dispatchEvent(new Event("input"));
  document.getElementById("rows").value = %s;
  document.getElementById("predict").click();
  const cells = [...document.querySelectorAll("#table tr")].map(row => [...row.cells].map(cell => cell.textContent));
  return {moved: result() !== before, slider: slider.clientWidth, cells};
})()"""


@needs_browser
def test_the_exported_page_works_at_any_width(tmp_path):
    write_texts(tmp_path)
    run("export", tmp_path / "texts", "-o", tmp_path / "page.html", "--quiet")
    said = json.loads(run("predict", tmp_path / "texts", tmp_path / "rows.csv", "--proba", "--json"))
    act = USE % json.dumps((tmp_path / "rows.csv").read_text())
    pages = [{"name": str(width), "url": f"file://{tmp_path}/page.html", "once": True, "width": width, "act": act} for width in (1280, 400)]
    for [view] in look(tmp_path, pages).values():
        assert (view["errors"], view["requests"], view["images"]) == ([], [], 0)
        assert view["overflow"] <= 0 and view["acted"]["moved"] and view["acted"]["slider"] > 100, view["width"]
        rows = [cells for cells in view["acted"]["cells"] if cells[0].isdigit()]
        assert [cells[1] for cells in rows] == said["labels"]
        assert error(np.array([cells[2:] for cells in rows], float), np.array(said["probabilities"])) < 1e-5


@needs_browser
def test_the_exported_page_shows_target_data_and_units(tmp_path):
    rows = [f"{i % 24}:{10 + i % 50},{i}.5 kg,{'ab'[int(i % 24 > 11)]}\n" for i in range(72)]
    (tmp_path / "t.csv").write_text("time,weight,kind\n" + "".join(rows))
    run("train", "--train", tmp_path / "t.csv", "--algorithm", "popfast", "--topology", "4", "--epochs", "2", "--ensemble", "1", "--quiet", "--out", tmp_path / "run")
    run("export", tmp_path / "run", "-o", tmp_path / "page.html", "--quiet")
    act = "[...document.querySelectorAll('.feature > span')].map(span => [span.firstChild.textContent, span.querySelector('small')?.textContent])"
    [view] = look(tmp_path, [{"name": "units", "url": f"file://{tmp_path}/page.html", "once": True, "width": 400, "act": act}])["units"]
    assert view["text"].startswith("kind") and "t.csv" in view["text"]
    assert view["acted"] == [["time", "hours: 13.5 is 13:30"], ["weight", "kg"]] and view["overflow"] <= 0 and view["errors"] == []
