#!/usr/bin/env python3
"""Run all of scikit-learn's checks: every algorithm with small settings, then the defaults. None may be skipped."""
import argparse
import sys
import time
import warnings

from sklearn.utils.estimator_checks import check_estimator

import gopnet

SMALL = {"topology": [10], "epochs": 150, "finetune_epochs": 2, "nodal": ["multiplication", "harmonic"], "pool": ["sum"],
         "activation": ["tanh"], "dropout": 0.1, "block_size": 10, "max_blocks": 2, "max_layers": 2,
         "reduced_size": 10}


def settings(algorithm):
    """Return the small settings that the algorithm has; setting others is an error."""
    own = gopnet.parameters(algorithm)
    return {"algorithm": algorithm, **{name: value for name, value in SMALL.items() if name in own}}


def failures(estimator):
    """Return the number of checks, and the messages of those that failed or were skipped."""
    checks = list(check_estimator(estimator, generate_only=True))
    said = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for copy, check in checks:
            try:
                check(copy)
            except Exception as error:  # includes SkipTest
                said.append(f"{check.func.__name__}: {type(error).__name__}: {str(error)[:300]}")
    return len(checks), said


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("algorithms", nargs="*", default=[*gopnet.algorithms(), "defaults"])
    failed = 0
    for algorithm in parser.parse_args().algorithms:
        chosen = {} if algorithm == "defaults" else settings(algorithm)
        for estimator in [gopnet.GOPClassifier, gopnet.GOPRegressor]:
            start = time.monotonic()
            count, said = failures(estimator(**chosen))
            print(f"{estimator.__name__:14} {algorithm:9} {count} checks, {len(said)} failed or skipped "
                  f"{time.monotonic() - start:6.1f} s", *said, sep="\n  ", flush=True)
            failed += len(said)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
