// Text for people: tables, numbers, lists, and suggestions for misspelt names.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gopnet/error.h"

namespace gopnet::cli {

template <class... Parts>
[[noreturn]] void Fail(fmt::format_string<Parts...> message, Parts&&... parts) {
  throw Error(fmt::format(message, std::forward<Parts>(parts)...));
}

using Words = std::vector<std::string>;

// name(item) for each item.
template <class Items, class Name>
Words Mapped(const Items& items, const Name& name) {
  Words words;
  for (const auto& item : items) words.push_back(name(item));
  return words;
}
inline bool Contains(const Words& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}
// The value of the key, or null.
template <class Map>
const typename Map::mapped_type* Find(const Map& map, const std::string& key) {
  const auto found = map.find(key);
  return found == map.end() ? nullptr : &found->second;
}

std::string Join(const Words& words, const std::string& separator = ", ");
// The first names or labels, made Printable: "a, b, ..." if there are more.
std::string JoinFirst(const Words& words, size_t most);
Words Split(const std::string& text, char separator);
std::string Wrapped(const std::string& text, size_t width, const std::string& indent = "");

std::string Fixed(double value, int digits);
std::string Grouped(size_t value);            // 12345 -> 12,345
std::string Duration(double seconds);         // "12 s", "3 min", "1.5 h"
std::string OperatorSet(const Words& names);  // "dog/sum/tanh"
constexpr char kDog[] = "the derivative of a Gaussian";
// A line that explains the operator dog if one of these sets uses it; otherwise empty.
std::string AboutDog(const std::string& operator_sets);
std::string Setting(const std::map<std::string, std::string>& values);  // "ridge 0.1, l1 0.001"
// Parses a number; false unless the whole text is one.
template <class T>
bool ParseNumber(const std::string& text, T* value) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, *value);
  return error == std::errc() && rest == end;
}
inline bool ParseCount(const std::string& text, int* value) {  // an integer >= 0
  return ParseNumber(text, value) && *value >= 0;
}
// The integer value of an option; throws Error unless it is from least to most.
int Count(const std::string& option, const std::string& text, int least, int most);
std::string ShellQuoted(const std::string& word);  // as one word for a shell

// A table with columns two blanks apart; numbers are aligned right. The first row is the header.
// Cells may come from files, so they are made Printable and cannot break a line.
std::string Table(std::vector<Words> rows);

// " (did you mean 'x' or 'y'?)", or empty without names.
std::string DidYouMean(const Words& names);
// The same for the candidates with a similar spelling.
std::string Hint(const std::string& name, const Words& candidates);

}  // namespace gopnet::cli
