"""Run folders, comparisons and config files."""

from .case import case

TRAIN = "train --train train.csv "
COMPARE = "compare --train train.csv "

OUTPUTS = [
    case("a folder that holds something", {"full/thesis.tex": ""}, TRAIN + "--out full", "full",
         "not empty"),
    case("the folder of another run", {}, TRAIN + "--out run", "run", "not empty"),
    case("a file in the place of the folder", {}, TRAIN + "--out val.csv", "val.csv",
         "not a folder"),
    case("a folder below a file", {}, TRAIN + "--out val.csv/new", "val.csv is not a folder"),
    case("a name that is empty", {}, TRAIN + "--out ''", "--out", "''"),
]

COMPARISONS = [
    case("an unknown algorithm", {}, COMPARE + "--algorithms popfast,popmem", "'popmem'",
         "popmem-"),
    case("an algorithm, nearly right", {}, COMPARE + "--algorithms popfats", "'popfats'",
         "'popfast'"),
    case("an algorithm twice", {}, COMPARE + "--algorithms bls,bls", "'bls'", "twice"),
    case("no algorithm", {}, COMPARE + "--algorithms ''", "--algorithms", "''"),
    case("a comma too many", {}, COMPARE + "--algorithms bls,,pln", "algorithms", "''", "known"),
    case("an algorithm, not algorithms", {}, COMPARE + "--algorithm bls", "--algorithm",
         "--algorithms"),
    case("no runs", {}, COMPARE + "--runs 0", "runs", "0", "[1, 10000]"),
    case("fewer than no runs", {}, COMPARE + "--runs -1", "--runs", "'-1'"),
    case("runs in words", {}, COMPARE + "--runs few", "--runs", "'few'"),
    case("threads in words", {}, COMPARE + "--threads two", "threads", "'two'"),
    case("two forms at once", {}, COMPARE + "--json --csv", "--json", "--csv"),
    case("a parameter that none of them has", {}, COMPARE + "--algorithms bls,pln --epochs 3",
         "'epochs'", "bls, pln"),
    case("a memory that none of them has", {}, COMPARE + "--algorithms popfast --memory pca",
         "popfast",
         "'memory'"),
    case("a memory twice", {}, COMPARE + "--memory pca,pca", "'pca'", "twice"),
    case("an unknown memory", {}, COMPARE + "--memory pcb", "'pcb'", "pca"),
    case("popfast* without popmem-o", {}, COMPARE + "--algorithms 'popfast*'", "popfast*",
         "popmem-o"),
    case("no test rows", {}, COMPARE + "--test-split 0", "--test-split", "0"),
    case("test rows and a part for the test", {}, COMPARE + "--test test.csv --test-split 0.2",
         "--test test.csv", "--test-split 0.2"),
    case("a grid and a value of what it tries", {},
         COMPARE + "--algorithms bls,pln --grid paper --ridge 1", "--grid paper", "--ridge 1"),
    case("splits anew and a seed for them", {}, COMPARE + "--resplit --split-seed 3", "resplit",
         "split_seed"),
    case("a seed that leaves none", {}, COMPARE + "--seed 18446744073709551615", "seed",
         "18446744073709551615"),
    case("fewer runs than the folder has", {},
         COMPARE + "--algorithms s-elm --runs 1 --out comparison", "comparison", "2 runs",
         "1 given"),
    case("another comparison in the folder", {},
         COMPARE + "--algorithms s-elm --runs 2 --seed 5 --out comparison", "comparison",
         "another comparison", "seed"),
    case("a run in the folder", {}, COMPARE + "--algorithms s-elm --out run", "run", "not empty"),
    case("a broken comparison in the folder", {"old/compare.json": "{"},
         COMPARE + "--algorithms s-elm --out old", "old/compare.json"),
    case("a comparison that lacks its runs", {"old/compare.json": "{}"},
         COMPARE + "--algorithms s-elm --out old", "old/compare.json"),
    case("one class", {"bad.csv": "a,kind\n" + "1,x\n2,x\n" * 20}, "compare --train bad.csv",
         "bad.csv", "one class"),
    case("no rows at all", {}, "compare", "--train is required"),
    case("rows that are not there", {}, "compare --train no.csv", "no.csv: cannot open"),
]


def config(title, name, text, *parts, options=""):
    return case(title, {name: text}, TRAIN + f"--config {name}" + options, *parts)


CONFIGS = [
    case("a config that is not there", {}, TRAIN + "--config no.toml", "no.toml: cannot open"),
    case("a folder", {"c.toml/": None}, TRAIN + "--config c.toml", "c.toml", "folder"),
    config("a config of another kind", "c.yaml", "epochs: 3\n", "c.yaml", ".toml"),
    config("an unknown key", "c.toml", "epochs = 3\nepocs = 3\n", "c.toml", "'epocs'", "'epochs'"),
    config("a key twice", "c.toml", "epochs = 3\nepochs = 4\n", "c.toml", "'epochs'", "twice"),
    config("a bad value", "c.toml", "epochs = many\n", "c.toml", "epochs", "'many'"),
    config("a value out of range", "c.toml", "dropout = 1\n", "c.toml", "dropout", "'1'"),
    config("a flag that is neither true nor false", "c.toml", "categorical = 7\n", "c.toml",
           "categorical", "'7'"),
    config("a list that is not closed", "c.toml", "topology = [3, 4\n", "c.toml", "list"),
    config("a string that is not closed", "c.toml", 'algorithm = "bls\n', "c.toml", "algorithm"),
    config("a section", "c.toml", "[search]\nepochs = 3\n", "c.toml", "[search]"),
    config("a line that says nothing", "c.toml", "epochs = 3\nwhat is this\n", "c.toml",
           "what is this"),
    config("a key without a value", "c.toml", "epochs =\n", "c.toml", "epochs"),
    config("a table", "c.toml", "class_weight = {x = 2}\n", "c.toml", "class_weight"),
    config("bytes", "c.toml", b"\0\1\2\3", "c.toml", "text"),
    config("a config within a config", "c.toml", 'config = "d.toml"\n', "c.toml", "config"),
    config("JSON that is cut short", "c.json", '{"epochs": ', "c.json", "cut short"),
    config("JSON that is a list", "c.json", "[1]", "c.json", "JSON object"),
    config("an unknown key in JSON", "c.json", '{"epocs": 3}', "c.json", "'epocs'", "'epochs'"),
    config("an unknown parameter of a run", "c.json",
           '{"algorithm": "bls", "parameters": {"epocs": 3}}', "c.json", "'epocs'", "'epochs'"),
    config("a file of JSON that is empty", "c.json", "", "c.json", "empty"),
    config("a part for validation, rows on the command line", "c.toml", "val_split = 0.2\n",
           "--val val.csv", "c.toml: val_split = 0.2", options=" --val val.csv"),
]
