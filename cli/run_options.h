// What commands that write run folders share: options, how they stop, and one training or
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
  // What the texts mean, after Check.
  double checkpoint_seconds = 0;
  size_t memory_bytes = 0;  // 0: not given

  void Declare(Args& args);
  void Check();  // sets the time limit, too; throws Error
};

// Writes report.html into the folder. That it could not is a warning: the run is there.
void WriteReportOrWarn(const std::string& folder);

// The message of a run that was stopped: why, and the command that goes on with it.
std::string StoppedMessage(const std::string& what, const std::string& folder);

// Calls work(). What may succeed another time, or with more memory, becomes Stopped with the
// command that goes on with the run in the folder.
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
  TrainFlags flags;  // where its rows are
  RunFlags run;      // checked
  std::string folder;
  std::string chosen_for =
      "";                     // the algorithm that the folder was named after; empty: it was given
  std::string headline = "";  // empty: a summary of the rows
  bool live = false;          // serves the page meanwhile
  std::string port = "";      // for that; empty: a free one
};

using TrainCall = std::function<TrainResult(const TrainData& data, const TrainOptions& options)>;

// Reads the rows, trains, and prints what was found as --json and --quiet want it. Throws Stopped
// with the command that goes on.
void TrainAndPrint(Training training, const Args& args, const TrainCall& train);

struct CompareJob {
  TrainFlags flags;
  RunFlags run;  // checked
  CompareOptions options;
  std::string split;            // how the rows are split, in words; may be empty
  std::string chosen_for = "";  // "compare" if the folder was not given
  enum { kText, kJson, kCsv, kMarkdown } format = kText;
};

// Reads the rows, trains what is missing, prints the table. Throws Error, after the table, if a run
// failed; Stopped with the command that goes on.
void CompareAndPrint(CompareJob job, bool quiet);

}  // namespace gopnet::cli
