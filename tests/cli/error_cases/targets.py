"""Labels, weights and targets, and what the values say of the task."""

import numpy as np

from .case import HEAD, ROWS, TABLE, case, npy, numbers

BAD = "train --train bad.csv"
X = {"x.npy": npy(numbers(30))}
LABELLED = "train --train x.npy --train-labels "


def bad(title, content, options, *parts):
    return case(title, {"bad.csv": content}, BAD + " " + options, *parts)


TARGETS = [
    bad("folds that leave one class", HEAD + "".join(f"{i},{i % 7},y\n" for i in range(60)) + "61,1,x\n",
        "--cv 5", "bad.csv", "--cv 5", "'y'", "fold"),
    bad("a target that is not there", TABLE, "--target kid", "bad.csv", "'kid'", "'kind'"),
    bad("a target given twice", TABLE, "--target b,b", "bad.csv", "'b'", "twice"),
    bad("a target by name and by index", TABLE, "--target b,1", "bad.csv", "'1'", "twice"),
    bad("an index beyond the columns", TABLE, "--target 3", "bad.csv", "'3'", "a, b, kind",
        "0 to 2"),
    bad("a negative index", TABLE, "--target -1", "bad.csv", "'-1'", "0 to 2"),
    bad("an index beyond the columns, no header", ROWS, "--target 3", "bad.csv", "'3'", "0 to 2"),
    bad("a name without a header", ROWS, "--target kind", "bad.csv", "'kind'", "no header",
        "0 to 2"),
    bad("every column a target", TABLE, "--target a,b,kind", "bad.csv", "3 column"),
    bad("several targets, one of them text", TABLE, "--target b,kind", "bad.csv", "'kind'", "'x'"),
    bad("several targets for classes", "a,b,y\n" + "1,2,3\n4,5,6\n" * 20,
        "--target a,b --task classification", "bad.csv", "2 target columns"),
    bad("a missing target", TABLE + "1,2,\n", "--missing error", "bad.csv", "line 42", "'kind'", "missing"),
    bad("a weight column that is not there", TABLE, "--weight-column q", "bad.csv", "'q'",
        "a, b, kind"),
    bad("a weight column that is the target", TABLE, "--weight-column kind --target kind",
        "bad.csv",
        "'kind'"),
    bad("a negative weight", TABLE + "-0.5,2,x\n", "--weight-column a", "bad.csv", "line 42",
        "-0.5", "0 or more"),
    bad("weights that are all 0", HEAD + "0,1,x\n0,2,y\n" * 20, "--weight-column a", "bad.csv",
        "column 'a'", "all weights are 0"),
    bad("a weight that is no number", TABLE + "much,2,x\n", "--weight-column a", "bad.csv",
        "line 42", "'much'"),
    case("labels for another number of rows", {},
         "train --train x_train.npy --train-labels y_val.npy",
         "y_val.npy", "45", "x_train.npy", "90"),
    case("labels and a target", {},
         "train --train x_train.npy --train-labels y_train.npy --target 0",
         "y_train.npy", "'0'"),
    case("labels that are missing", {}, LABELLED.replace("x.npy", "x_train.npy") + "no.npy",
         "no.npy: cannot open"),
    case("labels of three dimensions", {**X, "y.npy": npy(np.zeros((30, 1, 1)))},
         LABELLED + "y.npy",
         "y.npy", "(30, 1, 1)"),
    case("labels that are NaN", {**X, "y.npy": npy(np.full(30, np.nan))}, LABELLED + "y.npy",
         "y.npy",
         "row 0", "29 other rows"),
    case("a label beyond int64", {**X, "y.npy": npy(np.full(30, 2**64 - 1, np.uint64))},
         LABELLED + "y.npy", "y.npy", "18446744073709551615", "int64"),
    case("a table of weights", {**X, "w.npy": npy(np.ones((30, 2)))}, "train --train x.npy "
         "--train-weights w.npy", "w.npy", "2 columns"),
    case("weights for another number of rows", {**X, "w.csv": "1\n" * 29},
         "train --train x.npy --train-weights w.csv", "w.csv", "29", "30"),
    case("a weights file and a weight column", {**X, "w.csv": "1\n" * 30},
         "train --train x.npy --train-weights w.csv --weight-column 0", "w.csv", "'0'"),
    case("validation labels without rows", {}, "train --train train.csv --val-labels y_val.npy",
         "--val-labels", "--val"),
    case("rows with labels, validation rows without", {},
         "train --train x_train.npy --train-labels y_train.npy --val x_val.npy", "--val-labels"),
    case("validation rows that are not there", {}, "train --train train.csv --val no.csv",
         "no.csv: cannot open"),
    case("validation rows of another table", {}, "train --train train.csv --val regression.csv",
         "regression.csv", "'kind'"),
    case("test rows of another width", {"t.npy": npy(numbers(9, 7))},
         "train --train x_train.npy --test t.npy", "t.npy", "6", "3"),
    case("validation rows with unknown labels only",
         {"v.csv": "a,b,c,d,kind\n" + "1,2,3,4,dog\n" * 9}, "train --train train.csv --val v.csv",
         "v.csv", "9 rows", "'ant'"),
]

TASKS = [
    bad("one class", HEAD + "1,2,x\n2,3,x\n3,4,x\n", "", "bad.csv", "class", "'x'"),
    bad("an unknown task", TABLE, "--task regresion", "--task", "'regresion'", "'regression'"),
    bad("text as values", TABLE, "--task regression", "bad.csv", "line 2", "'kind'", "'x'",
        "number"),
    bad("fractions as classes", "a,y\n" + "1,0.5\n2,1\n" * 20, "--task classification",
        "bad.csv", "line 2", "0.5", "--task regression"),
    bad("an infinite target", "a,y\n" + "1,0.5\n2,inf\n" * 20, "", "bad.csv", "line 3", "'y'",
        "infinite"),
    bad("a target beyond float32", "a,y\n" + "1,0.5\n2,1e39\n" * 20, "", "bad.csv", "line 3", "'y'",
        "1e+39", "float32"),
    bad("a target that is always the same", "a,y\n" + "".join(f"{i},0.5\n" for i in range(40)), "",
        "bad.csv", "0.5", "every row"),
    bad("cross-entropy of values", "a,y\n" + "1,0.5\n2,1.5\n" * 20, "--loss cross_entropy", "loss",
        "'cross_entropy'", "mse"),
    bad("r2 of classes", TABLE, "--metric r2", "metric", "'r2'", "accuracy"),
    bad("accuracy of values", "a,y\n" + "1,0.5\n2,1.5\n" * 20, "--metric accuracy", "metric",
        "'accuracy'", "r2"),
    bad("an unknown metric", TABLE, "--metric f1", "metric", "'f1'", "f1_macro"),
    bad("class weights for values", "a,y\n" + "1,0.5\n2,1.5\n" * 20, "--class-weight balanced",
        "class_weight", "'balanced'"),
    bad("the weight of an unknown class", TABLE, "--class-weight x:2,z:1", "class_weight", "'z'"),
    bad("class weights that are no pairs", TABLE, "--class-weight heavy", "class_weight", "'heavy'",
        "cat:2,dog:1"),
    bad("a negative class weight", TABLE, "--class-weight x:-2", "class_weight", "'-2'"),
    bad("class weights that leave one class", TABLE, "--class-weight x:0", "bad.csv", "'y'"),
]
