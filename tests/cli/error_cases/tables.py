"""Tables as text: CSV, TSV, compressed or not."""

from .case import HEAD, ROWS, TABLE, case, gz, npy, numbers

BAD = "train --train bad.csv"


def bad(title, content, *parts, options=""):
    return case(title, {"bad.csv": content}, BAD + options, "bad.csv", *parts)


CSV = [
    case("a file that is not there", {}, "train --train no.csv",
         "no.csv: cannot open: No such file or directory"),
    case("a folder", {"data.csv/": None}, "train --train data.csv", "data.csv", "folder"),
    case("a kind of file that is not known", {"train.xlsx": b"PK\3\4"},
         "train --train train.xlsx", "train.xlsx", ".csv"),
    case("a name with a line break", {"a\nb.csv": ""}, ["train", "--train", "a\nb.csv"],
         "a\\x0ab.csv"),
    bad("nothing", "", "empty"),
    bad("blank lines only", "\n\n  \n", "empty"),
    bad("a header only", HEAD, "no rows"),
    bad("one row", HEAD + "1,2,x\n", "1 row", "at least 2"),
    bad("one column", "kind\n" + "x\ny\n" * 20, "1 column"),
    bad("a row of fewer fields, in the middle", HEAD + ROWS + ROWS[:-1].replace("2,2,x", "2,2"),
        "line 44", "2 fields", "3 are wanted"),
    bad("a row of more fields", TABLE + "1,2,x,\n", "line 42", "4 fields", "3 are wanted"),
    bad("a quote that is never closed", TABLE + '1,"2,x\n' + ROWS, "line 42", "never closed"),
    bad("text after a closing quote", TABLE + '1,"2"3,x\n', "line 42", "closing quote"),
    bad("two columns of one name", "a,a,kind\n" + ROWS, "line 1", "'a'"),
    bad("text in a column of numbers", TABLE + "1,red,x\n", "line 42", "'b'", "'red'",
        "--categorical"),
    bad("decimal commas between semicolons", "a;b;kind\n" + "1,5;2;x\n2,5;3;y\n" * 20,
        "line 2", "'1,5'", "decimal point"),
    bad("decimal commas in quotes", HEAD + '"1,5",2,x\n"2,5",3,y\n' * 20, "line 2", "'1,5'",
        "decimal point"),
    bad("a hexadecimal number", TABLE + "0x1F,2,x\n", "line 42", "'a'", "'0x1F'"),
    bad("a thousands separator", TABLE + "1 000,2,x\n", "line 42", "'1 000'"),
    bad("a percentage", TABLE + "12%,2,x\n", "line 42", "'12%'"),
    bad("missing values", HEAD + "nan,1,x\n" + ROWS + "1,,y\n", "2 values", "line 2, column 'a'",
        "--missing mean"),
    bad("an infinite value", TABLE + "1,-inf,y\n", "line 42", "'b'", "'-inf'", "finite"),
    bad("a number beyond float32", TABLE + "1,1e400,y\n", "line 42", "'b'", "'1e400'", "finite"),
    bad("an infinite and a missing value", TABLE + "1,inf,y\n,2,x\n", "line 42", "line 43"),
    bad("UTF-16", TABLE.encode("utf-16"), "UTF-16", "UTF-8"),
    bad("UTF-16 without its mark", TABLE.encode("utf-16-le"), "line 1", "UTF-16"),
    bad("Latin-1 in a label", (TABLE + "1,2,K\u00f6ln\n").encode("latin-1"), "UTF-8", "K\ufffdln"),
    bad("Latin-1 in a column name", ("gr\u00f6\u00dfe,b,kind\n" + ROWS).encode("latin-1"), "UTF-8"),
    bad("Latin-1 in a category", (TABLE + "K\u00f6ln,2,x\n").encode("latin-1"), "UTF-8",
        options=" --categorical"),
    bad("a zero byte", TABLE + "1\0,2,x\n", "line 42", "zero byte"),
    bad("an array under another name", npy(numbers(9)), "line 1", "binary"),
    bad("lines that end in CR alone", TABLE.replace("\n", "\r"), "CR", "LF"),
    bad("more than 1000 categories",
        HEAD + "".join(f"k{i},{i},{'xy'[i % 2]}\n" for i in range(1001)),
        "'a'", "1000", options=" --categorical"),
    case("an unknown way to fill", {}, "train --train train.csv --missing zero", "--missing",
         "'zero'", "mean"),
    case("commas under the name .tsv", {"bad.tsv": TABLE}, "train --train bad.tsv", "bad.tsv",
         "1 column"),
]

GZ = [
    case("a .gz that is cut short", {"cut.csv.gz": gz(TABLE)[:-20]}, "train --train cut.csv.gz",
         "cut.csv.gz", "cut short"),
    case("a .gz that is not compressed", {"plain.csv.gz": TABLE}, "train --train plain.csv.gz",
         "plain.csv.gz"),
    case("a .gz of nothing", {"none.csv.gz": gz("")}, "train --train none.csv.gz", "none.csv.gz",
         "empty"),
    case("an empty .gz", {"zero.csv.gz": ""}, "train --train zero.csv.gz", "zero.csv.gz", "empty"),
    case("a ragged row within", {"bad.csv.gz": gz(TABLE + "1\n")}, "train --train bad.csv.gz",
         "bad.csv.gz", "line 42", "1 field"),
    case("text of another kind", {"bad.csv.gz": gz("<html>\n<p>\n")}, "train --train bad.csv.gz",
         "bad.csv.gz"),
    case("compressed JSON", {"bad.json.gz": gz("{}")}, "train --train bad.json.gz", "bad.json.gz",
         ".csv.gz"),
]
