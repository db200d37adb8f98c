// The common part of the commands that write run folders: options, early stops, and one training or
// comparison from rows to result.
#pragma once

#include <functional>
#include <new>
#include <string>

#include "cli/args.h"
#include "cli/train_options.h"
#include "gopnet/compare.h"
#include "gopnet/error.h"
#include "gopnet/train.h"

namespace gopnet::cli {

struct RunFlags {
  std::string time_limit, checkpoint_every = "30", memory_limit;
  bool no_report = false;
  // The values of the texts, after Check.
  double checkpoint_seconds = 0;
  size_t memory_bytes = 0;  // 0: no limit by the user

  void Declare(Args& args);
  void Check();  // also starts the time limit; throws Error
};

// Writes report.html into the folder. A failure is only a warning, because the run is complete.
void WriteReportOrWarn(const std::string& folder);

// The message of a run that was stopped: the reason, and the command that continues the run.
std::string StoppedMessage(const std::string& what, const std::string& folder);

// Calls work(). Turns exceptions after which another attempt may succeed, such as too little
// memory, into Stopped with the command that continues the run.
template <class Work>
auto Resumable(const std::string& folder, const Work& work) {
  try {
    return work();
  } catch (const Stopped& e) {
    throw Stopped(StoppedMessage(e.what(), folder));
  } catch (const Changed& e) {
    throw Stopped(StoppedMessage(e.what(), folder));
  } catch (const std::bad_alloc&) {
    throw Stopped(StoppedMessage("out of memory", folder));
  }
}

struct Training {
  TrainFlags flags;  // the source of its rows
  RunFlags run;      // checked
  std::string folder;
  std::string chosen_for = "";  // the algorithm in the folder's name; empty: the user named it
  std::string headline = "";    // empty: a summary of the rows
  bool live = false;            // serve the live page during training
  std::string port = "";        // of the live page; empty: any free port
};

using TrainCall = std::function<TrainResult(const TrainData& data, const TrainOptions& options)>;

// Reads the rows, trains, and prints the result in the format that --json and --quiet select.
// Throws Stopped with the command that continues the run.
void TrainAndPrint(Training training, const Args& args, const TrainCall& train);

struct CompareJob {
  TrainFlags flags;
  RunFlags run;  // checked
  CompareOptions options;
  std::string split;            // a line that describes the split of the rows; may be empty
  std::string chosen_for = "";  // "compare" if the user did not name the folder
  enum { kText, kJson, kCsv, kMarkdown } format = kText;
};

// Reads the rows, trains the missing runs and prints the table. Throws Error after the table if a
// run failed; throws Stopped with the command that continues the comparison.
void CompareAndPrint(CompareJob job, bool quiet);

}  // namespace gopnet::cli
