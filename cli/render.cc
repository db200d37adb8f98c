// Topics as text for a terminal and as Markdown for the documentation.
#include <algorithm>

#include "cli/topics.h"

namespace gopnet::cli {
namespace {

constexpr size_t kScreen = 100;

size_t Longest(const std::string& text) {
  size_t longest = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  return longest;
}

// For tables too wide for a screen:
//   epochs  (type int, default 300, values >= 0)
//       Epochs per candidate.
std::string AsList(const std::vector<Words>& rows) {
  std::string text;
  for (size_t i = 1; i < rows.size(); ++i) {
    Words facts;
    for (size_t j = 1; j + 1 < rows[i].size(); ++j) {
      if (!rows[i][j].empty()) facts.push_back(rows[0][j] + " " + rows[i][j]);
    }
    text += Wrapped(rows[i][0] + "  (" + Join(facts) + ")", kScreen - 4, "    ").substr(4) + "\n" +
            Wrapped(rows[i].back(), kScreen - 4, "    ") + "\n";
  }
  return text;
}

std::string MarkdownRow(const Words& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += ' ';
    for (char c : cell) line += c == '|' ? std::string("\\|") : std::string(1, c);
    line += " |";
  }
  return line + "\n";
}

}  // namespace

std::string AsText(const Topic& topic) {
  std::string text;
  for (const Section& section : topic.sections) {
    const std::string table = Table(section.rows);
    text += (text.empty() ? "" : "\n") + section.title + "\n\n" +
            (Longest(table) <= kScreen ? table : AsList(section.rows));
  }
  return text;
}

std::string AsMarkdown(const Topic& topic) {
  std::string text = "# " + topic.name + "\n\nPrinted by `gopnet help " + topic.name +
                     " --markdown`: " + topic.summary + ".\n";
  for (const Section& section : topic.sections) {
    text += "\n## " + section.title + "\n\n" + MarkdownRow(section.rows[0]) +
            MarkdownRow(Words(section.rows[0].size(), "---"));
    for (size_t i = 1; i < section.rows.size(); ++i) text += MarkdownRow(section.rows[i]);
  }
  return text;
}

}  // namespace gopnet::cli
