// The lines of a journal: one JSON object each, sealed by a checksum as its last member "sum", so
// that a line that was torn or damaged is recognised.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "train/run_store.h"

namespace gopnet {

// With the newline. `line` is an object that is not empty.
std::string SealLine(const nlohmann::ordered_json& line);

struct JournalText {
  std::vector<nlohmann::ordered_json> lines;
  size_t whole_bytes = 0;    // where the last whole line ends; what follows is torn
  std::vector<int> damaged;  // numbers, from 1, of lines before it that are not as written
};
// Reads what it can of any bytes; never throws.
JournalText ReadJournal(std::string_view bytes);

// The same for the bytes of a state file: a mark, the run it belongs to (16 digits), a checksum,
// the bytes.
std::string SealState(std::string_view bytes, const std::string& run);
// Null if it is not a whole state file of that run.
std::string_view OpenState(std::string_view file, const std::string& run);

// Where the state of a candidate is in state/candidates.bin.
struct StatePlace {
  size_t offset = 0, size = 0;
  std::string sum;
  bool empty() const { return size == 0; }
};
decltype(auto) Fields(auto& a, StatePlace& p) {
  return a(Named("offset", p.offset), Named("size", p.size), Named("sum", p.sum));
}

// A candidate as a line of its run's journal.
struct CandidateLine {
  Finished finished;
  StatePlace state;
};

// `metric` is the measure that decides.
nlohmann::ordered_json WriteCandidate(const WorkKey& key, const CandidateLine& line,
                                      const Notes& notes, const std::string& run,
                                      const std::string& metric);
// The candidates of that run in a journal. Lines that are not as they should be are left out: what
// they tell of is trained again.
std::map<WorkKey, CandidateLine> ReadCandidates(const JournalText& journal, const std::string& run,
                                                const std::string& metric);

}  // namespace gopnet
