#include "api/run_recorder.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <exception>
#include <nlohmann/json.hpp>

#include "api/json_values.h"
#include "api/model_impl.h"
#include "base/check.h"
#include "gopnet/report.h"
#include "gopnet/run.h"
#include "kernels/simd.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;

// Names the data by their content: rows as training sees them, in canonical order, and all that the
// model takes from them (scaling, classes, columns).
std::string Fingerprint(const Prepared& p) {
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

Json ConfigJson(const TrainOptions& options, const std::string& algorithm, const Values& values,
                const Prepared& p) {
  return {{"version", GOPNET_VERSION},
          {"algorithm", algorithm},
          {"parameters", ValuesJson(algorithm, values)},
          {"simd", CurrentSimd()},
          {"source", options.source},
          {"data",
           {{"fingerprint", Fingerprint(p)},
            {"train", p.problem.train.size()},
            {"val", p.problem.val.size()},
            {"test", p.test.size()},
            {"features", p.problem.train.x.cols()}}}};
}

// What must be the same when a run goes on.
Json Fixed(Json config) {
  config.erase("source");  // rows may have moved to another place
  if (config.contains("parameters") && config["parameters"].is_object())
    config["parameters"].erase("threads");
  return config;
}

std::string Text(const Json& config) {
  return config.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Names a run by all that decides what it computes.
std::string RunName(const Json& fixed) {
  return Checksum(fixed.dump(-1, ' ', false, Json::error_handler_t::replace));
}

// What a run began with: as its journal says or, if that is lost, its config.json.
Json BegunWith(const JournalText& journal, const std::string& config_path) {
  for (const Json& line : journal.lines) {
    const auto config = line.find("config");
    if (config != line.end() && config->is_object()) return Fixed(*config);
  }
  const Json config = ReadObject(config_path);
  Check(config.is_object(), config_path, ": damaged, or not the config of a run");
  return Fixed(config);
}

// Of the events that a run which goes on tells again.
std::string NameOf(const Json& line) {
  std::string name;
  for (const char* part : {"event", "variant", "layer", "block"})
    name += (line.contains(part) ? line[part].dump() : "") + " ";
  return name;
}

}  // namespace

RunRecorder::RunRecorder(const TrainOptions& options, const std::string& algorithm,
                         const Values& values, const Prepared& p)
    : inner_(options.observer) {
  if (options.run_folder.empty()) return;
  folder_ = std::make_unique<RunFolder>(
      options.run_folder, options.resume ? RunFolder::Purpose::kResume : RunFolder::Purpose::kNew);
  const Json config = ConfigJson(options, algorithm, values, p);
  options.resume ? GoOn(options.run_folder, config) : Begin(config);
  ledger_ = std::make_unique<RunLedger>(*folder_, p.problem.metric);
  folder_->ForgetJournal();
}

RunRecorder::~RunRecorder() = default;

void RunRecorder::Begin(const Json& config) {
  const Json fixed = Fixed(config);
  folder_->Start(RunName(fixed), Text(config));
  folder_->Journal({{"event", "start"}, {"config", fixed}});
}

void RunRecorder::GoOn(const std::string& path, const Json& config) {
  Check(!ReadRun(path).finished, path, ": this run is finished");  // perhaps only just now
  const JournalText& journal = folder_->journal();
  const Json was = BegunWith(journal, folder_->PathOf("config.json")), now = Fixed(config);
  const std::string difference = Difference(was, now);
  Check(!difference.starts_with("data fingerprint"), path,
        ": the rows are not those that the run began with");
  Check(difference.empty(), path, ": not as the run began: ", difference);
  folder_->Start(RunName(now));
  for (const int number : journal.damaged) {
    OnWarning(Join(folder_->PathOf("journal.jsonl"), ": line ", number,
                   " is damaged; what it told is done again"));
  }
  for (const Json& line : journal.lines) told_.insert(NameOf(line));
  folder_->Journal({{"event", "resume"}, {"config", now}});
}

void RunRecorder::Journal(const Json& line) {
  if (folder_ && told_.insert(NameOf(line)).second) folder_->Journal(line);
}

void RunRecorder::Checkpoint(ModelData model, const History& history) {
  if (folder_) folder_->Replace("checkpoint.safetensors", SerializeModel(model));
  const std::lock_guard lock(mutex_);
  if (inner_) inner_->OnCheckpoint(MakeModel(std::move(model)), history);
}

void RunRecorder::Keep() {
  if (!folder_) return;
  folder_->Keep();
  folder_->Flush();
}

void RunRecorder::Finish(const std::string& model_bytes, const History& history) {
  if (!folder_) return;
  folder_->Finish(model_bytes, ToJson(history, folder_->PathOf("model.safetensors")) + "\n");
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
  if (folder_ && folder_->failed()) return false;
  return inner_ == nullptr || inner_->Continue();
}

}  // namespace gopnet
