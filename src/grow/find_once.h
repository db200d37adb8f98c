// A trained proposal and the record of how it came about, kept by the run under the layer and block
// that it is for: a search that was finished is not done again.
#pragma once

#include <optional>

#include "nn/state.h"
#include "train/runtime.h"
#include "train/train_layer.h"

namespace gopnet {

template <class Record>
struct Found {
  LayerProposal proposal;
  Record record;
};

template <class A>
void Fields(A& a, LayerProposal& p) {
  a(p.block, p.output, p.score, p.best_epoch);
}

// Throws Error, naming `source`, unless the proposal is one for this task.
void CheckShapes(const LayerProposal& proposal, const LayerTask& task, const std::string& source);

inline std::string SearchStage(const Runtime& rt, const LayerTask& task) {
  return StageName(rt, static_cast<int>(task.key.layer), static_cast<int>(task.key.block),
                   "search");
}

// What an earlier part of the run found. Nothing if it did not come so far, or if what was kept is
// not the result of this search.
template <class Record>
std::optional<Found<Record>> FoundBefore(Runtime& rt, const LayerTask& task) {
  const auto bytes = rt.store->Load(SearchStage(rt, task));
  if (!bytes) return std::nullopt;
  Found<Record> known;
  ArchiveReader read(*bytes, "");
  try {
    read(known.proposal, known.record);
    read.End();
    CheckShapes(known.proposal, task, "");
  } catch (const Error&) {
    return std::nullopt;
  }
  return known;
}

// What find() finds, which is not called if an earlier part of the run found it. It returns an
// optional Found.
template <class Record, class Find>
std::optional<Found<Record>> FindOnce(Runtime& rt, const LayerTask& task, const Find& find) {
  if (auto known = FoundBefore<Record>(rt, task)) return known;
  std::optional<Found<Record>> found = find();
  if (!found || !rt.store->keeps()) return found;
  ArchiveWriter write;
  write(found->proposal, found->record);
  rt.store->Save(SearchStage(rt, task), write.Take());
  return found;
}

}  // namespace gopnet
