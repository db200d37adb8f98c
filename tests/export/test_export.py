"""Compares exported models with `gopnet predict` and, in double precision, with a NumPy implementation that reads the model file: all
operator sets, all algorithms, averages, scalings, one and two targets."""
import json
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

import exporting
from exporting import ALGORITHMS, GOPNET, HERE, error, node, predicted, run, train
from model_files import HOSTILE, all_pairs, all_sets, one_layer, with_categories

sys.path.insert(0, str(HERE.parent / "golden"))
from predict_numpy import predict as predict_in_double, read_safetensors  # noqa: E402

needs_runtime = pytest.mark.skipif(exporting.no_runtime() != "", reason=exporting.no_runtime())
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no node; tools/setup test installs it")
ROWS = 100


def near(ours, theirs, model):
    """Whether the error is below 1e-5, relative to the value or, if that is larger, to the standard deviation of the target."""
    return error(ours, theirs, read_safetensors(model)[1].get("targets.scale", 1)) < 1e-5


def wild_rows(columns, rows=ROWS):
    """Returns rows like the training rows; every tenth is far from them."""
    rng = np.random.default_rng(9)
    x = rng.normal(size=(rows, columns)).astype(np.float32)
    x[::10] *= 5
    return x


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """Maps names to the path of a model and rows to predict."""
    folder = tmp_path_factory.mktemp("models")
    exporting.write_rows(folder)
    one_layer(folder / "sets.safetensors", 9, 1, all_sets())
    one_layer(folder / "pairs.safetensors", 70, 13, all_pairs())  # so many that the ONNX export splits them into chunks
    found = {"sets": (folder / "sets.safetensors", wild_rows(9)), "pairs": (folder / "pairs.safetensors", wild_rows(70))}
    one_layer(folder / "bounded.safetensors", 5, 4, all_pairs(), most=0.5)
    found["bounded"] = (folder / "bounded.safetensors", wild_rows(5))
    x = np.load(folder / "x.npy")[:ROWS]
    for algorithm in ALGORITHMS:
        name = algorithm["name"].replace("-", "_")
        memory = "memory" in [p["name"] for p in algorithm["parameters"]]
        found[name] = (train(folder, name, "y.npy", algorithm["name"], *["--memory", "pca"] * memory), x)
        found[name + "_values"] = (train(folder, name + "_values", "t.npy", algorithm["name"], *["--memory", "lda"] * memory), x)
    found["average"] = (train(folder, "average", "y.npy", "popmem-o", "--ensemble", "3", "--scale", "quantile"), x)
    found["average_value"] = (train(folder, "average_value", "one.npy", "popfast", "--ensemble", "2", "--folds", "2", "--scale", "robust"), x)
    np.save(folder / "side.npy", (np.load(folder / "x.npy")[:, 4] > -3).astype(np.int64))
    found["with_linear"] = (train(folder, "with_linear", "side.npy", "popfast", "--ensemble", "2", "--epochs", "1"), x)
    assert json.loads(run("inspect", found["with_linear"][0], "--json"))["members"][-1]["layers"] == []
    return found


@pytest.fixture(scope="module")
def answers(models, tmp_path_factory):
    return {name: predicted(tmp_path_factory.mktemp("predicted"), model, x) for name, (model, x) in models.items()}


def test_regression_outputs_stay_within_their_bounds(answers):
    assert answers["bounded"].min() == -0.5 and answers["bounded"].max() == 0.5
    assert (np.abs(answers["bounded"]) < 0.5).any()


def onnx_answers(models, folder, kind):
    """Maps names to the outputs of ONNX Runtime."""
    jobs = []
    for name, (model, x) in models.items():
        out = folder / f"{name}.onnx"
        run("export", model, "--format", "onnx", "-o", out, "--quiet", *["--double"] * (kind == "float64"))
        x.astype(kind).tofile(folder / name)
        jobs.append({"model": str(out), "type": kind, "inputs": {"x": {"file": str(folder / name), "columns": x.shape[1]}}})
    return dict(zip(models, (result["outputs"] for result in node("run_onnx.js", jobs)["results"])))


def numbers(outputs):
    tensor = outputs.get("probabilities") or outputs["prediction"]
    return np.array(tensor["data"]).reshape(tensor["dims"])


@needs_runtime
def test_onnx_in_float_matches_predict(models, answers, tmp_path):
    onnx = pytest.importorskip("onnx", reason="python3-onnx is not installed; tools/setup test does")
    for name, outputs in onnx_answers(models, tmp_path, "float32").items():
        onnx.checker.check_model(str(tmp_path / f"{name}.onnx"), full_check=True)
        assert near(numbers(outputs), answers[name], models[name][0]), name
        assert set(outputs) in ({"label", "probabilities"}, {"prediction"})


@needs_runtime
def test_onnx_in_double_matches_numpy(models, tmp_path):
    for name, outputs in onnx_answers(models, tmp_path, "float64").items():
        assert error(numbers(outputs), predict_in_double(*models[name])) < 1e-10, name


@needs_runtime
def test_onnx_labels_match_predict(models, tmp_path):
    model, x = models["average"]
    x = np.random.default_rng(1).normal(x.mean(0), x.std(0), size=(10000, x.shape[1])).astype(np.float32)
    outputs = onnx_answers({"average": (model, x)}, tmp_path, "float32")["average"]
    np.save(tmp_path / "x.npy", x)
    run("predict", model, tmp_path / "x.npy", "--out", tmp_path / "labels.npy")
    assert outputs["label"]["type"] == "int64"
    assert outputs["label"]["data"] == np.load(tmp_path / "labels.npy").tolist()


CATEGORY_ROWS = [("1.5", "green", "2"), ("-1", HOSTILE, "0"), ("2", "never seen", "-9"), ("", "blue", "1"), ("3", "", "nan")]


def category_csv(columns):
    quoted = ['"' + name.replace('"', '""') + '"' for name, _ in columns]
    fields = [['"' + text.replace('"', '""') + '"' for text in row] for row in CATEGORY_ROWS]
    return "\n".join(",".join(line) for line in [quoted, *fields]) + "\n"


def category_answers(folder):
    """Returns a model with a text column, rows for it as CSV, and their predictions by `gopnet predict`."""
    columns = with_categories(folder / "model.safetensors")
    (folder / "rows.csv").write_text(category_csv(columns))
    said = json.loads(run("predict", folder / "model.safetensors", folder / "rows.csv", "--proba", "--json"))
    return folder / "model.safetensors", (folder / "rows.csv").read_text(), said


@needs_runtime
def test_onnx_accepts_texts_and_missing_values(tmp_path):
    model, _, said = category_answers(tmp_path)
    run("export", model, "-o", tmp_path / "m.onnx", "--quiet")
    plain = [[float(a or "nan"), float(b)] for a, _, b in CATEGORY_ROWS]
    np.array(plain, np.float32).tofile(tmp_path / "x")
    texts = {"texts": [text for _, text, _ in CATEGORY_ROWS]}
    inputs = {"x": {"file": str(tmp_path / "x"), "columns": 2}, "column_x": texts}  # the text column is called "x", like the input of the numbers
    result = node("run_onnx.js", [{"model": str(tmp_path / "m.onnx"), "type": "float32", "inputs": inputs}])["results"][0]
    assert result["names"] == ["x", "column_x"]
    assert error(numbers(result["outputs"]), np.array(said["probabilities"])) < 1e-5
    assert result["outputs"]["label"]["data"] == said["labels"]


@needs_runtime
def test_onnx_needs_little_memory(tmp_path):
    one_layer(tmp_path / "m.safetensors", 512, 40, [["dog", "correlation2", "tanh"]])
    run("export", tmp_path / "m.safetensors", "-o", tmp_path / "m.onnx", "--quiet")
    wild_rows(512, 4000).tofile(tmp_path / "x")
    job = {"model": str(tmp_path / "m.onnx"), "type": "float32", "inputs": {"x": {"file": str(tmp_path / "x"), "columns": 512}}, "quiet": True}
    assert node("run_onnx.js", [job])["megabytes"] < 300  # peak memory of Node, including the rows


def test_onnx_holds_metadata(models, tmp_path):
    onnx = pytest.importorskip("onnx", reason="python3-onnx is not installed; tools/setup test does")
    run("export", models["bls"][0], "-o", tmp_path / "m.onnx", "--quiet")
    model = onnx.load(str(tmp_path / "m.onnx"))
    told = {p.key: p.value for p in model.metadata_props}
    assert json.loads(told["classes"]) == ["0", "1", "2"]
    assert json.loads(told["features"]) == json.loads(run("inspect", models["bls"][0], "--json"))["features"]
    assert told["gopnet_version"] == model.producer_version != ""
    assert model.ir_version == 7 and model.opset_import[0].version == 13
    assert model.graph.input[0].type.tensor_type.shape.dim[0].dim_param == "rows"


# A C program that reads NAME.x and writes NAME.out for every model.
MAIN = """#include <stdio.h>
#include <stdlib.h>
%s
static void predict(const char* name, int inputs, int outputs, int (*call)(const float*, float*)) {
  static float x[4096], out[4096];
  char path[256];
  FILE *from, *to;
  sprintf(path, "%%s.x", name);
  from = fopen(path, "rb");
  sprintf(path, "%%s.out", name);
  to = fopen(path, "wb");
  while (fread(x, sizeof(float), (size_t)inputs, from) == (size_t)inputs) {
    if (call(x, out) < 0) exit(1);
    fwrite(out, sizeof(float), (size_t)outputs, to);
  }
  fclose(from);
  fclose(to);
}
int main(void) {
%s
  return 0;
}
"""
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"]


@pytest.fixture(scope="module")
def sources(models, tmp_path_factory):
    """Writes one C file per model and a program that runs them all; returns their folder."""
    folder = tmp_path_factory.mktemp("c")
    for name, (model, x) in models.items():
        run("export", model, "--format", "c", "-o", folder / f"{name}.c", "--name", name, "--quiet")
        x.tofile(folder / f"{name}.x")
    includes = "\n".join(f'#include "{name}.h"' for name in models)
    calls = "\n".join(f'  predict("{name}", {name}_inputs, {name}_outputs, {name}_predict);' for name in models)
    (folder / "main.c").write_text(MAIN % (includes, calls))
    return folder


def compiled(folder, models, *compiler):
    subprocess.run([*compiler, *STRICT, "main.c", *(f"{name}.c" for name in models), "-lm", "-o", "main"], cwd=folder, check=True)
    subprocess.run(["./main"], cwd=folder, check=True)
    return {name: np.fromfile(folder / f"{name}.out", np.float32).reshape(len(x), -1) for name, (_, x) in models.items()}


def test_c_matches_predict_with_any_compiler(models, answers, sources):
    plain = compiled(sources, models, "gcc", "-O0")
    for compiler in ("gcc", "clang"):
        if shutil.which(compiler) is None:
            continue
        fast = compiled(sources, models, compiler, "-O2")
        for name, theirs in answers.items():
            assert near(fast[name], theirs, models[name][0]), (compiler, name)
            assert error(fast[name], plain[name]) < 1e-6, (compiler, name)


def test_c_header_states_flash_and_stack(models, sources):
    header = (sources / "popmem_o.h").read_text()
    told = {what: int(number) for what, number in re.findall(r"(flash|RAM|operations) +(\d+)", header)}
    subprocess.run(["gcc", "-O0", "-c", "-fno-inline", "-fstack-usage", "popmem_o.c"], cwd=sources, check=True)
    stacks = {line.split()[0].split(":")[-1]: int(line.split()[1]) for line in (sources / "popmem_o.su").read_text().splitlines()}
    deepest = stacks["popmem_o_predict"] + stacks["network0"]
    assert told["RAM"] <= deepest <= told["RAM"] + 512
    section = subprocess.run(["size", "-A", "popmem_o.o"], cwd=sources, capture_output=True, text=True, check=True).stdout
    constants = sum(int(size) for size in re.findall(r"\.rodata\S* +(\d+)", section))
    assert told["flash"] <= constants <= told["flash"] + 1024  # the rest are the names of the classes
    inspected = json.loads(run("inspect", models["popmem_o"][0], "--json"))
    assert told["operations"] > inspected["parameters"]


@pytest.mark.parametrize("words", [["popfast", "--topology", "40,40,40", "--seed", "5"],
                                   ["popmem-o", "--topology", "24,24,24", "--scale", "standard", "--patience", "3", "--seed", "12"]])
def test_a_digits_model_with_three_layers_fits_a_microcontroller(tmp_path, words):
    run("train", "--train", exporting.ROOT / "examples/data/digits.csv.gz", "--ensemble", "1", "--epochs", "2", "--finetune-epochs", "2", "--layer-threshold", "0",
        "--nodal", "dog", "--pool", "sum", "--activation", "tanh", "--quiet", "--out", tmp_path / "run", "--algorithm", *words)
    assert len(json.loads(run("inspect", tmp_path / "run", "--json"))["layers"]) == 3
    run("export", tmp_path / "run", "-o", tmp_path / "m.c", "--quiet")
    subprocess.run(["gcc", "-Os", "-std=c99", "-fstack-usage", "-c", "m.c"], cwd=tmp_path, check=True)
    sizes = subprocess.run(["size", "m.o"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout.splitlines()[1].split()
    flash, ram = int(sizes[0]), int(sizes[1]) + int(sizes[2])
    stack = sum(int(line.split("\t")[1]) for line in (tmp_path / "m.su").read_text().splitlines())
    assert flash < 64 * 1024 and ram + stack < 4 * 1024


def test_c_keeps_hostile_names_as_text(tmp_path):
    model, _, said = category_answers(tmp_path)
    run("export", model, "-o", tmp_path / "m.c", "--quiet")
    (tmp_path / "main.c").write_text('#include <stdio.h>\n#include "m.h"\nint main(void) { puts(gopnet_classes[0]); return 0; }\n')
    subprocess.run(["gcc", *STRICT, "main.c", "m.c", "-lm", "-o", "main"], cwd=tmp_path, check=True)
    assert subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True).stdout == HOSTILE + "\n"


@pytest.mark.parametrize("far", [False, True])
@pytest.mark.parametrize("task", ["classification", "regression"])
def test_c_keeps_long_names(tmp_path, task, far):
    """The names exceed the 4,095 characters that C99 guarantees for a string literal. Inputs far from 0 are doubles."""
    long = {name: name + "é'\\" * 5000 for name in ("column", "kind", "ant", "bee", "kg")}
    label = lambda i: long["ant" if i % 2 else "bee"] if task == "classification" else f"{i * i % 7}.5"
    rows = "".join(f"{1e9 * far + i},{i % 5}.5 {long['kg'][:30]},{label(i)}\n" for i in range(60))
    (tmp_path / "t.csv").write_text(f"{long['column']},other,{long['kind']}\n{rows}")
    run("train", "--train", tmp_path / "t.csv", "--algorithm", "popfast", "--topology", "4", "--epochs", "2", "--ensemble", "1", "--task", task,
        "--out", tmp_path / "run", "--quiet")
    run("export", tmp_path / "run", "-o", tmp_path / "m.c", "--quiet")
    assert ("const double* x" in (tmp_path / "m.h").read_text()) == far
    names = "gopnet_" + ("classes" if task == "classification" else "targets")
    (tmp_path / "main.c").write_text('#include <stdio.h>\n#include "m.h"\nint main(void) { int j; for (j = 0; j < gopnet_outputs; ++j) puts(%s[j]); return 0; }\n' % names)
    for compiler in filter(shutil.which, ("gcc", "clang")):
        subprocess.run([compiler, *STRICT, "main.c", "m.c", "-lm", "-o", "main"], cwd=tmp_path, check=True)
        told = subprocess.run(["./main"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout.splitlines()
        assert told == [long[name] for name in (("ant", "bee") if task == "classification" else ("kind",))]


def page(model, out):
    run("export", model, "--format", "html", "-o", out, "--quiet")
    return out.read_text()


def as_csv(x):
    return "\n".join(",".join(map(repr, row)) for row in x.astype(float).tolist()) + "\n"


@needs_node
def test_page_matches_predict(models, answers, tmp_path):
    jobs = []
    for name, (model, x) in models.items():
        page(model, tmp_path / f"{name}.html")
        jobs.append({"page": str(tmp_path / f"{name}.html"), "csv": as_csv(x[:20])})
    for name, shown in zip(models, node("run_page.js", jobs)):
        assert "error" not in shown, (name, shown)
        skip = len(shown["lines"][0]) - answers[name].shape[1]  # a page for classes shows the label first
        assert near(np.array([line[skip:] for line in shown["lines"]], float), answers[name][:20], models[name][0]), name


@needs_node
def test_page_accepts_texts_and_blanks_and_refuses_invalid_numbers(tmp_path):
    model, csv, said = category_answers(tmp_path)
    page(model, tmp_path / "m.html")
    bad = csv.replace('"1.5"', '"one"')
    shown, refused, lacking = node("run_page.js", [{"page": str(tmp_path / "m.html"), "csv": text} for text in (csv, bad, "a,b,c\n1,blue,2\n")])
    assert [line[0] for line in shown["lines"]] == said["labels"]
    assert error(np.array([line[1:] for line in shown["lines"]], float), np.array(said["probabilities"])) < 1e-5
    assert "row 1" in refused["error"] and "'one'" in refused["error"]
    assert "missing columns" in lacking["error"]


def test_page_makes_no_requests_and_escapes_names(tmp_path):
    model, _, _ = category_answers(tmp_path)
    html = page(model, tmp_path / "m.html")
    assert "default-src 'none'" in html and "unsafe" not in html
    assert re.findall(r"(?:https?:)?//\w[\w./]*", re.sub(r"^//.*|\s//.*", "", html, flags=re.M)) == ["http://www.w3.org/2000/svg"]  # a namespace, not a request
    assert "<img" not in html and html.count("</script>") == 3 and "innerHTML" not in html


@pytest.mark.parametrize("words,message", [
    ([], "--out "),
    (["-o", "m.txt"], "m.txt: "),
    (["-o", "m.x", "--format", "onx"], "'onnx'"),
    (["-o", "m.h", "--format", "c"], "m.h: "),
    (["-o", "m.c", "--name", "1st"], "'1st'"),
    (["-o", "m.c", "--double"], "--double "),
    (["-o", "m.onnx", "--name", "net"], "--name "),
    (["-o", "there.onnx"], "there.onnx: exists"),
    (["-o", "header.c"], "header.h: exists"),
    (["-o", "nowhere/m.onnx"], "nowhere/m.onnx: "),
    (["-o", "model.onnx", "--force"], "model.onnx: "),
])
def test_export_refuses(tmp_path, words, message):
    for name in ("there.onnx", "header.h"):
        (tmp_path / name).write_text("mine")
    one_layer(tmp_path / "model.onnx", 3, 1, [["dog", "sum", "tanh"]])  # a model despite its extension
    done = subprocess.run([GOPNET, "export", "model.onnx", *words], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == ["header.h", "model.onnx", "there.onnx"]


def test_export_overwrites_with_force_and_prints_json(tmp_path):
    one_layer(tmp_path / "model", 3, 1, [["dog", "sum", "tanh"]])
    (tmp_path / "m.c").write_text("mine")
    said = json.loads(run("export", tmp_path / "model", "-o", tmp_path / "m.c", "--force", "--json"))
    assert said == {"format": "c", "files": [{"path": str(tmp_path / f"m.{e}"), "bytes": (tmp_path / f"m.{e}").stat().st_size} for e in "ch"]}
