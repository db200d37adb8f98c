"""Small tables as people have them, each with the reading that is expected of it.

`python3 tables.py FOLDER` writes them all, to try them by hand.
"""

import dataclasses
import datetime
import pathlib
import random
import sys

ROWS = 60


@dataclasses.dataclass
class Case:
    name: str
    content: object  # text or bytes
    kinds: str  # what each column is, in file order; "used" for numbers is "number"
    options: str = ""
    separator: str = "comma"
    decimal: str = "."
    header: bool = True
    rows: int = ROWS
    task: str = "classification"
    features: int = -1
    blanks: dict = dataclasses.field(default_factory=dict)
    different: dict = dataclasses.field(default_factory=dict)  # values, of some columns
    uses: dict = dataclasses.field(default_factory=dict)
    warnings: tuple = ()
    error: tuple = ()  # parts of the message; nothing else is looked at then

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
CASES = [
    # 1: names made of digits
    Case("pandas_numeric_names", lines([A, B, C, Y], ["0", "1", "2", "y"]), "number number number target"),
    Case("pandas_all_numeric_names", lines([A, B, C, Y], ["0", "1", "2", "3"]), "number number number target"),
    Case("pandas_numeric_names_real_target", lines([A, B, C], ["0", "1", "y"]), NUMBERS, task="regression"),
    Case("years_as_names", lines([A, B, C, LABELS], ["2019", "2020", "2021", "kind"]), "number number number target"),
    Case("years_and_a_name", lines([CITIES, A, B, C], ["country", "2019", "2020", "2021"]),
         "category number number target", task="regression"),
    Case("unclear_header", lines([range(0, 180, 3), range(1, 180, 3), range(2, 180, 3)]), "",
         error=("0,1,2", "--header yes", "--header no")),
    Case("unclear_header_settled", lines([range(0, 180, 3), range(1, 180, 3), range(2, 180, 3)]), NUMBERS,
         "--header no", header=False, task="regression"),
    Case("numeric_names_text_target", lines([A, B, C, LABELS], ["0", "1", "2", "species"]),
         "number number number target"),
    Case("numeric_names_text_target_strict", lines([A, B, C, LABELS], ["0", "1", "2", "species"]), "", "--strict",
         error=("0,1,2,species", "--header yes")),
    Case("numeric_names_boolean_target", lines([A, B, [y == 1 for y in Y]], ["0", "1", "y"]), NUMBERS),
    Case("numeric_names_whole_pixels", lines([*PIXELS, LABELS], ["0", "1", "2", "3", "y"]),
         "number number number number target"),
    Case("numeric_names_over_text", lines([A, CITIES, LABELS], ["0", "1", "2"]), "number category target"),
    Case("names_from_one", lines([A, B, C, Y], ["1", "2", "3", "4"]), "number number number target"),
    Case("names_by_tens", lines([A, B, C, LABELS], ["10", "20", "30", "y"]), "number number number target"),
    Case("names_in_any_order", lines([A, B, C, Y], ["2", "0", "3", "1"]), "number number number target"),
    Case("names_of_chosen_columns", lines([A, B, C, Y], ["17", "3", "99", "40"]), "number number number target"),
    Case("years_over_whole_numbers", lines([*PIXELS, LABELS], ["2001", "2004", "2009", "2010", "y"]),
         "number number number number target"),
    Case("years_alone", lines(PIXELS, ["2001", "2002", "2004", "2009"]), "number number number target",
         task="regression"),
    Case("names_with_decimal_commas", lines([A, B, Y], ["0", "1", "2"], ";", comma), NUMBERS, separator="semicolon",
         decimal=","),
    Case("wavelengths", lines([A, B, C, LABELS], ["400.5", "410.5", "420.5", "kind"]), "number number number target"),
    Case("wavelengths_real_target", lines([A, B, C, A], ["1001.25", "1003.5", "1009.75", "conc"]),
         "number number number target", task="regression"),
    Case("names_with_point_zero", lines([A, B, C, LABELS], ["0.0", "1.0", "2.0", "y"]), "number number number target"),
    Case("negative_names", lines([A, B, C, LABELS], ["-1", "0", "1", "y"]), "number number number target"),
    Case("a_word_in_the_first_row", lines([[0.5] + A[1:], ["broken"] + B[1:], A, LABELS]),
         "number number number target", header=False, blanks={"x1": 1}, warnings=("'broken' is not a number",)),
    Case("maybe_names", lines(PIXELS, ["1", "2", "3", "4"]), "number number number target", header=False, rows=61,
         task="regression",
         warnings=("1,2,3,4", "--header yes or --header no")),
    Case("maybe_names_strict", lines(PIXELS, ["1", "2", "3", "4"]), "", "--strict",
         error=("1,2,3,4", "--header yes or --header no")),
    Case("whole_numbers_without_names", lines([[5] + PIXELS[0][1:], [7] + PIXELS[1][1:], LABELS]), NUMBERS,
         header=False),
    Case("a_path_without_names", lines([[i / 8 for i in range(ROWS)], [20] + A[1:], [7] + B[1:]]), NUMBERS,
         header=False, task="regression"),
    Case("blank_word_in_the_first_row", lines([[5] + A[1:], ["unknown"] + B[1:], LABELS]), NUMBERS, header=False,
         blanks={"x1": 1}),
    Case("prices_without_names", lines([[f"${abs(v)}" for v in A], [f"${abs(v)}" for v in B]]), "number target",
         header=False, task="regression"),
    Case("names_by_option", lines([A, B, Y], ["1", "2", "9"]), NUMBERS, "--header yes"),
    Case("no_names", lines([A, B, LABELS]), NUMBERS, header=False),
    Case("plain", lines([A, B, LABELS], ["a", "b", "kind"]), NUMBERS, features=2),
    # 2: decimal signs and separators
    Case("one_stray_word", lines([["n.a."] + A[1:], B, LABELS], ["a", "b", "kind"]), NUMBERS, "--categorical",
         features=2, blanks={"a": 1}),
    Case("decimal_commas", lines([A, B, Y], ["a", "b", "y"], ";", comma), NUMBERS, separator="semicolon", decimal=","),
    Case("decimal_commas_no_names", lines([A, B, Y], None, ";", comma), NUMBERS, separator="semicolon", decimal=",",
         header=False),
    Case("decimal_commas_tabs.txt", lines([A, B, Y], ["a", "b", "y"], "\t", comma), NUMBERS, separator="tab",
         decimal=","),
    Case("decimal_comma_target", lines([A, B, C], ["a", "b", "y"], ";", comma), NUMBERS, separator="semicolon",
         decimal=",", task="regression"),
    Case("currency_target", lines([A, B, [f"${1e4 + 1e3 * v:,.2f}" for v in C]], ["a", "b", "y"], ";"), NUMBERS,
         separator="semicolon", task="regression"),
    Case("decimal_commas_in_quotes", lines([[f'"{comma(v)}"' for v in A], Y], ["a", "y"]), "number target",
         decimal=","),
    Case("points_and_commas", lines([A, [comma(v) for v in B], Y], ["a", "b", "y"], ";"), "",
         error=("decimal commas", "--decimal")),
    Case("german_thousands", lines([[german(1000 * v) for v in A], Y], ["a", "y"], ";"), "number target",
         separator="semicolon", decimal=","),
    Case("unclear_thousands", lines([["1,234", "2,345", "3,456"] * 20, Y], ["a", "y"], ";"), "",
         error=("'1,234'", "--decimal")),
    Case("unclear_thousands_settled", lines([["1,234", "2,345", "3,456"] * 20, Y], ["a", "y"], ";"),
         "number target", "--decimal .", separator="semicolon"),
    Case("thousands", lines([[f'"{1e4 * v:,.2f}"' for v in A], Y], ["a", "y"]), "number target"),
    Case("thousands_points", lines([DOTTED, Y], ["a", "y"], ";"), "", error=("thousands", "--decimal")),
    Case("thousands_points_settled", lines([DOTTED, Y], ["a", "y"], ";"), "number target", "--decimal ,",
         separator="semicolon", decimal=","),
    Case("thousands_points_of_millions", lines([["1.234.567"] + DOTTED[1:], Y], ["a", "y"], ";"), "number target",
         separator="semicolon", decimal=","),
    Case("thousands_points_settled_by_another", lines([DOTTED, [german(v) for v in A], Y], ["a", "b", "y"], ";"),
         NUMBERS, separator="semicolon", decimal=","),
    Case("three_digits_after_points", lines([[f"{2 + abs(v):.3f}" for v in A], Y], ["a", "y"]), "number target",
         warnings=("thousands", "--decimal")),
    Case("three_digits_and_zeros", lines([[f"{v:.3f}" for v in A], Y], ["a", "y"], ";"), "number target", "--strict",
         separator="semicolon"),
    Case("us_thousands", lines([[f'"{abs(v) * 1e4:,.0f}"' for v in A], Y], ["a", "y"]), "number target",
         warnings=("thousands", "--decimal")),
    Case("euros", lines([[german(abs(v) * 1e4) + " \u20ac" for v in A], Y], ["a", "y"], ";"), "number target",
         separator="semicolon", decimal=","),
    Case("accountants", lines([[f"({-v})" if v < 0 else v for v in A], Y], ["a", "y"]), "number target"),
    Case("unicode_minus", lines([[str(v).replace("-", "\u2212") for v in A], Y], ["a", "y"]), "number target"),
    Case("units", lines([[f"{abs(v)} kg" for v in A], [f"{abs(v)}cm" for v in B], Y], ["a", "b", "y"]), NUMBERS),
    Case("two_units", lines([[f"{abs(v)} {'kg' if v < 0 else 'lb'}" for v in A], B, Y], ["a", "b", "y"]),
         "id number target", warnings=("'a'", "left out")),
    Case("percent", lines([[f"{v}%" for v in A], Y], ["a", "y"]), "number target"),
    Case("currency", lines([[f"${abs(v)}" for v in A], [f"{abs(v)} \u20ac" for v in B], Y], ["a", "b", "y"]), NUMBERS),
    Case("bars", lines([A, B, LABELS], ["a", "b", "kind"], "|"), NUMBERS, separator="|"),
    Case("blanks.data", "".join(f"  {a:9.4f}   {b:9.4f}  {k}\n" for a, b, k in zip(A, B, LABELS)), NUMBERS,
         separator="blanks", header=False),
    Case("comment", "# written by hand\n# on a Monday\n" + lines([A, B, LABELS], ["a", "b", "kind"]), NUMBERS),
    Case("numpy_savetxt.txt", "# a b y\n" + lines([A, B, Y], None, " "), NUMBERS, separator="blanks"),
    Case("byte_order_mark", "\ufeff" + lines([A, B, LABELS], ["a", "b", "kind"]), NUMBERS),
    Case("crlf_and_quotes", lines([[f'"{v}"' for v in A], B, LABELS], ['"a, b"', "b", "kind"]).replace("\n", "\r\n"),
         NUMBERS),
    Case("excel_separator_line", "sep=;\n" + lines([A, B, LABELS], ["a", "b", "kind"], ";"), NUMBERS,
         separator="semicolon"),
    Case("trailing_separators", lines([A, B, LABELS, [""] * ROWS], ["a", "b", "kind", ""], ";"), NUMBERS,
         separator="semicolon"),
    Case("trailing_separators_of_rows", lines([A, B, LABELS, [""] * ROWS], ["a", "b", "kind"]), NUMBERS),
    Case("trailing_separators_no_names", lines([A, B, LABELS, [""] * ROWS]), NUMBERS, header=False),
    Case("web_page", "<!DOCTYPE html>\n<html><body>\n<p>Not, found</p>\n</html>\n", "", error=("web page",)),
    Case("json", '{"a": 1, "b": 2}\n{"a": 3, "b": 4}\n', "", error=("JSON",)),
    Case("short_row", "a,b,c\n1,2,3\n1,2\n4,5,6\n", "", error=("line 3 has 2 fields", "3 are wanted")),
    Case("latin1", lines([A, B, holed(LABELS, "M\u00fcnchen")], ["a", "b", "kind"]).encode("latin1"), "",
         error=("UTF-8", "iconv -f cp1252 -t UTF-8 latin1.csv")),
    *(Case(code, lines([A, B, LABELS], ["a", "b", "kind"]).encode(code), "", error=("UTF-16", f"iconv -f {name} -t UTF-8 {code}.csv"))
      for code, name in [("utf-16", "UTF-16"), ("utf-16-le", "UTF-16LE"), ("utf-16-be", "UTF-16BE")]),
    Case("separator_by_option", lines([A, B, LABELS], ["a", "b", "kind"], ";"), NUMBERS, "--separator ;",
         separator="semicolon"),
    Case("r_row_names.txt", '"a" "b" "kind"\n' + "".join(
        f'"{i + 1}" {a} {b} "{k}"\n' for i, (a, b, k) in enumerate(zip(A, B, LABELS))),
        "index number number target", separator="blanks"),
    # 3: indexes, ids, dates
    Case("pandas_index", lines([range(ROWS), A, B, LABELS], ["", "a", "b", "kind"]), "index number number target",
         features=2, warnings=("counts the rows",)),
    Case("pandas_index_numeric_names", lines([range(ROWS), A, B, C], ["", "0", "1", "2"]),
         "index number number target", task="regression"),
    Case("unnamed_0", lines([range(ROWS), A, LABELS], ["Unnamed: 0", "a", "kind"]), "index number target"),
    Case("id_from_1", lines([range(1, ROWS + 1), A, LABELS], ["id", "a", "kind"]), "index number target"),
    Case("shuffled_index", lines([RNG.sample(range(ROWS), ROWS), A, B, LABELS], ["", "a", "b", "kind"]),
         "index number number target", warnings=("numbers the rows",)),
    Case("sampled_index", lines([RNG.sample(range(10**4), ROWS), A, LABELS], ["Unnamed: 0", "a", "kind"]),
         "index number target"),
    Case("sliced_index", lines([range(100, 100 + 2 * ROWS, 2), A, LABELS], ["index", "a", "kind"]),
         "index number target"),
    Case("index_beside_texts", lines([RNG.sample(range(ROWS), ROWS), CITIES, LABELS], ["", "city", "kind"]),
         "index category target"),
    Case("blank_first_field_is_no_name", lines([[""] + A[1:], CITIES, LABELS]), "number category target",
         header=False, blanks={"x0": 1}),
    Case("joined_index", lines([[i % 40 for i in range(ROWS)], A, LABELS], ["", "a", "kind"]), "index number target"),
    Case("reset_index", lines([RNG.sample(range(999), ROWS), A, LABELS], ["level_0", "a", "kind"]),
         "index number target"),
    Case("shuffled_index_numeric_names", lines([RNG.sample(range(ROWS), ROWS), A, B, Y], ["", "0", "1", "y"]),
         "index number number target"),
    Case("index_that_repeats_is_data", lines([[i % 9 for i in range(ROWS)], A, LABELS], ["index", "a", "kind"]),
         NUMBERS),
    Case("x0_is_a_name", lines([RNG.sample(range(999), ROWS), A, LABELS], ["x0", "x1", "kind"]), NUMBERS),
    Case("numeric_ids", lines([RNG.sample(range(10**6), ROWS), A, LABELS], ["customer_id", "a", "kind"]),
         "id number target"),
    Case("text_ids", lines([[f"u{i:04x}" for i in range(ROWS)], A, LABELS], ["user", "a", "kind"]),
         "id number target", warnings=("'user'", "left out")),
    Case("text_ids_wanted", lines([[f"u{i:04x}" for i in range(ROWS)], A, LABELS], ["user", "a", "kind"]),
         "category number target", "--categorical user", features=61),
    Case("real_numbers_are_no_ids", lines([sorted(A), B, LABELS], ["id", "b", "kind"]), NUMBERS),
    Case("capitals_are_no_ids", lines([RNG.sample(range(10**6), ROWS), A, LABELS], ["COVID", "a", "kind"]), NUMBERS),
    Case("camel_case_ids", lines([RNG.sample(range(10**6), ROWS), A, LABELS], ["userId", "a", "kind"]),
         "id number target"),
    Case("nothing_but_time", lines([range(ROWS), A]), "number target", header=False, task="regression"),
    Case("iso_dates", lines([DAYS, A, LABELS], ["day", "a", "kind"]), "date number target", features=5),
    Case("dates_and_times", lines([[f"{d} 10:{i:02d}:00" for i, d in enumerate(DAYS)], A, LABELS], ["t", "a", "kind"]),
         "date number target", features=6),
    Case("dotted_dates", lines([[f"{d:%d.%m.%Y}" for d in DAYS], A, LABELS], ["day", "a", "kind"]),
         "date number target"),
    Case("us_dates", lines([[f"{d:%m/%d/%Y}" for d in DAYS], A, LABELS], ["day", "a", "kind"]), "date number target"),
    Case("month_names", lines([[f"{d:%d-%b-%Y}" for d in DAYS], A, LABELS], ["day", "a", "kind"]),
         "date number target", features=5),
    Case("us_dates_pm", lines([[f"{d:%m/%d/%Y} 11:12 PM" for d in DAYS], A, LABELS], ["day", "a", "kind"]),
         "date number target", features=6),
    Case("short_years", lines([[f"{d:%d.%m.%y}" for d in DAYS], A, LABELS], ["day", "a", "kind"]),
         "date number target"),
    Case("months", lines([[f"{d:%Y-%m}" for d in DAYS], A, LABELS], ["month", "a", "kind"]), "date number target"),
    Case("two_kinds_of_dates", lines([[f"{d:%d.%m.%Y}" if d.day > 15 else d for d in DAYS], A, LABELS],
                                     ["day", "a", "kind"]), "date number target", blanks={}),
    Case("versions_are_no_dates", lines([[f"{i % 3 + 1}.{i % 5 + 1}.12" for i in range(ROWS)], A, LABELS],
                                        ["version", "a", "kind"]), "category number target"),
    Case("codes_like_dates", lines([[f"10-10-{i % 3 + 10}" for i in range(ROWS)], A, LABELS], ["code", "a", "k"]), "",
         error=("--date code:dmy", "--categorical code takes it for text")),
    Case("codes_like_dates_settled", lines([[f"10-10-{i % 3 + 10}" for i in range(ROWS)], A, LABELS],
                                           ["code", "a", "kind"]), "category number target", "--categorical code"),
    Case("parts_are_no_dates", lines([[f"254{i % 3 + 5}-03" for i in range(ROWS)], A, LABELS], ["part", "a", "kind"]),
         "category number target"),
    Case("unclear_dates", lines([[f"{i % 12 + 1:02d}/{i % 5 + 1:02d}/2020" for i in range(ROWS)], A, LABELS],
                                ["day", "a", "kind"]), "", error=("'day'", "--date day:dmy", "--date day:mdy")),
    Case("unclear_dates_settled", lines([[f"{i % 12 + 1:02d}/{i % 5 + 1:02d}/2020" for i in range(ROWS)], A, LABELS],
                                        ["day", "a", "kind"]), "date number target", "--date day:mdy"),
    Case("digits_as_dates", lines([[f"{d:%Y%m%d}" for d in DAYS], A, LABELS], ["day", "a", "kind"]),
         "date number target", "--date day"),
    Case("ignored", lines([A, B, C, LABELS], ["a", "b", "c", "kind"]), "number ignored ignored target",
         "--ignore b,c", features=1),
    Case("id_by_option", lines([A, CITIES, B, LABELS], ["a", "city", "b", "kind"]), "number id number target",
         "--id city"),
    # 4: text and blanks
    Case("text_and_blanks", lines([holed(A, ""), CITIES, LABELS], ["a", "city", "kind"]), "number category target",
         features=5, blanks={"a": 9}),
    *(Case(f"blank_{i}", lines([holed(A, word), B, LABELS], ["a", "b", "kind"]), NUMBERS, blanks={"a": 9}, features=3)
      for i, word in enumerate(["NULL", "-", "?", "#N/A", "None", "missing", "NaN"])),
    Case("few_blanks", lines([[""] + A[1:], B, LABELS], ["a", "b", "kind"]), NUMBERS, features=2, blanks={"a": 1}),
    Case("blank_category", lines([A, holed(CITIES, ""), LABELS], ["a", "city", "kind"]), "number category target",
         blanks={"city": 9}, features=5),
    Case("true_false", lines([A, [y == 1 for y in Y], LABELS], ["a", "flag", "kind"]), "number category target"),
    Case("blanks_refused", lines([holed(A, ""), B, LABELS], ["a", "b", "kind"]), "", "--missing error",
         error=("9 values are missing", "line 5, column 'a'")),
    Case("limits_of_detection", lines([[f"<{i % 3}.5" if i % 9 == 0 else abs(v) for i, v in enumerate(A)], B, LABELS],
                                      ["a", "b", "kind"]), "category number target",
         warnings=("'a' holds", "taken for categories")),
    Case("thousands_as_k", lines([[f"{abs(v):.1f}k" if v > 0 else f"{int(-v * 900)}" for v in A], B, LABELS],
                                 ["a", "b", "kind"]), "category number target", warnings=("'a' holds",)),
    Case("two_lines_of_names", lines([["mean"] + A, ["std"] + B, ["label"] + LABELS], ["x", "x", "y"]), "",
         error=("line 1: two columns are named 'x'",)),
    Case("many_categories", lines([A * 4, [f"c{i % 80}" for i in range(240)], LABELS * 4], ["a", "code", "kind"]),
         "number category target", rows=240, features=52),
    Case("codes_as_categories", lines([[i % 4 for i in range(ROWS)], A, LABELS], ["zip", "a", "kind"]),
         "category number target", "--categorical zip", features=5),
    Case("a_word_among_numbers", lines([A[:-1] + ["red"], B, LABELS], ["a", "b", "kind"]), NUMBERS,
         warnings=("line 61, column 'a': 'red' is not a number",), blanks={"a": 1}),
    # blanks within fields are no separators
    *(Case(f"blanks_within_fields_{i}", lines([first, CITIES, LABELS]), kinds, header=False)
      for i, (first, kinds) in enumerate([
          ([f"{40 + i % 30} kg" for i in range(ROWS)], "number category target"),
          ([f"{day} {day.day % 24:02}:30" for day in DAYS], "date category target")])),
    *(Case(f"blanks_between_tabs_{i}", lines([first, A, LABELS], ["first", "a", "kind"], "\t"), kinds, separator="tab")
      for i, (first, kinds) in enumerate([([f"Room {i % 4}" for i in range(ROWS)], "category number target"),
                                          ([f"{1 + i % 9} {100 + i}" for i in range(ROWS)], NUMBERS)])),
    Case("a_tab_among_blanks", "".join(f'{a}   {b}  {1 + i % 5}\t"amc {c}"\n' for i, (a, b, c) in enumerate(zip(A, B, CITIES))),
         "number number number target", separator="blanks", header=False),
    # separators within texts and numbers, and rows that only one of them cuts as the first line
    *(Case(f"one_comma_a_row_{i}", lines([CITIES, B, LABELS] if i else [CITIES, LABELS, [f"{7 + i % 50},{10 + i}" for i in range(ROWS)]],
                                         ["city", "kind", "price"], separator, comma),
           "category number target" if i else "category category target", decimal=",", separator=name,
           task="classification" if i else "regression")
      for i, (separator, name) in enumerate([(";", "semicolon"), ("\t", "tab"), ("|", "|")])),
    Case("texts_with_commas", lines([[f"{c}, {k}" for c, k in zip(CITIES, LABELS)], A, LABELS], ["name", "a", "kind"], "|"),
         "category number target", separator="|"),
    *(Case(f"between_blanks_{i}", lines([A, B, [f"({c}{sign}4)" for c in CITIES], LABELS], head, " "),
           "number number category target", separator="blanks", header=bool(head))
      for i, (sign, head) in enumerate([(",", ["a", "b", "site", "kind"]), (";", None), ("|", None)])),
    Case("blanks_as_thousands", lines([[f"{1 + i % 7} {100 + i}" for i in range(ROWS)], [f"{5 + i % 9} {900 - i}" for i in range(ROWS)]]),
         "number target", header=False, task="regression"),
    Case("blanks_as_thousands_decimal_commas", lines([[f"{1 + i % 7} {100 + i},5" for i in range(ROWS)], LABELS], ["a", "kind"], ";"),
         "number target", separator="semicolon", decimal=","),
    # a name that is also a value
    *(Case(f"a_name_among_values_{i}", lines([first, CITIES, ["y" if y else "n" for y in Y]], ["w", "c", "y"]), kinds)
      for i, (first, kinds) in enumerate([([f"{50 + i % 9} kg" for i in range(ROWS)], "number category target"),
                                          (DAYS, "date category target")])),
    Case("a_name_among_few_values", lines([["m" if y else "f" for y in Y[:12]], ["y" if a > 0.3 else "n" for a in B[:12]], ["y" if y else "n" for y in Y[:12]]],
                                          ["sex", "smoker", "y"]), "category category target", rows=12,
         warnings=("(sex,smoker,y) was taken for names",)),
    Case("a_rare_first_row", "Zurich,Switzerland,CHF,yes\n" + "".join(
        f"{['Oslo,Norway,NOK', 'Rome,Italy,EUR', 'York,England,GBP'][i % 3]},{['yes', 'no'][i * 7 % 5 % 2]}\n" for i in range(ROWS - 1)),
         "category category category target", header=False),
    Case("a_name_among_values", lines([CITIES * 3, ["m" if y else "f" for y in Y] * 3, ["y" if y else "n" for y in Y] * 3],
                                      ["city", "sex", "y"]), "category category target", rows=180,
         warnings=("(city,sex,y) was taken for names",)),
    # a word or a slip among dates of another order
    *(Case(f"dates_and_{name}", lines([[day.strftime("%d/%m/%Y") for day in DAYS[:-1]] + [word], A, LABELS],
                                      ["day", "a", "kind"]), "date number target", blanks={"day": 1},
           warnings=(f"'{word}' and alike (1 fields) are no dates",))
      for name, word in [("a_word", "tbc"), ("a_slip", "05/31/2021")]),
    Case("iso_dates_and_another", lines([[*DAYS[:-1], "01/02/2020"], A, LABELS], ["day", "a", "kind"]), "date number target",
         blanks={"day": 1}, warnings=("'01/02/2020' and alike (1 fields) are no dates",)),
    Case("few_dates_and_a_slip", lines([["31/03/2020", "30/06/2020", "30/09/2020", "31/12/2020"] * 14 + ["31/12/2020"] * 3 + ["31/09/2020"],
                                        A, LABELS], ["day", "a", "kind"]), "date number target", blanks={"day": 1}),
    # decimal commas that begin behind the first thousand rows
    Case("a_comma_behind_points", lines([["1.5", "2.5"] * 600 + ["0,25"], (LABELS * 21)[:1201]], ["a", "kind"], ";"), "number target",
         separator="semicolon", rows=1201, blanks={"a": 1}, warnings=("'0,25' is not a number",)),
    Case("a_point_and_a_note", "pop;note;y\n" + "900;ca. 2,5 km;u\n800;ok;v\n" * 20 + "1.250;ok;u\n", "number category target",
         separator="semicolon", rows=41, warnings=("'1.250' may be read",)),
    Case("late_decimal_commas", lines([[i % 9 for i in range(1500)] + [f"{i % 9},5" for i in range(100)],
                                       (LABELS * 27)[:1600]], ["a", "kind"], ";"), "number target",
         separator="semicolon", decimal=",", rows=1600),
    Case("late_thousands", lines([[1000 + i % 9 for i in range(1500)] + [f"{i % 9 + 1},125" for i in range(100)],
                                  (LABELS * 27)[:1600]], ["a", "kind"], ";"), "number target",
         separator="semicolon", rows=1600, warnings=("'1,125' may be read as a number with a decimal comma",)),
    Case("serial_numbers", lines([range(1, ROWS + 1), A, LABELS], ["S.No.", "a", "kind"]), "index number target",
         warnings=("'S.No.' counts the rows",)),
    *(Case(f"digits_that_are_no_numbers_{i}", lines([values, A, LABELS], ["v", "a", "kind"]), "category number target",
           warnings=("'v' holds 30 different texts such as",))
      for i, values in enumerate([[f"{120 + i % 30}/{60 + i % 30}" for i in range(ROWS)]])),
    # times of day and durations
    Case("clocks_of_two_kinds", lines([[f"{9 + i % 2}:{10 + i % 30}" + ":05" * (i % 2) for i in range(ROWS)], A, LABELS],
                                      ["v", "a", "kind"]), "category number target",
         warnings=("'v' holds 30 different numbers", "taken for categories")),
    *(Case(f"clock_{i}", lines([values, A, LABELS], ["t", "a", "kind"]), NUMBERS, features=2)
      for i, values in enumerate([[f"{i % 24}:{10 + i % 50}" for i in range(ROWS)],
                                  [f"{i % 24:02}:{10 + i % 50}:05" for i in range(ROWS)],
                                  [f"{1 + i % 12}:{10 + i % 50} {'AP'[i % 2]}M" for i in range(ROWS)],
                                  [f"{20 + i % 60}:{10 + i % 50}:00" for i in range(ROWS)]])),
    Case("clock_after_midnight", lines([[f"{i % 12}:{10 + i % 50} AM" for i in range(ROWS)], A, LABELS], ["t", "a", "kind"]), NUMBERS,
         features=2),
    Case("clock_with_fractions", lines([[f"0:00:{i % 6:02}.{100 + i}" for i in range(ROWS)], A, LABELS], ["t", "a", "kind"]), NUMBERS,
         features=2, different={"t": ROWS}),
    Case("lap_times", lines([[f"1:23.{100 + i}" for i in range(ROWS)], A, LABELS], ["t", "a", "kind"]), NUMBERS, different={"t": ROWS}),
    Case("clock_and_blanks", lines([holed([f"{i % 24}:{10 + i % 50}" for i in range(ROWS)], "n.a."), A, LABELS],
                                   ["t", "a", "kind"]), NUMBERS, features=3, blanks={"t": 9}),
    *(Case(f"quantities_of_another_kind_{i}", lines([values, A, LABELS], ["v", "a", "kind"]), "category number target",
           warnings=("'v' holds 30 different texts such as",))
      for i, values in enumerate([[f"{i % 30}h 20m" for i in range(ROWS)], [f"2020-W{10 + i % 30}" for i in range(ROWS)],
                                  [hex(i % 30) for i in range(ROWS)], [f"{i % 30} days 01:00:00" for i in range(ROWS)]])),
    *(Case(f"months_that_are_not_read_{i}", lines([days, A, LABELS], ["day", "a", "kind"]), kinds,
           warnings=("dates such as 2021-05-12 would be read as dates",))
      for i, (days, kinds) in enumerate([([f"{1 + i % 28} mai {2000 + i}" for i in range(ROWS)], "id number target"),
                                         ([f"{1 + i % 28}. Jan 2021" for i in range(ROWS)], "category number target"),
                                         ([f"{1 + i % 28} f\u00e9vrier 2021" for i in range(ROWS)], "category number target")])),
    Case("sas_dates", lines([[f"{d:%d%b%Y}".upper() for d in DAYS], [f"{d:%d%b%Y}:10:00:00" for d in DAYS], A, LABELS],
                            ["day", "at", "a", "kind"]), "date date number target", features=10),
    Case("digits_may_be_dates", lines([[f"{d:%Y%m%d}" for d in DAYS], A, LABELS], ["day", "a", "kind"]), NUMBERS,
         warnings=("'day' holds numbers that may be dates; --date day takes them for such",)),
    # codes with leading zeros
    *(Case(f"codes_with_zeros_{i}", lines([codes, A, LABELS], ["zip", "a", "kind"]), "category number target", features=features)
      for i, (codes, features) in enumerate([([f"0{1234 + i % 4}" for i in range(ROWS)], 5),
                                             ([f"{8 + i % 5:02}" for i in range(ROWS)], 6),
                                             ([f'"{8 + i % 5:02}"' for i in range(ROWS)], 6)])),
    Case("codes_that_are_ids", lines([[f"{i * 37 % 997:05}" for i in range(ROWS)], A, LABELS], ["zip_id", "a", "kind"]),
         "id number target", warnings=("'zip_id' is a text of its own in nearly every row and is left out",)),
    *(Case(f"padded_numbers_{i}", lines([values, A * (len(values) // ROWS), LABELS * (len(values) // ROWS)], ["v", "a", "kind"]), NUMBERS,
           rows=len(values), warnings=("'v' holds codes with leading zeros, nearly all of them different, which are read as numbers",))
      for i, values in enumerate([[f"{i:02}" for i in RNG.sample(range(ROWS), ROWS)], [f"{i * 37 % 9973:04}" for i in range(ROWS)],
                                  [f"{1000 + i}" for i in range(1199)] + ["0037"]])),
    Case("padded_numbers_strict", lines([[f"{i * 37 % 9973:04}" for i in range(ROWS)], A, LABELS], ["v", "a", "kind"]), "", "--strict",
         error=("'v' holds codes with leading zeros", "--categorical v")),
    Case("codes_behind_the_first_rows", lines([[f"{10 + i % 9}" for i in range(1200)] + ["05"], (LABELS * 21)[:1201]],
                                              ["code", "kind"]), "category target", rows=1201, features=10),
    *(Case(f"zeros_of_numbers_{i}", lines([values, LABELS], ["a", "kind"]), "number target")
      for i, values in enumerate([[f"0{i}" for i in range(ROWS)], [f"0{i % 10}.5" for i in range(ROWS)], ["0", "1", "2"] * 20])),
    Case("zeros_of_a_late_number", lines([[f"{i % 50:02}" for i in range(1200)] + ["100"], (LABELS * 21)[:1201]], ["a", "kind"]),
         "number target", rows=1201),
    Case("codes_strict", lines([[f"0{1234 + i % 4}" for i in range(ROWS)], A, LABELS], ["zip", "a", "kind"]), "", "--strict",
         error=("'zip' holds text", "--categorical zip")),
    # titles, notes and sums around a table
    *(Case(f"title_{i}", title + lines([A, B, LABELS], ["a", "b", "kind"], ";"), NUMBERS, separator="semicolon",
           warnings=("('Sales report 2020') ", "no part of the table and not read"))
      for i, title in enumerate(["Sales report 2020\n", "Sales report 2020\n\n", "Sales report 2020;;\n;;\n",
                                 "\n\nSales report 2020\nall regions, net\n"])),
    Case("title_above_tabs", "Sales report 2020\n" + lines([A, B, LABELS], ["a", "b", "kind"], "\t"), NUMBERS, separator="tab",
         warnings=("line 1 ('Sales report 2020') is no part of the table",)),
    Case("title_and_sum", "Sales report 2020\n\n" + lines([A, B, LABELS], ["a", "b", "kind"], ";") + "Total;12.5\nSource: a survey\n", NUMBERS,
         separator="semicolon", warnings=("lines 1 to 2 ('Sales report 2020') are no part of the table", "lines 64 to 65 ('Total;12.5')")),
    Case("title_of_german_numbers", "Umsatz 2020\n" + lines([A, B, LABELS], ["a", "b", "kind"], ";", comma), NUMBERS,
         separator="semicolon", decimal=",", warnings=("line 1 ('Umsatz 2020') is no part of the table",)),
    Case("title_above_two_columns", "Umsatz\n" + lines([A, Y], ["a", "y"]), "number target", warnings=("line 1 ('Umsatz')",)),
    Case("blank_lines_above", "\n\n" + lines([A, B, LABELS], ["a", "b", "kind"]), NUMBERS),
    Case("title_strict", "Sales report 2020\n" + lines([A, B, LABELS], ["a", "b", "kind"], ";"), "", "--strict",
         error=("line 1 ('Sales report 2020')", "--strict")),
    *(Case(f"below_{i}", lines([A, B, LABELS], ["a", "b", "kind"], ";") + below, NUMBERS, separator="semicolon",
           warnings=("no part of the table and not read",))
      for i, below in enumerate(["Total;12.5\n", "Total;12.5;\n", "\nSource: the survey of 2020\n", "Source: survey;;\n",
                                 ";;\nSumme;1;2\n"])),
    Case("sum_below_names", lines([CITIES, B, C], ["city", "b", "y"]) + "Total,5.5,700.25\n", "category number target",
         task="regression", warnings=("line 62 ('Total,5.5,700.25') is no part",)),
    Case("sums_are_a_category", lines([["Total", "Part"] * 30, B, C], ["row", "b", "y"]), "category number target",
         task="regression"),
    *(Case(f"between_blanks_is_no_title_{i}.txt", "alter gewicht preis\n" + "".join(f"{row(i)}\n" for i in range(ROWS)), kinds,
           options, separator="blanks", decimal=decimal, task="regression")
      for i, (row, kinds, options, decimal) in enumerate([
          (lambda i: f"{20 + i % 40},5 {60 + i % 31},25 {i * 7 % 60},5", NUMBERS, "", ","),
          (lambda i: f"{20 + i % 40},5 {60 + i % 31},25 {i * 7 % 60},5", NUMBERS, "--header yes", ","),
          (lambda i: f"1,{100 + i},200 {i % 7}.5 {i * 7 % 60}.5", NUMBERS, "", "."),
          (lambda i: f'{i % 7}.5 "x, y, {i % 3}" {i * 7 % 60}.5', "number category target", "", "."),
          (lambda i: f"{i % 7}.5 a;b;{i % 3} {i * 7 % 60}.5", "number category target", "", ".")])),
    Case("names_by_option_are_no_title", "report of;;\n" + lines([A, B, LABELS], ["a", "b", "kind"], ";"), "category category target",
         "--header yes --categorical 0,1", separator="semicolon", rows=61),
    # sums without a word, and words that are no sums
    *(Case(f"sum_below_a_blank_{i}", lines([range(1, ROWS + 1), PRICES, B, C], ["Nr", "a", "b", "y"], ";", text) + f";{text(total)};;\n",
           "index number number target", separator="semicolon", decimal=decimal, task="regression",
           warnings=("line 62 (';", "is no part of the table and not read"))
      for i, (text, decimal, total) in enumerate([(str, ".", round(sum(PRICES), 2)), (comma, ",", round(sum(PRICES), 1))])),
    Case("blank_below_numbers", lines([[*range(1, ROWS), ""], PRICES, LABELS], ["Nr", "a", "kind"]), NUMBERS, blanks={"Nr": 1}),
    Case("quoted_sums_are_a_category", lines([['"Total"'] + CITIES[1:-1] + ["Total"], B, C], ["row", "b", "y"]), "category number target",
         task="regression"),
    Case("sums_begin_a_file_without_names", lines([["Total"] + CITIES[1:-1] + ["Total"], B, C]), "category number target",
         header=False, task="regression"),
    *(Case(f"cut_short_{i}", lines([CITIES, B, C], ["city", "b", "y"]) + end, "", error=("line 62 has ",))
      for i, end in enumerate(["Ro", "Rome,"])),
    Case("blank_line_within", "a,b,y\n1,2,u\n2,3,v\n\n3,4,u\n", "", error=("line 4 has 1 field",)),
    Case("short_last_row", "a,b,y\n1,2,u\n2,3,v\n3,4\n", "", error=("line 4 has 2 fields",)),
    Case("names_are_lacking", "a,b\n1,2,3,u\n2,3,4,v\n3,4,5,u\n", "", error=("line 2 has 4 fields",)),
    # amounts
    *(Case(f"two_currencies_{i}", lines(columns, ["a", "b", "y"]), NUMBERS, task="regression",
           warnings=("holds amounts in $ and in \u20ac, which are taken as they are",))
      for i, columns in enumerate([([f"{'$' if v > 0 else chr(0x20ac)}{abs(v)}" for v in A], B, C),
                                   ([f"{abs(v)}{' USD' if v > 0 else ' EUR'}" for v in A], B, C),
                                   (A, B, [f"{'$' if v > 0 else chr(0x20ac)}{abs(v)}" for v in C])])),
    *(Case(f"currency_told_{i}", lines([[sign.replace("5", f"{abs(v):.2f}") for v in A], Y], ["a", "y"]), "number target",
           uses={"a": f"used, in {told}"})
      for i, (sign, told) in enumerate([("$5", "$"), ("5\u00a0\u20ac", "\u20ac"), ("5\u202f\u20ac", "\u20ac"), ("5\u00a0kg", "kg"),
                                        ("GBP 5", "\u00a3"), ("5 $", "$")])),
    # two classes in few rows
    *(Case(f"few_rows_{name}", lines([A[:8], [low, high] * 4], ["a", "y"]), "number target", rows=8, task=task)
      for name, low, high, task in [("0_1", 0, 1, "classification"), ("0_1_floats", "0.0", "1.0", "classification"),
                                    ("minus", -1, 1, "classification"), ("1_2", 1, 2, "classification"),
                                    ("yes_no", "yes", "no", "classification"), ("others", 5, 9, "regression")]),
    # 5: what there is to warn of
    Case("one_row_class", lines([A, B, LABELS[:-1] + ["bird"]], ["a", "b", "kind"]), NUMBERS,
         warnings=("'bird' has one row only",)),
    Case("uneven_classes", lines([A * 10, B * 10, ["x"] * 598 + ["y"] * 2], ["a", "b", "kind"]), NUMBERS, rows=600,
         warnings=("uneven",)),
    Case("constant_number", lines([[7] * ROWS, A, LABELS], ["one", "a", "kind"]), "constant number target", features=2),
    Case("constant_text", lines([["k"] * ROWS, A, LABELS], ["one", "a", "kind"]), "constant number target", features=1,
         warnings=("'one' has one value only",)),
    Case("empty_column", lines([[""] * ROWS, A, LABELS], ["none", "a", "kind"]), "empty number target", features=1,
         blanks={"none": ROWS}, warnings=("'none' has no values",)),
    Case("counts_up", lines([range(500_001, 500_001 + ROWS), A, LABELS], ["order", "a", "kind"]), NUMBERS,
         warnings=("'order' grows by 1 from row to row and is used; if it numbers the rows, --ignore order leaves it out",)),
    Case("hash_names_a_column", lines([range(1, ROWS + 1), A, LABELS], ["#", "a", "kind"]), "index number target",
         features=1, warnings=("'#' counts the rows",)),
    Case("decimal_commas_below_one", lines([[f'"{i % 9 / 1000:.3f}"'.replace(".", ",") for i in range(ROWS)],
                                            [f'"{1 + i / 1000:.3f}"'.replace(".", ",") for i in range(ROWS)], LABELS],
                                           ["a", "b", "kind"]), NUMBERS, decimal=","),
    # targets
    *(Case(f"missing_target_{i}", lines([A, B, C[:15] + [word] + C[16:]], ["a", "b", "y"]), NUMBERS, task="regression",
           rows=59, blanks={"y": 1}, warnings=("1 row has no target (line 17) and is left out",))
      for i, word in enumerate(["", "n.a.", "-", "NULL"])),
    Case("missing_targets_of_two_kinds", lines([A, B, C[:15] + ["", "n.a."] + C[17:]], ["a", "b", "y"]), NUMBERS,
         task="regression", rows=58, blanks={"y": 2}, warnings=("2 rows have no target (line 17, line 18) and are left out",)),
    Case("missing_target_of_classes", lines([A, B, holed(Y, "-")], ["a", "b", "y"]), NUMBERS, rows=51, blanks={"y": 9},
         warnings=("9 rows have no target (line 5, line 12, line 19, ...) and are left out",)),
    Case("missing_label", lines([A, B, holed(LABELS, "NA")], ["a", "b", "kind"]), NUMBERS, rows=51, blanks={"kind": 9},
         warnings=("9 rows have no target",)),
    Case("missing_label_that_is_no_guess", lines([A, B, holed(LABELS, "NA")], ["a", "b", "kind"]), "", "--strict",
         error=("line 5, column 'kind'", "target is missing ('NA'), as in 8 other rows")),
    Case("missing_labels_are_most", lines([A, B, ["NA"] * 31 + LABELS[31:]], ["a", "b", "kind"]), "",
         error=("line 2, column 'kind'", "target is missing ('NA'), as in 30 other rows; such rows are left out only where")),
    *(Case(f"missing_targets_are_counted_together_{i}", lines([A, B, [""] * 10 + ["NA"] * 9 + ["n/a"] * 13 + C[32:]], ["a", "b", "y"]), "",
           options, error=("line 2, column 'y'", "the target is missing (blank or NaN), as in 31 other rows"))
      for i, options in enumerate(["", "--strict"])),
    *(Case(f"odd_target_{i}", lines([A, B, values], ["a", "b", name]), NUMBERS, task=task,
           warnings=(f"the target is column '{name}', the last column, which {why}; --target says otherwise",))
      for i, (name, values, task, why) in enumerate([
          ("id", range(ROWS), "regression", "counts the rows"),
          ("Nr", range(1, ROWS + 1), "regression", "counts the rows"),
          ("index", RNG.sample(range(999), ROWS), "regression", "numbers the rows"),
          ("user_id", RNG.sample(range(10**6), ROWS), "regression", "is a number of its own in every row"),
          ("user", [f"u{i:04x}" for i in range(ROWS)], "classification", "is a text of its own in nearly every row"),
          ("day", DAYS, "classification", "holds dates")])),
    Case("odd_target_strict", lines([A, B, range(ROWS)], ["a", "b", "id"]), "", "--strict",
         error=("the target is column 'id', the last column, which counts the rows", "--target")),
    Case("odd_target_wanted", lines([A, B, range(ROWS)], ["a", "b", "id"]), NUMBERS, "--strict --target id", task="regression"),
    Case("missing_one_of_two_targets", lines([A, holed(B, ""), C[:15] + [""] + C[16:]], ["a", "b", "y"]),
         "number target target", "--target b,y", task="regression", rows=50, blanks={"b": 10}, warnings=("10 rows have no target",)),
    Case("class_is_not_the_last", lines([LABELS, A, B], ["class", "a", "y2"]), "category number target", task="regression",
         warnings=("the target is column 'y2', the last column, not column 'class'; --target class says otherwise",)),
    Case("labels_of_two_cases", lines([A, B, holed(LABELS, "Cat")], ["a", "b", "kind"]), NUMBERS,
         warnings=("classes 'Cat' and 'cat' differ only in case",)),
    Case("missing_number_label", lines([A, B, holed(Y, "n.a.")], ["a", "b", "y"]), NUMBERS, "--task classification", rows=51,
         blanks={"y": 9}, warnings=("9 rows have no target",)),
    Case("none_is_a_label", lines([A, B, holed(LABELS, "none")], ["a", "b", "kind"]), NUMBERS),
    Case("a_word_among_targets", lines([A, B, C[:15] + ["broken"] + C[16:]], ["a", "b", "y"]), "",
         error=("line 17, column 'y': 'broken' is not a number", "--task classification")),
    Case("numbers_and_words_as_labels", lines([A, B, holed(Y, "other")], ["a", "b", "y"]), NUMBERS),
    Case("many_whole_targets", lines([A * 4, B * 4, [i % 30 for i in range(240)]], ["a", "b", "y"]), NUMBERS,
         rows=240, warnings=("30 different whole numbers", "--task regression")),
    Case("many_whole_targets_strict", lines([A * 4, B * 4, [i % 30 for i in range(240)]], ["a", "b", "y"]), "",
         "--strict", error=("30 different whole numbers", "--task regression")),
    Case("last_column_ignored", lines([A, LABELS, B], ["a", "kind", "b"]), "number target ignored", "--ignore b",
         warnings=("the target is column 'kind'", "--target")),
    # 8: far from 0
    Case("seconds", lines([[f"{1.6e9 + v:.4f}" for v in A], B, LABELS], ["t", "b", "kind"]), NUMBERS),
    Case("far_target", lines([A, B, [f"{1e9 + v:.4f}" for v in C]], ["a", "b", "y"]), NUMBERS, task="regression"),
    # other formats, and no guesses
    Case("weka.arff", "% a comment\n@relation 'r'\n@attribute 'a 1' numeric\n@attribute city {Oslo,'New York'}\n"
         "@ATTRIBUTE kind {x,y}\n@data\n" + "".join(
             f"{a},{'Oslo' if a > 0 else chr(39) + 'New York' + chr(39)},{'xy'[y]}\n" for a, y in zip(A, Y)),
         "number category target"),
    Case("short_row.arff", "@relation r\n\n@attribute a numeric\n@attribute k {x,y}\n@data\n% rows\n1,x\n2\n", "",
         error=("line 8 has 1 field",)),
    Case("sparse.libsvm", "".join(f"{2 * y - 1:+d} 1:{a} 3:{c}\n" for a, c, y in zip(A, C, Y)),
         "number constant number target", separator=None, decimal=None),
    Case("parquet.parquet", b"PAR1", "", error=("Parquet", ".csv")),
    Case("feather.feather", b"ARROW1", "", error=("Feather", ".csv")),
    Case("strict_text", lines([A, CITIES, LABELS], ["a", "city", "kind"]), "", "--strict",
         error=("'city' holds text", "--strict", "--categorical city")),
    Case("strict_id", lines([range(ROWS), A, LABELS], ["id", "a", "kind"]), "", "--strict", error=("--ignore id",)),
    Case("strict_plain", lines([A, B, LABELS], ["a", "b", "kind"]), NUMBERS, "--strict"),
    Case("strict_numeric_names", lines([A, B, C, Y], ["0", "1", "2", "y"]), "", "--strict", error=("--header yes",)),
]


def write(folder):
    for case in CASES:
        content = case.content if isinstance(case.content, bytes) else case.content.encode()
        (pathlib.Path(folder) / case.file).write_bytes(content)


if __name__ == "__main__":
    write(sys.argv[1])
