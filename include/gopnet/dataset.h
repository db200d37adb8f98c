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

// One column of a file. A text column lists its categories (bytewise order) and becomes that many
// 0/1 features; a number column lists none and becomes one feature.
struct Column {
  std::string name;
  std::vector<std::string> categories;
};

// How the columns of a file become features. Stored in the model, so that new rows are read the
// same way.
struct Schema {
  std::vector<Column> columns;  // without the targets, in file order
  std::vector<std::string>
      targets;         // names of the target columns; empty if they came in a file of their own
  bool named = false;  // the file had a header, so columns are matched by name
  bool fill_missing = false;  // blanks and NaN stand for the mean of their column
  size_t features() const;    // columns after one-hot encoding
  std::vector<std::string> FeatureNames() const;  // "age", "city=Oslo", ...
};

struct Dataset {
  MatrixView x;  // N x D, raw values; NaN where a blank is to be filled
  std::shared_ptr<const void>
      owner;  // keeps x alive: a memory map or a buffer; null if the caller does
  Schema schema;
  std::string source;  // where it came from, for messages: a path, or empty

  Task task = Task::kClassification;
  std::vector<int32_t> labels;       // classification: index into classes, one a row
  std::vector<std::string> classes;  // as given; integers in numeric order, text bytewise
  bool integer_classes = false;      // the labels were integers, not text
  Matrix targets;                    // regression: N x Q
  std::vector<float> weights;        // one a row; empty means 1

  size_t rows() const { return x.rows; }
  size_t features() const { return x.cols; }
  bool has_targets() const { return !labels.empty() || targets.rows() > 0; }
};

struct ReadOptions {
  std::string labels_path = {};    // targets in a file of their own
  std::string weights_path = {};   // one non-negative number a row
  std::string target = {};         // name, 0-based index or comma list; empty: the last column
  std::string weight_column = {};  // name or index of a column of sample weights
  std::optional<Task> task = {};   // unset: decided by the values (see docs/data.md)
  bool categorical = false;        // one-hot encode text columns; without it text is an error
  bool fill_missing = false;       // accept blanks and NaN; without it they are an error
  bool need_targets =
      true;  // false: rows to predict; a target column is recognised by name and dropped
  const Schema* like = nullptr;  // read as this schema says (validation, test and new rows)
};

// Reads .csv, .tsv (also .gz), .npy or .npz ("file.npz:key"). A C-ordered float32 .npy is
// memory-mapped, not copied. Throws Error naming the file and the row and column at fault.
Dataset ReadDataset(const std::string& path, const ReadOptions& options = {});

// Makes a classification set of arrays in memory. x is not copied and must outlive the data set.
Dataset MakeDataset(MatrixView x, const std::vector<std::string>& labels);
Dataset MakeDataset(MatrixView x, const std::vector<int64_t>& labels);
// Makes a regression set; targets is N x Q.
Dataset MakeDataset(MatrixView x, Matrix targets);
// Rows to predict.
Dataset MakeDataset(MatrixView x);

}  // namespace gopnet
