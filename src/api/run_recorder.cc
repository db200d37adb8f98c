#include "api/run_recorder.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <exception>
#include <nlohmann/json.hpp>

#include "api/json_values.h"
#include "base/check.h"
#include "gopnet/report.h"
#include "kernels/simd.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;

// Names the data by their content: scaled features, labels and targets, in canonical order.
std::string Fingerprint(const Problem& problem) {
  XXH3_state_t* state = XXH3_createState();
  XXH3_128bits_reset(state);
  for (const Rows* rows : {&problem.train, &problem.val}) {
    XXH3_128bits_update(state, rows->x.data(), rows->x.rows() * rows->x.stride() * sizeof(float));
    XXH3_128bits_update(state, rows->labels.data(), rows->labels.size() * sizeof(int32_t));
    XXH3_128bits_update(state, rows->targets.data(),
                        rows->targets.rows() * rows->targets.stride() * sizeof(float));
    XXH3_128bits_update(state, rows->weights.data(), rows->weights.size() * sizeof(float));
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state);
  XXH3_freeState(state);
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

Json ConfigJson(const std::string& algorithm, const Values& values, const Prepared& p) {
  return {{"version", GOPNET_VERSION},
          {"algorithm", algorithm},
          {"parameters", ValuesJson(algorithm, values)},
          {"simd", CurrentSimd()},
          {"data",
           {{"fingerprint", Fingerprint(p.problem)},
            {"train", p.problem.train.size()},
            {"val", p.problem.val.size()},
            {"features", p.problem.train.x.cols()}}}};
}

}  // namespace

RunRecorder::RunRecorder(const TrainOptions& options, const std::string& algorithm,
                         const Values& values, const Prepared& p)
    : inner_(options.observer) {
  if (options.run_folder.empty()) return;
  folder_ = std::make_unique<RunFolder>(options.run_folder);
  folder_->Write("config.json", ConfigJson(algorithm, values, p).dump(2) + "\n");
}

RunRecorder::~RunRecorder() = default;

void RunRecorder::Checkpoint(const std::string& model_bytes) {
  if (folder_) folder_->Write("checkpoint.safetensors", model_bytes);
}

void RunRecorder::Keep() {
  if (folder_) folder_->Keep();
}

void RunRecorder::Finish(const std::string& model_bytes, const History& history) {
  if (!folder_) return;
  folder_->Write("model.safetensors", model_bytes);
  folder_->Write("metrics.json", ToJson(history, folder_->PathOf("model.safetensors")) + "\n");
  folder_->Journal(Json{{"event", "done"}}.dump());
  folder_->Keep();
}

void RunRecorder::OnStart(const History& history) {
  const std::lock_guard lock(mutex_);
  if (folder_)
    folder_->Journal(
        Json{{"event", "start"}, {"algorithm", history.algorithm}, {"data", history.data}}.dump());
  if (inner_) inner_->OnStart(history);
}

void RunRecorder::OnCandidate(const CandidateEvent& e) {
  const std::lock_guard lock(mutex_);
  if (folder_) {
    folder_->Journal(Json{
        {"event", "candidate"},
        {"layer", e.layer},
        {"operator_set", e.operator_set},
        {"output_set", e.output_set},
        {"val", e.val},
        {"epochs", e.epochs},
        {"diverged",
         e.diverged}}.dump());
  }
  if (inner_) inner_->OnCandidate(e);
}

void RunRecorder::OnGrid(const GridEvent& e) {
  const std::lock_guard lock(mutex_);
  if (folder_)
    folder_->Journal(Json{{"event", "grid"}, {"setting", e.setting}, {"val", e.val}}.dump());
  if (inner_) inner_->OnGrid(e);
}

void RunRecorder::OnBlock(const BlockRecord& block, int layer, int index, bool accepted) {
  const std::lock_guard lock(mutex_);
  if (folder_) {
    folder_->Journal(Json{
        {"event", "block"},
        {"layer", layer},
        {"block", index},
        {"accepted", accepted},
        {"units", block.units},
        {"operator_set", block.operator_set},
        {"val", block.val},
        {"seconds",
         block.seconds}}.dump());
  }
  if (inner_) inner_->OnBlock(block, layer, index, accepted);
}

void RunRecorder::OnLayer(const LayerRecord& layer, int index, bool accepted) {
  const std::lock_guard lock(mutex_);
  if (folder_) {
    folder_->Journal(Json{
        {"event", "layer"},
        {"layer", index},
        {"accepted", accepted},
        {"operator_set", layer.operator_set},
        {"val", layer.val},
        {"seconds",
         layer.seconds}}.dump());
  }
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
  return inner_ == nullptr || inner_->Continue();
}

}  // namespace gopnet
