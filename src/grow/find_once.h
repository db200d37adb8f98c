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
decltype(auto) Fields(auto& a, Found<Record>& found) {
  return a(found.proposal, found.record);
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

// What find() finds, an optional Found. It is not called if an earlier part of the run found it;
// what was kept counts only if it is the result of this search.
template <class Record, class Find>
std::optional<Found<Record>> FindOnce(Runtime& rt, const LayerTask& task, const Find& find) {
  const std::string stage =
      StageName(rt, static_cast<int>(task.key.layer), static_cast<int>(task.key.block), "search");
  std::optional<Found<Record>> found;
  if (const auto bytes = rt.store->Load(stage))
    found = FromState<Found<Record>>(
        *bytes, [&](const auto& known) { CheckShapes(known.proposal, task, ""); });
  if (found) return found;
  found = find();
  if (found && rt.store->keeps()) rt.store->Save(stage, ToState(*found));
  return found;
}

}  // namespace gopnet
