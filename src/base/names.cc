#include "base/names.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

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

std::string Lowered(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string ShellWord(std::string_view word) {
  const auto plain = [](char c) {  // also letters of other alphabets
    return std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80) != 0 ||
           std::string_view("_-+=.,:/@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

namespace {

// Letters that are missing, too many or others, and neighbours that changed places: the last three
// rows of the table are enough.
size_t EditDistance(const std::string& a, const std::string& b) {
  std::vector<size_t> two_before, before, row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    two_before = std::exchange(before, row);
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({before[j] + (a[i] != b[j]), row[j] + 1, before[j + 1] + 1});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
        row[j + 1] = std::min(row[j + 1], two_before[j - 1] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

// A third of the letters may differ: of what is less alike nobody would say that it was meant.
std::vector<std::string> ClosestNames(const std::string& name,
                                      const std::vector<std::string>& candidates) {
  const std::string given = Lowered(name);
  std::vector<std::string> best;
  size_t best_distance = std::max<size_t>(1, given.size() / 3);
  for (const std::string& candidate : candidates) {
    const std::string known = Lowered(candidate);
    const size_t longer = std::max(given.size(), known.size());
    const bool begun = given.size() >= 3 && known.starts_with(given);  // "algo" of "algorithm"
    if (!begun && longer - std::min(given.size(), known.size()) > best_distance) continue;
    const size_t distance =
        begun ? std::min<size_t>(1, longer - given.size()) : EditDistance(given, known);
    const bool alike = distance < longer;  // some letter is the same
    if (!alike || distance > best_distance) continue;
    if (distance < best_distance) best.clear();
    best_distance = distance;
    best.push_back(candidate);
  }
  std::ranges::stable_sort(best, {}, &std::string::size);
  if (best.size() > 3) best.resize(1);  // a list of them helps nobody
  return best;
}

std::string DidYouMean(const std::string& name, const std::vector<std::string>& candidates) {
  const std::vector<std::string> nearest = ClosestNames(name, candidates);
  return nearest.empty() ? "" : " (did you mean '" + JoinList(nearest, "' or '") + "'?)";
}

}  // namespace gopnet
