"""Keywords, defaults and documentation come from the C++ registry. Docstrings and type hints are correct."""
import inspect
import pathlib
import subprocess
import sys
import typing

import pytest
from conftest import ROOT

import gopnet
from gopnet import GOPClassifier, GOPRegressor, _core, _parameters

ESTIMATORS = [GOPClassifier, GOPRegressor]


def test_the_generated_file_is_up_to_date():
    command = [sys.executable, ROOT / "python" / "make_parameters.py", pathlib.Path(_core.__file__).parent]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert (ROOT / "python" / "gopnet" / "_parameters.py").read_text() == printed, \
        "generate it again: python3 python/make_parameters.py build/release/python/gopnet > python/gopnet/_parameters.py"


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_parameter_of_every_algorithm_is_a_documented_keyword(estimator):
    keywords = inspect.signature(estimator).parameters
    for algorithm in _core.algorithms():
        for info in algorithm["parameters"]:
            assert info["name"] in keywords
            assert f"\n    {info['name']} : " in inspect.getdoc(estimator).replace("\n", "\n    ")
            assert f"\n{info['name']} : " in gopnet.train.__doc__
    assert set(keywords) == set(estimator().get_params())


@pytest.mark.parametrize("preset", [None, *_core.presets()])
@pytest.mark.parametrize("algorithm", gopnet.algorithms())
def test_defaults_are_those_of_the_command_line(algorithm, preset):
    chosen = GOPClassifier(algorithm=algorithm, **({"preset": preset} if preset else {}))._chosen()
    said = gopnet.parameters(algorithm, **chosen)
    assert said == gopnet.parameters(algorithm, **({"preset": preset} if preset else {}))


def test_a_default_that_depends_on_algorithm_or_preset_is_none():
    defaults = GOPClassifier().get_params()
    assert (defaults["seed"], defaults["input_dropout"], defaults["memory"]) == (1, 0, "pca")
    assert defaults["lr"] == (0.01, 0.001, 0.0001)
    assert defaults["epochs"] is defaults["block_size"] is defaults["max_norm"] is defaults["class_weight"] is None


def test_type_hints_cover_all_parameters():
    hints = typing.get_type_hints(_parameters.Parameters)
    assert set(hints) == set(GOPClassifier().get_params()) - {"algorithm", "callbacks", "verbose"}
    for function in [gopnet.train, GOPClassifier.fit, GOPRegressor.predict, gopnet.Model.load]:
        assert "return" in inspect.get_annotations(function)
    assert (pathlib.Path(gopnet.__file__).parent / "py.typed").exists()


@pytest.mark.parametrize("thing", [GOPClassifier, GOPRegressor, gopnet.Model, gopnet.Callback, gopnet.ProgressBar])
def test_everything_public_is_documented(thing):
    assert inspect.getdoc(thing)
    for name, member in inspect.getmembers(thing):
        if not name.startswith("_") and (inspect.isfunction(member) or isinstance(member, property)):
            assert inspect.getdoc(member), name


def test_the_version_comes_from_cmake():
    assert f"project(gopnet VERSION {gopnet.__version__} " in (ROOT / "CMakeLists.txt").read_text()
    sys.path.insert(0, str(ROOT / "python" / "backend"))
    try:
        import gopnet_build
    finally:
        sys.path.pop(0)
    assert gopnet_build.version() == gopnet.__version__
    assert f"\nVersion: {gopnet.__version__}\n" in gopnet_build.metadata()


def test_operators_and_algorithms_are_listed():
    for kind in ("nodal", "pool", "activation"):  # the search uses those of the paper by default
        paper = [info["name"] for info in gopnet.operators(kind) if info["in_paper"]]
        assert paper == gopnet.parameters("popmem-o")[kind].split(",")
    assert "popmem-o" in gopnet.algorithms()
    assert gopnet.parameters("popmem-o", preset="fast")["ensemble"] == "3"
    assert gopnet.use_simd() in gopnet.simd_targets()
