// CSV text as a Table.
#pragma once

#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "data/formats/csv_format.h"
#include "data/table.h"

namespace gopnet {

// Walks over the fields of CSV text (RFC 4180): quotes, "" within quotes, CRLF, spaces around
// fields. Read a row with: do Take() or TakeNumber() while (!EndField()).
class CsvCursor {
 public:
  // `source` names the file in messages and must outlive the cursor.
  CsvCursor(std::string_view text, char delimiter, const std::string& source, size_t line = 1)
      : at_(text.data()),
        end_(at_ + text.size()),
        delimiter_(delimiter),
        source_(source),
        line_(line) {}

  bool done() const { return at_ == end_; }
  size_t line() const { return line_; }  // 1-based
  const char* at() const { return at_; }

  // The field here, without its quotes or the spaces around it. Valid until the next call.
  std::string_view Take();

  // The fast path for a plain finite number. If it returns false, use Take.
  bool TakeNumber(float* value) {
    const auto [stop, error] = std::from_chars(at_, end_, *value);
    if (error != std::errc() || !AtBreak(stop) || !std::isfinite(*value)) return false;
    at_ = stop;
    return true;
  }

  // Steps over what ends a field. True if it ended the row.
  bool EndField() {
    if (at_ == end_) return true;
    if (*at_ == delimiter_) {
      ++at_;
      return false;
    }
    at_ += *at_ == '\r';
    at_ += at_ != end_;
    ++line_;
    return true;
  }

  Record TakeRow();  // all of its fields
  size_t SkipRow();  // returns their number

 private:
  // A carriage return counts only as part of a line end.
  bool AtBreak(const char* p) const {
    return p == end_ || *p == delimiter_ || *p == '\n' ||
           (*p == '\r' && (p + 1 == end_ || p[1] == '\n'));
  }
  std::string_view TakeQuoted();

  const char* at_;
  const char* end_;
  char delimiter_;
  const std::string& source_;
  size_t line_;  // of the file, from 1
  std::string unquoted_;
};

// A line that begins with #.
struct HashLine {
  std::string_view text;
  size_t number;
};

class CsvTable : public Table {
 public:
  CsvTable(const FileBytes& file, const Hints& hinted);
  TableRows Read(const Layout& layout) const override;
  // For text in pieces: reads the next rows of this piece, at most `most`; Where then refers to
  // them. After the last row, GoOn takes the next piece, which begins in line `line`.
  TableRows ReadNext(const Layout& layout, size_t most);
  bool AtEnd() const { return taken_ == text_.size(); }
  void GoOn(std::string_view text, size_t line);
  std::string Where(size_t row) const override;
  std::vector<bool> FindBlank() const override;
  CsvCursor Data() const;                            // at the first row
  size_t table_line() const { return table_line_; }  // the first line of the table in the file
  char separator_sign() const { return separator == "blanks" ? ' ' : delimiter_; }
  size_t trailing() const { return trailing_; }  // separators that may end a row
  // A warning if the last row may be a sum of the others.
  std::optional<TableGuess> LastSum(const Schema& like) const;
  size_t MostNumbers(size_t width) const;  // room for all rows of `width` features

 private:
  void Drop();  // what ReadNext took
  void SetTabs();
  void SkipComments(const Hints& given);
  void TakeRowsBack(const Hints& given, size_t width);
  void AddNotes(const Notes& notes, size_t line);
  void CutBelow(const Hints& given);
  TableText Below(const Schema* like) const;
  void TakeSeparatorLine(Hints* given);
  Record FieldsOf(std::string_view line) const;
  void AddComments(size_t count);
  void TakeComment(const Schema* like);
  void SetNames(const Record& first);

  std::string_view text_;
  std::vector<HashLine> comments_;  // above the rows
  std::shared_ptr<const void> owner_;
  char delimiter_ = ',';
  size_t trailing_ = 0;
  bool header_above_ = true;  // if there is one, it is the first row of text_
  size_t table_line_ = 1;     // of the first text_ in the file
  size_t first_line_ = 1;     // of text_ in the file
  size_t taken_ = 0, next_line_ = 1;
};

}  // namespace gopnet
