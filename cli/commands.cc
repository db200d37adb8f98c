#include "cli/commands.h"

#include "gopnet/train.h"

namespace gopnet::cli {

const std::vector<Command>& Commands() {
  static const std::vector<Command> commands = {
#define GOPNET_COMMAND(name, function, summary) {#name, function, summary},
#include "cli/commands.def"
#undef GOPNET_COMMAND
  };
  return commands;
}

const Command* FindCommand(const std::string& name) {
  for (const Command& command : Commands()) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

Words CommandNames() {
  Words names;
  for (const Command& command : Commands()) names.push_back(command.name);
  return names;
}

std::string Overview() {
  std::string text = std::string("gopnet ") + Version() +
                     ": networks of generalized operational perceptrons, grown layer by layer\n\n"
                     "Usage: gopnet COMMAND [OPTIONS]\n\n";
  for (const Command& command : Commands()) {
    text += "  " + Padded(command.name, 14) + command.summary + "\n";
  }
  return text +
         "\n  gopnet train --train data.csv --out runs/first\n"
         "  gopnet predict runs/first new.csv\n\n"
         "gopnet COMMAND --help shows the options of a command.\n";
}

}  // namespace gopnet::cli
