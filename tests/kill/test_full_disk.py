"""A full disk: a small tmpfs in its own mount namespace. If namespaces are not allowed, mode enospc of
kill_test.py still tests the same logic."""

import math
import shlex
import subprocess

import pytest

import folder as run_folder
from runs import Lab, Run
from test_kill import PROGRAM

PAGE = 4096
SCRIPT = """
mkdir small && mount -t tmpfs -o size={size} gopnet small || exit 77
{train} 2>stopped; echo $? >codes
mount -o remount,size=64m small
{resume} 2>resumed; echo $? >>codes
cp -r small/run finished
"""


def in_a_namespace(script, folder):
    return subprocess.run(["unshare", "-rm", "sh", "-c", script], cwd=folder, timeout=300,
                          stdout=subprocess.DEVNULL).returncode


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9])
def test_a_full_disk_gives_code_3_and_the_run_resumes_later(tmp_path, part):
    (tmp_path / "probe").mkdir()
    try:
        allowed = in_a_namespace("mount -t tmpfs gopnet probe", tmp_path) == 0
    except FileNotFoundError:
        allowed = False
    if not allowed:
        pytest.skip("no file system may be mounted here")
    lab = Lab(PROGRAM, tmp_path)
    reference = lab.reference("popmem-o", 1)
    files = (tmp_path / "reference-popmem-o-1").iterdir()
    pages = sum(math.ceil(path.stat().st_size / PAGE) for path in files)
    train = shlex.join(map(str, Run(lab, "popmem-o", 1, "small/run").command(threads=2)))
    script = SCRIPT.format(size=PAGE * max(2, int(part * pages)), train=train,
                           resume=f"{PROGRAM} resume small/run --quiet")
    assert in_a_namespace(script, tmp_path) == 0
    message = (tmp_path / "stopped").read_text()
    assert (tmp_path / "codes").read_text().split() == ["3", "0"], message
    assert message.count("\n") == 1 and "small/run" in message and "free" in message
    assert run_folder.difference(tmp_path / "finished", reference) == []
