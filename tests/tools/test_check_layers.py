"""tools/check_layers.py accepts this repository and catches each kind of violation."""
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools" / "check_layers.py"


def run(root):
    return subprocess.run([sys.executable, SCRIPT, root], capture_output=True, text=True, check=False)


def write(root, file, line):
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"// A file.\n{line}\n", encoding="utf-8")


def test_this_repository_passes():
    result = run(ROOT)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    "file, line",
    [
        ("src/nn/layer.cc", '#include "algorithms/popfast.h"'),  # includes a higher layer
        ("src/memory/pca.cc", '#include "kernels/gop.h"'),  # includes another folder of the same layer
        ("src/nn/layer.cc", "#include <Eigen/Dense>"),
        ("src/nn/layer.cc", '#include "hwy/highway.h"'),
        ("src/ranks/leader.cc", "#include <mpi.h>"),
        ("src/api/model.cc", "#include <pybind11/pybind11.h>"),
        ("src/api/model.cc", '#include "../io/model_file.h"'),
        ("src/api/model.cc", "#include <CLI/CLI.hpp>"),
        ("src/api/model.cc", "#include <fmt/format.h>"),
        ("src/api/model.cc", "#include <toml++/toml.h>"),
        ("src/new/x.cc", "#include <vector>"),  # the folder belongs to no layer
        ("cli/train.cc", '#include "nn/train.h"'),
        ("examples/02_x.cc", '  #  include "model/model_file.h"'),
        ("include/gopnet/x.h", "#include <nlohmann/json.hpp>"),
        ("include/gopnet/x.h", '#include "base/check.h"'),
        ("src/nn/layer.cc", "double y = std::exp(x);"),  # must be real::Exp
    ],
)
def test_reports_the_line_of_a_violation(tmp_path, file, line):
    write(tmp_path, file, line)
    result = run(tmp_path)
    assert result.returncode == 1
    assert result.stderr.startswith(f"{file}:{1 if 'new' in file else 2}: ")


@pytest.mark.parametrize(
    "file, line",
    [
        ("src/nn/layer.cc", '#include "kernels/gop.h"'),
        ("src/nn/layer.cc", '#include "nn/layer.h"'),
        ("src/nn/layer.cc", '#include "gopnet/matrix.h"'),
        ("src/nn/layer.cc", '// #include "api/model.h"'),
        ("src/base/rng.cc", "#include <Random123/philox.h>"),
        ("src/model/model_file.cc", "#include <nlohmann/json.hpp>"),
        ("src/linalg/gemm.cc", '#include "hwy/highway.h"'),
        ("src/kernels/gop.cc", '#include "hwy/foreach_target.h"'),
        ("src/ranks/comm_mpi.cc", "#include <mpi.h>"),
        ("cli/main.cc", "#include <CLI/CLI.hpp>"),
        ("cli/main.cc", '#include "commands.h"'),
        ("include/gopnet/x.h", "#include <vector>"),
        ("src/nn/layer.cc", "double y = std::sqrt(x);"),
        ("tests/nn/layer_test.cc", '#include "api/model.h"'),
    ],
)
def test_accepts_allowed_code(tmp_path, file, line):
    write(tmp_path, file, line)
    result = run(tmp_path)
    assert result.returncode == 0, result.stderr
