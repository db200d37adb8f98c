// The options that say how a table is to be read, shared by every command that reads one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/args.h"
#include "gopnet/dataset.h"
#include "gopnet/model.h"

namespace gopnet::cli {

// An option whose value is a member of the command's flags.
template <class Flags>
struct FlagOption {
  const char* name;
  std::string Flags::*value;
  const char* label;
  const char* doc;
};

struct TableFlags {
  std::string header, separator, decimal, ignore, id, categorical, missing, date, strict;

  // Of new rows the model knows what the columns are, so two options are left out.
  void Declare(Args& args, bool new_rows = false);
  void Check() const;                    // throws Error
  void Set(ReadOptions* options) const;  // throws Error
  static const std::vector<FlagOption<TableFlags>>& Options();
};

// Rows with targets, for a model.
struct LabelledRows {
  std::string model, rows;  // paths
  ReadOptions read;
  TableFlags table;

  // With what --help says of the model, the rows and their weights.
  void Declare(Args& args, const char* model_label, const char* model_doc, const char* rows_doc,
               const char* weights_doc);
  Model Load() const;  // the model, after a look at all files; throws Error
  Dataset Read(const Model& of, bool quiet) const;
};

// Notes what was odd about a table, unless `quiet`.
void NoteWarnings(const TableReport& report, bool quiet);

std::optional<Task> ParseTask(const std::string& name);  // nothing for auto; throws Error

// The columns of a table and what becomes of them, as lines, at most 30 unless all are wanted;
// nothing to tell: one line.
std::string ColumnsTable(const TableReport& report, bool brief, bool all = false);

// The lines that tell what is trained on: the columns, briefly, and the task.
Words Headlines(const TableReport& report, const Dataset& data, bool task_was_chosen);

}  // namespace gopnet::cli
