"""The examples in docstrings run and print what they show. Docstrings have NumPy style."""
import doctest
import importlib
import inspect
import pkgutil

import pytest

import gopnet

MODULES = [importlib.import_module(f"gopnet.{info.name}") for info in pkgutil.iter_modules(gopnet.__path__)]
PUBLIC = [getattr(gopnet, name) for name in gopnet.__all__ if name != "__version__"]
EXAMPLES = {test.name: test for module in [gopnet, *MODULES] for test in doctest.DocTestFinder().find(module) if test.examples}


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.filterwarnings("ignore")
def test_examples_print_what_they_show(name):
    assert doctest.DocTestRunner().run(EXAMPLES[name]).failed == 0


@pytest.mark.parametrize("name", ["GOPClassifier", "GOPRegressor", "Model", "Callback", "ProgressBar", "train", "algorithms",
                                  "operators", "parameters", "plot_history", "plot_operators"])
def test_there_is_an_example(name):
    assert any(found == f"{getattr(gopnet, name).__module__}.{name}" for found in EXAMPLES)


def documented_functions():
    for thing in PUBLIC:
        if inspect.isfunction(thing):
            yield thing
        elif inspect.isclass(thing):
            yield from (member for name, member in inspect.getmembers(thing, inspect.isfunction)
                        if not name.startswith(("_", "on_")) and member.__module__.startswith("gopnet"))


@pytest.mark.parametrize("function", sorted(set(documented_functions()), key=lambda function: function.__qualname__),
                         ids=lambda function: function.__qualname__)
def test_docstrings_list_all_parameters(function):
    names = [name for name, parameter in inspect.signature(function).parameters.items()
             if name != "self" and parameter.kind is not parameter.VAR_KEYWORD]
    doc = inspect.getdoc(function)
    refers = "\n" not in doc and "; see " in doc
    assert refers or all(f"\n{name} : " in doc for name in names), doc
