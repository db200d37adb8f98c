"""tools/check_prose detects the faults it looks for and accepts good prose."""

import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def check(folder, part):
    return subprocess.run([folder / "tools/check_prose", part], capture_output=True, text=True)


def test_detects_planted_faults():
    done = check(ROOT, "self-test")
    assert done.returncode == 0, done.stdout


def test_reports_the_line_of_a_fault(tmp_path):
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools/check_prose", tmp_path / "tools")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    page = tmp_path / "page.md"
    page.write_text("# Title\n\nGood prose.\n")
    assert check(tmp_path, "markdown").returncode == 0
    page.write_text("# Title\n\nAn integer is wanted.\n")
    done = check(tmp_path, "markdown")
    assert done.returncode == 1
    assert "page.md:3:" in done.stdout and "'wanted'" in done.stdout
