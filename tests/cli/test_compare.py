"""gopnet compare: one table in four formats, independent of the threads, and no run trained twice."""

import csv
import io
import json
import os
import re
import signal
import statistics
import subprocess

import pytest

from conftest import PROGRAM, TINY, call, write_data
from test_train import wait_for

SMALL = [*TINY, "--train", "train.csv"]
TIMES = {"seconds", "seconds_per_layer", "seconds_total", "threads", "folder"}


@pytest.fixture
def compare(run):
    """Compare with --json and return the output."""

    def go(*args):
        done = run("compare", *SMALL, "--json", "--quiet", *args)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return go


def without_times(value):
    if isinstance(value, dict):
        return {k: without_times(v) for k, v in value.items() if k not in TIMES}
    return [without_times(v) for v in value] if isinstance(value, list) else value


def names(table):
    """The names of the systems, without the last row, which is the baseline."""
    *systems, last = [system["system"] for system in table["systems"]]
    assert last == "linear"
    return systems


def refused(done, *parts):
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, done.stderr
    for part in parts:
        assert part in done.stderr


def test_all_is_every_algorithm_with_each_memory_and_popfast_star(run, compare):
    rows = []
    for a in json.loads(run("help", "algorithms", "--json").stdout)["algorithms"]:
        memory = [p["choices"] for p in a["parameters"] if p["name"] == "memory"]
        rows += [f"{a['name']} {m}" for m in memory[0] if m != "none"] if memory else [a["name"]]
        rows += ["popfast*"] if a["name"] == "popfast" else []
    assert names(compare("--algorithms", "all", "--runs", "1")) == rows


def test_the_four_forms_of_the_table_agree(run, compare, tmp_path):
    args = ["--algorithms", "popfast,popmem-o", "--out", "c"]
    table = compare(*args)
    text, comma, markdown = (run("compare", *SMALL, "--quiet", *args, *form).stdout
                             for form in ([], ["--csv"], ["--markdown"]))
    rows = list(csv.DictReader(io.StringIO(comma)))
    assert rows[-1]["system"] == "linear" and "\n| linear | 3 | " in markdown and rows[-1]["layers"] == ""
    assert float(rows[-1]["test_accuracy_median"]) == table["systems"][-1]["test"]["median"]
    for system, row in zip(table["systems"][:-1], rows[:-1], strict=True):
        assert row["system"] == system["system"]
        for key in ("median", "min", "max"):
            assert float(row[f"test_accuracy_{key}"]) == system["test"][key]
        for key in ("layers", "parameters", "seconds_per_layer", "seconds_total"):
            assert float(row[key]) == pytest.approx(system[key])
        best = system["test"]["median"] == max(s["test"]["median"] for s in table["systems"])
        median, low, high, val = (f"{100 * x:.2f}" for x in (
            *(system["test"][k] for k in ("median", "min", "max")), system["val"]["median"]))
        escaped = system["system"].replace("*", "\\*")
        shown = f"**{median}**" if best else median
        assert f"| {escaped} | 3 | {shown} | {low} .. {high} | {val} | " in markdown
        star = r"\*" if best else ""
        assert re.search(rf"^{re.escape(system['system'])} +3 +{median} +{star} *{low} \.\. {high} "
                         rf"+{val} ", text, re.M), text
    assert table["best"] in [s["system"] for s in table["systems"]]
    for name, form in [("table.csv", comma), ("table.md", markdown)]:
        assert (tmp_path / "c" / name).read_text() == form
    file = json.loads((tmp_path / "c" / "table.json").read_text())
    assert {key: file[key] for key in file if key not in ("files", "checksum")} == table
    assert "one thread per run" in text and "one thread per run" in markdown


def test_the_text_names_systems_that_tie(run, compare, tmp_path):
    (tmp_path / "easy.csv").write_text("a,kind\n" + "".join(f"{9 * (i % 2) + i % 5 / 9:.3f},{'no' if i % 2 else 'yes'}\n" for i in range(60)))
    args = ["--train", "easy.csv", "--algorithms", "popfast,bls", "--runs", "1", "--out", "c"]
    table = compare(*args)
    best = [s["system"] for s in table["systems"] if s["test"]["median"] == max(s["test"]["median"] for s in table["systems"])]
    assert len(best) > 1
    text = run("compare", *SMALL, "--quiet", *args).stdout
    [line] = [line for line in text.splitlines() if line.startswith("*")]
    assert all(name in line for name in best) and str(len(best)) in line


def test_a_cell_is_the_median_of_train_runs_with_the_same_parameters(compare, train, tmp_path):
    table = compare("--algorithms", "popmem-h", "--memory", "lda", "--seed", "5", "--out", "c")
    assert names(table) == ["popmem-h lda"] and table["seeds"] == [5, 6, 7]
    runs = [train("--train", "train.csv", "--algorithm", "popmem-h", "--memory", "lda",
                  "--seed", seed, "--split-seed", "5", "--test-split", "0.2", "--val-split", "0.25",
                  "--out", f"t{seed}") for seed in table["seeds"]]
    system = table["systems"][0]
    assert [runs[0]["data"][part] for part in ("train", "val", "test")] == [54, 18, 18]
    for part in ("test", "val"):
        scores = [r["metrics"][part]["accuracy"] for r in runs]
        assert [r[part] for r in system["runs"]] == scores
        assert system[part]["median"] == statistics.median(scores)
        assert (system[part]["min"], system[part]["max"]) == (min(scores), max(scores))
    assert system["parameters"] == statistics.median(r["parameters"] for r in runs)
    assert system["layers"] == statistics.median(len(r["layers"]) for r in runs)
    for seed in table["seeds"]:
        assert ((tmp_path / f"c/popmem-h-lda-{seed}/model.safetensors").read_bytes()
                == (tmp_path / f"t{seed}/model.safetensors").read_bytes())


def test_seconds_per_layer_counts_the_rejected_layer(compare, tmp_path):
    run = compare("--algorithms", "popfast", "--runs", "1", "--out", "c")["systems"][0]["runs"][0]
    metrics = json.loads((tmp_path / "c/popfast-1/metrics.json").read_text())
    layers = metrics["layers"] + ([metrics["rejected"]] if metrics["rejected"] else [])
    mean = statistics.mean(layer["search"]["seconds"] for layer in layers)
    assert run["seconds_per_layer"] == pytest.approx(mean)


def test_popfast_star_has_the_widths_of_popmem_o(compare, tmp_path):
    table = compare("--algorithms", "popmem-o,popfast", "--runs", "2", "--out", "c")
    assert names(table) == ["popmem-o pca", "popmem-o lda", "popfast", "popfast*"]
    for seed in (1, 2):
        metrics = json.loads((tmp_path / f"c/popmem-o-pca-{seed}/metrics.json").read_text())
        config = json.loads((tmp_path / f"c/popfast-star-{seed}/config.json").read_text())
        widths = [layer["units"] + layer["memory"]["dims"] for layer in metrics["layers"]]
        assert config["algorithm"] == "popfast"
        assert config["parameters"]["topology"] == widths and min(widths) > 8


def test_popfast_star_follows_lda_if_there_is_no_pca(compare, tmp_path):
    table = compare("--algorithms", "popfast*,popmem-o", "--memory", "lda", "--runs", "1",
                    "--out", "c")
    assert names(table) == ["popfast*", "popmem-o lda"]
    plan = json.loads((tmp_path / "c/compare.json").read_text())
    assert plan["systems"]["popfast*"]["topology_of"] == "popmem-o lda"


def test_any_number_of_threads_gives_the_same_table(compare):
    one, two, many = (without_times(compare("--runs", "2", "--threads", t)) for t in (1, 2, 40))
    assert one == two == many


def test_runs_see_the_same_rows_unless_resplit(compare, tmp_path):
    def prints(folder):
        return {json.loads((tmp_path / folder / f"popfast-{seed}/config.json").read_text())
                ["data"]["fingerprint"] for seed in (1, 2, 3)}

    compare("--algorithms", "popfast", "--out", "same")
    compare("--algorithms", "popfast", "--out", "anew", "--resplit")
    compare("--algorithms", "popfast", "--out", "zero", "--seed", "0", "--runs", "4")
    assert len(prints("same")) == 1 and len(prints("anew")) == 3 and prints("zero") == prints("same")


def test_regression_shows_r2(run, compare):
    args = ["--train", "regression.csv", "--algorithms", "popfast", "--runs", "2", "--out", "c"]
    table = compare(*args)
    assert table["metric"] == "r2" and table["task"] == "regression"
    text = run("compare", *SMALL, "--quiet", *args).stdout
    assert "test r2 " in text and f"{table['systems'][0]['test']['median']:.4f}" in text


def test_the_metric_of_the_table_is_the_one_that_was_chosen(compare, tmp_path):
    table = compare("--algorithms", "popfast", "--runs", "1", "--metric", "f1_macro", "--out", "c")
    metrics = json.loads((tmp_path / "c/popfast-1/metrics.json").read_text())["metrics"]
    assert table["metric"] == "f1_macro"
    assert table["systems"][0]["test"]["median"] == metrics["test"]["f1_macro"]


def test_messages_name_the_split_and_every_run(run):
    done = run("compare", *SMALL, "--algorithms", "popfast", "--runs", "2")
    assert done.returncode == 0
    assert "rows: 54 train, 18 val, 18 test; 4 features" in done.stderr
    assert re.search(r"split: 0\.2 .* test, 0\.25 .* val, .*same", done.stderr)
    for seed in (1, 2):
        assert re.search(rf"\[ [12]/2 \]  popfast  seed {seed}  test accuracy 0\.\d{{4}}  "
                         r"[12] layers?  0\.\d s", done.stderr)
    assert "runs/compare-20" in done.stdout


def test_given_files_are_not_split(run, tmp_path):
    done = run("compare", *SMALL, "--val", "val.csv", "--test", "test.csv",
               "--algorithms", "popfast", "--runs", "1", "--out", "c")
    assert "rows: 90 train, 45 val, 45 test" in done.stderr and "split:" not in done.stderr
    source = json.loads((tmp_path / "c/compare.json").read_text())["source"]
    assert source["val"] == str(tmp_path / "val.csv")


def test_settings_from_a_run_or_a_file(run, compare, tmp_path):
    compare("--algorithms", "popfast", "--runs", "1", "--out", "c")
    (tmp_path / "s.toml").write_text('algorithms = "popfast,popmem-h"\nruns = 2\nmemory = "lda"\n')
    assert names(compare("--config", "s.toml")) == ["popfast", "popmem-h lda"]
    done = run("compare", "--train", "train.csv", "--config", "c/popfast-1/config.json", "--runs",
               "1", "--algorithms", "popfast", "--out", "again", "--json", "--quiet")
    assert done.returncode == 0, done.stderr
    a, b = ((tmp_path / f"{c}/popfast-1/model.safetensors").read_bytes() for c in ("c", "again"))
    assert a == b


def test_a_terminal_sees_what_is_running(run, tmp_path, terminal):
    reader, screen = terminal
    args = [PROGRAM, "compare", *SMALL, "--algorithms", "popfast", "--runs", "2", "--out", "c"]
    done = subprocess.run(args, cwd=tmp_path, stdout=subprocess.PIPE, stderr=screen,
                          env={**os.environ, "TERM": "xterm"})
    shown = os.read(reader, 1 << 16).decode()
    assert done.returncode == 0 and b"\r" not in done.stdout
    assert "\r\x1b[K[ 0/2 ]  running: popfast " in shown and "\r\x1b[K[ 1/2 ]  popfast" in shown


LONG = [*SMALL, "--algorithms", "popfast,popmem-o", "--epochs", "1500", "--search", "exhaustive",
        "--runs", "2", "--threads", "1", "--json", "--quiet"]


def models(folder):
    return {path: path.stat().st_mtime_ns for path in folder.glob("*/model.safetensors")}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The table of LONG without an interruption."""
    folder = tmp_path_factory.mktemp("undisturbed")
    write_data(folder)
    done = call(folder, "compare", *LONG, "--out", "c")
    assert done.returncode == 0, done.stderr
    return without_times(json.loads(done.stdout))


@pytest.mark.parametrize("sign, code", [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 3)])
def test_the_same_command_resumes_after_a_signal(run, tmp_path, undisturbed, sign, code):
    program = subprocess.Popen([PROGRAM, "compare", *LONG, "--out", "c"], cwd=tmp_path,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # some runs are done and another has started
    wait_for(lambda: 2 <= len(models(tmp_path / "c"))
             < len(list((tmp_path / "c").glob("*/journal.jsonl"))))
    program.send_signal(sign)
    output, messages = program.communicate(timeout=120)
    assert program.returncode == code and output == ""
    if code == 3:
        assert messages.splitlines()[-1].endswith("gopnet resume c")
    before = models(tmp_path / "c")
    assert 2 <= len(before) < 8 and not (tmp_path / "c/table.json").exists()
    again = run("compare", *LONG, "--out", "c")
    assert again.returncode == 0, again.stderr
    after = models(tmp_path / "c")
    assert len(after) == 8 and before.items() <= after.items()
    assert without_times(json.loads(again.stdout)) == undisturbed


def test_runs_and_algorithms_can_be_added(compare, tmp_path):
    compare("--algorithms", "popfast", "--runs", "1", "--out", "c")
    before = models(tmp_path / "c")
    table = compare("--algorithms", "popmem-h,popfast", "--memory", "pca", "--runs", "2",
                    "--out", "c")
    assert names(table) == ["popmem-h pca", "popfast"] and table["seeds"] == [1, 2]
    assert len(before) == 1 and before.items() < models(tmp_path / "c").items()


@pytest.mark.parametrize("args, parts", [
    (["--epochs", "6"], ["epochs was 5", " 6"]),
    (["--seed", "2"], ["seed was 1", " 2"]),
    (["--runs", "1"], ["2 runs", "--runs 1"]),
    (["--algorithms", "popmem-h"], ["popfast", "missing"]),
    (["--topology", "8,8,8"], ["topology was [8,8]", "[8,8,8]"]),
    (["--resplit"], ["split_seed"]),
    (["--train", "val.csv"], ["source train "]),
    (["--task", "classification"], ["source task"]),
])
def test_a_folder_with_another_comparison_is_refused(run, compare, args, parts):
    base = ["--algorithms", "popfast", "--runs", "2", "--out", "c"]
    compare(*base)
    refused(run("compare", *SMALL, "--quiet", *base, *args), "c: holds a", *parts)


def test_a_folder_is_refused_if_the_rows_changed(run, compare, tmp_path):
    base = ["--algorithms", "popfast", "--runs", "1", "--out", "c"]
    compare(*base)
    head, *rows = (tmp_path / "train.csv").read_text().splitlines()
    (tmp_path / "train.csv").write_text("\n".join([head, *reversed(rows)]) + "\n")
    compare(*base)  # the order of the rows does not matter
    (tmp_path / "train.csv").write_text("\n".join([head, *rows[:-1], "9,9,9,9,ant"]) + "\n")
    refused(run("compare", *SMALL, "--quiet", *base), "c: holds another comparison: data ")


def test_a_folder_of_something_else_is_refused_and_not_changed(run, tmp_path):
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "notes.txt").write_text("mine")
    refused(run("compare", *SMALL, "--out", "c"), "c: ", "not empty")
    assert os.listdir(tmp_path / "c") == ["notes.txt"]


def test_a_failed_run_is_reported_and_the_others_continue(run):
    # 65536 neurons and 4 of memory are one layer too wide for popfast*
    done = run("compare", "--train", "train.csv", "--algorithms", "popmem-o", "--memory", "pca",
               "--topology", "65536", "--epochs", "0", "--finetune-epochs", "0", "--runs", "1",
               "--nodal", "multiplication", "--pool", "sum", "--activation", "tanh", "--out", "c")
    assert done.returncode == 2
    assert re.search(r"^popfast\* +0 of 1 +- ", done.stdout, re.M)
    assert re.search(r"^popmem-o pca +1 +\d", done.stdout, re.M)
    last = done.stderr.splitlines()[-1]
    assert last.startswith("gopnet compare: 1 of 2 runs failed; ")
    assert "popfast* seed 1: " in last and "topology" in last


def test_a_damaged_plan_is_refused_in_one_line(run, compare, tmp_path):
    compare("--algorithms", "popfast", "--runs", "1", "--out", "c")
    plan = tmp_path / "c" / "compare.json"
    for damage in ({"runs": "3"}, {"systems": [1]}, {"runs": None}):
        plan.write_text(json.dumps({**json.loads(plan.read_text()), **damage}))
        refused(run("compare", *SMALL, "--algorithms", "popfast", "--runs", "1", "--out", "c"), "c/compare.json: ")
    plan.write_text("{")
    refused(run("compare", *SMALL, "--algorithms", "popfast", "--runs", "1", "--out", "c"), "compare.json")
