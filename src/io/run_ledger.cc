#include "io/run_ledger.h"

#include "base/parse_json.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;

int Int(const Json& json) { return static_cast<int>(WholeNumber(json)); }
size_t Size(const Json& json) { return static_cast<size_t>(WholeNumber(json)); }

WorkKey KeyOf(const Json& line) {
  return {Int(line.at("variant")), Int(line.at("layer")),     Int(line.at("block")),
          Int(line.at("attempt")), Int(line.at("candidate")), Int(line.at("rung"))};
}

CandidateLine ReadLine(const Json& json, const std::string& metric) {
  CandidateLine line;
  line.finished.epochs = Int(json.at("epochs"));
  line.finished.diverged = json.at("diverged").get<bool>();
  line.finished.seconds = json.at("seconds").get<double>();
  line.finished.score.valid = !line.finished.diverged;
  if (line.finished.score.valid) {
    line.finished.score.measure = json.at("val").at(metric).get<double>();
    line.finished.score.loss = json.at("val").at("loss").get<double>();
  }
  if (json.contains("state")) {
    const Json& state = json.at("state");
    line.offset = Size(state.at("offset"));
    line.size = Size(state.at("size"));
    line.sum = state.at("sum").get<std::string>();
  }
  return line;
}

}  // namespace

std::map<WorkKey, CandidateLine> ReadCandidates(const JournalText& journal, const std::string& run,
                                                const std::string& metric) {
  std::map<WorkKey, CandidateLine> candidates;
  for (const Json& line : journal.lines) {
    try {
      if (line.at("event") != "candidate" || line.at("run") != run) continue;
      const WorkKey key = KeyOf(line);
      const CandidateLine candidate = ReadLine(line, metric);
      const int epochs = candidate.finished.epochs;
      if (epochs >= 0 && epochs <= key.epochs) candidates[key] = candidate;
    } catch (const Json::exception&) {
      continue;
    }
  }
  return candidates;
}

RunLedger::RunLedger(RunFolder& folder, std::string metric)
    : folder_(folder),
      metric_(std::move(metric)),
      lines_(ReadCandidates(folder.journal(), folder.run(), metric_)) {
  for (const Json& line : folder.journal().lines)
    if (line.contains("stage") && line["stage"].is_string()) stages_.insert(line["stage"]);
}

std::optional<Finished> RunLedger::Find(const WorkKey& key) {
  const std::lock_guard lock(mutex_);
  const auto it = lines_.find(key);
  if (it == lines_.end()) return std::nullopt;
  return it->second.finished;
}

std::string RunLedger::State(const WorkKey& key) {
  const std::lock_guard lock(mutex_);
  const auto it = lines_.find(key);
  if (it == lines_.end() || it->second.size == 0) return {};
  std::string bytes = folder_.ReadState(it->second.offset, it->second.size);
  return Checksum(bytes) == it->second.sum ? bytes : "";  // of a finished stage, or lost with power
}

void RunLedger::Add(const WorkKey& key, const Finished& finished, const Notes& notes,
                    const std::string& state) {
  Json line{{"event", "candidate"},       {"run", folder_.run()},
            {"variant", key.variant},     {"layer", key.layer},
            {"block", key.block},         {"attempt", key.attempt},
            {"candidate", key.candidate}, {"rung", key.epochs},
            {"epochs", finished.epochs},  {"diverged", finished.diverged},
            {"val", Json::object()},      {"seconds", finished.seconds}};
  for (const auto& [name, words] : notes) line[name] = words;
  if (finished.score.valid)
    line["val"] = {{metric_, finished.score.measure}, {"loss", finished.score.loss}};
  const std::lock_guard lock(mutex_);
  if (!state.empty()) {
    const size_t offset = folder_.AppendState(state);
    line["state"] = {{"offset", offset}, {"size", state.size()}, {"sum", Checksum(state)}};
  }
  folder_.Journal(line);
}

std::optional<std::string> RunLedger::Load(const std::string& stage) {
  return folder_.ReadStage(stage);
}

void RunLedger::Save(const std::string& stage, std::string bytes) {
  const std::lock_guard lock(mutex_);
  folder_.KeepStage(stage, bytes);
  if (stages_.insert(stage).second) folder_.Journal({{"event", "stage"}, {"stage", stage}});
}

}  // namespace gopnet
