"""Small realistic tables, each with the expected result of reading it.

Run `python3 tables.py FOLDER` to write all tables to a folder and try them by hand.
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
