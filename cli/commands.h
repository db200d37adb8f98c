// The commands of the program, from commands.def, and the headers that their files need.
#pragma once

#include <string>
#include <vector>

#include "cli/args.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/text.h"

namespace gopnet::cli {

struct Command {
  std::string name;
  void (*run)(const Words& words);  // the words after the command's name
  std::string (*check)(const Words& words);
  std::string summary;

  bool trains() const { return check != nullptr; }
};

#define GOPNET_COMMAND(name, run, check, summary) void run(const Words& words);
#include "cli/commands.def"
#undef GOPNET_COMMAND

// For slurm-script: check the options as the command does before it reads rows, and return its run
// folder; empty if help was requested and has been printed.
std::string CheckTrain(const Words& words);
std::string CheckCompare(const Words& words);
std::string CheckResume(const Words& words);

const std::vector<Command>& Commands();
const Command* FindCommand(const std::string& name);  // null if there is none
Words CommandNames(bool only_training = false);
std::string Overview();
std::string VersionText();  // for --version: the version, then facts about the build, one per line

}  // namespace gopnet::cli
