"""Small tables as people have them, each with the reading that is expected of it.

`python3 tables.py FOLDER` writes them all, to try them by hand.
"""

import pathlib
import sys

import cells
import whole_tables

CASES = cells.CASES + whole_tables.CASES


def write(folder):
    for case in CASES:
        content = case.content if isinstance(case.content, bytes) else case.content.encode()
        (pathlib.Path(folder) / case.file).write_bytes(content)


if __name__ == "__main__":
    write(sys.argv[1])
