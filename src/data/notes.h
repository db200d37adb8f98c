// Warnings about a table. With --strict, the first guess throws Error.
#pragma once

#include <string>

#include "base/check.h"
#include "data/table.h"

namespace gopnet {

// The end of a warning that shows the first of `count` unparsable fields.
inline std::string CountAsBlanks(size_t count) {
  if (count == 1) return "the field counts as a blank";
  return Join("this and ", count - 1, count == 2 ? " other field" : " other fields",
              " count as blanks");
}

class TableNotes {
 public:
  TableNotes(std::string source, const ReadOptions& options)
      : source_(std::move(source)), strict_(options.strict), report_(options.report) {}

  void Warn(const std::string& text) {
    if (report_) report_->warnings.push_back(source_ + ": " + text);
  }
  const std::string& source() const { return source_; }
  // `remedy` begins with a verb: "use --date day to confirm".
  void Guess(const std::string& text, const std::string& remedy) {
    Check(!strict_, source_, ": ", text, "; --strict allows no guesses (", remedy, ")");
  }
  void GuessAndWarn(const std::string& text, const std::string& remedy) {
    GuessAndWarn(text, remedy, remedy);
  }
  // `confirm` is the remedy under --strict, `other` the one in the warning, which may be empty.
  void GuessAndWarn(const std::string& text, const std::string& confirm, const std::string& other) {
    Guess(text, confirm);
    Warn(other.empty() ? text : Join(text, " (", other, ")"));
  }
  void Add(const TableGuess& guess) {
    Guess(guess.text, guess.remedy);
    if (guess.warn) Warn(Join(guess.text, " (", guess.remedy, ")"));
  }
  void AddCurrencies(const std::string& column, const Currencies& currencies) {
    if (currencies.other.empty()) return;
    GuessAndWarn(Join(column, " holds amounts in ", currencies.first, " and in ", currencies.other,
                      "; gopnet does not convert them"),
                 "use one currency", "");
  }
  // The report of a file's column; without a report, a column that nobody reads.
  ColumnReport& Report(size_t column) { return report_ ? report_->columns[column] : unseen_; }

 private:
  std::string source_;
  bool strict_;
  TableReport* report_;
  ColumnReport unseen_;
};

}  // namespace gopnet
