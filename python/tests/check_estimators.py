#!/usr/bin/env python3
"""All of scikit-learn's checks: every algorithm with small settings, then the defaults. None may be skipped."""
import argparse
import sys
import time
import warnings
from unittest import SkipTest

from sklearn.utils.estimator_checks import check_estimator

import gopnet

SMALL = {"topology": [8], "epochs": 20, "finetune_epochs": 2, "nodal": ["multiplication", "harmonic"], "pool": ["sum"],
         "activation": ["tanh"], "block_size": 10, "max_blocks": 2, "max_layers": 2, "reduced_size": 10}
ESTIMATORS = [gopnet.GOPClassifier, gopnet.GOPRegressor]


def check(estimator):
    """Runs all checks and returns their number; a failure raises, and so does a check that skips itself."""
    checks = list(check_estimator(estimator, generate_only=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for copy, one in checks:
            try:
                one(copy)
            except SkipTest as skipped:
                raise AssertionError(f"{one} was skipped: {skipped}") from skipped
    return len(checks)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--defaults", action="store_true", help="only the defaults")
    arguments = parser.parse_args()
    settings = [] if arguments.defaults else [{"algorithm": name, **SMALL} for name in gopnet.algorithms()]
    for setting in [*settings, {}]:
        for estimator in ESTIMATORS:
            start = time.monotonic()
            count = check(estimator(**setting))
            print(f"{estimator.__name__:14} {setting.get('algorithm', 'defaults'):9} {count} checks "
                  f"{time.monotonic() - start:6.1f} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
