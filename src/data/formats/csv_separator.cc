// Detects the separator of a text file: , ; tab | or blanks.
#include <algorithm>
#include <optional>

#include "base/check.h"
#include "base/names.h"
#include "data/dates.h"
#include "data/formats/csv.h"
#include "data/formats/csv_format.h"

namespace gopnet {
namespace {

constexpr size_t kFewRows = 100;  // are enough

bool IsTsv(const std::string& path) { return Lowered(path).find(".tsv") != std::string::npos; }

// "5.0   4   95.0"
bool AreNumbers(std::string_view field) {
  bool some = false;
  while (!field.empty()) {
    const size_t end = std::min(field.size(), field.find(' '));
    if (KindOf(field.substr(0, end)) != FieldKind::kNumber) return false;
    some = true;
    field = TrimSpaces(field.substr(end));
  }
  return some;
}

// The first rows split at one separator.
struct Cut {
  char separator = 0;
  size_t width = 0;         // of all rows but the first, which may lack a name
  bool in_first = false;    // the first row has it, too
  double share = 0;         // of the fields that are numbers or dates
  std::string inside = {};  // other separators within the other fields

  // Between tabs, texts may well have blanks.
  void LookInside(const std::string& field) {
    for (const char other : kSeparators) {
      const bool there = field.find(other) != std::string::npos;
      const bool fine = other == ' ' && separator == '\t' && !AreNumbers(field);
      if (there && !fine && inside.find(other) == std::string::npos) inside += other;
    }
  }
  // Another cut is the better one if text is left uncut here, but none there.
  bool IsCoarse(const std::vector<Cut>& cuts) const {
    return std::ranges::any_of(cuts, [&](const Cut& other) {
      return inside.find(other.separator) != std::string::npos &&
             other.inside.find(separator) == std::string::npos;
    });
  }
};

// Nothing if the rows differ in length.
std::optional<Cut> TryCut(std::string_view text, char separator, const std::string& source) try {
  const std::vector<Record> records = Sample(text, separator, source, kFewRows);
  if (records.empty()) return {};
  const size_t first = records[0].size();
  Cut cut{separator, records.back().size(), first > 1};
  size_t fields = 0, numbers = 0;
  if (cut.width < 2 || (first != cut.width && first + 1 != cut.width)) return {};
  for (size_t i = records.size() > 1 ? 1 : 0; i < records.size(); ++i) {
    if (records[i].size() != cut.width) return {};
    for (const std::string& field : records[i]) {
      if (field.empty()) continue;
      ++fields;
      const bool value = IsValue(field);
      numbers += value;
      if (!value) cut.LookInside(field);
    }
  }
  cut.share = fields > 0 ? static_cast<double>(numbers) / static_cast<double>(fields) : 0;
  return cut;
} catch (const Error&) {  // quotes that go with another separator
  return {};
}

std::string_view FirstLine(std::string_view text) { return text.substr(0, text.find('\n')); }

// The first of these that is outside of quotes in the first line.
char FirstPresent(std::string_view line, std::string_view separators) {
  std::string outside;
  bool quoted = false;
  for (const char c : line) {
    quoted ^= c == '"';
    if (!quoted) outside += c;
  }
  for (const char c : separators) {
    if (outside.find(c) != std::string::npos) return c;
  }
  return separators.front();
}

// Whether all quotes open where a field begins if the text is cut at a separator.
bool FitsQuotes(std::string_view text, char separator) {
  bool quoted = false;
  for (size_t i = text.find('"'); i != std::string_view::npos; i = text.find('"', i + 1)) {
    const size_t before = separator == ' ' || i == 0 ? i - 1 : text.find_last_not_of(' ', i - 1);
    const char sign = before < i ? text[before] : '\n';
    const bool begins = sign == separator || sign == '\n' || sign == '"' ||
                        (separator == ' ' && sign == '\t');  // "" stands for one
    if (!quoted && !begins) return false;
    quoted = !quoted;
  }
  return true;
}

// Whether the lines are one column of dates with times or of numbers with one unit, which have
// blanks inside: 2020-01-31 10:30, 12 kg.
bool AreWhole(std::string_view text, const Schema* like) {
  if (like && like->columns.size() > 1) return false;
  std::string unit;
  size_t whole = 0;
  for (size_t line = 0; line < kFewRows && !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view field = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (field.ends_with('\r')) field.remove_suffix(1);
    const std::string value(TrimSpaces(field));
    if (value.empty() || (line == 0 && IsWord(value))) continue;  // perhaps its name
    const std::string_view own = UnitOf(value);
    if (unit.empty()) unit = own;
    const bool measured = !own.empty() && own == unit && std::ranges::count(value, ' ') == 1 &&
                          (IsNumber(value, '.') || IsNumber(value, ','));
    if (!measured && !LooksLikeDate(value)) return false;
    ++whole;
  }
  return whole > 0;
}

// The cuts to choose from, in `order`: those that the first row has, too, if there are any; and
// blanks if half of the fields are numbers then, unless tabs do as well.
std::vector<Cut> FindCuts(std::string_view text, std::string_view order, const std::string& path,
                          const Schema* like) {
  const std::string_view head = Head(text);
  std::vector<Cut> cuts;
  for (const char separator : order) {
    if (head.find(separator) == std::string_view::npos) continue;
    if (const auto cut = TryCut(text, separator, path)) cuts.push_back(*cut);
  }
  const auto has = [&](auto what) { return std::ranges::any_of(cuts, what); };
  const auto fits = [&](const Cut& cut) { return FitsQuotes(head, cut.separator); };
  if (has(&Cut::in_first)) std::erase_if(cuts, [](const Cut& cut) { return !cut.in_first; });
  if (FirstLine(head).find_first_of(" \t") == std::string_view::npos || AreWhole(head, like))
    return cuts;
  const bool tabs = has([](const Cut& cut) {
    return cut.separator == '\t' && cut.inside.find(' ') == std::string::npos;
  });
  const auto blanks = TryCut(head, ' ', path);
  if (blanks && !tabs && blanks->share >= 0.5) cuts.push_back(*blanks);
  if (cuts.size() > 1 && has(fits)) std::erase_if(cuts, [&](const Cut& cut) { return !fits(cut); });
  return cuts;
}

}  // namespace

bool IsValue(const std::string& field) {
  return KindOf(field) != FieldKind::kText || IsNumber(field, '.') || IsNumber(field, ',') ||
         LooksLikeDate(field) || IsSheetError(field);
}

std::string_view Head(std::string_view text) {
  constexpr size_t kHead = 1 << 18;
  if (text.size() <= kHead) return text;
  const size_t end = text.rfind('\n', kHead);
  return end == std::string_view::npos ? text : text.substr(0, end);
}

char FindSeparator(std::string_view text, const std::string& path, const Schema* like) {
  std::string order = IsTsv(path) ? "\t,;|" : ",;\t|";
  const bool one_with_comma = like && like->decimal_comma && like->columns.size() == 1;
  if (one_with_comma) std::erase(order, ',');  // 1,5 alone in its row
  const std::vector<Cut> cuts = FindCuts(text, order, path, like);
  const Cut* best = nullptr;
  for (const Cut& cut : cuts) {
    if (cut.IsCoarse(cuts)) continue;
    if (!best || cut.share > best->share) best = &cut;
  }
  return best ? best->separator : FirstPresent(FirstLine(text), order);
}

}  // namespace gopnet
