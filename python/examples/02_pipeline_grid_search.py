"""Choose the memory and the topology by cross-validation, inside a pipeline, with string labels."""
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from gopnet import GOPClassifier

data = load_wine()
labels = data.target_names[data.target]
X_train, X_test, y_train, y_test = train_test_split(data.data, labels, test_size=0.25, random_state=0, stratify=labels)

pipeline = Pipeline([
    ("scale", StandardScaler()),
    # The grid search runs two fits at the same time, so each uses one thread.
    ("gop", GOPClassifier(threads=1, epochs=30, finetune_epochs=10, nodal=["multiplication", "harmonic"],
                          pool=["sum"])),
])
grid = {"gop__memory": ["pca", "lda"], "gop__topology": [[10], [20, 20]]}
search = GridSearchCV(pipeline, grid, cv=3, n_jobs=2).fit(X_train, y_train)
print(f"best: {search.best_params_}, accuracy {search.best_score_:.4f} in cross-validation, "
      f"{search.score(X_test, y_test):.4f} on test rows")
