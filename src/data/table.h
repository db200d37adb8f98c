// What every file format offers: its columns at once and, when their roles are known, its rows.
// A format is one function that opens a Table, listed in readers.def.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/field.h"
#include "gopnet/dataset.h"

namespace gopnet {

inline constexpr size_t kMostColumns = 1'000'000;  // of a file

// Many short texts, end to end in one piece: a label of one digit takes nine bytes, where a string
// takes thirty-two.
class Texts {
 public:
  void Reserve(size_t count) { ends_.reserve(count); }
  void Add(std::string_view text) {
    letters_ += text;
    ends_.push_back(letters_.size());
  }
  size_t size() const { return ends_.size(); }
  bool empty() const { return ends_.empty(); }
  // Valid until the next Add.
  std::string_view operator[](size_t i) const {
    const size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::string_view(letters_).substr(begin, ends_[i] - begin);
  }

 private:
  std::string letters_;
  std::vector<size_t> ends_;
};

// A file's content, mapped or in memory.
struct FileBytes {
  std::string path;  // for messages; "a.npz:key" chooses within the file
  std::string_view bytes;
  std::shared_ptr<const void> owner;  // keeps bytes alive
};

// The roles of a file's columns. What is in neither list is skipped.
struct Layout {
  std::vector<size_t> features;  // file column of each schema column, in the schema's order
  std::vector<size_t> kept;      // targets and weights, returned as they are
  bool allow_missing = false;
};

// A column as the file has it. Fields of a CSV file may turn out to be any of the other kinds.
struct ColumnValues {
  enum class Kind { kFields, kText, kIntegers, kNumbers };
  Kind kind = Kind::kFields;
  Texts text;  // kFields and kText
  std::vector<int64_t> integers;
  std::vector<double> numbers;
};

// Unparseable fields: how many there are, and the first of them.
struct Strays {
  size_t count = 0;
  std::string place;  // "line 7, column 'age'"
  std::string text;   // "red"
  // Calls where() for the first field only, as there may be millions.
  template <class Where>
  void Add(const Where& where, std::string_view field = {}) {
    if (count++ > 0) return;
    place = where();
    text = Shown(field);
  }
};

// The first of the currencies that a column's numbers have, and another one if there is any.
struct Currencies {
  std::string_view first, other;
  void Add(std::string_view currency) {
    if (currency.empty()) return;
    if (first.empty()) first = currency;
    if (currency != first) other = currency;
  }
};

// One feature as it was read.
struct Feature {
  Texts text;               // fields of a text column; empty for numbers
  std::vector<double> far;  // numbers of a far column; empty for others
  size_t blanks = 0;        // strays not among them
  Strays strays;            // of a column of numbers: those that are none
  Currencies currencies;
  size_t codes = 0;    // with a zero before other digits, of the length that the hint tells ...
  bool apart = false;  // ... and whether there are numbers of another kind
};

struct TableRows {
  size_t count = 0;
  MatrixView x;  // one number for each of Layout::features; NaN: missing, or text
  std::shared_ptr<const void> owner;  // keeps x alive
  std::vector<Feature> features;
  std::vector<ColumnValues> kept;
};

// Finite numbers from the least to the greatest; NaN is none of them.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void Add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Whether float32 would round away much of what makes them differ.
  bool IsFar() const {
    return low <= high && std::max(std::fabs(low), std::fabs(high)) > 4096 * (high - low);
  }
};

// What the first rows of a file, or who has seen more, tell of a column, which is read so.
struct ColumnHint {
  bool text = false;      // it holds text: its fields are wanted as they are
  bool empty = false;     // it holds nothing
  bool far = false;       // its numbers are far from 0 for their spread: wanted in double, too
  bool codes = false;     // 01234: digits of one length, some with a zero in front
  bool padded = false;    // such digits that nearly all differ: numbers
  size_t digits = 0;      // of all its numbers, if these are digits only
  std::string unit = {};  // that follows its numbers: "%", "kg"
  Currencies currencies = {};
};

// A choice that gopnet made where a file can be read in more than one way.
struct TableGuess {
  std::string text;
  std::string remedy;  // for people: "use --header no if ..."
  bool warn = false;   // also without --strict
};

class Table {
 public:
  virtual ~Table() = default;
  virtual TableRows Read(const Layout& layout) const = 0;
  virtual std::string Where(size_t row) const = 0;  // "line 7" or "row 6 (from 0)"
  // Whether a column has no field in any row, for each column of a wide text file; none of others.
  virtual std::vector<bool> FindBlank() const { return {}; }
  std::string ColumnName(size_t column) const;  // "column 'age'" or "column 3 (from 0)"
  // An option that names the column, quoted for a shell: "--ignore age", "--ignore 'first name'".
  std::string Option(std::string_view option, size_t column) const;
  NumberStyle Style(size_t column) const {
    return {decimal == "," ? ',' : '.', hints[column].unit};
  }

  std::string source;              // for messages
  size_t file_size = 0;            // bytes on disk, packed or not
  bool named = false;              // the names below are the file's own
  std::vector<std::string> names;  // one a column; "x0", "x1", ... if the file has none
  bool no_first_name = false;      // the file names its columns, but not the first
  std::string unfit;               // why it cannot hold features; empty if it can
  std::vector<ColumnHint> hints;   // one a column
  bool array = false;              // of numbers, in which somebody chose what to put
  std::string separator, decimal;  // of a text file, for people
  std::vector<TableGuess> guesses;
};

// What is known of a file before it is opened.
struct Hints {
  const Schema* like = nullptr;  // whose names a header would repeat
  std::optional<size_t> rows;    // labels and weights: as many as there are feature rows
  // What a user says of a text file (ReadOptions).
  std::optional<bool> header = {};
  char separator = 0, decimal = 0;
  size_t first_line = 1;  // of a text that was cut out of a file
  bool more = false;      // the file goes on behind the text
  bool all_rows = false;  // each wants a prediction, or has its label or weight in another file
};
Hints HintsOf(const ReadOptions& options);

// The function of each file format.
#define READER(ending, open) std::unique_ptr<Table> open(const FileBytes&, const Hints&);
#include "data/formats/readers.def"
#undef READER

std::unique_ptr<Table> OpenTable(const std::string& path, const Hints& hints);
std::unique_ptr<Table> OpenTable(const FileBytes& file, const Hints& hints);

// A table in memory; the columns must outlive it.
std::unique_ptr<Table> OpenColumns(const std::vector<TypedColumn>& columns, bool named);

// What ReadDataset makes of an open table, whose units become those of options.like.
Dataset ReadTable(Table& table, const ReadOptions& options);

bool IsPlainText(const std::string& path);      // of the kind that OpenCsv reads; "-", too
std::string FilePart(const std::string& path);  // "a.npz:key" -> "a.npz"

// Throws Error for more columns than kMostColumns.
void CheckColumns(size_t columns, const std::string& path);

std::vector<std::string> DefaultNames(size_t columns);  // "x0", "x1", ...

}  // namespace gopnet
