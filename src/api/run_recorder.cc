#include "api/run_recorder.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "api/json_values.h"
#include "api/model_impl.h"
#include "gopnet/report.h"
#include "kernels/simd.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::string RowsFingerprint(const Prepared& p) {
  XXH3_state_t* state = XXH3_createState();
  XXH3_128bits_reset(state);
  const auto add = [&](const void* bytes, size_t size) {
    if (size > 0) XXH3_128bits_update(state, bytes, size);
  };
  for (const Rows* rows : {&p.problem.train, &p.problem.val, &p.test}) {
    add(rows->x.data(), rows->x.rows() * rows->x.stride() * sizeof(float));
    add(rows->labels.data(), rows->labels.size() * sizeof(int32_t));
    add(rows->targets.data(), rows->targets.rows() * rows->targets.stride() * sizeof(float));
    add(rows->weights.data(), rows->weights.size() * sizeof(float));
  }
  const std::string model = SerializeModel(p.model);
  add(model.data(), model.size());
  const XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

Json RunConfig(const TrainOptions& options, const std::string& algorithm, const Values& values,
               const Prepared& p) {
  return {{"version", GOPNET_VERSION},
          {"algorithm", algorithm},
          {"parameters", ValuesJson(algorithm, values)},
          {"simd", CurrentSimd()},
          {"source", options.source},
          {"data",
           {{"fingerprint", RowsFingerprint(p)},
            {"train", p.problem.train.size()},
            {"val", p.problem.val.size()},
            {"test", p.test.size()},
            {"features", p.problem.train.x.cols()}}}};
}

void RunRecorder::Journal(const Json& line) {
  if (book_) book_->Journal(line);
}

void RunRecorder::Checkpoint(ModelData model, const History& history) {
  if (book_) book_->Checkpoint(SerializeModel(model));
  const std::lock_guard lock(mutex_);
  if (inner_) inner_->OnCheckpoint(MakeModel(std::move(model)), history);
}

void RunRecorder::Keep() {
  if (book_) book_->Keep();
}

void RunRecorder::Finish(const std::string& model_bytes, const History& history) {
  if (!book_) return;
  const std::string model = (std::filesystem::path(folder_) / "model.safetensors").string();
  book_->Finish(model_bytes, ToJson(history, model) + "\n");
}

void RunRecorder::OnStart(const History& history) {
  const std::lock_guard lock(mutex_);
  if (inner_) inner_->OnStart(history);
}

void RunRecorder::OnCandidate(const CandidateEvent& event) {  // the ledger has its line
  const std::lock_guard lock(mutex_);
  if (inner_) inner_->OnCandidate(event);
}

void RunRecorder::OnGrid(const GridEvent& event) {  // likewise
  const std::lock_guard lock(mutex_);
  if (inner_) inner_->OnGrid(event);
}

void RunRecorder::OnBlock(const BlockRecord& block, int layer, int index, bool accepted) {
  const std::lock_guard lock(mutex_);
  Journal({{"event", "block"},
           {"variant", variant_},
           {"layer", layer},
           {"block", index},
           {"accepted", accepted},
           {"units", block.units},
           {"operator_set", block.operator_set},
           {"val", block.val},
           {"seconds", block.seconds}});
  if (inner_) inner_->OnBlock(block, layer, index, accepted);
}

void RunRecorder::OnLayer(const LayerRecord& layer, int index, bool accepted) {
  const std::lock_guard lock(mutex_);
  Journal({{"event", "layer"},
           {"variant", variant_},
           {"layer", index},
           {"accepted", accepted},
           {"units", layer.units},
           {"operator_set", layer.operator_set},
           {"val", layer.val},
           {"seconds", layer.seconds}});
  if (inner_) inner_->OnLayer(layer, index, accepted);
}

void RunRecorder::OnFinetuneEpoch(int epoch, int epochs, const Metrics& val) {
  const std::lock_guard lock(mutex_);
  if (inner_) inner_->OnFinetuneEpoch(epoch, epochs, val);
}
void RunRecorder::OnWarning(const std::string& message) {
  const std::lock_guard lock(mutex_);
  if (inner_) inner_->OnWarning(message);
}
bool RunRecorder::Continue() {
  const std::lock_guard lock(mutex_);
  if (book_ && book_->failed()) return false;
  if (go_on_ && !go_on_()) return false;
  return inner_ == nullptr || inner_->Continue();
}

}  // namespace gopnet
