#!/usr/bin/env python3
"""Prints gopnet/_parameters.py: the parameter list of the C++ registry as keywords, type hints and documentation.

    python3 python/make_parameters.py build/release/python/gopnet > python/gopnet/_parameters.py

The argument is the folder of the extension module _core. A test checks that the file is what this prints.
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
    """A value of the registry as Python writes it; "none" is None."""
    if text == "none":
        return None
    if text == "auto":
        return text
    parse = {"int": int, "float": float, "bool": lambda t: t == "true", "text": str,
             "ints": lambda t: tuple(map(int, t.split(","))), "floats": lambda t: tuple(map(float, t.split(","))),
             "names": lambda t: tuple(t.split(","))}[kind]
    return parse(text)


class Registry:
    """The registry of the extension module, which need not resolve the same twice."""

    def __init__(self, core):
        self.algorithms = core.algorithms()
        self.presets = core.presets()
        self._resolve = functools.cache(lambda algorithm, given: core.resolve(algorithm, dict(given)))

    def resolve(self, algorithm, given):
        return self._resolve(algorithm, tuple(given.items()))


class Parameter:
    """A parameter over all algorithms that have it."""

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
            self.defaults[preset, algorithm] = values.get(self.name, "default")  # preset itself is not among them

    @functools.cached_property
    def signature_default(self):
        """The documented default, if saying it is the same as saying nothing, whatever algorithm and preset."""
        texts = set(self.defaults.values())
        if len(texts) > 1:
            return None
        for preset, algorithm in self.defaults:
            given = {self.name: next(iter(texts)), **({} if self.name == "preset" else {"preset": preset})}
            if self.registry.resolve(algorithm, given) != self.registry.resolve(algorithm, {"preset": given["preset"]}):
                return None
        return python_value(self.kind, texts.pop())

    def hint(self):
        """None always leaves the choice to the algorithm and the preset."""
        hint = "dict[Any, float] | str" if self.name == "class_weight" else HINTS[self.kind]
        return hint + (" | str" if self.range.startswith("auto") else "") + " | None"

    def summary(self):
        """The line of numpydoc: name : type, default."""
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
        """What None stands for: "300; 100 with preset fast"."""
        if self.signature_default is not None:
            return ""
        ordinary = self.groups("default")
        told = [value + ("" if len(ordinary) == 1 else " for " + ", ".join(names))
                for value, names in ordinary.items()]
        for preset in self.registry.presets:
            if preset != "default":
                told += [f"{value} with preset {preset}" +
                         ("" if len(names) == len(self.algorithms) else " for " + ", ".join(names))
                         for value, names in self.groups(preset, but="default").items()]
        told = [text for text in told if text != "none"]
        return f" None is {'; '.join(told)}." if told else ""

    def groups(self, preset, but=None):
        """Algorithms by their default under a preset, where it differs from that under another."""
        groups = {}
        for algorithm in self.algorithms:
            text = self.defaults[preset, algorithm]
            if text != self.defaults.get((but, algorithm)):
                groups.setdefault(text, []).append(algorithm)
        return groups

    def text(self, all_algorithms):
        of = "" if self.algorithms == all_algorithms else " Of " + ", ".join(self.algorithms) + "."
        # A label is quoted there as the command line takes it; Python has a dict for it.
        doc = self.doc if self.name != "class_weight" else (
            "None, \"balanced\" (rows / (classes * rows of the class)), or weights by label, such as "
            "{\"cat\": 2, \"dog\": 1}.")
        if self.choices and self.kind == "names":
            doc += " From " + ", ".join(self.choices) + "."
        body = textwrap.fill(doc + self.unset() + of, 112, initial_indent="    ", subsequent_indent="    ",
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


# Names that scikit-learn has for two of them: name, type, meaning.
ALIASES = [("random_state", "int | RandomState | Generator", "Another name of seed; a generator of NumPy draws one."),
           ("n_jobs", "int", "Another name of threads; -1 is all cores.")]

HEAD = '''"""Parameters of the algorithms. Printed by python/make_parameters.py from the C++ registry: do not edit."""
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
    lines += ["", "", "class ParametersMixin:", '    """Keeps the parameters of an estimator under their names."""', "",
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
