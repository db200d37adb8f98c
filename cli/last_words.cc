#include "cli/last_words.h"

#include <cxxabi.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

#include "cli/console.h"
#include "cli/files.h"
#include "cli/text.h"

namespace gopnet::cli {
namespace {

// Ready before they are needed: then there is no memory to make them of.
char command[64];
char line[4096], line_of_run[4096], config[4096], plan[4096];

void Keep(const std::string& text, char (&place)[4096]) {
  std::snprintf(place, sizeof place, "%s", text.c_str());
}

bool OutOfMemory() {
  const std::type_info* type = abi::__cxa_current_exception_type();  // which allocates nothing
  return type != nullptr &&
         (*type == typeid(std::bad_alloc) || *type == typeid(std::bad_array_new_length));
}

// Ours, as it seems: there is memory to say what it was.
[[noreturn]] void EndByFailure() {
  std::string what = "terminated";
  try {
    if (std::current_exception()) throw;
  } catch (const std::exception& e) {
    what = e.what();
  } catch (...) {
    what = "an unknown exception";
  }
  Note(fmt::format("{}: internal failure: {}", command, what));
  _exit(1);
}

[[noreturn]] void End() {
  if (!OutOfMemory()) EndByFailure();
  const bool run = line_of_run[0] != '\0';
  const bool begun = run && (access(config, F_OK) == 0 || access(plan, F_OK) == 0);
  const char* words = begun ? line_of_run : line;
  if (write(STDERR_FILENO, words, std::strlen(words)) < 0) _exit(1);
  _exit(begun ? 3 : 1);
}

}  // namespace

void PrepareLastWords(const std::string& who) {
  std::snprintf(command, sizeof command, "gopnet%s%s", who.empty() ? "" : " ", who.c_str());
  Keep(std::string(command) + ": out of memory\n", line);
  std::set_terminate(End);
}

void PrepareLastWordsOfRun(const std::string& folder) {
  Keep(InFolder(folder, "config.json"), config);
  Keep(InFolder(folder, "compare.json"), plan);
  Keep(fmt::format("{}: out of memory; go on with: gopnet resume {}\n", command,
                   ShellQuoted(folder)),
       line_of_run);
}

}  // namespace gopnet::cli
