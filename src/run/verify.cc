// Whether the files of a run, of a comparison, or of a model are as they were written.
#include <algorithm>
#include <filesystem>
#include <map>

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
constexpr char kChanged[] = "missing, changed or damaged";

// What reading a file finds, file by file.
class Verifier {
 public:
  std::vector<FileCheck> Run(const std::string& path) {
    std::error_code ignored;
    Check(fs::exists(path, ignored), path, ": no such file or folder");
    if (!fs::is_directory(path, ignored)) {
      Model(path, "");
    } else if (fs::exists(fs::path(path) / "compare.json", ignored) ||
               fs::exists(fs::path(path) / "table.json", ignored)) {
      Comparison(path);
    } else {
      Check(WasRun(path), path, ": not a run, a comparison or a model");
      RunFolder(path);
    }
    CheckMapsWhole();
    return std::move(checks_);
  }

 private:
  // Also one that lost its config, which is there before the journal has a line.
  static bool WasRun(const fs::path& folder) {
    std::error_code none;
    const auto journal = fs::file_size(folder / kJournal, none);
    return HoldsRun(folder.string()) || (!none && journal > 0);
  }

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
    std::error_code ignored;
    const Json json = ReadObject(file.string());
    Add(file, fs::exists(file, ignored) ? SealProblem(json) : "missing");
    return json.is_object() ? json : Json::object();
  }

  // Whether the run ended, as its journal says. `sum`: of a journal that is known to be complete.
  bool Journal(const fs::path& file, const std::string& sum) {
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) {
      if (!sum.empty()) Add(file, "missing");
      return false;
    }
    const FileMap bytes(file.string());
    const JournalText journal = ReadJournal(bytes.bytes());
    std::string problem;
    for (const int line : journal.damaged) problem += Join(problem.empty() ? "line " : ", ", line);
    if (!problem.empty()) problem += " damaged";
    if (problem.empty() && !sum.empty() && Checksum(bytes.bytes()) != sum) problem = kChanged;
    Add(file, problem);
    return std::ranges::any_of(
        journal.lines, [](const Json& line) { return line.value("event", Json()) == "done"; });
  }

  // `model`: the checksum that the run's model has, if others than its metrics know it.
  void RunFolder(const fs::path& folder, const std::string& model = "") {
    std::error_code ignored;
    const bool at_work =
        fs::exists(folder / "state", ignored);  // which goes after all else is there
    const Json config = Object(folder / kConfig);
    Json files = Json::object();
    if (fs::exists(folder / kMetricsFile, ignored)) files = Metrics(folder / kMetricsFile, config);
    const auto take = [&files](const char* name) {
      const std::string sum = TextOf(files, name).value_or("");
      files.erase(name);
      return sum;
    };
    const std::string journal = take(kJournal), checkpoint = take(kCheckpoint),
                      own = take(kModelFile);
    const bool done = Journal(folder / kJournal, journal) && !at_work;
    const bool ended = done || !own.empty() || !model.empty();
    if (ended && !fs::exists(folder / kMetricsFile, ignored)) Add(folder / kMetricsFile, "missing");
    Weights(folder / kCheckpoint, checkpoint, !checkpoint.empty());
    Weights(folder / kModelFile, model.empty() ? own : model, ended);
    Files(folder, files);
  }

  // The checksums of the files that they vouch for.
  Json Metrics(const fs::path& file, const Json& config) {
    const Json metrics = Object(file);
    Json files = metrics.value("files", Json::object());
    if (!files.is_object()) files = Json::object();
    if (SealProblem(config).empty() && TextOf(files, kConfig) != SumOf(config))
      Blame("does not belong to the run of config.json");
    files.erase(kConfig);
    return files;
  }

  // A model, if it is there or has to be.
  void Weights(const fs::path& file, const std::string& sum, bool wanted) {
    std::error_code ignored;
    if (fs::exists(file, ignored)) {
      Model(file, sum);
    } else if (wanted) {
      Add(file, "missing");
    }
  }

  // Of the file that was looked at last, unless that has a worse problem.
  void Blame(const std::string& problem) {
    if (checks_.back().problem.empty()) checks_.back().problem = problem;
  }

  void Comparison(const fs::path& folder) {
    std::error_code ignored;
    Object(folder / "compare.json");
    Json files = Json::object();
    if (fs::exists(folder / "table.json", ignored) || fs::exists(folder / "table.csv", ignored))
      files = Object(folder / "table.json").value("files", Json::object());
    std::map<fs::path, std::string> runs;  // and their models' checksums, if the table has them
    for (const auto& item : fs::directory_iterator(folder, ignored))
      if (WasRun(item.path()) && !IsSetAside(item.path().string())) runs[item.path()];
    Json own = Json::object();
    for (const auto& [name, sum] : files.items()) {
      const fs::path run = fs::path(name).parent_path().filename();
      if (run.empty()) own[name] = sum;
      if (!run.empty() && sum.is_string()) runs[folder / run] = sum.get<std::string>();
    }
    Files(folder, own);
    for (const auto& [run, model] : runs) RunFolder(run, model);
  }

  // Their checksums, by name.
  void Files(const fs::path& folder, const Json& files) {
    for (const auto& [name, sum] : files.items()) {
      std::error_code ignored;
      const fs::path file = folder / fs::path(name).filename();
      const bool whole =
          fs::is_regular_file(file, ignored) && Checksum(FileMap(file.string()).bytes()) == sum;
      Add(file, whole ? "" : kChanged);
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
  const std::string path = InFolder(folder, kMetricsFile);
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
