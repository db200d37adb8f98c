"""gopnet on several ranks under mpirun: the same bytes as one process, whatever happens to a rank."""

import json
import os
import pathlib
import re
import signal
import subprocess
import time

import numpy as np
import pytest

import jobs
import settings

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("GOPNET", ROOT / "build" / "release" / "cli" / "gopnet")).resolve()

pytestmark = pytest.mark.skipif(bool(jobs.missing()), reason=str(jobs.missing()))

SMALL = {
    "popfast": "--algorithm popfast --ensemble 1 --search exhaustive --topology 12,12 --epochs 6",
    "popmem-o": "--algorithm popmem-o --topology 12,12 --epochs 27",
    "pop": "--algorithm pop --topology 8 --epochs 6",
    "hemlgop": "--algorithm hemlgop --max-layers 2 --max-blocks 2",
}


def small(name, out):
    return ["train", *settings.DIGITS.split(), *SMALL[name].split(), "--finetune-epochs", "10",
            "--quiet", "--out", out]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("ranks")
    settings.write_data(path)
    return path


def alone(folder, words):
    done = subprocess.run([PROGRAM, *map(str, words)], cwd=folder, capture_output=True, text=True,
                          timeout=jobs.LIMIT)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def models(folder):
    """The model of each setting, trained by one process with one thread."""
    found = {}
    for name in SMALL:
        alone(folder, [*small(name, f"alone-{name}"), "--threads", 1])
        found[name] = (folder / f"alone-{name}" / "model.safetensors").read_bytes()
    return found


@pytest.mark.parametrize("ranks, threads", [(1, 2), (2, 1), (3, 2), (4, 1)])
@pytest.mark.parametrize("name", SMALL)
def test_the_bytes_do_not_depend_on_the_ranks(folder, models, name, ranks, threads):
    out = f"{name}-{ranks}-{threads}"
    done = jobs.run(folder, ranks, PROGRAM, *small(name, out), "--threads", threads)
    assert done.returncode == 0, done.stderr
    assert (folder / out / "model.safetensors").read_bytes() == models[name]


@pytest.mark.parametrize("options", [
    "--train diabetes.csv --loss pinball --quantile 0.9 --ensemble 3 --topology 8 --epochs 9",
    "--train digits.csv --metric pr_auc --ensemble 1 --topology 8 --epochs 9"])
def test_other_objectives_give_the_bytes_of_one_process(folder, options):
    words = ["train", *options.split(), "--finetune-epochs", "4", "--nodal", "multiplication,harmonic",
             "--quiet", "--out"]
    name = options.split()[3]
    alone(folder, [*words, f"alone-{name}"])
    done = jobs.run(folder, 2, PROGRAM, *words, f"ranks-{name}")
    assert done.returncode == 0, done.stderr
    assert ((folder / f"alone-{name}" / "model.safetensors").read_bytes()
            == (folder / f"ranks-{name}" / "model.safetensors").read_bytes())


def test_ranks_may_have_different_instruction_sets(folder, models):
    text = " ".join(alone(folder, ["resume", "--help"]).stdout.split())
    simd = re.search(r"Instruction set: ([\w, ]+);", text)[1].split(", ")
    words = [PROGRAM, *small("popmem-o", "mixed"), "--threads", 1, "--simd"]
    done = jobs.run(folder, 1, *words, simd[0], ":", "-n", "1", *words, simd[-1])
    assert done.returncode == 0, done.stderr
    assert (folder / "mixed" / "model.safetensors").read_bytes() == models["popmem-o"]
    ranks = json.loads((folder / "mixed" / "metrics.json").read_text())["ranks"]
    assert min(rank["candidates"] for rank in ranks) > 10 and len(ranks) == 2


def test_every_rank_works_and_reports_its_share(folder):
    done = jobs.run(folder, 2, PROGRAM, *small("popfast", "shared"), "--threads", 1, "--json")
    assert done.returncode == 0, done.stderr
    ranks = json.loads(done.stdout)["ranks"]
    assert [r["rank"] for r in ranks] == [0, 1]
    assert sum(r["candidates"] for r in ranks) == 2 * 72
    assert min(r["candidates"] for r in ranks) > 10
    for r in ranks:
        assert 0 <= r["waiting"] + r["communication"] < r["seconds"]


def test_every_rank_maps_npy_files(folder):
    rows = np.loadtxt(folder / "digits.csv", delimiter=",", skiprows=1, dtype=np.float32)
    np.save(folder / "x.npy", rows[:, :-1])
    np.save(folder / "y.npy", rows[:, -1].astype(np.int64))
    words = ["train", "--train", "x.npy", "--train-labels", "y.npy", *SMALL["popmem-o"].split(), "--quiet"]
    alone(folder, [*words, "--out", "npy-alone"])
    done = jobs.run(folder, 3, PROGRAM, *words, "--out", "npy-ranks")
    assert done.returncode == 0, done.stderr
    assert ((folder / "npy-alone" / "model.safetensors").read_bytes()
            == (folder / "npy-ranks" / "model.safetensors").read_bytes())


def test_a_comparison_yields_the_models_of_one_process(folder):
    words = ["compare", *settings.DIGITS.split(), "--algorithms", "popfast,popmem-o,bls", "--memory", "pca",
             "--runs", "2", "--ensemble", "1", "--topology", "8,8", "--epochs", "6", "--finetune-epochs", "4",
             "--max-blocks", "3", "--quiet"]
    alone(folder, [*words, "--out", "compare-alone"])
    done = jobs.run(folder, 3, PROGRAM, *words, "--out", "compare-ranks")
    assert done.returncode == 0, done.stderr
    expected = sorted((folder / "compare-alone").glob("*/model.safetensors"))
    assert len(expected) == 8
    for model in expected:
        other = folder / "compare-ranks" / model.parent.name / model.name
        assert other.read_bytes() == model.read_bytes(), other


def write_tables(path):
    """Write a table with dates, text, missing values and decimal commas, and a file of weights."""
    rng = np.random.default_rng(3)
    plain, messy, weights = ["name,day,kind,size,code,note,w,a,b,label"], [], []
    for n in range(90):
        size, code, kind = rng.normal(), rng.integers(3), "xyz"[rng.integers(3)]
        day = f"{n % 28 + 1:02}.{n % 12 + 1:02}.20{n % 20 + 10}"
        blank = n % 9 == 4
        numbers = [f"{size:.3f}" if not blank else "", str(code)]
        targets = [f"{size + code:.3f}", f"{size * code - 1:.3f}", "pq"[int(size + code > 1)]]
        row = [f"r{n:03}", day, kind, *numbers, f"free {n}", f"{rng.uniform(0.5, 2):.2f}", *targets]
        plain.append(",".join(row))
        messy.append(";".join(row).replace(".", ",").replace(day.replace(".", ","), day))
        weights.append(f"{rng.uniform(0.5, 2):.2f}")
    (path / "plain.csv").write_text("\n".join(plain) + "\n")
    (path / "messy.txt").write_text("\n".join(messy) + "\n")
    (path / "weights.csv").write_text("\n".join(weights) + "\n")


PLAIN = "--train plain.csv "
TABLE_OPTIONS = {
    "id": PLAIN + "--id name",
    "ignore": PLAIN + "--ignore note,name",
    "categorical": PLAIN + "--categorical code",
    "date": PLAIN + "--date day:dmy",
    "missing": PLAIN + "--missing mean",
    "targets": PLAIN + "--target a,b --ignore label",
    "weight-column": PLAIN + "--weight-column w",
    "train-weights": PLAIN + "--train-weights weights.csv",
    "val-and-test": PLAIN + "--val plain.csv --test plain.csv --id name",
    "no-header": "--train messy.txt --header no --separator ; --decimal , --id 0 --date 1:dmy",
    "together": PLAIN + "--id name --ignore note,label --categorical kind,code --date day:dmy --missing auto "
                        "--header yes --separator , --decimal . --target b,a --weight-column w --task regression "
                        "--test-split 0.2",
}
TINY = ("--algorithm popfast --ensemble 1 --search exhaustive --topology 6 --epochs 20 --finetune-epochs 2 "
        "--nodal multiplication,harmonic --pool sum --threads 1 --quiet")


def results(folder):
    """The files of a run that do not contain times."""
    names = ["model.safetensors", "test_predictions.csv", "split.csv"]
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


@pytest.mark.parametrize("name", TABLE_OPTIONS)
def test_every_table_option_gives_the_bytes_of_one_process(folder, name):
    write_tables(folder)
    words = ["train", *TABLE_OPTIONS[name].split(), *TINY.split(), "--save-split", "--out"]
    alone(folder, [*words, f"table-alone-{name}"])
    done = jobs.run(folder, 2, PROGRAM, *words, f"table-ranks-{name}")
    assert done.returncode == 0, done.stderr
    assert results(folder / f"table-ranks-{name}") == results(folder / f"table-alone-{name}")


def test_runs_of_other_ranks_keep_row_names(folder):
    write_tables(folder)
    words = ["compare", *TABLE_OPTIONS["id"].split(), "--algorithms", "bls", "--runs", "6", "--test-split", "0.3",
             "--max-blocks", "2", "--threads", "1", "--quiet", "--out"]
    alone(folder, [*words, "named-alone"])
    done = jobs.run(folder, 2, PROGRAM, *words, "named-ranks")
    assert done.returncode == 0, done.stderr
    runs = sorted(path.parent.name for path in (folder / "named-alone").glob("*/model.safetensors"))
    assert len(runs) == 6
    for run in runs:
        assert results(folder / "named-ranks" / run) == results(folder / "named-alone" / run), run


def test_another_build_on_a_rank_is_refused(folder):
    other = folder / "gopnet-other"
    other.write_bytes(PROGRAM.read_bytes() + b"!")
    other.chmod(0o755)
    library = next(PROGRAM.parents[n] / "libgopnet_mpi.so" for n in (0, 1)
                   if (PROGRAM.parents[n] / "libgopnet_mpi.so").exists())
    words = [*map(str, small("popfast", "mixed-builds")), "--threads", "1"]
    launch = jobs.command(1, PROGRAM, *words) + [":", "-n", "1", str(other), *words]
    done = subprocess.run(launch, cwd=folder, capture_output=True, text=True, timeout=jobs.LIMIT,
                          env={**jobs.environment(), "GOPNET_MPI_LIBRARY": str(library)})
    assert done.returncode == 2, done.stderr
    lines = [line for line in done.stderr.splitlines() if line.startswith("gopnet ")]
    assert len(lines) == 1 and "rank 1" in lines[0] and "different build" in lines[0], done.stderr
    assert not (folder / "mixed-builds" / "model.safetensors").exists()


@pytest.mark.parametrize("words", [
    ["train", "--train", "nowhere.csv"],
    ["train", "--train", "digits.csv", "--epochs", "many"],
    ["resume", "nowhere"],
])
def test_an_error_is_printed_once(folder, words):
    done = jobs.run(folder, 3, PROGRAM, *words)
    assert done.returncode == 2, done.stderr
    assert sum(line.startswith("gopnet ") for line in done.stderr.splitlines()) == 1, done.stderr


def test_commands_without_shared_work_run_once(folder):
    done = jobs.run(folder, 3, PROGRAM, "help", "algorithms")
    assert done.returncode == 0
    assert done.stdout == alone(folder, ["help", "algorithms"]).stdout


@pytest.mark.parametrize("how", [signal.SIGUSR1, signal.SIGTERM])
@pytest.mark.parametrize("rank", [0, 2])
def test_a_signal_to_a_rank_stops_the_job(folder, how, rank):
    out = f"signal-{rank}-{how}"
    job = jobs.Job(folder, 3, PROGRAM, "train", *settings.arguments("popmem-o", 1), "--epochs",
                   "600", "--out", out)
    wait_for(folder / out / "journal.jsonl", job)
    assert job.kill(rank, how)
    code, _ = job.wait()
    assert code == 3, job.text()
    assert f"gopnet resume {out}" in job.text()
    assert not (folder / out / "model.safetensors").exists()


def wait_for(path, job):
    """Wait until the journal holds candidates."""
    for _ in range(600):
        if path.exists() and b'"candidate"' in path.read_bytes():
            return
        assert job.process.poll() is None, job.text()
        time.sleep(0.05)
    raise AssertionError(f"no candidate in {path}: {job.text()}")


def test_the_time_limit_stops_the_job(folder):
    done = jobs.run(folder, 2, PROGRAM, "train", *settings.arguments("popmem-o", 1), "--epochs",
                    "60000", "--time-limit", "1s", "--out", "limited")
    assert done.returncode == 3, done.stderr
    assert "time limit" in done.stderr and "1s" in done.stderr


def test_a_comparison_that_loses_a_rank_stops_and_can_be_resumed(folder):
    words = ["compare", *settings.DIGITS.split(), "--algorithms", "popfast,bls", "--runs", "3", "--ensemble", "1", "--topology", "8,8",
             "--search", "exhaustive", "--epochs", "60", "--finetune-epochs", "4", "--max-blocks", "3"]
    alone(folder, [*words, "--quiet", "--out", "lost-alone"])
    job = jobs.Job(folder, 3, PROGRAM, *words, "--out", "lost-ranks", recovery=True)
    wait_for(folder / "lost-ranks" / "popfast-2" / "journal.jsonl", job)
    assert job.kill(2)
    job.wait()
    assert "rank 2" in job.text() and "gopnet resume lost-ranks" in job.text()
    done = jobs.run(folder, 2, PROGRAM, "resume", "lost-ranks", "--quiet")
    assert done.returncode == 0, done.stderr
    for model in (folder / "lost-alone").glob("*/model.safetensors"):
        assert (folder / "lost-ranks" / model.parent.name / model.name).read_bytes() == model.read_bytes()
