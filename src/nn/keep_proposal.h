// A trained proposal and the record of how it came about, kept in the run's ledger under the layer
// and block that it is for: a search that was finished is not done again.
#pragma once

#include <optional>
#include <utility>

#include "nn/runtime.h"
#include "nn/state.h"
#include "nn/train_layer.h"

namespace gopnet {

inline std::string ProposalStage(const Runtime& rt, const LayerTask& task) {
  return StageName(rt, static_cast<int>(task.key.layer), static_cast<int>(task.key.block),
                   "search");
}

template <class A>
void Fields(A& a, LayerProposal& p) {
  a(p.block, p.output, p.score, p.best_epoch);
}

// Throws Error, naming `source`, unless the proposal is one for this task.
void CheckShapes(const LayerProposal& proposal, const LayerTask& task, const std::string& source);

template <class Record>
void KeepProposal(Runtime& rt, const LayerTask& task, const LayerProposal& proposal,
                  const Record& record) {
  if (!rt.ledger->keeps()) return;
  ArchiveWriter write;
  write(proposal, record);
  rt.ledger->Save(ProposalStage(rt, task), write.Take());
}

// Nothing if the search was not finished, or if what is kept is not its result.
template <class Record>
std::optional<std::pair<LayerProposal, Record>> RecallProposal(Runtime& rt, const LayerTask& task) {
  const auto bytes = rt.ledger->Load(ProposalStage(rt, task));
  if (!bytes) return std::nullopt;
  std::pair<LayerProposal, Record> known;
  ArchiveReader read(*bytes, "");
  try {
    read(known.first, known.second);
    read.End();
    CheckShapes(known.first, task, "");
  } catch (const Error&) {
    return std::nullopt;
  }
  return known;
}

}  // namespace gopnet
