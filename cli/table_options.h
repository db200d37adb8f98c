// The options for reading a table, common to all commands that read one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/args.h"
#include "gopnet/dataset.h"
#include "gopnet/model.h"

namespace gopnet::cli {

// An option that sets a member of the command's flags.
template <class Flags>
struct FlagOption {
  const char* name;
  std::string Flags::*value;
  const char* label;
  const char* doc;
};

struct TableFlags {
  std::string header, separator, decimal, ignore, id, categorical, missing, date, strict;

  // New rows have no options for categories and dates, because the model knows these columns.
  void Declare(Args& args, bool new_rows = false);
  void Check() const;                    // throws Error
  void Set(ReadOptions* options) const;  // throws Error
  static const std::vector<FlagOption<TableFlags>>& Options();
};

// A model and labelled rows for it.
struct LabelledRows {
  std::string model, rows;  // paths
  ReadOptions read;
  TableFlags table;

  // The texts describe the model, the rows and their weights in --help.
  void Declare(Args& args, const char* model_label, const char* model_doc, const char* rows_doc,
               const char* weights_doc);
  Model Load() const;  // loads the model after checking all files; throws Error
  Dataset Read(const Model& of, bool quiet) const;
};

// Prints the warnings about a table, unless `quiet`.
void NoteWarnings(const TableReport& report, bool quiet);

std::optional<Task> ParseTask(const std::string& name);  // nothing for auto; throws Error

// The columns of a table and their use, one per line; at most 30 unless `all`. If `brief`, plain
// numeric columns become one line.
std::string ColumnsTable(const TableReport& report, bool brief, bool all = false);

// The first lines of training: the columns, briefly, and the task.
Words Headlines(const TableReport& report, const Dataset& data, bool task_was_chosen);

}  // namespace gopnet::cli
