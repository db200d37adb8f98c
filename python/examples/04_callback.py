"""A callback that stops training when time is up and keeps the best network so far."""
import time

from sklearn.datasets import load_diabetes

import gopnet


class TimeLimit(gopnet.Callback):
    """Stops training after the first layer that ends after `seconds`."""

    def __init__(self, seconds):
        self.seconds = seconds

    def on_start(self, event):
        self.end = time.monotonic() + self.seconds
        print(f"{event.algorithm} on {event.data['train']} rows")

    def on_layer(self, event):
        fate = "accepted" if event.accepted else "dropped, it does not improve"
        print(f"layer {event.layer}: {'/'.join(event.operator_set)}, {event.val['r2']:.4f}, {fate}")
        return time.monotonic() < self.end

    def on_epoch(self, event):
        return time.monotonic() < self.end


X, y = load_diabetes(return_X_y=True)
result = gopnet.train(X, y, epochs=30, topology=[10] * 8, patience=8, callbacks=TimeLimit(0.5))
print(f"{len(result.model.layers)} layers, {'finished' if result.finished else 'stopped in time'}")
