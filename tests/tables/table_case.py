"""A test table with the expected result of reading it, and columns to build tables from."""

import dataclasses
import datetime
import random

ROWS = 60


@dataclasses.dataclass
class Case:
    name: str
    content: object  # text or bytes
    kinds: str  # kind of each column, in file order; "number" for numbers that are used
    options: str = ""
    separator: str = "comma"
    decimal: str = "."
    header: bool = True
    rows: int = ROWS
    task: str = "classification"
    features: int = -1
    blanks: dict = dataclasses.field(default_factory=dict)
    different: dict = dataclasses.field(default_factory=dict)  # number of distinct values of some columns
    uses: dict = dataclasses.field(default_factory=dict)
    warnings: tuple = ()
    error: tuple = ()  # parts of the error message; if given, nothing else is checked

    @property
    def file(self):
        return self.name if "." in self.name else self.name + ".csv"


RNG = random.Random(1)
X = [[round(RNG.gauss(0, 1), 4) for _ in range(3)] for _ in range(ROWS)]
Y = [int(row[0] > 0) for row in X]
LABELS = ["cat" if y else "dog" for y in Y]
CITIES = [RNG.choice(["Oslo", "Rome", "Paris"]) for _ in range(ROWS)]
DAYS = [datetime.date(2020, 1, 15) + datetime.timedelta(days=17 * i) for i in range(ROWS)]


def lines(columns, head=None, separator=",", text=str):
    rows = [separator.join(text(v) for v in row) for row in zip(*columns)]
    return "\n".join(([separator.join(head)] if head else []) + rows) + "\n"


DOTTED = ["987"] + [f"{RNG.randrange(1, 99)}.{RNG.randrange(1000):03}" for _ in range(ROWS - 1)]
PIXELS = [[RNG.randrange(17) for _ in range(ROWS)] for _ in range(4)]
A, B, C = ([row[j] for row in X] for j in range(3))
PRICES = [round(100 + 40 * v, 2) for v in A]
comma = lambda v: str(v).replace(".", ",")  # noqa: E731


def holed(values, word, every=7):
    return [word if i % every == 3 else v for i, v in enumerate(values)]


def german(v):
    return f"{v:,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".")


NUMBERS = "number number target"
