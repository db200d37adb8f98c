"""The pages of runs in Chromium, all in one browser session. Screenshots go to build/screenshots.
Skipped without chromium, node or playwright-core."""

import json
import math
import pathlib
import re
import shutil
import subprocess
from collections import Counter

import pytest
from conftest import PROGRAM, ROOT, TINY, call, write_data

MODULES = ROOT / "build/node/node_modules"
SCREENSHOTS = ROOT / "build/screenshots"
EVERY_RUN = ["results", "network", "operator-search", "score-per-layer", "errors", "columns", "time",
             "parameters", "reproduce-this-run"]
SECTIONS = {"classes": [*EVERY_RUN, "learning-curves", "memory", "column-importance"],
            "values": EVERY_RUN, "ensemble": EVERY_RUN, "memory-h": EVERY_RUN,
            "compare": ["results", "spread-and-time", "parameters", "reproduce-this-comparison"]}
EVIL = "</script><img src=x onerror=alert(1)>"


def have_browser():
    return shutil.which("chromium") and shutil.which("node") and (MODULES / "playwright-core").exists()


def train(folder, out, *args):
    done = call(folder, "train", "--out", out, *args)
    assert done.returncode == 0, done.stderr


def large_run(folder, name, classes, layers):
    """A run of many classes and layers, with more errors than its few rows could have."""
    rows = [f"{i % 997 * 0.37:.3f},{i % 89 * 0.11:.3f},class number {i % classes}" for i in range(2 * classes)]
    (folder / "large.csv").write_text("a,b,kind\n" + "\n".join(rows) + "\n")
    train(folder, name, "--train", "large.csv", "--task", "classification", "--ensemble", "1", "--epochs", "1",
          "--topology", ",".join(["4"] * layers), "--patience", layers, "--finetune-epochs", "0")
    report = json.loads((folder / name / "report.json").read_text())
    report["confusion"] = [[t, (t + k * k) % classes, 1 + t * k % 7] for t in range(classes) for k in range(20)]
    (folder / name / "report.json").write_text(json.dumps(report))
    assert call(folder, "report", name).returncode == 0


def long_comparison(folder):
    """The comparison with fourteen systems, whose scores are far from 0 and close together."""
    table = json.loads((folder / "compare/table.json").read_text())
    first = table["systems"][0]
    table["systems"] = [{**first, "system": f"system {k}", "runs": [
        {**run, "test": 1234567 + k / 8 + run["seed"] / 64, "seconds": (k + 1) * 1000 + run["seed"]} for run in first["runs"]]} for k in range(14)]
    table["best"] = "system 3"
    (folder / "systems").mkdir()
    for name in ("compare.json", "table.json"):
        (folder / "systems" / name).write_text(json.dumps(table) if name == "table.json" else (folder / "compare" / name).read_text())
    assert call(folder, "report", "systems").returncode == 0
    table["best"] = "system 3*"
    for k, system in enumerate(table["systems"]):
        system["system"] += "*" * (k % 2)
        system["runs"] = [{**run, "test": 0.5 + 0.1 * (k in (3, 7, 8))} for run in system["runs"]]
    (folder / "ties").mkdir()
    (folder / "ties/compare.json").write_text((folder / "compare/compare.json").read_text())
    (folder / "ties/table.json").write_text(json.dumps(table))
    assert call(folder, "report", "ties").returncode == 0


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    if not have_browser():
        pytest.skip("no chromium, node or playwright-core: the pages were not looked at")
    folder = tmp_path_factory.mktemp("pages")
    write_data(folder)
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    evil = (folder / "train.csv").read_text().replace("ant", f'"{EVIL}"').replace("a,b", f'"{EVIL}",b', 1)
    (folder / "evil.csv").write_text(evil)
    train(folder, "classes", "--train", "evil.csv", "--test-split", "0.3", "--ensemble", "1", "--epochs", "54",
          "--search", "halving", "--finetune-epochs", "20", "--topology", "8,8")
    (folder / "classes/importance.csv").write_text(f'name,mean,std\n"{EVIL}",0.25,0.05\nb,0.125,0.01\nc,-0.002,0.003\n')
    assert call(folder, "report", "classes").returncode == 0
    train(folder, "values", "--train", "regression.csv", "--test-split", "0.3", *TINY)
    train(folder, "ensemble", "--train", "train.csv", "--test", "test.csv", *TINY, "--ensemble", "3")
    train(folder, "memory-h", "--train", "train.csv", "--algorithm", "popmem-h", *TINY)
    compared = call(folder, "compare", "--train", "train.csv", "--algorithms", "popfast,bls,s-elm", "--runs", "3",
                    "--epochs", "5", "--topology", "8", "--out", "compare")
    assert compared.returncode == 0, compared.stderr
    large_run(folder, "large", classes=500, layers=8)
    large_run(folder, "matrix", classes=87, layers=1)
    long_comparison(folder)
    pages = [{"name": name, "url": f"file://{folder}/{name}/report.html"} for name in SECTIONS]
    pages.append({"name": "large", "url": f"file://{folder}/large/report.html", "once": True})
    pages += [{"name": name, "url": f"file://{folder}/{name}/report.html"} for name in ("matrix", "systems", "ties")]
    pages.append({"name": "live", "live": [str(PROGRAM), "train", "--train", str(folder / "train.csv"), "--test",
                  str(folder / "test.csv"), "--out", str(folder / "live"), "--live", "--ensemble", "1", "--search",
                  "exhaustive", "--epochs", "500", "--topology", "40,40", "--finetune-epochs", "50", "--threads", "1"]})
    (folder / "jobs.json").write_text(json.dumps(
        {"modules": str(MODULES), "screenshots": str(SCREENSHOTS), "pages": pages}))
    look = subprocess.run(["node", pathlib.Path(__file__).parent / "browser/look.mjs", folder / "jobs.json"],
                          capture_output=True, text=True, timeout=180, check=False)
    assert look.returncode == 0, look.stderr
    return json.loads(look.stdout), folder


@pytest.mark.parametrize("name", SECTIONS)
def test_every_section_is_drawn(seen, name):
    for view in seen[0][name]:
        assert set(SECTIONS[name]) <= set(view["sections"]), view["width"]
        assert view["figures"] and min(view["figures"]) > 5
        assert "nothing to show" not in view["text"] and "undefined" not in view["text"] and "NaN" not in view["text"]


@pytest.mark.parametrize("name", [*SECTIONS, "large"])
def test_no_errors_no_requests_no_sideways_scrolling(seen, name):
    for view in seen[0][name]:
        assert (view["errors"], view["requests"], view["images"]) == ([], [], 0)
        assert view["overflow"] <= 0, view["width"]
        assert max(view["heights"], default=0) < 60, view["width"]  # a narrow table scrolls and does not stack letters


@pytest.mark.parametrize("name", [*SECTIONS, "matrix", "systems"])
def test_pictures_are_whole_and_no_word_covers_another(seen, name):
    for view in seen[0][name]:
        assert (view["clipped"], view["covered"], view["sideways"]) == ([], [], []), view["width"]


def test_a_matrix_of_many_classes_names_them_all(seen):
    for view in seen[0]["matrix"]:
        [labels] = view["matrix"]
        assert len(labels) == 2 * 87 and set(Counter(labels).values()) == {2}


def test_each_of_fourteen_systems_has_a_mark_of_its_own(seen):
    for view in seen[0]["systems"]:
        marks = [tuple(mark[1:]) for mark in view["marks"] if mark[0] == "spread-and-time" and mark[1] != "dot c1" or mark[2] != "circle"]
        assert len(set(marks)) >= 14


def test_the_best_systems_are_marked_beside_their_names(seen):
    for view in seen[0]["ties"]:
        best = ["system 3*", "system 7*", "system 8"]
        assert view["strong"] == best and set(view["cells"]) >= {*best, "system 0", "system 1*"}
        assert all(name in view["lead"] for name in best) and "system 1*" not in view["lead"]
    table = json.loads((seen[1] / "compare/table.json").read_text())
    scores = {system["system"]: system["test"]["median"] for system in table["systems"]}
    for view in seen[0]["compare"]:
        assert view["strong"] == [name for name in scores if scores[name] == max(scores.values())]


def test_marks_of_an_axis_show_all_their_digits(seen):
    for view in seen[0]["systems"]:
        assert {"1,234,567", "1,234,568"} <= set(view["ticks"]) and not {"1235000", "1,235,000"} & set(view["ticks"])



@pytest.mark.parametrize("name", SECTIONS)
def test_light_and_dark_differ(seen, name):
    light, dark = (view["background"] for view in seen[0][name])
    assert light == "rgb(255, 255, 255)" and dark != light
    assert {view["printed"] for view in seen[0][name]} == {"rgb(27, 31, 36)"}  # dark ink on paper in either


@pytest.mark.parametrize("name", ["classes", "values", "ensemble"])
def test_hover_shows_the_numbers_of_the_files(seen, name):
    pages, folder = seen
    metrics = json.loads((folder / name / "metrics.json").read_text())
    for view in pages[name]:
        for part, values in metrics["metrics"].items():
            if values:
                told = dict(zip(view["metrics"][1:], view["cells"][part]))
                shown = {key: value for key, value in values.items() if key in told}
                assert {key: float(told[key]) for key in shown} == pytest.approx(shown, rel=1e-15)
                assert set(values) - set(shown) == ({"loss"} if "log_loss" in values else set())  # which would be the same
        if "log_loss" in view["metrics"]:  # also of the simple models, which have a loss only
            linear = dict(zip(view["metrics"][1:], view["cells"]["linear model"]))
            assert float(linear["log_loss"]) == metrics["yardsticks"]["linear"]["loss"]
    lines = map(json.loads, (folder / name / "journal.jsonl").read_text().splitlines())
    last = {}
    for line in lines:
        if line["event"] == "candidate" and line["layer"] == 1 and line["val"]:
            last["/".join(line["operator_set"])] = line
    tips = "\n\n".join(pages[name][0]["tips"])
    for words, line in last.items():
        metric = next(key for key in line["val"] if key != "loss")
        number = re.search(rf"{words}\n{metric} (\S+)\nloss \S+\nepochs {line['epochs']}\b", tips)
        assert number and math.isclose(float(number[1]), line["val"][metric], rel_tol=1e-15), words


def test_labels_are_text(seen):
    for view in seen[0]["classes"]:
        assert EVIL in view["text"] and any(EVIL in words for words in view["tips"])


def test_memory_reaches_the_output_of_popmem_o_only(seen):
    pages, folder = seen
    for name, last in (("classes", 0), ("memory-h", 1)):  # two arrows per memory; the last layer of popmem-h has none
        layers = json.loads((folder / name / "metrics.json").read_text())["layers"]
        assert pages[name][0]["network"][0] == 2 * (len(layers) - last), name
    members = json.loads((folder / "ensemble" / "metrics.json").read_text())["members"]
    assert len(pages["ensemble"][0]["network"]) == len(members) and 0 in [m["layers"] for m in members]  # one of them is linear
    assert sum("of the operator sets" in words for words in pages["ensemble"][0]["captions"]) == 1


def test_pictures_can_be_saved(seen):
    for name in SECTIONS:
        view = seen[0][name][0]
        assert view["csv"].count("\n") > 1 and "," in view["csv"]
        assert view["svg"].startswith("<svg") and "prefers-color-scheme" in view["svg"]


def test_a_large_page_is_small_and_opens_at_once(seen):
    pages, folder = seen
    assert (folder / "large/report.html").stat().st_size < 3e6
    assert min(view["milliseconds"] for view in pages["large"]) < 10000  # 2 s on an idle machine
    assert sum("of the operator sets" in words for words in pages["large"][0]["captions"]) == 8
    assert "most confused of 500 classes" in " ".join(pages["large"][0]["captions"])


def test_the_live_page_follows_the_run(seen):
    view = seen[0]["live"]
    assert view["exit"] == 0
    assert len(set(view["cells_over_time"])) > 1 and max(view["cells_over_time"]) >= 72
    assert {"results", "errors"} <= set(view["sections"])
    assert view["errors"] == [] and {url.split("/")[-1] for url in view["requests"]} == {"data.json"}
