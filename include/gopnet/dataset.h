// Data sets: features, targets and weights of rows, and how the columns of a file became features.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gopnet/matrix.h"

namespace gopnet {

enum class Task { kClassification, kRegression };

// One column of a file and how its fields become features, in this order: a number gives one
// feature, a text one 0/1 feature per category, a date several numbers
// (docs/reference/data_files.md).
struct Column {
  std::string name;
  std::vector<std::string> categories = {};  // text: its categories in bytewise order
  bool other = false;                        // text: a further feature is 1 for any other category
  std::string date = {};                     // date: the order of its parts, "ymd", "dmy" or "mdy"
  bool hours = false;                        // date: it has a time of day
  double offset = 0;       // subtracted before numbers are rounded to float32; in days for dates
  bool indicator = false;  // a last feature is 1 where the field is blank
  std::string unit = {};   // numbers: the unit behind them, such as "kg" or "%"
  size_t features() const;
};

// A column that is not used, and why: "id", "index", "constant", "empty" or "ignored".
struct LeftOut {
  std::string name;
  std::string reason;
};

// How the columns of a file become features. Stored in the model, so new rows are read the same
// way.
struct Schema {
  std::vector<Column> columns;  // without the targets, in file order
  std::vector<std::string>
      targets;                // names of the target columns; empty if they came in a separate file
  bool named = false;         // the file had a header, so columns are matched by name
  bool fill_missing = false;  // blanks and NaN are replaced by the mean of their column
  std::vector<LeftOut> left_out = {};
  bool decimal_comma = false;  // numbers have a decimal comma
  std::string id = {};         // the unused column that names the rows (ReadOptions::id)
  size_t features() const;     // columns after encoding
  std::vector<std::string> FeatureNames() const;  // "age", "city=Oslo", "day month", ...
};

// The findings about a table and how it is used, for display.
struct ColumnReport {
  std::string name;
  std::string kind;  // number, category, date, id, index, constant, empty, target, weight
  std::string use;   // how it is used, and why
  bool used = true;  // as features
  size_t features = 0;
  size_t blanks = 0;
  size_t distinct = 0;  // number of unique values, if ReadOptions::count_distinct
};
struct TableReport {
  std::string separator;  // "comma", "semicolon", "tab", "|" or "blanks"; empty: not a text file
  std::string decimal;    // "." or ","
  bool header = false;
  size_t rows = 0;
  std::vector<ColumnReport> columns;  // in file order
  std::vector<std::string> warnings;  // one line each
};

struct Dataset {
  MatrixView x;  // N x D raw values; NaN is a blank
  std::shared_ptr<const void>
      owner;  // keeps x alive: a memory map or a buffer; null if the caller keeps it
  Schema schema;
  std::string source;  // a path for messages, or empty

  Task task = Task::kClassification;
  std::vector<int32_t> labels;             // classification: index into classes, one per row
  std::vector<std::string> classes;        // as given; integers in numeric order, text bytewise
  bool integer_classes = false;            // the labels were integers, not text
  Matrix targets;                          // regression: N x Q, minus target_offset
  std::vector<double> target_offset = {};  // one per target, to be added; empty means 0
  std::vector<float> weights;              // one per row; empty means 1
  std::vector<std::string> ids = {};       // the column ReadOptions::id, as in the file
  std::vector<size_t> row_numbers = {};    // in the file, from 0; empty if no row was skipped

  size_t rows() const { return x.rows; }
  size_t features() const { return x.cols; }
  bool has_targets() const { return !labels.empty() || targets.rows() > 0; }
};

struct ReadOptions {
  std::string labels_path = {};    // targets in a separate file
  std::string weights_path = {};   // one non-negative number per row
  std::string target = {};         // name, 0-based index or comma list; empty: the last column
  std::string weight_column = {};  // name or index of a column of sample weights
  std::optional<Task> task = {};   // unset: the values decide
  // Text columns become categories: the 50 most frequent of each, the others together; ids are
  // dropped. `categorical` keeps up to 1000 of each. The columns in `categories` (names or indices)
  // are categories whatever they hold.
  bool categorical = false;
  std::vector<std::string> categories = {};
  std::vector<std::string> dates = {};   // columns to read as dates, whatever they look like
  std::vector<std::string> ignore = {};  // columns to drop
  std::string id = {};                   // a column to drop and to keep in Dataset::ids
  // Blanks and NaN: kAuto fills in the mean and adds a 0/1 feature where they are many; kMean only
  // fills in the mean; kError refuses them.
  enum class Missing { kAuto, kMean, kError } missing = Missing::kAuto;
  std::optional<bool> header = {};  // text files; unset: detected, like the next two
  char separator = 0;               // , ; | tab, or a blank for runs of blanks
  char decimal = 0;                 // . or ,
  bool strict = false;              // throw Error wherever something would be guessed
  // Skip rows without a target, up to half of all rows, with a warning in the report. Otherwise,
  // and with `strict` or Missing::kError, such rows throw Error.
  bool drop_unlabelled = false;
  bool need_targets =
      true;  // false: rows to predict; a target column is recognised by its name and dropped
  const Schema* like = nullptr;   // read with this schema (validation, test and new rows)
  TableReport* report = nullptr;  // filled with what was found
  bool count_distinct = false;    // count unique values for the report
};

// Reads .csv, .tsv, .txt, .data (also .gz), .arff, .libsvm, .npy or .npz ("file.npz:key"); "-" is
// CSV from standard input. A C-ordered float32 .npy is memory-mapped, not copied. Throws Error that
// names the file, row and column at fault.
Dataset ReadDataset(const std::string& path, const ReadOptions& options = {});

// A column in memory: `texts` if not empty, else `numbers`. NaN and empty text are blanks.
struct TypedColumn {
  std::string name;
  std::vector<double> numbers = {};
  std::vector<std::string> texts = {};
};
// Reads a table in memory like a CSV file of the same values, with the same result: its columns may
// be targets, weights, categories, dates and ids. Dates are texts ("2020-01-31 10:00"). `named` is
// false if the columns have no names.
Dataset MakeDataset(const std::vector<TypedColumn>& columns, const ReadOptions& options,
                    bool named = true);

// Classification rows from arrays in memory. x is not copied and must outlive the data set.
Dataset MakeDataset(MatrixView x, const std::vector<std::string>& labels);
Dataset MakeDataset(MatrixView x, const std::vector<int64_t>& labels);
// Regression rows; targets is N x Q.
Dataset MakeDataset(MatrixView x, Matrix targets);
// Rows to predict.
Dataset MakeDataset(MatrixView x);

}  // namespace gopnet
