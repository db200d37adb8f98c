"""Stop training after a time limit with a callback, and keep the best network so far."""
import time

from sklearn.datasets import load_diabetes

import gopnet


class TimeLimit(gopnet.Callback):
    """Stops training after the given number of seconds, but not before the search for operators."""

    def __init__(self, seconds):
        self.seconds = seconds

    def on_start(self, event):
        self.end = time.monotonic() + self.seconds
        print(f"{event.algorithm} on {event.data['train']} rows")

    def on_layer(self, event):
        what = "best operator set" if event.ranks_only else f"layer {event.layer}"
        print(f"{what}: {'/'.join(event.operator_set)}, r2 {event.val['r2']:.4f}")
        return time.monotonic() < self.end

    def on_epoch(self, event):  # called for every network of the average
        return time.monotonic() < self.end

    def on_member(self, event):
        print(f"network {event.network} of {event.total}: r2 {event.val['r2']:.4f}")


X, y = load_diabetes(return_X_y=True)
result = gopnet.train(X, y, epochs=30, topology=[10] * 8, patience=8, callbacks=TimeLimit(0.5))
print(f"{len(result.model.layers)} layers, {'finished' if result.finished else 'stopped by the time limit'}")
