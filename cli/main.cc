// gopnet COMMAND ...: finds and runs the command. Prints one line for an error and returns the exit
// code: 1 internal error, 2 the user can fix it, 3 stopped early but resumable.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <new>

#include "cli/commands.h"
#include "cli/ending.h"
#include "cli/ranks.h"
#include "gopnet/error.h"
#include "gopnet/train.h"

namespace gopnet::cli {
namespace {

constexpr size_t kMaxLength = 4000;  // bytes of a message

// The prefix of messages: "gopnet train", or "gopnet train: rank 1".
std::string Prefix(const std::string& command) {
  const std::string rank = ThisRank();
  return fmt::format("gopnet{}{}{}{}", command.empty() ? "" : " ", command,
                     rank.empty() ? "" : ": ", rank);
}

// Library messages may start with the function's name, which is also the command's.
int Report(const std::string& who, std::string message, int code) {
  if (message.size() > kMaxLength) message.resize(kMaxLength), message += "...";
  if (!who.empty() && message.starts_with(who + ": ")) message.erase(0, who.size() + 2);
  Note(fmt::format("{}: {}", Prefix(who), message));
  return code;
}

// Handles the first word of the command line if it is not a command.
void RunOther(const std::string& name) {
  if (name == "--version") return Print(VersionText());
  if (name.empty() || name == "--help" || name == "-h") return Print(Overview());
  Fail("unknown command '{}'{}; run gopnet for a list", name, Hint(name, CommandNames()));
}

int Guarded(const std::string& who, const std::function<void()>& run) {
  try {
    run();
    return 0;
  } catch (const Error& e) {
    return Report(who, e.what(), 2);
  } catch (const Stopped& e) {
    return Report(who, e.what(), 3);
  } catch (const std::bad_alloc&) {
    return Report(who, "out of memory", 1);
  } catch (const std::filesystem::filesystem_error& e) {  // e.g. the working folder was deleted
    return Report(
        who,
        fmt::format("{}: {}", e.path1().empty() ? "." : e.path1().string(), e.code().message()), 2);
  } catch (const std::exception& e) {
    return Report(who, std::string("internal error: ") + e.what(), 1);
  }
}

int Main(const Words& words) {
  const std::string name = words.empty() ? "" : words[0];
  const Command* command = FindCommand(name);
  const std::string who = command == nullptr ? "" : name;
  PrepareFinalError(Prefix(who));
  const Words rest = words.empty() ? Words() : Words(words.begin() + 1, words.end());
  return RunOnRanks(
      command != nullptr && command->trains(), rest,
      [&] { return Guarded(who, [&] { command ? command->run(rest) : RunOther(name); }); },
      [&](const std::function<void()>& run) { return Guarded(who, run); });
}

}  // namespace
}  // namespace gopnet::cli

int main(int argc, char** argv) {
  if (!gopnet::cli::PrepareStack()) return 2;
  gopnet::cli::PrepareStreams();
  try {
    return gopnet::cli::Main({argv + std::min(argc, 1), argv + argc});
  } catch (const std::bad_alloc&) {  // no memory to format a message
    const int rank = gopnet::Ranks::LaunchedRank();
    rank > 0 ? std::fprintf(stderr, "gopnet: rank %d: out of memory\n", rank)
             : std::fputs("gopnet: out of memory\n", stderr);
    return 1;
  }
}
