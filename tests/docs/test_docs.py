"""README.md and docs/: every command runs or at least exists, and every output is as shown.

After a change of outputs: tools/update_docs outputs
"""

import subprocess
import sys

import pytest

from shown import (FIRST, PAGES, ROOT, blocks, environment, inline_code, matches, options_of,
                   commands, page_folder, rewritten, run, steps, unknown_words)


def name_of(page):
    return str(page.relative_to(ROOT))


def with_blocks(*languages):
    return pytest.mark.parametrize(
        "page", [page for page in PAGES if any(blocks(page, name) for name in languages)],
        ids=name_of)


def check_outputs(page, folder):
    wrong = []
    for block in blocks(page, "console"):
        for step in steps(block):
            printed = run(step.command, folder)
            if not matches(step.shown, printed):
                wrong += ["$ " + step.command, *printed]
    assert not wrong, "\n".join(
        [f"{name_of(page)} shows another output (tools/update_docs outputs writes it again):",
         *wrong])


@pytest.fixture(scope="session")
def first(tmp_path_factory):
    """The folder that the first page leaves."""
    folder = page_folder(FIRST, tmp_path_factory.mktemp("docs") / "first", None)
    for block in blocks(FIRST, "console"):
        for step in steps(block):
            run(step.command, folder)
    return folder


@with_blocks("console")
def test_outputs_are_as_shown(page, first, tmp_path):
    check_outputs(page, page_folder(page, tmp_path / "work", first))


@with_blocks("python")
def test_python_runs(page, first, tmp_path):
    program = "\n".join(blocks(page, "python"))
    done = subprocess.run([sys.executable, "-c", program], env=environment(), text=True,
                          cwd=page_folder(page, tmp_path / "work", first), capture_output=True)
    assert done.returncode == 0, done.stderr


@with_blocks("cpp")
def test_cpp_compiles(page, tmp_path):
    for block in blocks(page, "cpp"):
        lines = ["#include <cstdio>", '#include "gopnet/gopnet.h"',
                 *(line for line in block.splitlines() if line.startswith("#include"))]
        body = [line for line in block.splitlines() if not line.startswith("#include")]
        whole = any("int main" in line for line in body)
        source = tmp_path / "shown.cc"
        source.write_text("\n".join(lines + (body if whole else ["void Shown() {", *body, "}"])))
        done = subprocess.run(["g++", "-std=c++20", "-fsyntax-only", "-I", ROOT / "include", source],
                              capture_output=True, text=True)
        assert done.returncode == 0, f"{block}\n{done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_and_options_exist(page):
    code = blocks(page, "sh") + [text for text in inline_code(page) if text.startswith("gopnet ")]
    wrong = [word for command in code for word in unknown_words(command)]
    everywhere = {"--version"}.union(*map(options_of, commands()))
    for text in inline_code(page):
        option = text.split()[0].split("=")[0]
        if option.startswith("--") and option[2:3].isalpha() and option not in everywhere:
            wrong.append(option)
    assert not set(wrong) - OTHER_PROGRAMS, name_of(page)


# Options of mpirun, srun, sbatch, cmake, tools/ and the tests, quoted in the text
OTHER_PROGRAMS = {"--allow-run-as-root", "--oversubscribe", "--bind-to", "--map-by", "--mpi",
                  "--enable-recovery", "--cpus-per-task", "--record", "--rounds", "--check"}


def test_times_may_differ_and_lines_may_be_left_out():
    printed = ["epoch 1", "epoch 2", "score 0.5, 1.25 s"]
    assert matches(["...", "score 0.5, 0.1 s"], printed)
    assert not matches(["...", "score 0.6, 0.1 s"], printed)
    assert not matches(["epoch 1", "score 0.5, 0.1 s"], printed)
    assert rewritten(["old", "...", "old"], printed) == ["epoch 1", "...", "score 0.5, 1.25 s"]


def test_unknown_commands_and_options_are_found():
    assert list(unknown_words("gopnet trian --train x")) == ["command trian"]
    assert list(unknown_words("gopnet train --epocs 3 && gopnet predict --probab")) == [
        "gopnet train --epocs", "gopnet predict --probab"]
    assert not list(unknown_words("mpirun -n 2 gopnet train --epochs 3  # as usual"))
