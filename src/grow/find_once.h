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

template <class Record>
void Fields(auto& a, Found<Record>& found) {
  a(found.proposal, found.record);
}

// A candidate of the search for this layer and block.
inline WorkKey CandidateKey(const Runtime& rt, const LayerTask& task, int candidate,
                            int attempt = 0, int epochs = 0) {
  return {rt.variant,
          static_cast<int>(task.key.layer),
          static_cast<int>(task.key.block),
          attempt,
          candidate,
          epochs};
}

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
  return FromState<Found<Record>>(
      *bytes, [&](const auto& found) { CheckShapes(found.proposal, task, ""); });
}

// What find() finds, which is not called if an earlier part of the run found it. It returns an
// optional Found.
template <class Record, class Find>
std::optional<Found<Record>> FindOnce(Runtime& rt, const LayerTask& task, const Find& find) {
  if (auto known = FoundBefore<Record>(rt, task)) return known;
  std::optional<Found<Record>> found = find();
  if (found && rt.store->keeps()) rt.store->Save(SearchStage(rt, task), ToState(*found));
  return found;
}

}  // namespace gopnet
