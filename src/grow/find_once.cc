#include "grow/find_once.h"

namespace gopnet {

void CheckShapes(const LayerProposal& proposal, const LayerTask& task, const std::string& source) {
  CheckShapes(proposal.block, task.x_train.cols, source);
  CheckShapes(proposal.output, task.units + task.g_train.cols, task.problem.outputs, source);
  Check(proposal.block.norm == Norm::kBatch, source,
        ": neurons without batch normalisation, which the run has");
  Check(proposal.block.units() == task.units, source, ": ", proposal.block.units(),
        " neurons, the run has ", task.units);
}

}  // namespace gopnet
