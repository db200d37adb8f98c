"""Builds faults.c and provides the environment to run gopnet under it."""

import pathlib
import shutil
import subprocess

SOURCE = pathlib.Path(__file__).with_name("faults.c")


def compiler():
    return next(filter(None, map(shutil.which, ["cc", "gcc", "clang"])), None)


def build(folder):
    """Compile the library into `folder`. Return its path, or None without a C compiler."""
    library = pathlib.Path(folder) / "faults.so"
    if not library.exists():
        if not compiler():
            return None
        subprocess.run([compiler(), "-shared", "-fPIC", "-O1", "-o", library, SOURCE], check=True,
                       timeout=120)
    return library


def environment(library, folder, *, at=0, kind="none", log=None):
    """Variables that make file call number `at` below `folder` fail and log all calls to `log`."""
    names = {"LD_PRELOAD": library, "GOPNET_FAULT_FOLDER": folder, "GOPNET_FAULT_AT": at,
             "GOPNET_FAULT_KIND": kind}
    if log:
        names["GOPNET_FAULT_LOG"] = log
    return {name: str(value) for name, value in names.items()}


def logged(log):
    """Return the logged calls in order, as (name, path) pairs."""
    return [tuple(line.split(" ", 2)[1:]) for line in pathlib.Path(log).read_text().splitlines()]
