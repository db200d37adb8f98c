"""scikit-learn's checks, for every algorithm with small settings; .ci/run checks the defaults."""
import pytest
from check_estimators import failures, settings

import gopnet


@pytest.mark.parametrize("estimator", [gopnet.GOPClassifier, gopnet.GOPRegressor])
@pytest.mark.parametrize("algorithm", gopnet.algorithms())
def test_all_checks_pass_and_none_is_skipped(algorithm, estimator):
    count, messages = failures(estimator(**settings(algorithm)))
    assert count > 50
    assert messages == []
