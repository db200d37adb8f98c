// gopnet export: a model for places where gopnet is not installed.
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
  args.Positional("MODEL", &flags.model, "A model.safetensors or the run folder that holds it.");
  args.Option("format", &flags.format, "FORMAT",
              "onnx for ONNX Runtime and others; c for a C99 file and its header; html for a page "
              "that predicts in the browser. Default: by the ending of --out.");
  args.Option("out", &flags.out, "FILE",
              "What to write. A .c file gets its header beside it, with the ending .h.");
  args.Flag("double", &flags.double_precision, "onnx: computes in float64, not in float32.");
  args.Option("name", &flags.name, "PREFIX", "c: how its names begin. Default: gopnet.");
  args.Flag("force", &flags.force, "Lets --out overwrite files.");
}

// By --format or else by the ending of --out.
std::string Format(const Args& args, const ExportFlags& flags) {
  if (flags.out.empty()) Fail("--out FILE is wanted: what to write; see gopnet export --help");
  const std::string ending = fs::path(flags.out).extension().string();
  const std::string format =
      flags.format.empty() && !ending.empty() ? ending.substr(1) : flags.format;
  if (!Contains(kFormats, format)) {
    if (!flags.format.empty())
      Fail("--format: '{}' given, one of {} wanted{}", format, Join(kFormats),
           Hint(format, kFormats));
    Fail("{}: --format is wanted, or an ending that tells it: .{}", flags.out,
         Join(kFormats, ", ."));
  }
  if (format == "c" && ending != ".c")
    Fail("{}: --format c takes a name that ends in .c", flags.out);
  if (format != "onnx" && flags.double_precision)
    Fail("--double goes with --format onnx, not with {}", format);
  if (format != "c" && args.Has("name")) Fail("--name goes with --format c, not with {}", format);
  return format;
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
  if (format == "html") return {{paths[0], ExportHtml(model)}};
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
