// Trains the networks of a model. Usually that is one. With parameter `ensemble` one search ranks
// the operator sets and the best of them grow a network each; with `folds` each of these is trained
// once for every fold, validated on that fold and trained on the others. Networks are shared among
// threads and ranks like the candidates of a search.
#pragma once

#include "algorithms/algorithm.h"
#include "algorithms/held_out.h"
#include "nn/ensemble.h"

namespace gopnet {

struct TrainedEnsemble {
  Ensemble ensemble;
  // Rows that some network was not trained on, and the average outputs of those networks (as flat
  // as the average of all networks would be): with folds rows of Problem::train, else those of
  // Problem::val.
  Rows held_out;
  Mat outputs;
  double temperature = 1;  // see ModelData
};

TrainedEnsemble TrainEnsemble(const Algorithm& algorithm, const Values& values,
                              const Problem& problem, const Folds& folds, Runtime& rt);

// Bytes that the training of all networks takes at most, beside the rows as prepared. No parameter
// that FitToData chooses by the rows is automatic any more.
double TrainingBytes(const Algorithm& algorithm, const Values& values, const MemoryShape& shape);

}  // namespace gopnet
