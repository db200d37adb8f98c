// Whether the files of a run, of a comparison, or of a model are as they were written.
#include <algorithm>
#include <filesystem>

#include "base/check.h"
#include "base/checksum.h"
#include "base/files.h"
#include "base/parse_json.h"
#include "gopnet/run.h"
#include "model/model_file.h"
#include "run/journal.h"
#include "run/json_values.h"
#include "run/run_folder.h"

namespace gopnet {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
constexpr char kModel[] = "model.safetensors";

// What reading a file finds, file by file.
class Verifier {
 public:
  std::vector<FileCheck> Run(const std::string& path) {
    std::error_code ignored;
    Check(fs::exists(path, ignored), path, ": no such file or folder");
    if (!fs::is_directory(path, ignored)) {
      Model(path, "");
    } else if (fs::exists(fs::path(path) / "compare.json", ignored)) {
      Comparison(path);
    } else {
      Check(HoldsRun(path), path, ": neither a run, nor a comparison, nor a model");
      RunFolder(path);
    }
    CheckMapsWhole();
    return std::move(checks_);
  }

 private:
  void Add(const fs::path& file, const std::string& problem) {
    checks_.push_back({file.string(), problem});
  }

  void Model(const fs::path& file, const std::string& sum) {
    std::string problem;
    try {
      const FileMap bytes(file.string());
      ParseModel(bytes.bytes(), "model");
      if (!sum.empty() && Checksum(bytes.bytes()) != sum) problem = "not the model of this run";
    } catch (const Error& e) {
      problem = e.what();
    }
    Add(file, problem);
  }

  // The object in a sealed file; adds what is wrong with it.
  Json Object(const fs::path& file) {
    Json json = ReadObject(file.string());
    Add(file, SealProblem(json));
    return json.is_object() ? json : Json::object();
  }

  // Whether the run ended, as its journal says.
  bool Journal(const fs::path& file) {
    const FileMap bytes(file.string());
    const JournalText journal = ReadJournal(bytes.bytes());
    std::string problem;
    for (const int line : journal.damaged) problem += Join(problem.empty() ? "line " : ", ", line);
    Add(file, problem.empty() ? "" : problem + " damaged");
    return std::ranges::any_of(
        journal.lines, [](const Json& line) { return line.value("event", Json()) == "done"; });
  }

  void RunFolder(const fs::path& folder) {
    std::error_code ignored;
    const Json config = Object(folder / kConfig);
    const bool ended = fs::exists(folder / kJournal, ignored) && Journal(folder / kJournal);
    if (fs::exists(folder / "checkpoint.safetensors", ignored))
      Model(folder / "checkpoint.safetensors", "");
    Json files = Json::object();
    if (fs::exists(folder / "metrics.json", ignored)) {
      const Json metrics = Object(folder / "metrics.json");
      if (metrics.contains("files") && metrics["files"].is_object()) files = metrics["files"];
      const bool whole = SealProblem(config).empty();
      if (config.contains("checksum") && !metrics.contains("checksum"))
        checks_.back().problem = "its checksum is missing: it was changed, or damaged";
      if (whole && TextOf(files, kConfig).value_or(SumOf(config)) != SumOf(config))
        checks_.back().problem = "not of the run that config.json is of";
    } else if (ended) {
      Add(folder / "metrics.json", "missing");
    }
    const std::string model = TextOf(files, kModel).value_or("");
    if (fs::exists(folder / kModel, ignored)) {
      Model(folder / kModel, model);
    } else if (ended || !model.empty()) {
      Add(folder / kModel, "missing");
    }
    for (const char* own : {kConfig, kModel}) files.erase(own);
    Files(folder, files);
  }

  void Comparison(const fs::path& folder) {
    std::error_code ignored;
    Object(folder / "compare.json");
    if (fs::exists(folder / "table.json", ignored))
      Files(folder, Object(folder / "table.json").value("files", Json::object()));
    std::vector<fs::path> runs;
    for (const auto& item : fs::directory_iterator(folder, ignored))
      if (HoldsRun(item.path().string()) && !IsSetAside(item.path().string()))
        runs.push_back(item.path());
    std::sort(runs.begin(), runs.end());
    for (const fs::path& run : runs) RunFolder(run);
  }

  // Their checksums, by name.
  void Files(const fs::path& folder, const Json& files) {
    for (const auto& [name, sum] : files.items()) {
      std::error_code ignored;
      const fs::path file = folder / fs::path(name).filename();
      const bool whole =
          fs::is_regular_file(file, ignored) && Checksum(FileMap(file.string()).bytes()) == sum;
      Add(file, whole ? "" : "missing, changed or damaged");
    }
  }

  static std::optional<std::string> TextOf(const Json& object, const char* name) {
    const auto it = object.find(name);
    if (it == object.end()) return std::nullopt;
    return it->is_string() ? it->get<std::string>() : "";
  }

  std::vector<FileCheck> checks_;
};

}  // namespace

void Vouch(const std::string& folder, const std::string& name) {
  const std::string path = InFolder(folder, "metrics.json");
  Json metrics = ReadObject(path);
  // What nobody vouches for is not to be sealed anew.
  if (!metrics.is_object() || !metrics.contains("files") || !metrics.contains("checksum") ||
      !SealProblem(metrics).empty())
    return;
  metrics["files"][name] = Checksum(FileMap(InFolder(folder, name)).bytes());
  WriteFileAtomically(path, JsonText(Sealed(std::move(metrics)), 2) + "\n");
}

std::vector<FileCheck> Verify(const std::string& path) { return Verifier().Run(path); }

}  // namespace gopnet
