#include "cli/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "cli/interrupt.h"
#include "cli/summary.h"
#include "cli/text.h"

namespace gopnet::cli {
namespace {

bool CanRedraw() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && term != nullptr && std::string(term) != "dumb";
}

size_t ScreenWidth() {
  winsize size = {};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

// "[ 31/72 ]"
std::string Count(int done, int total) {
  const std::string all = std::to_string(total);
  std::string text = std::to_string(done);
  text.insert(0, text.size() < all.size() ? all.size() - text.size() : 0, ' ');
  return "[ " + text + "/" + all + " ]";
}

}  // namespace

Progress::Progress(bool quiet, std::string headline)
    : headline_(std::move(headline)), quiet_(quiet), terminal_(CanRedraw()) {
  Restart();
}

Progress::~Progress() {
  if (open_) Line("");
}

void Progress::OnStart(const History& history) {
  metric_ = history.task == "regression" ? "r2" : "accuracy";
  Line(headline_);
  Line(RowsSummary(history));
  Restart();
}

void Progress::OnCandidate(const CandidateEvent& event) {
  metric_ = event.metric;
  if (!Due()) return;
  const std::string best = event.best_operator_set.empty()
                               ? "no candidate yet"
                               : "best " + OperatorSet(event.best_operator_set) + "  " + metric_ +
                                     " " + Fixed(event.best_score, 4);
  Draw("layer " + std::to_string(event.layer) + "  " + Count(event.done, event.total) + "  " +
       best + TimeLeft(event.done, event.total));
}

void Progress::OnLayer(const LayerRecord& layer, int index, bool accepted) {
  const std::string memory =
      layer.memory.dims > 0 ? "  memory " + std::to_string(layer.memory.dims) : "";
  Line("layer " + std::to_string(index) + "  " + (accepted ? "accepted" : "rejected") + "  " +
       OperatorSet(layer.operator_set) + "  " + std::to_string(layer.units) + " units" + memory +
       Score(layer.val) + "  " + Duration(layer.seconds));
  Restart();
}

void Progress::OnFinetuneEpoch(int epoch, int epochs, const Metrics& val) {
  if (!finetuning_) Restart();  // a rejected layer may have been announced long ago
  finetuning_ = true;
  const std::string line = "fine-tuning  " + Count(epoch, epochs) + Score(val);
  if (epoch == epochs) return Line(line);
  if (Due()) Draw(line + TimeLeft(epoch, epochs));
}

void Progress::OnWarning(const std::string& warning) { Line("warning: " + warning); }

bool Progress::Continue() {
  if (!Interrupted()) return true;
  if (!told_) Line("stopping; Ctrl-C again stops at once");
  told_ = true;
  return false;
}

void Progress::Draw(const std::string& line) {
  if (!terminal_) return Line(line);
  std::fprintf(stderr, "\r\x1b[K%s", line.substr(0, ScreenWidth() - 1).c_str());
  open_ = true;
}

void Progress::Line(const std::string& line) {
  if (quiet_) return;
  if (open_ && !line.empty()) std::fputs("\r\x1b[K", stderr);
  std::fprintf(stderr, "%s\n", line.c_str());
  open_ = false;
}

bool Progress::Due() {
  const auto now = Clock::now();
  const auto pause = terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10);
  if (quiet_ || now - last_draw_ < pause) return false;
  last_draw_ = now;
  return true;
}

void Progress::Restart() {
  stage_start_ = Clock::now();
  last_draw_ = terminal_ ? Clock::time_point() : stage_start_;
}

std::string Progress::TimeLeft(int done, int total) const {
  const std::chrono::duration<double> spent = Clock::now() - stage_start_;
  if (done <= 0 || done >= total) return "";
  return "  ~" + Duration(spent.count() / done * (total - done)) + " left";
}

std::string Progress::Score(const Metrics& metrics) const {
  const auto found = metrics.find(metric_);
  return found == metrics.end() ? "" : "  " + metric_ + " " + Fixed(found->second, 4);
}

}  // namespace gopnet::cli
