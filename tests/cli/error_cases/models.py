"""Model files, and the commands that read them."""

import gzip

import numpy as np

from .case import case, model, npy, safetensors

OTHER = safetensors({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}, b"\0\0\0\0")
OLD = safetensors({"__metadata__": {"format": "gopnet-1"}})
HALF = safetensors({"w": {"dtype": "F16", "shape": [2], "data_offsets": [0, 4]}}, b"\0\0\0\0")


def flipped(data):
    return data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]


def bad(title, content, *parts, varies=""):
    return case(title, {"m.safetensors": content}, "inspect m.safetensors", "m.safetensors", *parts,
                varies=varies)


MODELS = [
    case("a model that is not there", {}, "inspect no.safetensors", "no.safetensors: cannot open"),
    case("a folder without a model", {"empty/": None}, "inspect empty", "empty",
         "no model.safetensors"),
    case("a run that was not finished", {"part/checkpoint.safetensors": ""}, "inspect part", "part",
         "no model.safetensors", "part/checkpoint.safetensors"),
    case("a table in the place of a model", {}, "predict train.csv test.csv", "train.csv",
         "not a gopnet model", "safetensors"),
    case("a packed table in the place of a model", {"t.csv.gz": gzip.compress(b"a,b\n" * 50, mtime=0)}, "predict t.csv.gz test.csv",
         "t.csv.gz", "safetensors"),
    bad("nothing", "", "0 bytes"),
    bad("one byte", "x", "1 bytes"),
    bad("a header that is too long", b"\x10" + bytes(7) + b"{" + bytes(7), "header"),
    bad("cut in the middle", model(lambda data: data[:len(data) // 2]), "header",
        varies=r"(?<=header of )\d+"),
    bad("the last byte is missing", model(lambda data: data[:-1]), "outside of the file"),
    bad("a byte too many", model(lambda data: data + b"\0"), "1 byte"),
    bad("a changed bit", model(flipped), "checksum"),
    bad("a changed name", model(lambda data: data.replace(b"gopnet-2", b"gopnet-3", 1)),
        "m.safetensors"),
    bad("a header that is no JSON", (8).to_bytes(8, "little") + b'{"a": 1,', "header"),
    bad("a header of another kind", safetensors({"a": 1}), "header"),
    bad("tensors of another program", OTHER, "not a gopnet model"),
    bad("tensors of another type", HALF, "'F16'"),
    bad("a model of an older version", OLD, "gopnet-1", "gopnet-2"),
]

NEW = "predict run new.csv"
ROW = "a,b,c,d\n1,2,3,4\n"

PREDICT = [
    case("no model", {}, "predict", "MODEL is required"),
    case("no rows", {}, "predict run", "DATA is required"),
    case("a word too many", {}, "predict run test.csv train.csv", "'train.csv'"),
    case("rows that are not there", {}, "predict run no.csv", "no.csv: cannot open"),
    case("a column is missing", {"new.csv": "a,b,c\n1,2,3\n"}, NEW, "new.csv", "'d'"),
    case("a column too many", {"new.csv": "a,b,c,d,e\n1,2,3,4,5\n"}, NEW + " --strict", "new.csv",
         "'e'"),
    case("columns of other names", {"new.csv": "w,x,y,z\n1,2,3,4\n"}, NEW, "new.csv"),
    case("columns of upper case", {"new.csv": "A,B,C,D\n1,2,3,4\n"}, NEW, "new.csv"),
    case("an array of another width", {"new.npy": npy(np.ones((2, 9), np.float32))},
         "predict run new.npy", "new.npy", "9", "4"),
    case("a header and no rows", {"new.csv": "a,b,c,d\n"}, NEW, "new.csv", "no rows"),
    case("text instead of numbers", {"new.csv": "a,b,c,d\n1,2,three,4\n"}, NEW, "new.csv", "line 2",
         "'c'", "'three'"),
    case("text in a column of numbers", {"new.csv": ROW + "1,2,three,4\n"}, NEW + " --strict", "new.csv",
         "line 3", "'c'", "'three'", "--strict"),
    case("text where blanks are errors", {"new.csv": ROW + "1,2,three,4\n"}, NEW + " --missing error",
         "new.csv", "line 3", "'c'", "'three'", "--missing auto"),
    case("a missing value", {"new.csv": ROW + "1,2,,4\n"}, NEW + " --missing error",
         "new.csv", "line 3", "'c'", "--missing error"),
    case("probabilities of a regression", {}, "predict regression regression.csv --proba",
         "--proba",
         "regression"),
    case("a file of an unknown kind to write", {}, "predict run test.csv --out p.txt", "p.txt",
         ".csv or .npy"),
    case("a folder that is not there", {}, "predict run test.csv --out no/p.csv", "no/p.csv"),
    case("a file that is there", {}, "predict run test.csv --out val.csv", "val.csv", "exists",
         "--force"),
    case("its own rows as the file to write", {}, "predict run test.csv --out test.csv --force",
         "test.csv"),
    case("a folder to write to", {"p.csv/": None}, "predict run test.csv --out p.csv --force",
         "p.csv",
         "folder"),
    case("fewer than no threads", {}, "predict run test.csv --threads -1", "--threads", "'-1'"),
    case("threads in words", {}, "predict run test.csv --threads two", "--threads", "'two'"),
    case("a million threads", {}, "predict run test.csv --threads 1000000", "--threads",
         "'1000000'"),
    case("an option, nearly right", {}, "predict run test.csv --prob", "--prob", "'--proba'"),
    case("an option of another command", {}, "predict run test.csv --epochs 3", "--epochs"),
    case("evaluate: no targets", {"new.csv": ROW}, "evaluate run new.csv", "new.csv", "'kind'"),
    case("evaluate: no targets in an array", {}, "evaluate run x_test.npy", "x_test.npy",
         "--labels"),
    case("evaluate: labels for other rows", {}, "evaluate run x_test.npy --labels y_train.npy",
         "y_train.npy", "90", "45"),
    case("evaluate: labels that are not there", {}, "evaluate run x_test.npy --labels no.npy",
         "no.npy: cannot open"),
    case("evaluate: a target that is not there", {}, "evaluate run test.csv --target kin",
         "test.csv",
         "'kin'", "'kind'"),
    case("evaluate: text for a regression", {"new.csv": "a,b,c,d,value\n1,2,3,4,much\n"},
         "evaluate regression new.csv", "new.csv", "'much'"),
]
