"""Plot the validation accuracy of each nodal operator with each pool as a heat map.

Writes operator_sets.png to the current folder.
"""
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

import gopnet


class Scores(gopnet.Callback):
    """Keeps the best validation score of every pair of nodal operator and pool in the first layer."""

    def __init__(self):
        self.nodal = [info["name"] for info in gopnet.operators("nodal")]
        self.pool = [info["name"] for info in gopnet.operators("pool")]
        self.best = np.full((len(self.nodal), len(self.pool)), np.nan)

    def on_candidate(self, event):
        if event.layer == 1 and not event.diverged:
            nodal, pool, _ = event.operator_set
            at = self.nodal.index(nodal), self.pool.index(pool)
            self.best[at] = np.fmax(self.best[at], event.val[event.metric])


X, y = load_digits(return_X_y=True)
scores = Scores()
# An exhaustive search trains every set for all epochs, so that scores are comparable.
gopnet.train(X, y, topology=[20], epochs=6, finetune_epochs=0, search="exhaustive", callbacks=scores)

figure, axes = plt.subplots(figsize=(6, 5), layout="constrained")
image = axes.imshow(scores.best, cmap="viridis")
axes.set_xticks(range(len(scores.pool)), scores.pool, rotation=20)
axes.set_yticks(range(len(scores.nodal)), scores.nodal)
for (i, j), score in np.ndenumerate(scores.best):
    dark = image.norm(score) < 0.6
    axes.text(j, i, f"{score:.3f}", ha="center", va="center", color="white" if dark else "black")
axes.set_title("Digits: first layer by operators")
figure.colorbar(image, label="validation accuracy")
figure.savefig("operator_sets.png")
nodal, pool = np.unravel_index(np.nanargmax(scores.best), scores.best.shape)
print(f"best: {scores.nodal[nodal]} with {scores.pool[pool]}, {np.nanmax(scores.best):.4f}")
