// The options that say how a table is to be read, shared by every command that reads one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/args.h"
#include "gopnet/dataset.h"

namespace gopnet::cli {

struct TableFlags {
  std::string header, separator, decimal, ignore, id, categorical, missing, date, strict;

  // What a command that only reads new rows declares: the model knows about the columns.
  void DeclareReading(Args& args);
  void Declare(Args& args);
  void Check() const;                    // throws Error
  void Set(ReadOptions* options) const;  // throws Error

  struct Option {
    const char* name;
    std::string TableFlags::*value;
    const char* label;
    const char* doc;
    bool of_new_rows;  // and of rows to train on
  };
  static const std::vector<Option>& Options();
};

std::optional<Task> ParseTask(const std::string& name);  // nothing for auto; throws Error

// The columns of a table and what becomes of them, as lines, at most 30 unless all are wanted;
// nothing to tell: one line.
std::string ColumnsTable(const TableReport& report, bool brief, bool all = false);

// The lines that tell what is trained on: the columns, briefly, and the task.
Words Headlines(const TableReport& report, const Dataset& data, bool task_was_chosen);

}  // namespace gopnet::cli
