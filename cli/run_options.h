// Options of every command that writes run folders: when to stop, how often to keep what is done.
#pragma once

#include <string>

#include "cli/args.h"
#include "gopnet/train.h"

namespace gopnet::cli {

struct RunFlags {
  std::string time_limit, checkpoint_every = "30";

  void Declare(Args& args);
  double Check() const;  // sets the time limit; returns checkpoint_every. Throws Error.
};

// The message of a run that was stopped: why, and the command that goes on with it.
std::string StoppedMessage(const std::string& what, const std::string& folder);

// What training found, as --json and --quiet want it.
void PrintResult(const Args& args, const TrainResult& result, const std::string& folder,
                 const std::string& test_file);

}  // namespace gopnet::cli
