#include "base/names.h"

#include <algorithm>
#include <numeric>

namespace gopnet {

std::string Trim(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

std::vector<std::string> SplitList(std::string_view text, char separator) {
  std::vector<std::string> items;
  if (Trim(text).empty()) return items;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    items.push_back(Trim(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return items;
}

std::string JoinList(const std::vector<std::string>& items, std::string_view separator) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) text.append(i ? separator : "").append(items[i]);
  return text;
}

std::string JoinSome(std::vector<std::string> items, size_t most, std::string_view separator) {
  const size_t more = items.size() > most ? items.size() - most : 0;
  items.resize(items.size() - more);
  return JoinList(items, separator) + (more ? " and " + std::to_string(more) + " more" : "");
}

namespace {

// Levenshtein distance, one row at a time.
size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t substitute = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substitute, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string ClosestName(const std::string& name, const std::vector<std::string>& candidates) {
  std::string best;
  size_t best_distance = std::max<size_t>(1, name.size() / 2) + 1;
  for (const std::string& candidate : candidates) {
    const size_t longer = std::max(name.size(), candidate.size());
    if (longer - std::min(name.size(), candidate.size()) >= best_distance) continue;
    const size_t distance = EditDistance(name, candidate);
    const bool alike =
        distance < std::max(name.size(), candidate.size());  // some letter is the same
    if (alike && distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string DidYouMean(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string nearest = ClosestName(name, candidates);
  return nearest.empty() ? "" : " (did you mean '" + nearest + "'?)";
}

}  // namespace gopnet
