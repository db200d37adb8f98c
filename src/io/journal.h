// The lines of a journal: one JSON object each, sealed by a checksum as its last member "sum", so
// that a line that was torn or damaged is recognised.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gopnet {

// With the newline. `line` is an object that is not empty.
std::string SealLine(const nlohmann::ordered_json& line);

struct JournalText {
  std::vector<nlohmann::ordered_json> lines;
  size_t whole_bytes = 0;  // where the last whole line ends; what follows is torn
  std::vector<int>
      damaged;  // numbers, from 1, of lines before it that are not as they were written
};
// Reads what it can of any bytes; never throws.
JournalText ReadJournal(std::string_view bytes);

// The same for the bytes of a state file: a mark, the run it belongs to (16 digits), a checksum,
// the bytes.
std::string SealState(std::string_view bytes, const std::string& run);
// Null if it is not a whole state file of that run.
std::string_view OpenState(std::string_view file, const std::string& run);

std::string Checksum(std::string_view bytes);  // 16 hex digits

}  // namespace gopnet
