"""Tests tools/setup with a fake apt: what it installs, and that it waits for another apt process."""

import os
import pathlib
import subprocess

import pytest

SETUP = pathlib.Path(__file__).parents[2] / "tools" / "setup"
LOCKED = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)"
APT = """#!/bin/sh
echo "$*" >> {log}
case "$*" in *{command}*) ;; *) exit 0 ;; esac
[ "$(grep -c {command} {log})" -gt {failures} ] && exit 0
echo '{message}' >&2
exit 100
"""


def run_setup(folder, command, failures, message=LOCKED):
    """Runs `tools/setup demo` on a system without packages, where `apt-get command` fails `failures` times."""
    programs = {"apt-get": APT.format(log=folder / "log", command=command, failures=failures, message=message),
                "dpkg-query": "#!/bin/sh\nexit 1\n",
                "sudo": '#!/bin/sh\nexec "$@"\n', "sleep": "#!/bin/sh\n"}
    for name, text in programs.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    environment.pop("GOPNET_SKIP_SETUP", None)
    done = subprocess.run([SETUP, "demo"], env=environment, capture_output=True, text=True, timeout=60)
    return done, (folder / "log").read_text().splitlines()


@pytest.mark.parametrize("command", ["update", "install"])
def test_waits_for_another_apt_process(tmp_path, command):
    done, calls = run_setup(tmp_path, command, failures=3)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("waiting for another apt") == 1 and not done.stderr
    assert sum(command in call for call in calls) == 4
    assert all("DPkg::Lock::Timeout=" in call for call in calls)


def test_other_failures_are_not_retried(tmp_path):
    done, calls = run_setup(tmp_path, "install", failures=3, message="E: Unable to locate package cmake")
    assert done.returncode != 0 and "Unable to locate package cmake" in done.stderr
    assert sum("install" in call for call in calls) == 1


def test_every_package_is_listed_once():
    for group in ["demo", "python", "test", "bench", "arm64"]:
        listed = subprocess.run([SETUP, group, "--list"], capture_output=True, text=True, check=True).stdout.split()
        assert listed and len(set(listed)) == len(listed), group
