"""Ranks killed at random times. A separate file, since it takes as long as all other tests of ranks together."""

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
def test_a_killed_rank_loses_only_work_in_progress(tmp_path):
    played, _ = kill_ranks.play(PROGRAM, tmp_path, KILLS, random.randrange(10**6))
    assert [one.line() for one in played if one.problem] == []
