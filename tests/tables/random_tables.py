"""Generates small random tables with known values: with or without names, dates, categories, blanks and spreadsheet errors."""

import dataclasses
import datetime
import random

ERRORS = ["#N/A", "#DIV/0!", "#REF!", "#VALUE!", "#NUM!", "#NAME?", "#NULL!"]
BLANKS = ["", "", "", "n.a.", "NULL", "-", "?", "NaN"]
WORDS = [["red", "green", "blue"], ["yes", "no"], ["A1", "B2", "C3", "D4"], ["m", "f"], ["New York", "Oslo", "Zürich"], ["hi", "lo"],
         ["small", "large", "#N/A"], ["low-1", "low-2", "top"], ["x, y", 'a "b"', "c;d"]]
NAMES = ["age", "city", "day", "size", "kind", "colour", "A1", "y", "weight kg", "income", "Na", "no"]


@dataclasses.dataclass
class Column:
    name: str
    kind: str  # number, date or category
    fields: list  # as written in the file
    values: list  # as in a data frame; None for a blank


@dataclasses.dataclass
class RandomTable:
    seed: int
    named: bool
    separator: str
    columns: list  # the last one is the target

    @property
    def rows(self):
        return len(self.columns[0].fields)

    def text(self, columns=None, named=None):
        """The table, or some of its columns, as a CSV file."""
        columns = self.columns if columns is None else columns
        head = [[c.name for c in columns]] if (self.named if named is None else named) else []
        lines = [self.separator.join(self.quoted(f, len(columns)) for f in row) for row in [*head, *zip(*(c.fields for c in columns))]]
        return "".join(line + "\n" for line in lines)

    def quoted(self, field, width):
        if any(c in field for c in ',;"\t') or (field == "" and width == 1):  # like pandas and R
            return '"' + field.replace('"', '""') + '"'
        return field


def random_number(rng):
    style = rng.randrange(4)
    sizes = [lambda: rng.randrange(10), lambda: rng.randrange(3000), lambda: round(rng.gauss(0, 3), 2), lambda: round(rng.uniform(0, 1e4), 1)]
    return lambda: str(sizes[style]())


def random_date(rng):
    form = rng.choice(["%Y-%m-%d", "%Y-%m-%d", "%d.%m.%Y", "%Y-%m-%d %H:%M"])
    first = datetime.datetime(rng.randrange(1990, 2030), 1, 13)  # most dates contain a day above 12, which settles the order of day and month
    return lambda: (first + datetime.timedelta(days=rng.randrange(900), minutes=rng.randrange(1440))).strftime(form)


def random_words(rng):
    words = rng.choice(WORDS)
    return lambda: rng.choice(words)


def random_column(rng, name, rows, kind, holes):
    make = {"number": random_number, "date": random_date, "category": random_words}[kind](rng)
    fields = [make() for _ in range(rows)]
    values = [float(f) if kind == "number" else f for f in fields]
    blanks = BLANKS + (ERRORS if kind == "number" else []) if kind != "category" else [""]
    share = rng.choice([0, 0, 0.1, 0.3]) if holes else 0
    for i in range(rows):
        if rng.random() < share:
            fields[i], values[i] = rng.choice(blanks), None
    return Column(name, kind, fields, values)


def random_table(seed):
    rng = random.Random(seed)
    rows, features = rng.randrange(1, 51), rng.randrange(1, 5)
    names = rng.sample(NAMES, features + 1)
    kinds = [rng.choice(["number", "number", "date", "category", "category"]) for _ in range(features)] + [rng.choice(["number", "category"])]
    columns = [random_column(rng, name, rows, kind, holes=j < features) for j, (name, kind) in enumerate(zip(names, kinds))]
    return RandomTable(seed, rng.random() < 0.5, rng.choice(",,;\t"), columns)
