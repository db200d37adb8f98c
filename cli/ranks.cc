#include "cli/ranks.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "cli/console.h"
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

void Help() {
  CatchInterrupts();
  job->Help(Load, [] { return ReasonToStop().empty(); });
}

// Ends the program unless it is told in time that there is no need to.
class Alarm {
 public:
  Alarm(double seconds, std::string last_words, int code) {
    std::thread([seconds, last_words = std::move(last_words), code, stopped = stopped_] {
      std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
      if (*stopped) return;
      if (!last_words.empty()) Note(last_words);
      _exit(code);
    }).detach();
  }
  void Stop() { *stopped_ = true; }

 private:
  std::shared_ptr<std::atomic<bool>> stopped_ = std::make_shared<std::atomic<bool>>(false);
};

// A rank that dies while MPI starts would have the others wait for ever.
void JoinOthers() {
  const char* given = std::getenv("GOPNET_JOIN_SECONDS");
  const double seconds = given != nullptr && std::atof(given) > 0 ? std::atof(given) : 40;
  Alarm alarm(seconds,
              Ranks::LaunchedRank() == 0
                  ? "gopnet: the ranks did not find each other; one of them may have died "
                    "(GOPNET_JOIN_SECONDS sets how long they try); the same command starts again"
                  : "",
              3);
  job = Ranks::Join();
  alarm.Stop();
}

// Says goodbye to the other ranks, but waits for none that may be dead.
[[noreturn]] void Leave(int code) {
  std::fflush(nullptr);
  Alarm alarm(10, "", code);
  job.reset();
  _exit(code);
}

}  // namespace

int RunOnRanks(bool trains, const std::function<int()>& command,
               const std::function<int(const std::function<void()>&)>& report) {
  if (Ranks::LaunchedSize() <= 1) return command();
  if (!trains) return Ranks::LaunchedRank() == 0 ? command() : 0;
  if (Ranks::LaunchedRank() == 0) {
    const int joined = report(JoinOthers);
    if (joined != 0) return joined;
  } else {
    try {  // what goes wrong here goes wrong on rank 0, which tells
      JoinOthers();
    } catch (const std::exception&) {
      return 2;
    }
  }
  if (job->rank() == 0) Leave(command());
  if (job->rank() == 1) Leave(report(Help));
  try {  // the same as rank 1, which tells why
    Help();
  } catch (const std::exception&) {
    Leave(3);
  }
  Leave(0);
}

Ranks* JobRanks() { return job.get(); }

void ShareWithRanks(const TrainData& data, const Ranks::Source& source, bool pinned) {
  if (job) job->Share(data, source, pinned);
}

}  // namespace gopnet::cli
