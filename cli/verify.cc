// gopnet verify: checks the files of a run or a model for damage.
#include "cli/commands.h"
#include "cli/json.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {

void RunVerify(const Words& words) {
  Args args("verify", "gopnet verify runs/first");
  std::string path;
  args.Positional("RUN", &path, "A run or comparison folder, or a model.safetensors file.");
  if (!args.Parse(words)) return;
  const std::vector<FileCheck> checks = Verify(path);
  Words damaged;
  std::string text;
  auto json = Json::array();
  for (const auto& [file, problem] : checks) {
    if (!problem.empty()) damaged.push_back(file + ": " + problem);
    text += Printable(file) + ": " + (problem.empty() ? "intact" : Printable(problem)) + "\n";
    json.push_back({{"file", PathAsText(file)}, {"problem", problem}});
  }
  if (args.json()) {
    PrintJson(Json{{"whole", damaged.empty()}, {"files", json}}, 2);
  } else if (!args.quiet()) {
    Print(text);
  }
  if (!damaged.empty())
    Fail("{} of {} files damaged: {}", damaged.size(), checks.size(), Join(damaged, "; "));
}

}  // namespace gopnet::cli
