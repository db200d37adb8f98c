// Rows to learn from or to predict: features, targets, weights, and how a file's columns became
// them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gopnet/matrix.h"

namespace gopnet {

enum class Task { kClassification, kRegression };

// One column of a file, and how its fields become features, in this order: a number becomes one; a
// text one of 0 or 1 for each of its categories; a date several numbers
// (docs/reference/data_files.md).
struct Column {
  std::string name;
  std::vector<std::string> categories = {};  // of a text column; bytewise order
  bool other = false;      // of a text column: one more feature, 1 for any other category
  std::string date = {};   // of a date: the order of its parts, "ymd", "dmy" or "mdy"
  bool hours = false;      // of a date: it has a time of day
  double offset = 0;       // subtracted before numbers are rounded to float32; of a date in days
  bool indicator = false;  // a last feature, 1 where the field is blank
  std::string unit = {};   // of numbers: what follows them, "kg" or "%"
  size_t features() const;
};

// A column that is no feature, and why: "id", "index", "constant", "empty" or "ignored".
struct LeftOut {
  std::string name;
  std::string reason;
};

// How the columns of a file become features. Stored in the model, so that new rows are read the
// same way.
struct Schema {
  std::vector<Column> columns;  // without the targets, in file order
  std::vector<std::string>
      targets;         // names of the target columns; empty if they came in a file of their own
  bool named = false;  // the file had a header, so columns are matched by name
  bool fill_missing = false;  // there were blanks; they and NaN stand for the mean of their column
  std::vector<LeftOut> left_out = {};
  bool decimal_comma = false;  // of its numbers
  std::string id = {};         // of the columns left out, the one that names rows (ReadOptions::id)
  size_t features() const;     // columns after encoding
  std::vector<std::string> FeatureNames() const;  // "age", "city=Oslo", "day month", ...
};

// What was found in a table and what became of it, for people.
struct ColumnReport {
  std::string name;
  std::string kind;  // number, category, date, id, index, constant, empty, target, weight
  std::string use;   // what is done with it, and why
  bool used = true;  // as features
  size_t features = 0;
  size_t blanks = 0;
  size_t distinct = 0;  // different values; counted if ReadOptions::count_distinct
};
struct TableReport {
  std::string separator;  // "comma", "semicolon", "tab", "|" or "blanks"; empty: no text file
  std::string decimal;    // "." or ","
  bool header = false;
  size_t rows = 0;
  std::vector<ColumnReport> columns;  // in file order
  std::vector<std::string> warnings;  // a line each
};

struct Dataset {
  MatrixView x;  // N x D, raw values; NaN where a blank is to be filled
  std::shared_ptr<const void>
      owner;  // keeps x alive: a memory map or a buffer; null if the caller does
  Schema schema;
  std::string source;  // where it came from, for messages: a path, or empty

  Task task = Task::kClassification;
  std::vector<int32_t> labels;             // classification: index into classes, one a row
  std::vector<std::string> classes;        // as given; integers in numeric order, text bytewise
  bool integer_classes = false;            // the labels were integers, not text
  Matrix targets;                          // regression: N x Q, less target_offset
  std::vector<double> target_offset = {};  // one a target, to be added; empty means 0
  std::vector<float> weights;              // one a row; empty means 1
  std::vector<std::string> ids = {};       // ReadOptions::id, as the file has them
  std::vector<size_t> row_numbers = {};    // in the file, from 0; empty: none was left out

  size_t rows() const { return x.rows; }
  size_t features() const { return x.cols; }
  bool has_targets() const { return !labels.empty() || targets.rows() > 0; }
};

struct ReadOptions {
  std::string labels_path = {};    // targets in a file of their own
  std::string weights_path = {};   // one non-negative number a row
  std::string target = {};         // name, 0-based index or comma list; empty: the last column
  std::string weight_column = {};  // name or index of a column of sample weights
  std::optional<Task> task = {};  // unset: decided by the values (see docs/reference/data_files.md)
  // Text columns are categories: the most frequent 50 of each, the others together; ids are left
  // out. `categorical` keeps up to 1000 of each. The columns named (or numbered) are categories
  // whatever they hold.
  bool categorical = false;
  std::vector<std::string> categories = {};
  std::vector<std::string> dates = {};   // columns to be read as dates, whatever they look like
  std::vector<std::string> ignore = {};  // columns to leave out
  std::string id = {};                   // a column to leave out and to keep in Dataset::ids
  // Blanks and NaN: kAuto fills them with the mean and, where they are many, tells the network
  // by one more feature; kMean fills only; kError refuses them.
  enum class Missing { kAuto, kMean, kError } missing = Missing::kAuto;
  std::optional<bool> header = {};  // of a text file; unset: found out, as the next two are
  char separator = 0;               // , ; | tab, or a blank for runs of blanks
  char decimal = 0;                 // . or ,
  bool strict = false;              // an Error wherever something had to be guessed
  // Rows whose target is blank are left out, up to half of them, with a warning in the report;
  // otherwise, and with strict or Missing::kError, they are an Error.
  bool drop_unlabelled = false;
  bool need_targets =
      true;  // false: rows to predict; a target column is recognised by name and dropped
  const Schema* like = nullptr;   // read as this schema says (validation, test and new rows)
  TableReport* report = nullptr;  // gets what was found
  bool count_distinct = false;    // for the report
};

// Reads .csv, .tsv, .txt, .data (also .gz), .arff, .libsvm, .npy or .npz ("file.npz:key"); "-" is
// CSV from standard input. A C-ordered float32 .npy is memory-mapped, not copied. Throws Error
// naming the file and the row and column at fault.
Dataset ReadDataset(const std::string& path, const ReadOptions& options = {});

// A column in memory: numbers, or texts if there are any. NaN and an empty text are blanks.
struct TypedColumn {
  std::string name;
  std::vector<double> numbers = {};
  std::vector<std::string> texts = {};
};
// Reads a table in memory as it would a CSV file of the same values: targets, weights, categories,
// dates and ids among its columns, and gives the same bytes. Dates are texts ("2020-01-31 10:00").
// `named` is false for columns that have no names of their own.
Dataset MakeDataset(const std::vector<TypedColumn>& columns, const ReadOptions& options,
                    bool named = true);

// Makes a classification set of arrays in memory. x is not copied and must outlive the data set.
Dataset MakeDataset(MatrixView x, const std::vector<std::string>& labels);
Dataset MakeDataset(MatrixView x, const std::vector<int64_t>& labels);
// Makes a regression set; targets is N x Q.
Dataset MakeDataset(MatrixView x, Matrix targets);
// Rows to predict.
Dataset MakeDataset(MatrixView x);

}  // namespace gopnet
