"""Prints docs/reference/errors.md, from the folder of the project:

tools/update_docs errors
"""

import pathlib
import tempfile

from conftest import write_runs
from error_cases import GROUPS
from errors import outcome, page

with tempfile.TemporaryDirectory() as name:
    start = pathlib.Path(name) / "start"
    start.mkdir()
    write_runs(start)
    work = start.with_name("work")
    print(page({group: [outcome(case, start, work) for case in cases]
                for group, cases in GROUPS.items()}), end="")
