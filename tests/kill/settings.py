"""Settings of the kill tests: every algorithm, with runs of about a second."""

import gzip
import pathlib
import shlex
import shutil

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "data"

DIGITS = "--train digits.csv --test-split 0.1 "
DIABETES = "--train diabetes.csv --test-split 0.1 "
SETTINGS = {
    "popfast": DIGITS + "--algorithm popfast --ensemble 1 --search exhaustive --topology 20,20 --epochs 12"
                        " --finetune-epochs 150 --layer-threshold 0",
    "popmem-o": DIGITS + "--algorithm popmem-o --ensemble 1 --memory pca --topology 16,16,16 --epochs 27"
                         " --finetune-epochs 150 --layer-threshold 0",
    "popmem-h": DIGITS + "--algorithm popmem-h --ensemble 1 --memory lda --topology 20,20,20 --epochs 54"
                         " --finetune-epochs 150 --layer-threshold 0",
    "popmem-h-small": DIGITS + "--algorithm popmem-h --ensemble 1 --topology 12,12,12 --epochs 27"
                               " --finetune-epochs 60 --layer-threshold 0",
    "popmem-o-best-of-two": DIGITS + "--algorithm popmem-o --ensemble 1 --set regulariser=best_of_two"
                                     " --topology 16,16 --epochs 27 --finetune-epochs 100",
    "pop": DIGITS + "--algorithm pop --ensemble 1 --topology 8,8,8 --epochs 30 --layer-threshold 0"
                    " --finetune-epochs 150",
    "pop-best-of-two": DIABETES + "--algorithm pop --ensemble 1 --set regulariser=best_of_two --topology 8,8"
                                  " --epochs 9 --finetune-epochs 100",
    "default": DIGITS + "--topology 12,12 --epochs 12 --search-epochs 9",
    "folds": DIABETES + "--ensemble 3 --folds 3 --topology 8,8 --epochs 9 --search-epochs 9",
    "folds-pinball": DIABETES + "--loss pinball --quantile 0.9 --ensemble 3 --folds 3 --topology 8,8 --epochs 9"
                                " --search-epochs 9",
    "hemlgop": DIGITS + "--algorithm hemlgop --max-layers 2 --max-blocks 3 --finetune-epochs 50",
    "homlgop": DIGITS + "--algorithm homlgop --max-layers 2 --max-blocks 3 --finetune-epochs 50",
    "hemlrn": DIGITS + "--algorithm hemlrn --max-layers 2 --max-blocks 3 --finetune-epochs 100",
    "homlrn": DIABETES + "--algorithm homlrn --max-layers 2 --max-blocks 4 --finetune-epochs 100",
    "bls": DIGITS + "--algorithm bls --block-size 40 --max-blocks 24 --block-patience 24",
    "bls-grid": DIABETES + "--algorithm bls --grid paper --block-size 20 --max-blocks 12",
    "s-elm": DIGITS + "--algorithm s-elm --block-size 200 --max-layers 8 --patience 8",
    "pln": DIGITS + "--algorithm pln --block-size 40 --max-blocks 12 --patience 4"
                    " --layer-threshold 0",
    "pln-grid": DIGITS + "--algorithm pln --grid paper --max-layers 2 --max-blocks 4",
    "popmem-o-regression": DIABETES + "--algorithm popmem-o --ensemble 1 --topology 20,20,20 --epochs 108"
                                      " --finetune-epochs 600 --layer-threshold 0",
    "popfast-regression": DIABETES + "--algorithm popfast --ensemble 1 --topology 20,20 --epochs 108"
                                     " --finetune-epochs 600",
    "hemlgop-regression": DIABETES + "--algorithm hemlgop --max-layers 2 --max-blocks 3"
                                     " --finetune-epochs 100",
}


def write_data(folder):
    """digits.csv (the first 600 rows) and diabetes.csv."""
    with gzip.open(EXAMPLES / "digits.csv.gz", "rt") as rows:
        (folder / "digits.csv").write_text("".join(row for row, _ in zip(rows, range(601))))
    shutil.copy(EXAMPLES / "diabetes.csv", folder)


def arguments(name, seed):
    """The options of `gopnet train` except --out and --threads."""
    return [*shlex.split(SETTINGS[name]), "--seed", str(seed)]


def named(algorithms):
    """The settings in a list such as "pop,bls", by name of the algorithm or of the setting."""
    wanted = set(algorithms.split(","))
    found = [name for name, words in SETTINGS.items()
             if wanted & {"all", name, shlex.split(words)[5]}]
    if not found:
        raise SystemExit(f"no settings for {algorithms}; choose from {', '.join(SETTINGS)}")
    return found
