"""Plays a few failing calls of sweep.py; tools/fault_sweep plays them all."""

import shutil

import pytest

import sweep
from test_kill import PROGRAM

pytestmark = pytest.mark.skipif(PROGRAM.exists() and b"__asan_init" in PROGRAM.read_bytes(),
                                reason="the address sanitizer has an allocator of its own")
FEW = {"malloc": 14, "mmap": 3, "write": 4, "read": 2, "open": 4, "rename": 2, "fsync": 3, "thread": 2}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    if not any(map(shutil.which, ["cc", "gcc", "clang"])):
        pytest.skip("no C compiler to build the library that injects failures")
    return sweep.Lab(PROGRAM, tmp_path_factory.mktemp("sweep"))


@pytest.mark.parametrize("name", sweep.COMMANDS)
def test_a_call_that_fails_ends_in_one_line_and_costs_nothing(lab, name):
    wrong = [sweep.play(lab, name, call, at)[0] for call, most in FEW.items()
             for at in sweep.points(max(1, sweep.total(lab, name, call)), most)]
    assert not any(wrong), "\n".join(filter(None, wrong))


def test_only_a_lack_of_memory_is_called_one(lab):
    done = lab.call(*sweep.TRAIN, "--out", "ended", call="terminate", at=2)
    assert (done.returncode, done.stderr) == (1, "gopnet train: internal error: terminated\n")


def test_outputs_on_a_file_system_that_knows_neither_links_nor_careful_renames(lab):
    words = ["predict", "good", "rows.csv", "--proba", "--out", "plain.csv"]
    assert lab.call(*words, call="plain").returncode == 0
    assert (lab.folder / "plain.csv").read_bytes() == (lab.folder / "good.csv").read_bytes()
    assert "plain.csv: exists" in lab.call(*words, call="plain").stderr


def test_writes_that_take_a_part_or_are_interrupted_go_on(lab):
    words = ["export", "good", "--format", "html", "--force", "--out"]
    for call in ("", "short"):
        done = lab.call(*words, call + "page.html", call=call)
        assert done.returncode == 0, done.stderr
    assert (lab.folder / "shortpage.html").read_bytes() == (lab.folder / "page.html").read_bytes()
