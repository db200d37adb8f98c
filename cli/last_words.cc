#include "cli/last_words.h"

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>

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

[[noreturn]] void End() {
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
