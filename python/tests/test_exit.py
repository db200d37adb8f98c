"""The process exits cleanly while daemon threads train or predict."""
import subprocess
import sys

import pytest

START = """
import threading, time
import numpy as np, gopnet
rng = np.random.default_rng(0)
X, y = rng.normal(size=(3000, 10)).astype("f4"), rng.integers(3, size=3000)
def background(work):
    threading.Thread(target=work, daemon=True).start()
    time.sleep(0.5)
"""


@pytest.mark.parametrize("work", [
    "background(lambda: gopnet.GOPClassifier(epochs=100000, search='exhaustive').fit(X, y))",
    "m = gopnet.train(X, y, topology=[4], epochs=2, finetune_epochs=1, progress=False).model\n"
    "big = np.repeat(X, 200, axis=0)\n"
    "background(lambda: [m.predict(big) for _ in range(1000)])",
])
def test_with_a_daemon_thread_at_work(work):
    done = subprocess.run([sys.executable, "-c", START + work], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "terminate" not in done.stderr


def test_a_forked_child_does_not_wait_for_its_parents_threads():
    work = ("import os\nbackground(lambda: gopnet.GOPClassifier(epochs=100000, search='exhaustive').fit(X, y))\n"
            "child = os.fork()\n"
            "if child: raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))")
    assert subprocess.run([sys.executable, "-c", START + work], timeout=120).returncode == 0
