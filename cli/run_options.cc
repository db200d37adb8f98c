#include "cli/run_options.h"

#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

#include "cli/console.h"
#include "cli/ending.h"
#include "cli/files.h"
#include "cli/json.h"
#include "cli/live.h"
#include "cli/ranks.h"
#include "cli/summary.h"
#include "gopnet/report.h"
#include "gopnet/report_page.h"
#include "gopnet/safe_text.h"

namespace gopnet::cli {
namespace {

using Clock = std::chrono::steady_clock;

// Prints a line for each layer and, in between, a status line. The headlines come first, once the
// data have been checked.
class Progress : public Observer {
 public:
  Progress(bool quiet, Words headlines, Words warnings)
      : headlines_(std::move(headlines)), warnings_(std::move(warnings)), status_(quiet) {
    Restart();
  }

  void OnStart(const History& history) override {
    metric_ = history.metric;
    if (history.weighted) weighted_ = "weighted ";
    for (const std::string& line : headlines_) status_.Line(line);
    status_.Line(RowsSummary(history.data));
    for (const std::string& warning : warnings_) OnWarning(warning);
    Restart();
  }

  void OnCandidate(const CandidateEvent& event) override {
    metric_ = event.metric;
    if (event.recalled) LeaveOut(event.share);
    if (!status_.Due()) return;
    std::string line = event.ranks_only ? "" : fmt::format("layer {}, ", event.layer);
    if (event.rounds > 1) line += fmt::format("round {} of {}, ", event.round, event.rounds);
    line += fmt::format("set {} of {}", event.set, event.sets);
    const std::string best =
        event.best_operator_set.empty()
            ? ", no candidate yet"
            : fmt::format(", best {} {:.4f}", OperatorSet(event.best_operator_set),
                          event.best_score);
    status_.Draw(line + TimeLeft(event.share), best);
  }

  void OnGrid(const GridEvent& event) override {
    metric_ = event.metric;
    if (event.recalled) LeaveOut(Share(event.done, event.total));
    if (!status_.Due()) return;
    status_.Draw(fmt::format("grid, {} of {}{}", event.done, event.total,
                             TimeLeft(Share(event.done, event.total))),
                 fmt::format(", best {} {:.4f}", Setting(event.best_setting), event.best_score));
  }

  void OnMember(const MemberEvent& event) override {
    metric_ = event.metric;
    if (event.done == 1) Restart();  // the search has ended
    if (event.recalled) LeaveOut(Share(event.done, event.total));
    const std::string line = fmt::format("network {} of {}", event.done, event.total);
    if (event.done == event.total) return status_.Line(line + ", trained");
    const std::string set =
        event.operator_set.empty() ? "" : ", " + OperatorSet(event.operator_set);
    if (status_.Due())
      status_.Draw(line + TimeLeft(Share(event.done, event.total)), set + Score(event.val));
  }

  void OnBlock(const BlockRecord& block, int layer, int index, bool accepted) override {
    if (!status_.Due()) return;
    status_.Draw(
        fmt::format("layer {}, block {} {}", layer, index, accepted ? "accepted" : "rejected"),
        ", " + OperatorSet(block.operator_set) + Score(block.val));
  }

  void OnLayer(const LayerRecord& layer, int index, bool accepted) override {
    const std::string memory =
        layer.memory.dims > 0 ? fmt::format(", memory {}", layer.memory.dims) : "";
    status_.Line(layer.ranks_only
                     ? fmt::format("ranked the operator sets, best {}{}, {}; now training the best",
                                   OperatorSets(layer), Score(layer.val), Duration(layer.seconds))
                     : fmt::format("layer {} {}: {}, {} units{}{}, {}", index,
                                   accepted ? "accepted" : "rejected", OperatorSets(layer),
                                   layer.units, memory, Score(layer.val), Duration(layer.seconds)));
    Restart();
  }

  void OnEpoch(const EpochEvent& event) override {
    if (event.network > 0) return;            // OnMember shows the progress of an ensemble
    if (!std::exchange(finetuning_, true)) {  // the last layer may have ended long ago
      Restart();
      passed_ = Share(event.epoch - 1, event.epochs);
    }
    const std::string line = fmt::format("fine-tuning, epoch {} of {}", event.epoch, event.epochs);
    if (event.epoch == event.epochs) return status_.Line(line + Score(event.val));
    if (status_.Due())
      status_.Draw(line + TimeLeft(Share(event.epoch, event.epochs)), Score(event.val));
  }

  void OnFold(int done, int folds, const Metrics& test) override {
    const char* metric = test.count("r2") != 0 ? "r2" : "accuracy";
    if (!std::exchange(folding_, true)) passed_ = Share(done - 1, folds);
    status_.Line(fmt::format("cross-validation, fold {} of {}, {} {:.4f}{}", done, folds, metric,
                             test.at(metric), TimeLeft(Share(done, folds))));
    if (done == folds) Restart();
  }

  void OnWarning(const std::string& warning) override { status_.Line("warning: " + warning); }
  bool Continue() override { return status_.Continue(); }

 private:
  // A new stage begins: a layer, fine-tuning.
  void Restart() {
    stage_start_ = Clock::now();
    passed_ = 0;
    status_.RestartPause();
  }

  // Excludes the share that an earlier process of the run did from the estimate of the time left.
  void LeaveOut(double share) {
    stage_start_ = Clock::now();
    passed_ = share;
  }

  static double Share(int done, int total) { return static_cast<double>(done) / total; }

  // `share` is the share of the work that is done.
  std::string TimeLeft(double share) const {
    const std::chrono::duration<double> spent = Clock::now() - stage_start_;
    if (share <= passed_ || share >= 1) return "";
    return ", about " + Duration(spent.count() / (share - passed_) * (1 - share)) + " left";
  }

  std::string Score(const Metrics& metrics) const {
    const double* score = Find(metrics, metric_);
    return score ? fmt::format(", {}{} {:.4f}", weighted_, metric_, *score) : "";
  }

  const Words headlines_;
  const Words warnings_;  // of the table
  StatusLine status_;
  std::string metric_;  // the metric that decides
  std::string weighted_;
  bool finetuning_ = false, folding_ = false;
  double passed_ = 0;  // the share of this stage that an earlier process of the run did
  Clock::time_point stage_start_;
};

// Prints the metrics and the file of the best network so far.
void PrintStopped(const Args& args, const std::string& folder) {
  if (!Holds(folder, "metrics.json")) return;
  const auto json = ReadJsonFile(InFolder(folder, "metrics.json"));
  if (args.json()) return PrintJson(json, 2);
  const std::string model = InFolder(folder, "checkpoint.safetensors");
  if (args.quiet()) return PrintData(model + "\n");
  const std::map<std::string, Metrics> metrics = MetricsOf(json);
  std::string table = metrics.empty() ? "" : MetricsTable(metrics);
  if (metrics.size() == 1 && metrics.count("train"))
    table += "train is optimistic because the network learned from these rows\n";
  Print(fmt::format("\nstopped early; the best network so far:\n{}model: {}\n", table,
                    Printable(model)));
}

TrainResult ReadAndTrain(Training& training, bool quiet, const TrainCall& train) {
  const auto start = Clock::now();
  const TrainFlags& flags = training.flags;
  TableReport report;
  TrainData data = flags.Load(&report);
  const ClaimedFolder claim(training.folder, training.chosen_for);
  training.folder = claim.path();
  PrepareFinalErrorOfRun(training.folder);
  std::optional<LivePage> live;
  if (training.live) {
    live.emplace(training.folder, training.port);
    Note("live view: " + live->address());
  }
  ShareWithRanks(data, flags.Source());
  const std::chrono::duration<double> load = Clock::now() - start;
  CatchInterrupts();
  const Words headlines = training.headline.empty()
                              ? Headlines(report, data.train, flags.task == "auto")
                              : Words{training.headline};
  Progress progress(quiet, headlines, report.warnings);
  TrainOptions options{training.folder, &progress, load.count(), flags.Source()};
  options.checkpoint_seconds = training.run.checkpoint_seconds;
  options.memory_limit = training.run.memory_bytes;
  options.seconds_left = SecondsLeft();
  options.ranks = JobRanks();
  return train(data, options);
}

size_t ParseBytes(const std::string& text) {
  static const std::map<std::string, double> units = {
      {"", 1}, {"M", 1e6}, {"MB", 1e6}, {"G", 1e9}, {"GB", 1e9}};
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const double* unit = Find(units, std::string(rest, end));
  if (error != std::errc() || !(number > 0) || unit == nullptr || number * *unit > 1e18)
    Fail("--memory-limit: must be a size such as 8G or 500M; got '{}'", text);
  return static_cast<size_t>(std::max(1.0, number * *unit));
}

}  // namespace

void RunFlags::Declare(Args& args) {
  args.Option(
      "time_limit", &time_limit, "TIME",
      "Stop after this time (90s, 30m, 2h, 1h30m), like Ctrl-C: the exit code is 3, and gopnet "
      "resume continues the run.");
  args.Option("memory_limit", &memory_limit, "SIZE",
              "Refuse to start if the estimated memory exceeds this size (8G, 500M). Default: 80 % "
              "of the memory that the process may use.");
  args.Option("checkpoint_every", &checkpoint_every, "N",
              "Seconds between checkpoints of fine-tuning, for gopnet resume. Default: 30.");
  args.Flag("no_report", &no_report, "Do not write report.html to the folder.");
}

void RunFlags::Check() {
  LimitTime(time_limit);
  if (!memory_limit.empty()) memory_bytes = ParseBytes(memory_limit);
  if (!ParseNumber(checkpoint_every, &checkpoint_seconds) || !(checkpoint_seconds >= 0))
    Fail("--checkpoint-every: must be a number of seconds, at least 0; got '{}'", checkpoint_every);
}

void WriteReportOrWarn(const std::string& folder) try {
  WriteReport(folder);
} catch (const std::exception& e) {
  Note(fmt::format("warning: cannot write the report: {}", e.what()));
}

std::string StoppedMessage(const std::string& what, const std::string& folder) {
  const std::string reason = ReasonToStop();
  const std::string why = what == "stopped on request" && !reason.empty() ? reason : what;
  if (!Holds(folder, "config.json") && !Holds(folder, "compare.json"))
    return why + "; the run had not started, so run the same command again";
  const bool dash = folder[0] == '-';  // would look like an option
  const std::string name = ShellQuoted(dash ? "./" + folder : folder);
  const std::string resume = why + "; continue with: gopnet resume " + name;
  if (!Holds(folder, "checkpoint.safetensors")) return resume;
  return fmt::format("{}, or use the best network so far: gopnet predict {} ROWS", resume,
                     InFolder(name, "checkpoint.safetensors"));
}

void TrainAndPrint(Training training, const Args& args, const TrainCall& train) {
  try {
    const TrainResult result =
        Resumable(training.folder, [&] { return ReadAndTrain(training, args.quiet(), train); });
    if (!training.run.no_report) WriteReportOrWarn(training.folder);
    const std::string model = InFolder(training.folder, "model.safetensors");
    if (args.json()) return PrintData(ToJson(result.history, model) + "\n");
    if (args.quiet()) return PrintData(model + "\n");
    Print(TrainSummary(result.history, training.folder));
  } catch (const Stopped&) {
    PrintStopped(args, training.folder);
    throw;
  }
}

}  // namespace gopnet::cli
