#!/usr/bin/env python3
"""Print gopnet/_parameters.py: the parameters of the C++ registry as keywords, type hints and documentation.

    python3 python/make_parameters.py build/release/python/gopnet > python/gopnet/_parameters.py

The argument is the folder of the extension module _core. A test checks that _parameters.py is up to date.
"""
from __future__ import annotations

import functools
import sys
import textwrap

HINTS = {"int": "int", "float": "float", "bool": "bool", "text": "str", "ints": "Sequence[int] | str",
         "floats": "Sequence[float] | str", "names": "Sequence[str] | str"}
WORDS = {"int": "int", "float": "float", "bool": "bool", "text": "str", "ints": "list of int",
         "floats": "list of float", "names": "list of str"}


def python_value(kind, text):
    """Convert a value of the registry to Python; "none" becomes None."""
    if text == "none":
        return None
    if text == "auto":
        return text
    parse = {"int": int, "float": float, "bool": lambda t: t == "true", "text": str,
             "ints": lambda t: tuple(map(int, t.split(","))), "floats": lambda t: tuple(map(float, t.split(","))),
             "names": lambda t: tuple(t.split(","))}[kind]
    return parse(text)


class Registry:
    """The registry of the extension module. Caches resolved parameters."""

    def __init__(self, core):
        self.algorithms = core.algorithms()
        self.presets = core.presets()
        self._resolve = functools.cache(lambda algorithm, given: core.resolve(algorithm, dict(given)))

    def resolve(self, algorithm, given):
        return self._resolve(algorithm, tuple(given.items()))


class Parameter:
    """A parameter, with the algorithms that have it."""

    def __init__(self, registry, info):
        self.registry = registry
        self.name, self.kind, self.doc, self.range = info["name"], info["type"], info["doc"], info["range"]
        self.choices = []
        self.algorithms = []
        self.defaults = {}  # (preset, algorithm): text

    def add(self, algorithm, info):
        self.algorithms.append(algorithm)
        self.choices += [choice for choice in info["choices"] if choice not in self.choices]
        for preset in self.registry.presets:
            values = self.registry.resolve(algorithm, {"preset": preset})
            self.defaults[preset, algorithm] = values.get(self.name, info["default"])  # of preset, and of the number of a loss

    @functools.cached_property
    def signature_default(self):
        """The default, if setting it has no effect with any algorithm and preset; else None."""
        texts = set(self.defaults.values())
        if len(texts) > 1:
            return None
        for preset, algorithm in self.defaults:
            given = {self.name: next(iter(texts)), **({} if self.name == "preset" else {"preset": preset})}
            if self.registry.resolve(algorithm, given) != self.registry.resolve(algorithm, {"preset": given["preset"]}):
                return None
        return python_value(self.kind, texts.pop())

    def hint(self):
        """The type hint. None always leaves the choice to the algorithm and the preset."""
        hint = "dict[Any, float] | str" if self.name == "class_weight" else HINTS[self.kind]
        text = " | str" if self.range.startswith("auto") and not hint.endswith("str") else ""
        return hint + text + " | None"

    def summary(self):
        """The first line in NumPy style: name : type, default."""
        words = WORDS[self.kind]
        if self.name == "class_weight":
            words = "dict or str"
        elif self.choices and self.kind == "text":
            words = "{" + ", ".join(f'"{choice}"' for choice in self.choices) + "}"
        elif self.range:
            words += " " + self.range
        default = self.signature_default
        return f"{self.name} : {words}, default={quoted(default)}"

    def unset(self):
        """Explain None: "None means 300; 100 with preset fast"."""
        if self.signature_default is not None:
            return ""
        ordinary = self.groups("default")
        cases = [value + ("" if len(ordinary) == 1 else " for " + ", ".join(names))
                for value, names in ordinary.items()]
        for preset in self.registry.presets:
            if preset != "default":
                cases += [f"{value} with preset {preset}" +
                         ("" if len(names) == len(self.algorithms) else " for " + ", ".join(names))
                         for value, names in self.groups(preset, but="default").items()]
        cases = [text for text in cases if text != "none"]
        return f" None means {'; '.join(cases)}." if cases else ""

    def groups(self, preset, but=None):
        """Group the algorithms by their default with a preset, if it differs from that with the preset `but`."""
        groups = {}
        for algorithm in self.algorithms:
            text = self.defaults[preset, algorithm]
            if text != self.defaults.get((but, algorithm)):
                groups.setdefault(text, []).append(algorithm)
        return groups

    def text(self, all_algorithms):
        only = "" if self.algorithms == all_algorithms else " Only for " + ", ".join(self.algorithms) + "."
        # The registry describes the syntax of the command line; Python uses a dict.
        doc = self.doc if self.name != "class_weight" else (
            "None, \"balanced\" (rows / (classes * rows of the class)), or weights by label, such as "
            "{\"cat\": 2, \"dog\": 1}.")
        if self.choices and self.kind == "names":
            doc += " Choose from " + ", ".join(self.choices) + "."
        body = textwrap.fill(doc + self.unset() + only, 112, initial_indent="    ", subsequent_indent="    ",
                             break_long_words=False, break_on_hyphens=False)
        return self.summary() + "\n" + body


def quoted(value):
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, tuple):
        return "(" + ", ".join(map(quoted, value)) + ("," if len(value) == 1 else "") + ")"
    return repr(value)


def collect(registry):
    parameters = {}
    for algorithm in registry.algorithms:
        for info in algorithm["parameters"]:
            parameter = parameters.setdefault(info["name"], Parameter(registry, info))
            parameter.add(algorithm["name"], info)
    first = ["preset"]
    return [parameters[name] for name in first + [name for name in parameters if name not in first]]


# scikit-learn's names for two of the parameters: name, type, meaning.
ALIASES = [("random_state", "int | RandomState | Generator", "Alias of seed; a NumPy generator draws one."),
           ("n_jobs", "int", "Alias of threads; -1 uses all cores.")]

HEAD = '''"""Parameters of the algorithms. Generated by python/make_parameters.py from the C++ registry; do not edit."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from numpy.random import Generator, RandomState

from ._callbacks import Callback

'''


def generate(registry):
    algorithms = [algorithm["name"] for algorithm in registry.algorithms]
    parameters = collect(registry)
    lines = [HEAD.rstrip("\n"), "", "", "class Parameters(TypedDict, total=False):",
             '    """Keywords of ``gopnet.train``."""', ""]
    lines += [f"    {p.name}: {p.hint()}" for p in parameters]
    lines += [f"    {name}: {hint} | None" for name, hint, _ in ALIASES]
    lines += ["", "", "class ParametersMixin:", '    """Stores the parameters of an estimator as attributes."""', "",
              "    def __init__(", "        self,", "        *,", '        algorithm: str = "popmem-o",']
    for p in parameters:
        lines += textwrap.wrap(f"{p.name}: {p.hint()} = {quoted(p.signature_default)},", 112,
                               initial_indent=" " * 8, subsequent_indent=" " * 12)
    lines += [f"        {name}: {hint} | None = None," for name, hint, _ in ALIASES]
    lines += ["        callbacks: Callback | Iterable[Callback] | None = None,", "        verbose: int = 0,",
              "    ) -> None:", "        self.algorithm = algorithm"]
    lines += [f"        self.{p.name} = {p.name}" for p in parameters]
    lines += [f"        self.{name} = {name}" for name, _, _ in ALIASES]
    lines += ["        self.callbacks = callbacks", "        self.verbose = verbose", "", "", 'DOC = """\\']
    lines += [p.text(algorithms).replace("\\", "\\\\") for p in parameters]
    lines += [f"{name} : {hint}, default=None\n    {doc}" for name, hint, doc in ALIASES]
    lines += ['"""']
    return "\n".join(lines) + "\n"


def main():
    sys.path.insert(0, sys.argv[1])
    import _core

    sys.stdout.write(generate(Registry(_core)))


if __name__ == "__main__":
    main()
