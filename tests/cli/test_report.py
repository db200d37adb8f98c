"""The page of a run: the contents of the file, and the live view. test_report_in_browser.py tests it in a browser."""

import http.client
import json
import os
import re
import subprocess
import time

import pytest
from conftest import PROGRAM, TINY, call, write_data

EVIL = "</script><img src=x onerror=alert(1)>"


def data_of(page):
    """The JSON object in a page."""
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    write_data(folder)
    done = call(folder, "train", "--train", "train.csv", "--test", "test.csv", *TINY, "--out", "run")
    assert done.returncode == 0, done.stderr
    return folder


def test_train_writes_the_page_by_default(folder):
    assert (folder / "run/report.html").read_text().startswith("<!doctype html>")
    done = call(folder, "train", "--train", "train.csv", *TINY, "--out", "plain", "--no-report")
    assert done.returncode == 0, done.stderr
    assert not (folder / "plain/report.html").exists()


def test_the_page_contains_the_data_of_the_folder(folder):
    data = data_of((folder / "run/report.html").read_text())
    for name in ("config", "metrics", "report"):
        assert data[name] == json.loads((folder / f"run/{name}.json").read_text())
    candidates = [json.loads(line) for line in (folder / "run/journal.jsonl").read_text().splitlines()]
    first = [c for c in candidates if c["event"] == "candidate" and c["layer"] == 1]
    shown = {tuple(c["set"]): c["points"] for c in data["journal"]["searches"][0]["candidates"]}
    assert set(shown) == {tuple(c["operator_set"]) for c in first}
    for line in first:
        assert [line["epochs"], *line["val"].values()] in shown[tuple(line["operator_set"])]


def test_confusion_and_reliability_agree_with_the_metrics(folder):
    report = json.loads((folder / "run/report.json").read_text())
    test = json.loads((folder / "run/metrics.json").read_text())["metrics"]["test"]
    rows = sum(count for _, _, count in report["confusion"])
    assert rows == report["count"] == 45
    assert sum(n for t, p, n in report["confusion"] if t == p) / rows == pytest.approx(test["accuracy"])
    error = sum(n * abs(sure - right) for n, sure, right in report["reliability"]) / rows
    assert error == pytest.approx(test["ece"], abs=1e-5)
    evaluated = json.loads(call(folder, "evaluate", "run", "test.csv", "--json").stdout)["confusion"]
    assert {(t, p): n for t, p, n in report["confusion"]} == {
        (t, p): n for t, row in enumerate(evaluated) for p, n in enumerate(row) if n}


def test_pairs_of_regression_agree_with_the_metrics(folder):
    done = call(folder, "train", "--train", "regression.csv", "--test-split", "0.3", *TINY, "--out", "values")
    assert done.returncode == 0, done.stderr
    report = json.loads((folder / "values/report.json").read_text())
    test = json.loads((folder / "values/metrics.json").read_text())["metrics"]["test"]
    pairs = report["pairs"][0]
    assert len(pairs["true"]) == report["count"]
    errors = [(p - t) ** 2 for t, p in zip(pairs["true"], pairs["predicted"])]
    assert sum(errors) / len(errors) == pytest.approx(test["mse"], rel=1e-4)


def test_the_command_gives_the_same_model(folder):
    command = data_of((folder / "run/report.html").read_text())["command"]
    done = subprocess.run(command.replace("gopnet", str(PROGRAM), 1) + " --out again --no-report", shell=True,
                          cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert (folder / "again/model.safetensors").read_bytes() == (folder / "run/model.safetensors").read_bytes()


def test_labels_and_columns_cannot_leave_their_place(folder):
    text = (folder / "train.csv").read_text().replace("ant", f'"{EVIL}"').replace("a,b", f'"{EVIL}",b', 1)
    (folder / "evil.csv").write_text(text.replace("bee", "line\u2028end"))
    done = call(folder, "train", "--train", "evil.csv", *TINY, "--out", "evil")
    assert done.returncode == 0, done.stderr
    page = (folder / "evil/report.html").read_text()
    assert "<img" not in page and "\u2028" not in page
    data = data_of(page)
    assert EVIL in data["model"]["classes"] and data["columns"][0]["name"] == EVIL
    assert "line\u2028end" in data["model"]["classes"]


def test_the_page_distinguishes_dates_and_text_from_numbers(folder):
    rows = [f"2020-01-{1 + i % 28},{'red blue'.split()[i % 2]},{i * 7 % 40}.5,{'ab'[i % 2]}\n" for i in range(40)]
    (folder / "dates.csv").write_text("day,colour,size,kind\n" + "".join(rows))
    assert call(folder, "train", "--train", "dates.csv", *TINY, "--out", "dates").returncode == 0
    columns = data_of((folder / "dates/report.html").read_text())["columns"]
    assert [c["kind"] for c in columns] == ["date", "category", "number"]


def test_report_writes_to_its_file_and_overwrites_nothing(folder):
    done = call(folder, "report", "run", "-o", "page.html")
    assert (done.returncode, done.stdout) == (0, "page.html\n")
    assert data_of((folder / "page.html").read_text())["name"] == "run"
    again = call(folder, "report", "run", "-o", "page.html")
    assert again.returncode == 2 and again.stderr.count("\n") == 1 and "page.html: exists" in again.stderr
    assert call(folder, "report", "run", "-o", "page.html", "--force").returncode == 0
    assert json.loads(call(folder, "report", "run", "--json").stdout) == {"report": "run/report.html"}


@pytest.mark.parametrize("name", ["nothing", "."])
def test_report_of_no_run_is_one_clear_line(folder, name):
    for command in ("report", "watch"):
        done = call(folder, command, name)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and "config.json" in done.stderr


def test_a_page_that_cannot_be_written_is_a_warning(folder):
    (folder / "blocked").mkdir()
    live = subprocess.Popen([PROGRAM, "train", "--train", "train.csv", *TINY, "--finetune-epochs", "2000", "--out",
                             "blocked"], cwd=folder, stderr=subprocess.PIPE, text=True, stdout=subprocess.DEVNULL)
    while live.poll() is None and not (folder / "blocked/config.json").exists():
        time.sleep(0.001)
    (folder / "blocked/report.html").mkdir()
    _, errors = live.communicate(timeout=120)
    assert live.returncode == 0 and re.search(r"warning: .*report\.html", errors)
    assert (folder / "blocked/model.safetensors").exists()


def test_inspect_draws_bars_as_wide_as_asked(folder):
    shown = call(folder, "inspect", "run").stdout
    assert "best operator sets of layer 1" in shown and "█" in shown
    bars = [line for line in shown.splitlines() if "█" in line]
    assert bars and max(map(len, bars)) <= 80
    first = shown.split("best operator sets of layer 1, val ")[1].splitlines()[1].split()[0]
    assert first == "/".join(json.loads((folder / "run/metrics.json").read_text())["layers"][0]["operator_set"])


@pytest.fixture(scope="module")
def live(folder):
    """A run that trains until it is stopped, and the port of its live view."""
    run = subprocess.Popen([PROGRAM, "train", "--train", "train.csv", "--out", "live", "--live", "--ensemble", "1",
                            "--epochs", "100000", "--threads", "1"], cwd=folder, stderr=subprocess.PIPE, text=True,
                           stdout=subprocess.DEVNULL)
    address = re.search(r"live view: http://127\.0\.0\.1:(\d+)/", run.stderr.readline())
    for _ in range(200):
        if (folder / "live/config.json").exists():
            break
        time.sleep(0.05)
    yield int(address[1])
    run.terminate()
    run.communicate(timeout=120)


def ask(port, path="/", host=None, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    connection.request(method, path, headers={"Host": host} if host else {})
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_the_live_page_is_for_this_machine_alone(live):
    status, page = ask(live)
    assert status == 200 and "connect-src 'self'" in page and data_of(page)["live"] is True
    assert ask(live, host=f"localhost:{live}")[0] == 200
    for host in ("evil.example", f"evil.example:{live}", "127.0.0.1", "127.0.0.1:1"):
        assert ask(live, host=host)[0] == 403, host
        assert ask(live, "/data.json", host=host)[0] == 403, host
    listening = subprocess.run(["cat", "/proc/net/tcp", "/proc/net/tcp6"], capture_output=True, text=True, check=False).stdout
    places = re.findall(rf"\d+: (\w+):{live:04X} \w+:0000 0A", listening)
    assert places == ["0100007F"]


def test_the_live_page_can_only_be_read(live):
    status, text = ask(live, "/data.json")
    assert status == 200 and json.loads(text)["finished"] is False
    assert ask(live, "/data.json", method="POST")[0] == 405
    assert ask(live, "/../config.json")[0] == 404
    assert ask(live, "/model.safetensors")[0] == 404


def test_watch_serves_a_run_of_another_process(live, folder):
    watch = subprocess.Popen([PROGRAM, "watch", "live", "--json"], cwd=folder, stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.DEVNULL)
    address = json.loads(watch.stdout.readline())["address"]
    port = int(address.rstrip("/").split(":")[-1])
    assert port != live and ask(port)[0] == 200
    taken = call(folder, "watch", "live", "--port", port)
    assert taken.returncode == 2 and f"--port: {port}" in taken.stderr
    watch.terminate()
    assert watch.wait(timeout=120) == 0


def test_watch_refuses_a_finished_run(folder):
    done = call(folder, "watch", "run")
    assert done.returncode == 2 and "gopnet report run" in done.stderr
