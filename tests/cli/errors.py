"""Runs the bad inputs of error_cases, each in its own folder, and writes docs/reference/errors.md."""

import dataclasses
import re
import shlex
import shutil
import subprocess

from conftest import PROGRAM
from error_cases import GROUPS

SECONDS = 30  # timeout; a command that should fail but trains is stopped

PAGE = """# Errors

An error that you can fix gives one line on stderr and exit code 2. The line names the file with its
line and column, or the option, and says what was found and what is expected. gopnet then writes
nothing and changes no file. If an option is repeated, the last one counts; `--ignore`, `--target`,
`--categorical` and `--date` are joined.

`tests/cli/test_errors.py` runs these {count} commands and compares the messages.
`tools/update_docs errors` writes this page. `...` stands for text that depends on the machine.
"""


@dataclasses.dataclass
class Outcome:
    code: int
    stdout: bytes
    message: str  # on stderr
    changed: list  # files and folders


def write(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            path.mkdir()
            continue
        content = content(folder) if callable(content) else content
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def contents(folder):
    """All files and folders below `folder`, with the contents of the files."""
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else "folder"
            for p in folder.rglob("*")}


def words(case):
    return shlex.split(case.command) if isinstance(case.command, str) else case.command


def outcome(case, start, folder):
    """Run the case in `folder`, a copy of `start` with the files of the case."""
    shutil.copytree(start, folder)
    write(folder, case.files)
    before = contents(folder)
    done = subprocess.run([PROGRAM, *words(case)], cwd=folder, capture_output=True,
                          stdin=subprocess.DEVNULL, timeout=SECONDS)
    after = contents(folder)
    shutil.rmtree(folder)
    message = done.stderr.decode(errors="backslashreplace")
    if case.varies:
        message = re.sub(case.varies, "...", message)
    changed = sorted(n for n in before.keys() | after.keys() if before.get(n) != after.get(n))
    return Outcome(done.returncode, done.stdout, message, changed)


def code(text):
    return "`" + text.replace("|", "\\|").replace("\n", "\\n") + "`"


def page(outcomes):
    """The text of docs/reference/errors.md from the outcome of every case."""
    text = PAGE.format(count=sum(map(len, GROUPS.values())))
    for group, cases in GROUPS.items():
        text += f"\n## {group}\n| what is wrong | command | message |\n|---|---|---|\n"
        for case, found in zip(cases, outcomes[group]):
            command = case.command if isinstance(case.command, str) else shlex.join(case.command)
            cells = [case.title, code("gopnet " + command.strip()), code(found.message.strip())]
            text += f"| {' | '.join(cells)} |\n"
    return text
