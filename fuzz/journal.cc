// The journal of a run. The first byte chooses between the raw bytes and lines with correct
// checksums, so that mutations get past the checksum test.
#include "run/journal.h"

#include "fuzz/support/target.h"

namespace gopnet::fuzz {
namespace {

std::string Sealed(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string body(text.substr(0, end));
    lines += body + ",\"sum\":\"" + Checksum(body) + "\"}\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace
}  // namespace gopnet::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace gopnet;
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const fuzz::Exact exact(bytes[0] % 2 == 0 ? std::string(text) : fuzz::Sealed(text));
  const JournalText journal = ReadJournal(exact.view());
  if (journal.whole_bytes > exact.view().size()) std::abort();
  for (const auto& line : journal.lines) {
    if (line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace).empty())
      std::abort();
  }
  for (const auto& line : journal.lines) {
    if (line.contains("run") && line["run"].is_string())
      ReadCandidates(journal, line["run"], "accuracy");
  }
  return 0;
}
