#include "run/journal.h"

#include <optional>

#include "base/check.h"
#include "base/json_fields.h"
#include "nn/state.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSum = ",\"sum\":\"";  // 16 digits follow, and "}
constexpr size_t kSeal = kSum.size() + 16 + 2;
constexpr size_t kMostLine = 1 << 20;
constexpr std::string_view kStateMark = "gopnet-state-1 ";

std::optional<Json> OpenLine(std::string_view line) {
  if (line.size() < kSeal || line.size() > kMostLine || line.front() != '{') return std::nullopt;
  const std::string_view body = line.substr(0, line.size() - kSeal);
  const std::string seal = std::string(kSum) + Checksum(body) + "\"}";
  if (line.substr(body.size()) != seal) return std::nullopt;
  Json json = ParseJson<Json>(line);
  if (!json.is_object()) return std::nullopt;
  return json;
}

CandidateLine ReadLine(const Json& json, const std::string& metric) {
  CandidateLine line{json.get<Finished>(), {}};
  Score& score = line.finished.score;
  score.valid = !line.finished.diverged;
  if (score.valid) {
    score.measure = json.at("val").at(metric).get<double>();
    score.loss = json.at("val").at("loss").get<double>();
  }
  if (json.contains("state")) json.at("state").get_to(line.state);
  return line;
}

}  // namespace

std::string SealLine(const Json& line) {
  std::string text = JsonText(line, -1, Json::error_handler_t::replace);
  text.pop_back();
  const std::string sum = Checksum(text);
  return text.append(kSum).append(sum).append("\"}\n");
}

JournalText ReadJournal(std::string_view bytes) {
  JournalText journal;
  int number = 0;
  std::vector<int> suspect;  // torn, unless a whole line follows
  for (size_t begin = 0, end; (end = bytes.find('\n', begin)) != bytes.npos; begin = end + 1) {
    ++number;
    auto line = OpenLine(bytes.substr(begin, end - begin));
    if (!line) {
      suspect.push_back(number);
      continue;
    }
    journal.damaged.insert(journal.damaged.end(), suspect.begin(), suspect.end());
    suspect.clear();
    journal.lines.push_back(std::move(*line));
    journal.whole_bytes = end + 1;
  }
  return journal;
}

std::string SealState(std::string_view bytes, const std::string& run) {
  std::string file = Join(kStateMark, run, " ", Checksum(bytes), "\n");
  file.append(bytes);
  return file;
}

std::string_view OpenState(std::string_view file, const std::string& run) {
  const size_t head = SealState("", run).size();
  if (file.size() < head) return {};
  const std::string_view bytes = file.substr(head);
  const std::string expected = Join(kStateMark, run, " ", Checksum(bytes), "\n");
  return file.substr(0, head) == expected ? bytes : std::string_view();
}

std::map<WorkKey, CandidateLine> ReadCandidates(const JournalText& journal, const std::string& run,
                                                const std::string& metric) {
  std::map<WorkKey, CandidateLine> candidates;
  for (const Json& line : journal.lines) {
    try {
      if (line.at("event") != "candidate" || line.at("run") != run) continue;
      const auto key = line.get<WorkKey>();
      const CandidateLine candidate = ReadLine(line, metric);
      const int epochs = candidate.finished.epochs;
      if (epochs >= 0 && epochs <= key.epochs) candidates[key] = candidate;
    } catch (const Json::exception&) {
      continue;
    }
  }
  return candidates;
}

Json WriteCandidate(const WorkKey& key, const CandidateLine& line, const Notes& notes,
                    const std::string& run, const std::string& metric) {
  const Score& score = line.finished.score;
  Json json{{"event", "candidate"}, {"run", run}};
  AddFields(json, key);
  AddFields(json, line.finished);
  for (const auto& [name, words] : notes) json[name] = words;
  if (score.valid) json["val"] = {{metric, score.measure}, {"loss", score.loss}};
  if (!line.state.empty()) json["state"] = line.state;
  return json;
}

}  // namespace gopnet
