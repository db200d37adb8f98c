// The options of one command. Declared once, they feed the parser, --help and config files. Names
// are written with underscores here and in config files; on the command line dashes mean the same.
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
  // Without a summary, that of the overview.
  Args(const std::string& command, const std::string& example, const std::string& summary = "");
  ~Args();

  void Group(const std::string& title);  // a heading for the options declared next
  void Positional(const std::string& label, std::string* value, const std::string& doc,
                  bool required = true);
  // A label in brackets: given without a value it is "true". COLUMNS: if it is repeated, the values
  // are joined by commas; of any other the last one counts.
  void Option(const std::string& name, std::string* value, const std::string& label,
              const std::string& doc);
  void Flag(const std::string& name, bool* value, const std::string& doc);
  void Repeated(const std::string& name, Words* values, const std::string& label,
                const std::string& doc);

  // Of many options, those that --help shows; --help-all shows the rest, too.
  void ShowFirst(const Words& names);

  bool Parse(const Words& words);  // false: help was asked for and has been printed
  // Sets what the command line left alone. `source` is for messages: the file, or --set. Not
  // `chosen` are values that nobody asked for, such as the defaults in the config of a run.
  void Apply(const Settings& settings, const std::string& source, bool chosen = true);

  bool Has(const std::string& name) const;  // it got a value
  bool OnCommandLine(const std::string& name) const;
  bool Chosen(const std::string& name) const;  // a user asked for its value
  // For messages, the option as it was given: "--epochs 5", "c.toml: epochs = 5".
  std::string AsGiven(const std::string& name) const;
  bool Known(const std::string& name) const;  // it was declared
  bool json() const;
  bool quiet() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::string Underscored(std::string name);  // the one spelling of a name

}  // namespace gopnet::cli
