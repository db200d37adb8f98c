"""Builds faults.c and says how to start gopnet under it."""

import pathlib
import shutil
import subprocess

SOURCE = pathlib.Path(__file__).with_name("faults.c")


def compiler():
    return next(filter(None, map(shutil.which, ["cc", "gcc", "clang"])), None)


def build(folder):
    """The library, compiled into `folder`; None if this machine has no C compiler."""
    library = pathlib.Path(folder) / "faults.so"
    if not library.exists():
        if not compiler():
            return None
        subprocess.run([compiler(), "-shared", "-fPIC", "-O1", "-o", library, SOURCE], check=True,
                       timeout=120)
    return library


def environment(library, folder, *, at=0, kind="none", log=None):
    """Variables that make call number `at` on a file below `folder` fail; `log` gets all calls."""
    names = {"LD_PRELOAD": library, "GOPNET_FAULT_FOLDER": folder, "GOPNET_FAULT_AT": at,
             "GOPNET_FAULT_KIND": kind}
    if log:
        names["GOPNET_FAULT_LOG"] = log
    return {name: str(value) for name, value in names.items()}


def logged(log):
    """The calls of a log, in order: (name, path) pairs."""
    return [tuple(line.split(" ", 2)[1:]) for line in pathlib.Path(log).read_text().splitlines()]
