// Text helpers for names and lists that users type.
#pragma once

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace gopnet {

std::vector<std::string> SplitList(std::string_view text, char separator = ',');  // trimmed items
std::string JoinList(const std::vector<std::string>& items, std::string_view separator = ",");
// "a, b and 3 more": at most the first `most` items
std::string JoinSome(std::vector<std::string> items, size_t most, std::string_view separator);
std::string Trim(std::string_view text);
std::string Lowered(std::string_view text);  // of ASCII letters
// One word of a shell command, in single quotes only if it needs them.
std::string ShellWord(std::string_view word);

// Whether all of `text` is a number, which goes to `value`.
template <class T>
bool ParseNumber(std::string_view text, T* value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, *value);
  return error == std::errc() && stop == end;
}

// The candidates closest to `name` by edit distance, whatever the case of their letters, or that
// begin with it; none if none is near.
std::vector<std::string> ClosestNames(const std::string& name,
                                      const std::vector<std::string>& candidates);
// " (did you mean 'x' or 'y'?)" for the nearest candidates, or "" if none is near.
std::string DidYouMean(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace gopnet
