#include "data/csv_cursor.h"

#include <cstring>

#include "base/check.h"
#include "data/field.h"

namespace gopnet {

std::string_view CsvCursor::Take() {
  while (at_ != end_ && *at_ == ' ') ++at_;
  if (at_ != end_ && *at_ == '"') return TakeQuoted();
  const char* begin = at_;
  while (!AtBreak(at_)) ++at_;
  return TrimSpaces({begin, static_cast<size_t>(at_ - begin)});
}

std::string_view CsvCursor::TakeQuoted() {
  const size_t first_line = line_;
  unquoted_.clear();
  for (;;) {
    const char* begin = ++at_;
    while (at_ != end_ && *at_ != '"') line_ += *at_++ == '\n';
    Check(at_ != end_, source_, ": line ", first_line, ": a quote (\") is never closed");
    unquoted_.append(begin, at_++);
    if (at_ == end_ || *at_ != '"') break;
    unquoted_ += '"';  // two quotes stand for one
  }
  while (at_ != end_ && *at_ == ' ') ++at_;
  Check(AtBreak(at_), source_, ": line ", line_, ": text after a closing quote (\")");
  return unquoted_;
}

size_t CsvCursor::SkipRow() {
  size_t fields = 0;
  do {
    Take();
    ++fields;
  } while (!EndField());
  return fields;
}

}  // namespace gopnet
