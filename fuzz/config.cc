// Config files as --config reads them, including the parameters of the algorithm. The first byte
// chooses TOML or JSON.
#include "cli/train_options.h"
#include "fuzz/support/memory_file.h"
#include "fuzz/support/target.h"
#include "gopnet/gopnet.h"

namespace gopnet::fuzz {
namespace {

// The options of gopnet train. Creating them is slow, so all inputs share them; one input does not
// affect the next.
struct Command {
  cli::Args args{"train", "", ""};
  cli::TrainFlags flags;
  Command() { flags.Declare(args); }
};

void Train(const std::string& path) {
  static Command command;
  cli::Settings settings;
  const auto read = [&] {
    settings = cli::ReadConfig(path);
    command.args.Apply(settings, path);
  };
  ErrorsOnly(path, read, /*one_line=*/false);
  std::string algorithm = "popmem-o";
  Params params;
  for (const auto& [key, value] : settings) {
    const std::string name = cli::Underscored(key);
    if (name == "algorithm") algorithm = value;
    if (command.flags.parameters.count(name) > 0) params.Set(name, value);
  }
  // Errors about values name the parameter, not the file.
  ErrorsOnly(
      "", [&] { Resolve(algorithm, params); }, /*one_line=*/false);
}

}  // namespace
}  // namespace gopnet::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const gopnet::fuzz::MemoryFile file({"fuzz.json", "fuzz.toml"});
  if (size == 0) return 0;
  file.Set({reinterpret_cast<const char*>(bytes) + 1, size - 1});
  gopnet::fuzz::Train(file.Path(bytes[0] % 2 == 0 ? "fuzz.json" : "fuzz.toml"));
  return 0;
}
