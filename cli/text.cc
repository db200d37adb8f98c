#include "cli/text.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "gopnet/params.h"
#include "gopnet/safe_text.h"

namespace gopnet::cli {
namespace {

bool IsNumber(const std::string& cell) {
  return cell.empty() || cell == "-" || cell == "nan" ||
         cell.find_first_not_of("+-.,0123456789e") == std::string::npos;
}

bool IsNumeric(const std::vector<Words>& rows, size_t column) {
  return std::all_of(rows.begin() + 1, rows.end(), [&](const Words& row) {
    return column >= row.size() || IsNumber(row[column]);
  });
}

// The columns of a text on the screen: its UTF-8 characters.
size_t Columns(const std::string& text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::vector<size_t> Widths(const std::vector<Words>& rows) {
  std::vector<size_t> widths;
  for (const Words& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], Columns(row[j]));
  }
  return widths;
}

// Quotes bytes that a terminal would not show for bash: $'A\xf6'.
std::string Escaped(const std::string& word) {
  std::string quoted = "$'";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte >= ' ' && byte < 0x7f && c != '\'' && c != '\\';
    quoted += plain ? std::string(1, c) : fmt::format("\\x{:02x}", byte);
  }
  return quoted + "'";
}

}  // namespace

std::string Join(const Words& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

std::string JoinFirst(const Words& words, size_t most) {
  Words shown;
  for (size_t i = 0; i < std::min(most, words.size()); ++i) shown.push_back(Printable(words[i]));
  return Join(shown) + (words.size() > most ? ", ..." : "");
}

Words Split(const std::string& text, char separator) {
  Words words = {""};
  for (char c : text) {
    if (c == separator) {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

std::string Wrapped(const std::string& text, size_t width, const std::string& indent) {
  std::string out = indent;
  size_t column = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (column > 0 && column + 1 + (end - at) > width) out += "\n" + indent, column = 0;
    if (column > 0) out += ' ', ++column;
    out.append(text, at, end - at), column += end - at;
    at = end + 1;
  }
  return out;
}

std::string Fixed(double value, int digits) { return fmt::format("{:.{}f}", value, digits); }

std::string Grouped(size_t value) {
  std::string text = std::to_string(value);
  for (size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string Duration(double seconds) {
  if (seconds < 10) return Fixed(seconds, 1) + " s";
  if (seconds < 90) return Fixed(seconds, 0) + " s";
  if (seconds < 5400) return Fixed(seconds / 60, 0) + " min";
  return Fixed(seconds / 3600, 1) + " h";
}

std::string Setting(const std::map<std::string, std::string>& values) {
  return Join(Mapped(values, [](const auto& item) { return item.first + " " + item.second; }));
}

std::string OperatorSet(const Words& names) { return Join(names, "/"); }

std::string AboutDog(const std::string& operator_sets) {
  return operator_sets.find("dog/") == std::string::npos ? "" : fmt::format("dog: {}\n", kDog);
}

int Count(const std::string& option, const std::string& text, int least, int most) {
  int value = 0;
  if (!ParseCount(text, &value) || value < least || value > most)
    Fail("{}: must be an integer from {} to {}; got '{}'", option, least, most, text);
  return value;
}

std::string ShellQuoted(const std::string& word) {
  const auto plain = [](unsigned char c) {  // bytes from 128 are UTF-8
    return std::isalnum(c) || c >= 0x80 || std::strchr("_@%+=:,./-", c) != nullptr;
  };
  if (!IsText(word)) return Escaped(word);
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string Table(std::vector<Words> rows) {
  for (Words& row : rows) row = Mapped(row, Printable);
  const std::vector<size_t> widths = Widths(rows);
  std::string text;
  for (const Words& row : rows) {
    std::string line;
    for (size_t j = 0; j < row.size(); ++j) {
      const std::string blanks(widths[j] - Columns(row[j]), ' ');
      line += (j > 0 ? "  " : "") + (IsNumeric(rows, j) ? blanks + row[j] : row[j] + blanks);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string DidYouMean(const Words& names) {
  return names.empty() ? "" : fmt::format(" (did you mean '{}'?)", Join(names, "' or '"));
}

std::string Hint(const std::string& name, const Words& candidates) {
  return DidYouMean(NearestNames(name, candidates));
}

}  // namespace gopnet::cli
