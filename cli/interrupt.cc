#include "cli/interrupt.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <initializer_list>
#include <map>
#include <optional>

#include "cli/text.h"

namespace gopnet::cli {
namespace {

using Clock = std::chrono::steady_clock;

const Clock::time_point program_start = Clock::now();
std::atomic<int> interrupted{0};  // lock-free, so a signal handler may write it
std::optional<Clock::time_point> deadline;
std::string limit;  // as given

std::string last_words;  // set before the handler that reads it

void LeaveAtOnce(int) {
  if (write(STDERR_FILENO, last_words.data(), last_words.size()) >= 0) _exit(3);
  _exit(3);
}

void OnSignal(int) {
  if (interrupted != 0) _exit(3);  // what was finished is in the run folder
  interrupted = 1;
}

void Handle(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // a write in progress goes on
  for (int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaction(signal, &action, nullptr);
  struct sigaction hangup = {};
  const bool nohup = sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler == SIG_IGN;
  if (!nohup) sigaction(SIGHUP, &action, nullptr);
}

// Empty unless the text is a time.
std::optional<double> ParseSeconds(const std::string& text) {
  static const std::map<char, double> units = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
  double seconds = 0;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at != end) {
    double number = 0;
    const auto [rest, error] = std::from_chars(at, end, number, std::chars_format::fixed);
    if (error != std::errc() || number < 0) return std::nullopt;
    const auto unit = rest == end ? units.find('s') : units.find(*rest);
    if (unit == units.end() || (rest == end && at != text.data())) return std::nullopt;
    seconds += number * unit->second;
    at = rest == end ? end : rest + 1;
  }
  constexpr double kMost = 1e8;  // three years
  return seconds > 0 && seconds <= kMost ? std::optional(seconds) : std::nullopt;
}

}  // namespace

void CatchInterrupts() { Handle(OnSignal); }

void ExitOnInterrupt(const std::string& line) {
  last_words = line + "\n";
  Handle(LeaveAtOnce);
}

void LimitTime(const std::string& text) {
  if (text.empty()) return;
  const auto seconds = ParseSeconds(text);
  if (!seconds)
    Fail("--time-limit: '{}' given, a time such as 90s, 30m, 2h or 1h30m is wanted", text);
  limit = text;
  deadline = program_start +
             std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*seconds));
}

double SecondsLeft() {
  if (!deadline) return 0;
  const std::chrono::duration<double> left = *deadline - Clock::now();
  return std::max(left.count(), 1e-3);
}

std::string ReasonToStop() {
  if (interrupted != 0) return "interrupted";
  if (deadline && Clock::now() >= *deadline) return "the time limit of " + limit + " is over";
  return "";
}

}  // namespace gopnet::cli
