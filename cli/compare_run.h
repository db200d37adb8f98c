// A comparison once its options are settled: by gopnet compare, or by gopnet resume.
#pragma once

#include <string>

#include "cli/train_options.h"
#include "gopnet/compare.h"

namespace gopnet::cli {

struct CompareJob {
  TrainFlags flags;
  CompareOptions options;
  std::string split;  // how the rows are split, in words; may be empty
  enum { kText, kJson, kCsv, kMarkdown } format = kText;
};

// Reads the rows, trains what is missing, prints the table. Throws Error, after the table, if a run
// failed; Stopped with the command that goes on.
void CompareAndPrint(const CompareJob& job, bool quiet);

}  // namespace gopnet::cli
