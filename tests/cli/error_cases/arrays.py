"""NumPy files: .npy and .npz."""

import numpy as np

from .case import case, npy, npz, numbers, zipped

HOLED = numbers(30)
HOLED[4, 1] = HOLED[5, 0] = np.nan
HUGE = numbers(30).astype(np.float64)
HUGE[7, 1] = 1e60


def bad(title, content, *parts, options=""):
    return case(title, {"x.npy": content}, "train --train x.npy" + options, "x.npy", *parts)


def archive(title, content, key, *parts):
    return case(title, {"x.npz": content}, f"train --train x.npz{key}", "x.npz", *parts)


NPY = [
    bad("nothing", b"", ".npy"),
    bad("text under the name .npy", "a,b\n1,2\n", "not a .npy file"),
    bad("cut short", npy(numbers(30))[:-7], "(30, 3)", "cut short"),
    bad("cut within the header", npy(numbers(30))[:40], "header", "cut short"),
    bad("three dimensions", npy(np.zeros((4, 3, 2), np.float32)), "(4, 3, 2)",
        "one or two dimensions"),
    bad("one dimension", npy(np.zeros(30, np.float32)), "(30,)", "(rows, columns)"),
    bad("no dimensions", npy(np.float32(3)), "()"),
    bad("no rows", npy(np.zeros((0, 3), np.float32)), "no rows", "(0, 3)"),
    bad("no columns", npy(np.zeros((3, 0), np.float32)), "no columns", "(3, 0)"),
    bad("Python objects", npy(np.array([[1, None]] * 9, object), allow_pickle=True), "'|O'",
        "plain numbers"),
    bad("complex numbers", npy(numbers(30).astype(np.complex64)), "'<c8'", "floats"),
    bad("dates", npy(np.zeros((9, 2), "M8[s]")), "M8[s]"),
    bad("text", npy(np.array([["a", "b"]] * 9)), "text", "numbers"),
    bad("fields with names", npy(np.zeros(9, [("a", "f4"), ("b", "f4")])), "plain numbers"),
    bad("big-endian", npy(numbers(30).astype(">f8")), "'>f8'", "little-endian"),
    bad("missing values", npy(HOLED), "2 values", "row 4, column 1", "--missing",
        options=" --missing error"),
    bad("a number beyond float32", npy(HUGE), "row 7, column 1", "finite"),
    bad("a target that is missing", npy(np.where(np.arange(3) == 2, np.nan, numbers(9))), "row 0",
        "target",
        "missing"),
    bad("a column by name", npy(numbers(30)), "'age'", "0 to 2", options=" --target age"),
]

NPZ = [
    archive("several arrays and none named", npz(x=numbers(9), y=numbers(9)), "", "2 arrays",
            "x.npz:x, x.npz:y"),
    archive("a name that is not there", npz(images=numbers(9), y=numbers(9)), ":image",
            "'image'", "'images'"),
    archive("no arrays", npz(), "", "no arrays"),
    archive("something that is no array", zipped("readme.txt", "hello"), ":readme", "no arrays"),
    archive("an entry that is no .npy file", zipped("x.npy", "hello"), "", "x.npz:x",
            "not a .npy file"),
    archive("cut short", npz(x=numbers(99))[:-30], "", ".npz"),
    archive("a changed byte", npz(x=numbers(99)).replace(numbers(99).tobytes()[:12], b"x" * 12, 1),
            "", "damaged"),
    archive("encrypted", zipped("x.npy", npy(numbers(9)), encrypted=True), "", "'x.npy'",
            "encrypted"),
    archive("an archive that is none", "PK", "", ".npz"),
    case("a key of an .npy file", {"x.npy": npy(numbers(9))}, "train --train x.npy:x", "x.npy:x"),
    case("a key in an archive that is not there", {}, "train --train no.npz:x",
         "no.npz: cannot open"),
]
