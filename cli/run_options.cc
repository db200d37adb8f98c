#include "cli/run_options.h"

#include <charconv>
#include <filesystem>

#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/summary.h"
#include "gopnet/error.h"
#include "gopnet/report.h"

namespace gopnet::cli {

void RunFlags::Declare(Args& args) {
  args.Option(
      "time_limit", &time_limit, "TIME",
      "Stops after this time (90s, 30m, 2h, 1h30m), as Ctrl-C does: exit code 3, and gopnet "
      "resume goes on.");
  args.Option("checkpoint_every", &checkpoint_every, "N",
              "Seconds after which fine-tuning keeps what it has, for gopnet resume. Default: 30.");
}

double RunFlags::Check() const {
  LimitTime(time_limit);
  double seconds = 0;
  const char* end = checkpoint_every.data() + checkpoint_every.size();
  const auto [rest, error] = std::from_chars(checkpoint_every.data(), end, seconds);
  if (error != std::errc() || rest != end || !(seconds >= 0)) {
    throw Error("--checkpoint-every: '" + checkpoint_every +
                "' given, a number of seconds >= 0 is wanted");
  }
  return seconds;
}

std::string StoppedMessage(const std::string& what, const std::string& folder) {
  const std::string reason = ReasonToStop();
  const std::string why = what == "stopped on request" && !reason.empty() ? reason : what;
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::path(folder) / "config.json", ignored) &&
      !std::filesystem::exists(std::filesystem::path(folder) / "compare.json", ignored))
    return why + "; nothing was begun yet, the same command starts again";
  const bool dash = folder[0] == '-';  // would be taken for an option
  return why + "; go on with: gopnet resume " + ShellQuoted(dash ? "./" + folder : folder);
}

void PrintResult(const Args& args, const TrainResult& result, const std::string& folder,
                 const std::string& test_file) {
  const std::string model = (std::filesystem::path(folder) / "model.safetensors").string();
  if (args.json()) return Print(ToJson(result.history, model) + "\n");
  Print(args.quiet() ? model + "\n" : TrainSummary(result.history, folder, test_file));
}

}  // namespace gopnet::cli
