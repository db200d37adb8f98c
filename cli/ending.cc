#include "cli/ending.h"

#include <cxxabi.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <map>
#include <new>
#include <optional>
#include <typeinfo>

#include "cli/console.h"
#include "cli/files.h"
#include "cli/text.h"

namespace gopnet::cli {
namespace {

using Clock = std::chrono::steady_clock;

const Clock::time_point program_start = Clock::now();
std::atomic<int> interrupted{0};  // lock-free, so a signal handler may write it
std::optional<Clock::time_point> deadline;
std::string limit;  // as the user wrote it

std::string signal_line;  // set before the handler that reads it is installed

void LeaveAtOnce(int) {
  if (write(STDERR_FILENO, signal_line.data(), signal_line.size()) >= 0) _exit(3);
  _exit(3);
}

void OnSignal(int) {
  if (interrupted != 0) _exit(3);  // finished work is in the run folder
  interrupted = 1;
}

void Handle(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;  // do not interrupt a write
  for (int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaction(signal, &action, nullptr);
  struct sigaction hangup = {};
  const bool nohup = sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler == SIG_IGN;
  if (!nohup) sigaction(SIGHUP, &action, nullptr);
}

// Nothing if the text is not a time.
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
  constexpr double kMax = 1e8;  // three years
  return seconds > 0 && seconds <= kMax ? std::optional(seconds) : std::nullopt;
}

// The final errors are ready in advance, because there is no memory to format them when needed.
char command[64];
char line[4096], line_of_run[4096], config[4096], plan[4096];
int code_of_line = 1;

void Keep(const std::string& text, char (&place)[4096]) {
  std::snprintf(place, sizeof place, "%s", text.c_str());
}

bool OutOfMemory() {
  const std::type_info* type = abi::__cxa_current_exception_type();  // allocates nothing
  return type != nullptr &&
         (*type == typeid(std::bad_alloc) || *type == typeid(std::bad_array_new_length));
}

// A bug: there is memory to describe it.
[[noreturn]] void EndByInternalError() {
  std::string what = "terminated";
  try {
    if (std::current_exception()) throw;
  } catch (const std::exception& e) {
    what = e.what();
  } catch (...) {
    what = "an unknown exception";
  }
  Note(fmt::format("{}: internal error: {}", command, what));
  _exit(1);
}

[[noreturn]] void End() {
  if (!OutOfMemory()) EndByInternalError();
  const bool run = line_of_run[0] != '\0';
  const bool started = run && (access(config, F_OK) == 0 || access(plan, F_OK) == 0);
  const char* words = started ? line_of_run : line;
  if (write(STDERR_FILENO, words, std::strlen(words)) < 0) _exit(1);
  _exit(started ? 3 : code_of_line);
}

}  // namespace

void CatchInterrupts() { Handle(OnSignal); }

void ExitOnInterrupt(const std::string& last_line) {
  signal_line = last_line + "\n";
  Handle(LeaveAtOnce);
}

void LimitTime(const std::string& text) {
  if (text.empty()) return;
  const auto seconds = ParseSeconds(text);
  if (!seconds) Fail("--time-limit: must be a time such as 90s, 30m, 2h or 1h30m; got '{}'", text);
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
  if (deadline && Clock::now() >= *deadline) return "time limit of " + limit + " reached";
  return "";
}

void PrepareFinalError(const std::string& prefix) {
  std::snprintf(command, sizeof command, "%s", prefix.c_str());
  Keep(std::string(command) + ": out of memory\n", line);
  std::set_terminate(End);
}

void PrepareFinalErrorOfHelper() {
  Keep(
      std::string(command) + ": out of memory; gopnet resume continues the run if it had started\n",
      line);
  code_of_line = 3;
}

void PrepareFinalErrorOfRun(const std::string& folder) {
  Keep(InFolder(folder, "config.json"), config);
  Keep(InFolder(folder, "compare.json"), plan);
  Keep(fmt::format("{}: out of memory; continue with: gopnet resume {}\n", command,
                   ShellQuoted(folder)),
       line_of_run);
}

}  // namespace gopnet::cli
