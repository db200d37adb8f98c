"""gopnet predict reads rows in pieces: memory does not depend on the number of rows, and predictions stay the same."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from conftest import PROGRAM, TINY, call

# Peak memory of a program in MB, measured by a separate process.
PEAK = """import resource, subprocess, sys
assert subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode == 0
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)"""
CITIES = ["Oslo", "Rom", '"Ulm, ""new""\ntown"', "=1+1"]


def lines(rows, seed):
    rng = np.random.default_rng(seed)
    x, city, day = rng.normal(size=(rows, 6)), rng.integers(0, 4, rows), rng.integers(1, 28, rows)
    for i in range(rows):
        numbers = ",".join(map(repr, x[i].tolist()))
        yield f"=r{i},{numbers},{CITIES[city[i]]},2020-01-{day[i]:02},{'-yes' if x[i, 0] + city[i] > 1 else '-5'}\n"


HEADER = "who,a,b,c,d,e,f,city,day,y\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model, and rows of several pieces (9 MB)."""
    folder = tmp_path_factory.mktemp("stream")
    (folder / "train.csv").write_text(HEADER + "".join(lines(300, 0)))
    few = list(lines(3000, 1))
    (folder / "few.csv").write_text(HEADER + "".join(few))
    (folder / "many.csv").write_text(HEADER + "".join(few * 20) + "\n \n")
    done = call(folder, "train", *TINY, "--train", "train.csv", "--id", "who", "--out", "r", "--quiet")
    assert done.returncode == 0, done.stderr
    return folder


def test_pieces_give_what_the_whole_gives(folder):
    few = call(folder, "predict", "r", "few.csv", "--proba")
    assert few.returncode == 0 and few.stderr == ""
    head, *rows = few.stdout.splitlines(keepends=True)
    assert head == "who,label,-5,-yes\n" and rows[2].startswith("=r2,")
    assert call(folder, "predict", "r", "many.csv", "--proba").stdout == head + "".join(rows * 20)
    with open(folder / "many.csv") as file:
        piped = call(folder, "predict", "r", "-", "--proba", "--out", "piped.csv", stdin=file)
    assert piped.stderr == "wrote piped.csv: 60,000 rows\n"
    assert (folder / "piped.csv").read_text() == head + "".join(rows * 20)
    call(folder, "predict", "r", "many.csv", "--proba", "--out", "p.npy")
    said = np.array([[float(p) for p in row.split(",")[2:]] for row in rows], np.float32)
    assert np.array_equal(np.load(folder / "p.npy"), np.tile(said, (20, 1)))


def test_memory_does_not_grow_with_the_rows(folder):
    peak = lambda name: float(subprocess.run([sys.executable, "-c", PEAK, PROGRAM, "predict", "r", name], cwd=folder,
                                             capture_output=True, text=True, check=True).stdout)
    if b"__asan_init" in PROGRAM.read_bytes():
        pytest.skip("AddressSanitizer keeps memory that was given back")
    (folder / "huge.csv").write_text((folder / "many.csv").read_text().rstrip() + "\n" +
                                     "".join(list(lines(3000, 1)) * 40))
    assert (folder / "huge.csv").stat().st_size > 25e6
    assert peak("huge.csv") < peak("many.csv") + 6


def test_late_rows_are_named_by_their_line_and_leave_no_file(folder):
    text = (folder / "many.csv").read_text().rstrip() + "\n"
    count = text.count("\n")
    for row, message in [("=r,1,2,3\n", "has 4 fields"),
                         ('=r,1,2,3,4,5,6,"Rom\n', "a quote (\") is never closed"), ("=r,1,2,3\0\n", "zero byte")]:
        (folder / "bad.csv").write_text(text + row)
        done = call(folder, "predict", "r", "bad.csv", "--out", "bad_out.csv")
        assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr
        assert f"bad.csv: line {count + 1}" in done.stderr and message in done.stderr
        assert not list(folder.glob("bad_out*"))


def test_late_words_among_numbers_and_dates_are_blanks(folder):
    text = (folder / "many.csv").read_text().rstrip() + "\n"
    (folder / "words.csv").write_text(text + "=r,1,2,3,4,x,6,Rom,2020-01-01,\n=r,1,2,3,4,5,6,Rom,someday,\n")
    done = call(folder, "predict", "r", "words.csv", "--out", "words_out.csv")
    assert done.returncode == 0, done.stderr
    assert f"words.csv: line {text.count(chr(10)) + 1}, column 'e': " in done.stderr and "'x'" in done.stderr and "1 other" in done.stderr
    assert "wrote words_out.csv: 60,002 rows" in done.stderr


@pytest.mark.parametrize("rows", ["few.csv", "many.csv"])  # before the first rows are predicted, and after that
def test_an_interrupt_without_input_stops_and_leaves_no_file(folder, rows):
    program = subprocess.Popen([PROGRAM, "predict", "r", "-", "--out", "never.csv"], cwd=folder, stdin=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    program.stdin.write((folder / rows).read_text().rstrip() + "\n")
    program.stdin.flush()
    while rows == "many.csv" and not list(folder.glob("never.csv*")):
        time.sleep(0.01)
    program.send_signal(signal.SIGINT)
    try:
        assert program.wait(timeout=60) == 3  # its input is still open
    finally:
        program.kill()
    assert program.stderr.read() == "gopnet predict: interrupted\n" and not list(folder.glob("never.csv*"))


def test_unknown_categories_of_all_pieces_are_one_warning(folder):
    text = (folder / "many.csv").read_text().rstrip().replace(",Rom,", ",Riga,") + "\n"
    (folder / "new.csv").write_text(text)
    done = call(folder, "predict", "r", "new.csv", "--out", "new_out.csv")
    count = text.count(",Riga,")
    first = done.stderr.splitlines()[0]
    assert first.startswith(f"warning: new.csv: {count} fields ") and "'Riga' in column 'city'" in first
    assert call(folder, "predict", "r", "new.csv", "--strict").returncode == 2


def test_columns_in_blanks_come_in_pieces_too(folder):
    rng = np.random.default_rng(3)
    few = ["  ".join(f"{v:.6f}" for v in row) + "\n" for row in rng.normal(size=(2000, 5))]
    (folder / "few.txt").write_text("".join(few))
    (folder / "many.txt").write_text("# measured\n" + "".join(few * 60))
    done = call(folder, "train", *TINY, "--train", "few.txt", "--task", "regression", "--out", "b", "--quiet")
    assert done.returncode == 0, done.stderr
    head, *rows = call(folder, "predict", "b", "few.txt").stdout.splitlines()
    assert call(folder, "predict", "b", "many.txt").stdout.splitlines() == [head, *rows * 60]


def test_spreadsheets_see_no_formulas(folder):
    plain = call(folder, "predict", "r", "few.csv").stdout.splitlines()
    safe = call(folder, "predict", "r", "few.csv", "--spreadsheet").stdout.splitlines()
    assert {row.split(",")[1] for row in plain[1:]} == {"-5", "-yes"}
    assert safe[0] == plain[0] and {row.split(",")[1] for row in safe[1:]} == {"-5", "'-yes"}
    assert [row.replace("'", "") for row in safe] == plain and all(row.startswith("'=r") for row in safe[1:])


def test_the_id_of_the_training_is_passed_through(folder):
    text = [line.split(",", 1)[1] for line in (HEADER, *lines(5, 4)) if line.count(",") == 9]
    (folder / "nameless.csv").write_text("".join(text).replace('""new""\n', "new"))
    assert call(folder, "predict", "r", "few.csv").stdout.startswith("who,label\n=r0,")
    told = json.loads(call(folder, "predict", "r", "few.csv", "--json").stdout)
    assert told["ids"][0] == "=r0" and len(told["ids"]) == len(told["labels"]) == told["rows"]
    assert call(folder, "predict", "r", "nameless.csv").stdout.startswith("label\n")  # the column is optional
    labels = lambda done: [row.rsplit(",", 1)[-1] for row in done.stdout.splitlines()[1:]]
    for feature in ("day", "a", "city"):  # these may name the rows, too
        named = call(folder, "predict", "r", "few.csv", "--id", feature)
        assert named.stdout.startswith(feature + ",label\n")
        assert [row for row in labels(named) if row in ("-5", "-yes")] == labels(call(folder, "predict", "r", "few.csv"))
