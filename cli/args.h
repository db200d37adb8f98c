// The options of one command. One declaration serves the parser, --help and config files. Names
// have underscores here and in config files; the command line accepts dashes as well.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/text.h"

namespace gopnet::cli {

using Settings = std::vector<std::pair<std::string, std::string>>;  // name, value

class Args {
 public:
  // An empty summary stands for the one in the overview.
  Args(const std::string& command, const std::string& example, const std::string& summary = "");
  ~Args();

  void Group(const std::string& title);  // a heading for the options declared next
  void Positional(const std::string& label, std::string* value, const std::string& doc,
                  bool required = true);
  // A label in brackets marks an option whose value may be omitted and is then "true". If an option
  // is repeated, commas join the values of COLUMNS; of all other options the last value counts.
  void Option(const std::string& name, std::string* value, const std::string& label,
              const std::string& doc);
  void Flag(const std::string& name, bool* value, const std::string& doc);
  void Repeated(const std::string& name, Words* values, const std::string& label,
                const std::string& doc);

  // Limits --help to these options; --help-all shows all of them.
  void ShowFirst(const Words& names);

  bool Parse(const Words& words);  // false: help was requested and has been printed
  // Sets options that are not on the command line. Messages name `source`: a file, or --set.
  // `chosen` is false for values that the user did not choose, such as the defaults in the config
  // of a run.
  void Apply(const Settings& settings, const std::string& source, bool chosen = true);

  bool Has(const std::string& name) const;  // it was set, anywhere
  bool OnCommandLine(const std::string& name) const;
  bool Chosen(const std::string& name) const;  // the user chose its value
  // The option as the user wrote it, for messages: "--epochs 5", "c.toml: epochs = 5".
  std::string AsGiven(const std::string& name) const;
  bool Known(const std::string& name) const;  // it was declared
  bool json() const;
  bool quiet() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::string Underscored(std::string name);  // a-b -> a_b, the internal spelling of a name

}  // namespace gopnet::cli
