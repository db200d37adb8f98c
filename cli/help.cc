// gopnet help TOPIC: what the library offers, or the options of a command.
#include <nlohmann/json.hpp>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/topics.h"
#include "gopnet/error.h"
#include "gopnet/train.h"

namespace gopnet::cli {
namespace {

using Json = nlohmann::ordered_json;
const Words kTopics = {"algorithms", "operators", "parameters"};

Topic (*FindTopic(const std::string& name))() {
  if (name == "algorithms") return AlgorithmsTopic;
  if (name == "operators") return OperatorsTopic;
  if (name == "parameters") return ParametersTopic;
  return nullptr;
}

Json CommandJson(const Command& command) {
  return {{"name", command.name}, {"summary", command.summary}};
}

std::string OverviewJson() {
  Json json = {{"version", Version()}, {"topics", kTopics}};
  for (const Command& c : Commands()) json["commands"].push_back(CommandJson(c));
  return json.dump(2) + "\n";
}

[[noreturn]] void Unknown(const std::string& name) {
  Words names = CommandNames();
  names.insert(names.begin(), kTopics.begin(), kTopics.end());
  throw Error("unknown topic '" + name + "'" + Hint(name, names) + "; there are " + Join(names));
}

}  // namespace

void RunHelp(const Words& words) {
  Args args("help", "algorithms, operators, parameters, or the options of a command",
            "gopnet help operators");
  std::string name;
  bool markdown = false;
  args.Positional("TOPIC", &name, "algorithms, operators, parameters, or a command.", false);
  args.Flag("markdown", &markdown, "Markdown, as in the documentation.");
  if (!args.Parse(words)) return;
  if (name.empty()) return Print(args.json() ? OverviewJson() : Overview());
  if (const auto topic = FindTopic(name)) {
    return Print(args.json() ? topic().json + "\n" : (markdown ? AsMarkdown : AsText)(topic()));
  }
  const Command* command = FindCommand(name);
  if (command == nullptr) Unknown(name);
  if (args.json()) return Print(CommandJson(*command).dump(2) + "\n");
  command->run({"--help"});
}

}  // namespace gopnet::cli
