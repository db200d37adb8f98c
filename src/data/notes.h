// What there is to say about a table: warnings for people and, with --strict, an Error for the
// first thing that was guessed.
#pragma once

#include <string>

#include "base/check.h"
#include "data/table.h"

namespace gopnet {

class TableNotes {
 public:
  TableNotes(std::string source, const ReadOptions& options)
      : source_(std::move(source)), strict_(options.strict), report_(options.report) {}

  void Warn(const std::string& text) {
    if (report_) report_->warnings.push_back(source_ + ": " + text);
  }
  const std::string& source() const { return source_; }
  // `option` says how to settle it.
  void Guess(const std::string& text, const std::string& option) {
    Check(!strict_, source_, ": ", text, "; --strict accepts no guess: ", option, " settles it");
  }
  // A guess that is also told to people, with what follows from it.
  void Tell(const std::string& text, const std::string& option, const std::string& ending) {
    Guess(text, option);
    Warn(text + ending);
  }
  void GuessAndWarn(const std::string& text, const std::string& option) {
    Tell(text, option, "; " + option + " says otherwise");
  }
  void Tell(const TableGuess& guess) {
    Guess(guess.text, guess.option);
    if (guess.warn) Warn(Join(guess.text, "; ", guess.option, " settles it"));
  }
  void TellCurrencies(const std::string& column, const Currencies& currencies) {
    if (currencies.other.empty()) return;
    Tell(Join(column, " holds amounts in ", currencies.first, " and in ", currencies.other),
         "a file in one currency", ", which are taken as they are");
  }
  // The report of a file's column; one that nobody sees if no report is wanted.
  ColumnReport& Report(size_t column) { return report_ ? report_->columns[column] : unseen_; }

 private:
  std::string source_;
  bool strict_;
  TableReport* report_;
  ColumnReport unseen_;
};

}  // namespace gopnet
