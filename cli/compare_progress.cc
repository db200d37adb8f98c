#include "cli/compare_progress.h"

#include <algorithm>

#include "cli/interrupt.h"
#include "cli/summary.h"

namespace gopnet::cli {

CompareProgress::CompareProgress(bool quiet, Words headlines)
    : headlines_(std::move(headlines)), status_(quiet) {}

void CompareProgress::OnStart(const Comparison& comparison, int done, int total) {
  metric_ = comparison.metric;
  done_ = done;
  total_ = total;
  for (const CompareRow& row : comparison.rows)
    name_width_ = std::max(name_width_, row.system.name.size());
  status_.Line(headlines_.front());
  status_.Line(RowsSummary(comparison.data));
  for (size_t i = 1; i < headlines_.size(); ++i) status_.Line(headlines_[i]);
  status_.Line("runs: " + std::to_string(total) +
               " (systems: " + std::to_string(comparison.rows.size()) +
               ", seeds: " + std::to_string(comparison.seeds.size()) + "), up to " +
               std::to_string(comparison.threads) + " at a time" +
               (done > 0 ? "; " + std::to_string(done) + " finished already" : ""));
}

void CompareProgress::OnRunStart(const CompareSystem& system, unsigned long long seed) {
  running_[{system.name, seed}] = "";
  DrawRunning();
}

void CompareProgress::OnCandidate(const CompareSystem& system, unsigned long long seed,
                                  const CandidateEvent& event) {
  running_[{system.name, seed}] = " layer " + std::to_string(event.layer) + " " +
                                  std::to_string(event.done) + "/" + std::to_string(event.total);
  DrawRunning();
}

void CompareProgress::OnRun(const CompareSystem& system, const CompareRun& run, int done, int total,
                            double seconds_left) {
  running_.erase({system.name, run.seed});
  done_ = done;
  std::string line = CountOf(done, total) + "  " + Padded(system.name, name_width_) + "  seed " +
                     std::to_string(run.seed) + "  ";
  if (!run.error.empty()) return status_.Line(line + "failed: " + run.error);
  const size_t layers = run.widths.size();
  line += "test " + metric_ + " " + (run.test ? Fixed(*run.test, 4) : "-") + "  " +
          std::to_string(layers) + (layers == 1 ? " layer  " : " layers  ") + Duration(run.seconds);
  status_.Line(seconds_left > 0 ? line + "  ~" + Duration(seconds_left) + " left" : line);
}

void CompareProgress::OnWarning(const std::string& warning) { status_.Line("warning: " + warning); }

bool CompareProgress::Continue() {
  const std::string reason = ReasonToStop();
  if (reason.empty()) return true;
  if (!told_) status_.Line(reason + ": stopping; another Ctrl-C stops at once");
  told_ = true;
  return false;
}

void CompareProgress::DrawRunning() {
  if (!status_.terminal() || !status_.Due()) return;
  Words runs;
  for (const auto& [key, stage] : running_)
    runs.push_back(key.first + " " + std::to_string(key.second) + stage);
  status_.Draw(CountOf(done_, total_) + "  running: " + Join(runs));
}

}  // namespace gopnet::cli
