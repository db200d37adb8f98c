"""Ranks that are killed at random instants. A file of its own, since it takes as long as the other tests of ranks together."""

import os
import pathlib
import random

import pytest

import jobs
import kill_ranks

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("GOPNET", ROOT / "build" / "release" / "cli" / "gopnet")).resolve()
KILLS = int(os.environ.get("GOPNET_RANK_KILLS", 3))


@pytest.mark.skipif(bool(jobs.missing()), reason=str(jobs.missing()))
def test_killed_ranks_cost_no_more_than_what_was_in_flight(tmp_path):
    played, _ = kill_ranks.play(PROGRAM, tmp_path, KILLS, random.randrange(10**6))
    assert [one.line() for one in played if one.problem] == []
