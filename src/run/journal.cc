#include "run/journal.h"

#include <optional>

#include "base/check.h"
#include "base/parse_json.h"

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

Json WriteCandidate(const WorkKey& key, const CandidateLine& line, const Notes& notes,
                    const std::string& run, const std::string& metric) {
  const Finished& finished = line.finished;
  Json json{{"event", "candidate"},       {"run", run},
            {"variant", key.variant},     {"layer", key.layer},
            {"block", key.block},         {"attempt", key.attempt},
            {"candidate", key.candidate}, {"rung", key.epochs},
            {"epochs", finished.epochs},  {"diverged", finished.diverged},
            {"val", Json::object()},      {"seconds", finished.seconds}};
  for (const auto& [name, words] : notes) json[name] = words;
  if (finished.score.valid)
    json["val"] = {{metric, finished.score.measure}, {"loss", finished.score.loss}};
  if (line.size > 0)
    json["state"] = {{"offset", line.offset}, {"size", line.size}, {"sum", line.sum}};
  return json;
}

}  // namespace gopnet
