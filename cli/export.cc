// gopnet export: writes a model in a format that works without gopnet.
#include <filesystem>

#include "cli/commands.h"
#include "cli/json.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

namespace fs = std::filesystem;
const Words kFormats = {"onnx", "c", "html"};

struct ExportFlags {
  std::string model, format, out, name = "gopnet";
  bool double_precision = false;
  bool force = false;
};

void Declare(Args& args, ExportFlags& flags) {
  args.Positional("MODEL", &flags.model, "A run folder or a model.safetensors file.");
  args.Option("format", &flags.format, "FORMAT",
              "onnx for ONNX Runtime and similar; c for a C99 file and its header; html for a page "
              "that predicts in the browser. Default: the ending of --out.");
  args.Option("out", &flags.out, "FILE",
              "File to write. A .c file gets a header of the same name beside it.");
  args.Flag("double", &flags.double_precision, "onnx: compute in float64 instead of float32.");
  args.Option("name", &flags.name, "PREFIX", "c: prefix of all names. Default: gopnet.");
  args.Flag("force", &flags.force, "Overwrite existing files.");
}

// The value of --format, or else the ending of --out.
std::string Format(const Args& args, const ExportFlags& flags) {
  if (flags.out.empty()) Fail("--out FILE is required; see gopnet export --help");
  const std::string ending = fs::path(flags.out).extension().string();
  const std::string format =
      flags.format.empty() && !ending.empty() ? ending.substr(1) : flags.format;
  if (!Contains(kFormats, format)) {
    if (!flags.format.empty())
      Fail("--format: must be one of {}; got '{}'{}", Join(kFormats), format,
           Hint(format, kFormats));
    Fail("{}: unknown format; use --format or a name that ends in .{}", flags.out,
         Join(kFormats, ", ."));
  }
  if (format == "c" && ending != ".c")
    Fail("{}: the name must end in .c for --format c", flags.out);
  if (format != "onnx" && flags.double_precision)
    Fail("--double works only with --format onnx; the format is {}", format);
  if (format != "c" && args.Has("name"))
    Fail("--name works only with --format c; the format is {}", format);
  return format;
}

// The name of the file that a run was trained on; empty if it is unknown.
std::string TrainingFile(const std::string& folder) try {
  if (!Holds(folder, "config.json")) return "";
  const Json config = ReadJsonFile(InFolder(folder, "config.json"));
  const std::string path = config.at("source").at("train");
  return path == "-" ? "" : fs::path(path).filename().string();
} catch (const std::exception&) {  // the config of another version
  return "";
}

using File = std::pair<std::string, std::string>;  // path, bytes

std::vector<std::string> Paths(const std::string& format, const std::string& out) {
  if (format != "c") return {out};
  return {out, fs::path(out).replace_extension(".h").string()};
}

std::vector<File> Exported(const std::string& format, const ExportFlags& flags,
                           const Model& model) {
  const std::vector<std::string> paths = Paths(format, flags.out);
  if (format == "onnx") return {{paths[0], ExportOnnx(model, flags.double_precision)}};
  if (format == "html") return {{paths[0], ExportHtml(model, TrainingFile(flags.model))}};
  const CFiles c = ExportC(model, flags.name, fs::path(paths[1]).filename().string());
  return {{paths[0], c.source}, {paths[1], c.header}};
}

}  // namespace

void RunExport(const Words& words) {
  Args args("export", "gopnet export runs/first --format onnx -o model.onnx");
  ExportFlags flags;
  Declare(args, flags);
  if (!args.Parse(words)) return;
  const std::string format = Format(args, flags);
  const std::string file = ModelFile(flags.model);
  for (const std::string& path : Paths(format, flags.out)) {
    CheckCanWrite(path, flags.force);
    CheckNoInput(path, {file});
  }
  Json json = {{"format", format}, {"files", Json::array()}};
  for (const auto& [path, bytes] : Exported(format, flags, Model::Load(file))) {
    WriteFileAtomically(path, bytes, flags.force);
    json["files"].push_back({{"path", path}, {"bytes", bytes.size()}});
    if (!args.quiet() && !args.json())
      Note(fmt::format("wrote {}: {} bytes", path, Grouped(bytes.size())));
  }
  if (args.json()) PrintJson(json);
}

}  // namespace gopnet::cli
