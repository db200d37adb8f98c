// The interface of file formats. A Table knows its columns at once, and reads its rows when the
// roles of the columns are known. A format is one function that opens a Table; readers.def lists
// them.
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

// Many short texts in one buffer: a label of one digit takes nine bytes, a string takes thirty-two.
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

// The roles of a file's columns. Columns in neither list are skipped.
struct Layout {
  std::vector<size_t> features;  // file column of each schema column, in the schema's order
  std::vector<size_t> kept;      // targets, weights and ids, returned unchanged
  bool allow_missing = false;
};

// The values of a column as stored in the file. Fields of a CSV file may become any other kind.
struct ColumnValues {
  enum class Kind { kFields, kText, kIntegers, kNumbers };
  Kind kind = Kind::kFields;
  Texts text;  // kFields and kText
  std::vector<int64_t> integers;
  std::vector<double> numbers;
};

// Unparsable fields: how many there are, and the first of them.
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

// The first currency in a column of numbers, and a second one if there is any.
struct Currencies {
  std::string_view first, other;
  void Add(std::string_view currency) {
    if (currency.empty()) return;
    if (first.empty()) first = currency;
    if (currency != first) other = currency;
  }
};

// One feature, before encoding.
struct Feature {
  Texts text;               // fields of a text column; empty for numbers
  std::vector<double> far;  // numbers of a far column; empty for others
  size_t blanks = 0;        // without the strays
  Strays strays;            // text in a column of numbers
  Currencies currencies;
  size_t codes = 0;    // fields with a leading zero and ColumnHint::digits digits ...
  bool apart = false;  // ... and whether other numbers have a different form
};

struct TableRows {
  size_t count = 0;
  MatrixView x;  // one number for each of Layout::features; NaN: missing, or text
  std::shared_ptr<const void> owner;  // keeps x alive
  std::vector<Feature> features;
  std::vector<ColumnValues> kept;
};

// The smallest and the largest of some finite numbers; NaN is ignored.
struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void Add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  // Whether rounding to float32 would lose much of the differences between the numbers.
  bool IsFar() const {
    return low <= high && std::max(std::fabs(low), std::fabs(high)) > 4096 * (high - low);
  }
};

// How to read a column, decided from the first rows and corrected once all rows are known.
struct ColumnHint {
  bool text = false;      // keep the fields as text
  bool empty = false;     // no field has a value
  bool far = false;       // numbers far from 0 relative to their spread: also kept in double
  bool codes = false;     // 01234: digits of one length, some with a leading zero
  bool padded = false;    // such digits, nearly all different: numbers
  size_t digits = 0;      // length of every number, if all consist of digits only
  std::string unit = {};  // behind the numbers: "%", "kg"
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
  // For each column of a wide text file, whether all its fields are blank; empty for other files.
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
  std::string unfit;               // why the file cannot hold features; empty if it can
  std::vector<ColumnHint> hints;   // one a column
  bool array = false;              // an array of numbers: all its columns are kept
  std::string separator, decimal;  // of a text file, for people
  std::vector<TableGuess> guesses;
};

// Facts about a file that the caller knows.
struct Hints {
  const Schema* like = nullptr;  // a header would repeat its names
  std::optional<size_t> rows;    // labels and weights: as many as there are feature rows
  // Options of the user for text files (ReadOptions).
  std::optional<bool> header = {};
  char separator = 0, decimal = 0;
  size_t first_line = 1;  // line number of the text within its file
  bool more = false;      // the file continues after the text
  bool all_rows = false;  // no row may be skipped: predictions, or labels in another file
};
Hints HintsOf(const ReadOptions& options);

// The function of each file format.
#define READER(ending, open) std::unique_ptr<Table> open(const FileBytes&, const Hints&);
#include "data/formats/readers.def"
#undef READER

std::unique_ptr<Table> OpenTable(const std::string& path, const Hints& hints);
std::unique_ptr<Table> OpenTable(const FileBytes& file, const Hints& hints);

// A table in memory, perhaps of new rows for a model with a schema; the columns must outlive it.
std::unique_ptr<Table> OpenColumns(const std::vector<TypedColumn>& columns, bool named,
                                   const Schema* like = nullptr);

// Makes a data set of an open table. The units in its hints become those of options.like.
Dataset ReadTable(Table& table, const ReadOptions& options);

bool IsPlainText(const std::string& path);      // whether OpenCsv reads it; true for "-"
std::string FilePart(const std::string& path);  // "a.npz:key" -> "a.npz"

// Throws Error for more columns than kMostColumns.
void CheckColumns(size_t columns, const std::string& path);

std::vector<std::string> DefaultNames(size_t columns);  // "x0", "x1", ...

}  // namespace gopnet
