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

// Ends the program unless it is told in time that there is no need to. Needs no thread: where the
// system refuses them, this must work, too.
std::string alarm_words;  // set before the handler that reads them
int alarm_code;

void OnAlarm(int) {
  if (write(STDERR_FILENO, alarm_words.data(), alarm_words.size()) < 0) _exit(alarm_code);
  _exit(alarm_code);
}

void SetAlarm(double seconds, std::string last_words, int code) {
  constexpr double kLeast = 1e-3, kMost = 1e8;
  alarm_words = std::move(last_words);
  alarm_code = code;
  std::signal(SIGALRM, OnAlarm);
  const double whole = std::floor(seconds = std::clamp(seconds, kLeast, kMost));
  itimerval timer = {};
  timer.it_value = {static_cast<time_t>(whole), static_cast<suseconds_t>((seconds - whole) * 1e6)};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void StopAlarm() {
  const itimerval never = {};
  setitimer(ITIMER_REAL, &never, nullptr);
}

// A rank that dies while MPI starts would have the others wait for ever.
void JoinOthers() {
  const char* given = std::getenv("GOPNET_JOIN_SECONDS");
  const double seconds = given != nullptr && std::atof(given) > 0 ? std::atof(given) : 40;
  SetAlarm(seconds,
           Ranks::LaunchedRank() == 0
               ? "gopnet: the ranks did not find each other; one of them may have died "
                 "(GOPNET_JOIN_SECONDS sets how long they try); the same command starts again\n"
               : "",
           3);
  try {
    job = Ranks::Join();
  } catch (const Stopped& e) {
    throw Stopped(std::string(e.what()) + "; the same command starts again");
  }
  StopAlarm();
}

// What goes wrong here may go wrong on every rank (there is no library, for instance): rank 0 then
// tells, and the launcher ends us before we would. Open MPI takes a second for it.
void JoinRank0() {
  try {
    JoinOthers();
  } catch (const std::exception&) {
    StopAlarm();
    std::this_thread::sleep_for(std::chrono::seconds(2));
    throw;
  }
}

// Says goodbye to the other ranks, but waits for none that may be dead.
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
  PrepareLastWordsOfHelper();
  try {
    job->Help(Load, [] { return ReasonToStop().empty(); });
  } catch (const Stopped&) {  // rank 0 is gone, as all others find; one of them tells
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
