#include "cli/commands.h"

#include <algorithm>

#include "gopnet/train.h"

namespace gopnet::cli {

const std::vector<Command>& Commands() {
  static const std::vector<Command> commands = {
#define GOPNET_COMMAND(name, run, check, summary) {#name, run, check, summary},
#include "cli/commands.def"
#undef GOPNET_COMMAND
  };
  return commands;
}

const Command* FindCommand(const std::string& name) {
  const auto found = std::ranges::find(Commands(), name, &Command::name);
  return found == Commands().end() ? nullptr : &*found;
}

Words CommandNames(bool only_training) {
  Words names;
  for (const Command& command : Commands())
    if (command.trains() || !only_training) names.push_back(command.name);
  return names;
}

std::string Overview() {
  std::string commands;
  for (const Command& command : Commands())
    commands += fmt::format("  {:14}{}\n", command.name, command.summary);
  return fmt::format(
      R"(gopnet {}: networks of generalized operational perceptrons, grown layer by layer

Usage: gopnet COMMAND [OPTIONS]

{}
Examples:
  gopnet train --train data.csv --out runs/first
  gopnet predict runs/first new.csv

Use "gopnet COMMAND --help" to see the options of a command.
)",
      Version(), commands);
}

}  // namespace gopnet::cli
