"""scikit-learn's own checks, for every algorithm with small settings; .ci/run has those of the defaults."""
import pytest
from check_estimators import failures, settings

import gopnet


@pytest.mark.parametrize("estimator", [gopnet.GOPClassifier, gopnet.GOPRegressor])
@pytest.mark.parametrize("algorithm", gopnet.algorithms())
def test_all_checks_pass_and_none_is_skipped(algorithm, estimator):
    count, said = failures(estimator(**settings(algorithm)))
    assert count > 50
    assert said == []
