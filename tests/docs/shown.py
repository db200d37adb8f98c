"""Commands, programs and outputs that README.md and docs/ show.

Blocks are fenced code, told apart by their language: `console` (commands after "$ " and their
output, "..." for lines that are left out), `sh` (commands that are only parsed), `python` (run) and
`cpp` (compiled).
"""

import dataclasses
import functools
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("GOPNET", ROOT / "build/release/cli/gopnet")).resolve()
FIRST = ROOT / "docs/start/first_model.md"  # makes the runs that the other pages use
GENERATED = [ROOT / "docs/reference" / name for name in
             ("parameters.md", "operators.md", "errors.md", "command_line.md")]
PAGES = [ROOT / "README.md", FIRST] + [
    page for page in sorted((ROOT / "docs").rglob("*.md")) if page not in [FIRST, *GENERATED]]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TIME = re.compile(r"\b\d+(\.\d+)? (ms|s|us)\b|\d+ runs at a time")


def blocks(page, language):
    return [body for found, body in FENCE.findall(page.read_text()) if found == language]


@dataclasses.dataclass
class Step:
    """A command and the lines shown below it."""
    command: str
    shown: list


def steps(block):
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(Step(line[2:], []))
        else:
            found[-1].shown.append(line)
    return found


def environment():
    python = PROGRAM.parents[1] / "python"
    return {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
            "PYTHONPATH": f"{python}:{os.environ.get('PYTHONPATH', '')}", "CLICOLOR": "0"}


def run(command, folder):
    """The lines that a shell command prints; exit code 3 is a run that was stopped."""
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment(), text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300)
    assert done.returncode in (0, 3), f"{command}\nexit code {done.returncode}\n{done.stdout}"
    return done.stdout.splitlines()


def without_times(lines):
    """The lines without what differs from run to run: seconds, and the cores of the machine."""
    columns = 0  # of seconds, at the end of a table of `gopnet compare`
    for line in lines:
        line = TIME.sub("N s", line.rstrip())
        if line.endswith("s/layer  s total"):
            columns = 2
        elif not line:
            columns = 0
        yield re.sub(r"( +[\d.-]+){2}$", " N", line) if columns else line


def matches(shown, printed):
    """Whether the printed lines are those shown; times may differ."""
    pattern = "".join(r"(.*\n)*?" if line == "..." else re.escape(line) + "\n"
                      for line in without_times(shown))
    return re.fullmatch(pattern, "".join(line + "\n" for line in without_times(printed))) is not None


def rewritten(shown, printed):
    """The printed lines, with as many left out as before: a "..." keeps the lines around it."""
    printed = [line.rstrip() for line in printed]
    if "..." not in shown:
        return printed
    at = shown.index("...")
    below = len(shown) - at - 1
    return printed[:at] + ["..."] + (printed[-below:] if below else [])


def start_folder(folder):
    """A folder like a checkout of the repository, as far as the pages need it."""
    folder.mkdir(parents=True)
    (folder / "examples").symlink_to(ROOT / "examples")
    return folder


def page_folder(page, folder, first):
    """The folder in which a page's commands run; `first` is what FIRST left."""
    if page.name == "README.md" or page == FIRST:
        return start_folder(folder)
    shutil.copytree(first, folder, symlinks=True)
    return folder


def update(page, folder):
    """Writes the outputs of a page again."""
    def again(found):
        if found[1] != "console":
            return found[0]
        lines = []
        for step in steps(found[2]):
            printed = run(step.command, folder)
            if matches(step.shown, printed):
                printed = step.shown  # times stay as they are
            else:
                printed = rewritten(step.shown, printed)
            lines += ["$ " + step.command, *printed]
        return "```console\n" + "\n".join(lines) + "\n```"
    text = page.read_text()
    page.write_text(FENCE.sub(again, text))


# Commands that are parsed only

@functools.cache
def options_of(command):
    """The options of a command, as its help lists them."""
    text = subprocess.run([PROGRAM, command, "--help"], capture_output=True, text=True).stdout
    if "--help-all" in text:
        text = subprocess.run([PROGRAM, command, "--help-all"], capture_output=True,
                              text=True).stdout
    return set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text))


@functools.cache
def commands():
    text = subprocess.run([PROGRAM], capture_output=True, text=True).stdout
    return re.findall(r"^  ([\w-]+)  +\S", text, re.MULTILINE)


def unknown_words(command):
    """What a shell line asks of gopnet that it does not have."""
    command = command.replace("\\\n", " ")
    for line in command.splitlines():
        words = shlex.split(line, comments=True)
        while "gopnet" in words:
            words = words[words.index("gopnet") + 1:]
            if not words or words[0].startswith("--") or not re.fullmatch(r"[a-z][\w-]*", words[0]):
                continue
            if words[0] not in commands():
                yield f"command {words[0]}"
                continue
            known = options_of(words[0])
            for word in words[1:]:
                if word == "--":  # the command of a Slurm job
                    yield from unknown_words("gopnet " + shlex.join(words[words.index("--") + 1:]))
                    break
                if word in ("|", "||", "&&", ";", ">"):
                    break
                option = word.split("=")[0].replace("_", "-")
                if re.match(r"--?[a-z]", option) and option not in known:
                    yield f"gopnet {words[0]} {option}"
        if words and re.match(r"(tools|benchmarks|\.ci)/", words[0]) and not (
                ROOT / words[0]).exists():
            yield words[0]


def inline_code(page):
    text = FENCE.sub("", page.read_text())
    return [" ".join(code.split()) for code in re.findall(r"(?<!`)`([^`]+)`(?!`)", text)]


def main():
    """Runs the commands of all pages, or of those that are named, and writes their outputs."""
    import tempfile
    pages = [pathlib.Path(name).resolve() for name in sys.argv[1:]] or PAGES
    with tempfile.TemporaryDirectory() as name:
        first = pathlib.Path(name) / "first"
        update(FIRST, page_folder(FIRST, first, None))
        for number, page in enumerate(pages):
            if page != FIRST and blocks(page, "console"):
                update(page, page_folder(page, pathlib.Path(name) / str(number), first))


if __name__ == "__main__":
    main()
