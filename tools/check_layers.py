#!/usr/bin/env python3
"""Checks that includes follow the layers of docs/contribute/architecture.md.

A folder of src/ may include itself, include/gopnet/ and folders of strictly lower layers. cli/, python/ and examples/
may include gopnet/*.h only. Public headers may include each other and the standard library. Libraries in HOMES may be
used only there; the others (xxhash, zlib, Random123, nlohmann) may be used anywhere in src/. src/ may not call functions
of the C library that round differently on different CPUs (exp, log, pow, ...): use base/real_math.h.
"""
import argparse
import pathlib
import re
import sys

LAYERS = {
    "base": 0,
    "ops": 1, "linalg": 1, "data": 1,
    "kernels": 2, "memory": 2,
    "nn": 3,
    "model": 4, "train": 4,
    "grow": 5, "export": 5,
    "algorithms": 6,
    "run": 7,
    "ranks": 8,
    "compare": 9,
    "report": 10,
    "api": 11,
}

# Prefix of an include -> folders or files that may use it.
HOMES = {
    "hwy/": ["src/ops/", "src/linalg/", "src/kernels/"],
    "Eigen/": ["tests/"],
    "mpi.h": ["src/ranks/comm_mpi.cc"],
    "pybind11/": ["python/"],
    "CLI/": ["cli/"],
    "fmt/": ["cli/"],
    "toml++/": ["cli/"],
}

OUTSIDE = ["cli", "python", "examples"]  # use the library through its public headers only
SUFFIXES = {".h", ".cc", ".def", ".inc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# These functions round differently on different CPUs. ops/lanes-inl.h may use them: its doubles are a test reference.
ROUNDED = re.compile(r"std::(exp|exp2|expm1|log|log2|log10|log1p|pow|sin|cos|tan|sinh|cosh|tanh|asin|acos|atan|atan2|hypot|cbrt"
                     r"|erf|erfc|tgamma|lgamma|fma)[fl]?\(")
MAY_ROUND = ["src/ops/lanes-inl.h"]


def violation(file, quote, included):
    """The reason why `file` (path relative to the root) may not include `included`; None if it may."""
    for library, homes in HOMES.items():
        if included.startswith(library) and not any(file.startswith(home) for home in homes):
            return f"{library.rstrip('/')} belongs in {' and '.join(homes)}"
    parts = pathlib.PurePosixPath(file).parts
    if ".." in included:
        return "write the path from src/ or include/, without '..'"
    if parts[0] == "include":
        if quote == "<" and ("/" in included or included.endswith(".h")):
            return "a public header may include only the standard library and gopnet/*.h"
        if quote == '"' and not included.startswith("gopnet/"):
            return "a public header may include only the standard library and gopnet/*.h"
        return None
    if included.startswith("gopnet/"):
        return None
    target = included.split("/")[0] if "/" in included else None
    if parts[0] in OUTSIDE:
        if target in LAYERS:
            return f"{parts[0]}/ may include gopnet/*.h only"
        return None
    folder = parts[1]
    if target in LAYERS and target != folder and LAYERS[target] >= LAYERS[folder]:
        return (f"{folder} (layer {LAYERS[folder]}) may include layers below {LAYERS[folder]}; "
                f"{target} is layer {LAYERS[target]}")
    return None


def check(root):
    """Return all violations below root as lines "file:line: ...", and the number of files."""
    root = pathlib.Path(root)
    problems = []
    files = 0
    for top in ["include", "src", *OUTSIDE]:
        for path in sorted((root / top).rglob("*")):
            if path.suffix not in SUFFIXES or not path.is_file():
                continue
            files += 1
            file = path.relative_to(root).as_posix()
            folder = file.split("/")[1]
            if top == "src" and folder not in LAYERS:
                problems.append(f"{file}:1: src/{folder} has no layer; add it to LAYERS in tools/check_layers.py")
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                match = INCLUDE.match(line)
                reason = match and violation(file, match[1], match[2])
                if reason:
                    problems.append(f"{file}:{number}: includes {match[2]}: {reason}")
                call = ROUNDED.search(line)
                if top == "src" and call and file not in MAY_ROUND:
                    problems.append(f"{file}:{number}: std::{call[1]} rounds differently from CPU to CPU; "
                                    "base/real_math.h has one that does not")
    return problems, files


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", nargs="?", default=pathlib.Path(__file__).resolve().parent.parent)
    problems, files = check(parser.parse_args().root)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"layers: {files} files, {len(problems)} violations")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
