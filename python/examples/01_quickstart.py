"""Train a classifier, print its layers, and save it for the command line."""
import pathlib
import tempfile

from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import gopnet

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.2, random_state=0, stratify=y)

clf = gopnet.GOPClassifier(preset="fast", topology=[40], epochs=30).fit(X_train, y_train)
print(f"accuracy on test rows: {clf.score(X_test, y_test):.4f}")
for layer in clf.layers_:
    print(f"{layer['units']} neurons {'/'.join(layer['operator_set'])}, memory of {layer['memory']['dims']}")

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "model.safetensors"
    clf.model_.save(path)  # gopnet predict model.safetensors NEW_ROWS
    model = gopnet.Model.load(path)
    assert (model.predict(X_test) == clf.predict(X_test)).all()
    print(model)
