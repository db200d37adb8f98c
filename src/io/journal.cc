#include "io/journal.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdio>
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

}  // namespace

std::string Checksum(std::string_view bytes) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx",
                static_cast<unsigned long long>(XXH3_64bits(bytes.data(), bytes.size())));
  return digits;
}

std::string SealLine(const Json& line) {
  std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace);
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
  return Join(kStateMark, run, " ", Checksum(bytes), "\n").append(bytes);
}

std::string_view OpenState(std::string_view file, const std::string& run) {
  const size_t head = SealState("", run).size();
  if (file.size() < head) return {};
  const std::string_view bytes = file.substr(head);
  const std::string expected = Join(kStateMark, run, " ", Checksum(bytes), "\n");
  return file.substr(0, head) == expected ? bytes : std::string_view();
}

}  // namespace gopnet
