#include "cli/progress.h"

#include "cli/interrupt.h"
#include "cli/summary.h"
#include "cli/text.h"

namespace gopnet::cli {

Progress::Progress(bool quiet, std::string headline)
    : headline_(std::move(headline)), status_(quiet) {
  Restart();
}

void Progress::OnStart(const History& history) {
  metric_ = history.metric;
  status_.Line(headline_);
  status_.Line(RowsSummary(history.data));
  Restart();
}

void Progress::OnCandidate(const CandidateEvent& event) {
  metric_ = event.metric;
  Pass(event.recalled, event.done);
  if (!status_.Due()) return;
  const std::string best = event.best_operator_set.empty()
                               ? "no candidate yet"
                               : "best " + OperatorSet(event.best_operator_set) + "  " + metric_ +
                                     " " + Fixed(event.best_score, 4);
  status_.Draw("layer " + std::to_string(event.layer) + "  " + CountOf(event.done, event.total) +
               "  " + best + TimeLeft(event.done, event.total));
}

void Progress::OnGrid(const GridEvent& event) {
  metric_ = event.metric;
  Pass(event.recalled, event.done);
  if (!status_.Due()) return;
  status_.Draw("grid  " + CountOf(event.done, event.total) + "  best " +
               Setting(event.best_setting) + "  " + metric_ + " " + Fixed(event.best_score, 4) +
               TimeLeft(event.done, event.total));
}

void Progress::OnBlock(const BlockRecord& block, int layer, int index, bool accepted) {
  if (!status_.Due()) return;
  status_.Draw("layer " + std::to_string(layer) + "  block " + std::to_string(index) + "  " +
               (accepted ? "accepted" : "rejected") + "  " + OperatorSet(block.operator_set) +
               Score(block.val));
}

void Progress::OnLayer(const LayerRecord& layer, int index, bool accepted) {
  const std::string memory =
      layer.memory.dims > 0 ? "  memory " + std::to_string(layer.memory.dims) : "";
  status_.Line("layer " + std::to_string(index) + "  " + (accepted ? "accepted" : "rejected") +
               "  " + OperatorSets(layer) + "  " + std::to_string(layer.units) + " units" + memory +
               Score(layer.val) + "  " + Duration(layer.seconds));
  Restart();
}

void Progress::OnFinetuneEpoch(int epoch, int epochs, const Metrics& val) {
  if (!finetuning_) {  // a rejected layer may have been announced long ago
    Restart();
    passed_ = epoch - 1;
  }
  finetuning_ = true;
  const std::string line = "fine-tuning  " + CountOf(epoch, epochs) + Score(val);
  if (epoch == epochs) return status_.Line(line);
  if (status_.Due()) status_.Draw(line + TimeLeft(epoch, epochs));
}

void Progress::OnWarning(const std::string& warning) { status_.Line("warning: " + warning); }

bool Progress::Continue() {
  const std::string reason = ReasonToStop();
  if (reason.empty()) return true;
  if (!told_) status_.Line(reason + ": stopping; another Ctrl-C stops at once");
  told_ = true;
  return false;
}

void Progress::Restart() {
  stage_start_ = Clock::now();
  passed_ = 0;
  status_.Rest();
}

// What an earlier part of the run did says nothing about the time that the rest takes.
void Progress::Pass(bool recalled, int done) {
  if (!recalled) return;
  stage_start_ = Clock::now();
  passed_ = done;
}

std::string Progress::TimeLeft(int done, int total) const {
  const std::chrono::duration<double> spent = Clock::now() - stage_start_;
  if (done <= passed_ || done >= total) return "";
  return "  ~" + Duration(spent.count() / (done - passed_) * (total - done)) + " left";
}

std::string Progress::Score(const Metrics& metrics) const {
  const auto found = metrics.find(metric_);
  return found == metrics.end() ? "" : "  " + metric_ + " " + Fixed(found->second, 4);
}

}  // namespace gopnet::cli
