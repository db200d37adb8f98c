#include "cli/ranks.h"

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

#include "cli/ending.h"
#include "cli/train_options.h"
#include "gopnet/error.h"

namespace gopnet::cli {
namespace {

std::unique_ptr<Ranks> job;

TrainData Load(const Ranks::Source& source) {
  TrainFlags flags;
  flags.TakeSource(source, "the job");
  flags.CheckFiles();
  return flags.Load();
}

// The alarm ends the program unless StopAlarm comes first. It needs no thread, because it must also
// work where the system refuses to start threads.
std::string alarm_words;  // set before the handler that reads them is installed
int alarm_code;

void OnAlarm(int) {
  if (write(STDERR_FILENO, alarm_words.data(), alarm_words.size()) < 0) _exit(alarm_code);
  _exit(alarm_code);
}

void SetAlarm(double seconds, std::string last_words, int code) {
  constexpr double kMin = 1e-3, kMax = 1e8;
  alarm_words = std::move(last_words);
  alarm_code = code;
  std::signal(SIGALRM, OnAlarm);
  const double whole = std::floor(seconds = std::clamp(seconds, kMin, kMax));
  itimerval timer = {};
  timer.it_value = {static_cast<time_t>(whole), static_cast<suseconds_t>((seconds - whole) * 1e6)};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void StopAlarm() {
  const itimerval never = {};
  setitimer(ITIMER_REAL, &never, nullptr);
}

// If a rank died while MPI starts, the others would wait for ever without the alarm.
void JoinOthers() {
  const char* text = std::getenv("GOPNET_JOIN_SECONDS");
  const double seconds = text != nullptr && std::atof(text) > 0 ? std::atof(text) : 40;
  SetAlarm(seconds,
           Ranks::LaunchedRank() == 0
               ? "gopnet: the ranks could not connect; one of them may have died "
                 "(GOPNET_JOIN_SECONDS sets the timeout); run the same command again\n"
               : "",
           3);
  try {
    job = Ranks::Join();
  } catch (const Stopped& e) {
    throw Stopped(std::string(e.what()) + "; run the same command again");
  }
  StopAlarm();
}

// An error here may happen on every rank, e.g. if the MPI library is missing. Rank 0 reports it,
// and the launcher (Open MPI takes a second) ends this rank before it prints the same error.
void JoinRank0() {
  try {
    JoinOthers();
  } catch (const std::exception&) {
    StopAlarm();
    std::this_thread::sleep_for(std::chrono::seconds(2));
    throw;
  }
}

// Leaves the job, but waits at most ten seconds, as other ranks may be dead.
[[noreturn]] void Leave(int code) {
  std::fflush(nullptr);
  SetAlarm(10, "", code);
  job.reset();
  _exit(code);
}

// The instruction set that this rank's own command names, if this machine has it: ranks need not
// have the same, and rank 0 tells what is wrong with the name.
void UseOwnSimd(const Words& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    std::string name;
    if (words[i].starts_with("--simd=")) name = words[i].substr(7);
    if (words[i] == "--simd" && i + 1 < words.size()) name = words[i + 1];
    if (Contains(SimdTargets(), name)) UseSimd(name);
  }
}

void Help() {
  CatchInterrupts();
  PrepareFinalErrorOfHelper();
  try {
    job->Help(Load, [] { return ReasonToStop().empty(); });
  } catch (const Stopped&) {  // rank 0 is gone; all ranks notice, one reports it
    if (job->rank() == 1) throw;
    Leave(3);
  }
}

}  // namespace

int RunOnRanks(bool trains, const Words& words, const std::function<int()>& command,
               const std::function<int(const std::function<void()>&)>& report) {
  if (Ranks::LaunchedSize() <= 1) return command();
  const bool helps = Ranks::LaunchedRank() > 0;
  if (!trains) return helps ? 0 : command();
  if (helps) UseOwnSimd(words);
  const int joined = report(helps ? JoinRank0 : JoinOthers);
  if (joined != 0) return joined;
  Leave(job->rank() == 0 ? command() : report(Help));
}

std::string ThisRank() {
  const bool helps = Ranks::LaunchedSize() > 1 && Ranks::LaunchedRank() > 0;
  return helps ? fmt::format("rank {}", Ranks::LaunchedRank()) : "";
}

Ranks* JobRanks() { return job.get(); }

void ShareWithRanks(const TrainData& data, const Ranks::Source& source) {
  if (job) job->Share(data, source);
}

}  // namespace gopnet::cli
