#include "io/run_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "base/check.h"
#include "gopnet/run.h"

namespace gopnet {
namespace {

namespace fs = std::filesystem;

constexpr char kJournal[] = "journal.jsonl";
constexpr char kConfig[] = "config.json";
constexpr char kStates[] = "state/candidates.bin";
using For = RunWriter::For;

bool IsEmptyFile(const fs::directory_entry& item, const char* name) {
  std::error_code error;
  return item.path().filename() == name && item.is_regular_file(error) &&
         item.file_size(error) == 0 && !error;
}

// A state/ in which nothing has been kept yet.
bool IsEmptyState(const fs::directory_entry& item) {
  std::error_code error;
  if (item.path().filename() != "state" || item.is_symlink(error) || !item.is_directory(error))
    return false;
  for (const auto& file : fs::directory_iterator(item.path(), error))
    if (!IsEmptyFile(file, "candidates.bin")) return false;
  return !error;
}

// Empty, but for what a program leaves that was killed before its run began.
bool IsAsGoodAsEmpty(const fs::path& folder) {
  std::error_code error;
  for (const auto& item : fs::directory_iterator(folder, error)) {
    const std::string name = item.path().filename().string();
    if (!IsTemporary(name) && !IsEmptyFile(item, kJournal) && !IsEmptyState(item)) return false;
  }
  return !error;
}

void MakeFolder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) FailToWrite(path.string(), error.value());
}

}  // namespace

bool HoldsRun(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(fs::path(path) / kConfig, error);
}

void CheckRunFolder(const std::string& path) {
  Check(!path.empty(), "run folder: an empty name given");
  std::error_code error;
  if (fs::exists(path, error)) {
    Check(fs::is_directory(path, error), path,
          ": exists and is not a folder; a new folder is wanted");
    const bool unfinished = HoldsRun(path) && !fs::exists(fs::path(path) / "metrics.json", error);
    Check(IsAsGoodAsEmpty(path), path, ": exists and is not empty; runs are never overwritten, ",
          unfinished ? "gopnet resume goes on with this one, or " : "", "a new folder is wanted");
  }
  fs::path parent = path;
  while (!parent.empty() && !fs::exists(parent, error)) parent = parent.parent_path();
  if (parent.empty()) parent = ".";
  Check(fs::is_directory(parent, error), path, ": ", parent.string(), " is not a folder");
  const int denied = ::access(parent.c_str(), W_OK) == 0 ? 0 : errno;
  Check(denied == 0, path, ": cannot write to ", parent.string(), ": ", std::strerror(denied));
}

RunFolder::RunFolder(std::string path, Purpose purpose) : path_(std::move(path)) {
  keep_ = purpose == Purpose::kResume;
  if (purpose == Purpose::kNew) Create();
  Check(purpose == Purpose::kNew || HoldsRun(path_), path_, ": no run was begun there (it has no ",
        kConfig, ")");
  journal_.emplace(PathOf(kJournal));
  if (purpose == Purpose::kNew)  // again, now that nobody else can begin one
    Check(journal_->size() == 0 && !HoldsRun(path_), path_, ": another run was begun there");
  if (journal_->size() > 0) text_ = ReadJournal(FileMap(PathOf(kJournal)).bytes());
  for (const auto& line : text_.lines) {
    const auto at = line.find("at");
    if (at != line.end() && at->is_number()) earlier_seconds_ = at->get<double>();
  }
}

void RunFolder::Create() {
  CheckRunFolder(path_);
  std::error_code error;
  for (fs::path p = fs::absolute(path_).lexically_normal(); !fs::exists(p, error);
       p = p.parent_path()) {
    made_.push_back(p.string());
  }
  MakeFolder(path_);
}

void RunFolder::Start(const std::string& run, std::string config) {
  run_ = run;
  RemoveTemporaries(path_);
  RemoveTemporaries(PathOf("state"));
  if (text_.whole_bytes < journal_->size()) journal_->Truncate(text_.whole_bytes);  // a torn line
  MakeFolder(fs::path(path_) / "state");
  states_.emplace(PathOf(kStates));
  next_state_ = states_->size();
  writer_.emplace([this] {
    states_->Sync();  // first: a line of the journal may point to it
    journal_->Sync();
  });
  if (config.empty()) return;
  begun_ = false;
  writer_->Post(For::kRecord, config.size(), [this, config = std::move(config)] {
    for (const std::string& folder : made_) SyncFolderOf(folder);
    Write(kConfig, config);
    begun_ = true;
  });
}

void RunFolder::Flush() {
  if (writer_) writer_->Flush();
}

bool RunFolder::failed() const { return writer_ && writer_->failed(); }

RunFolder::~RunFolder() {
  writer_.reset();
  states_.reset();
  std::error_code error;
  if (keep_ || fs::exists(PathOf("checkpoint.safetensors"), error)) return;
  fs::remove_all(fs::path(path_) / "state", error);
  for (const char* name : {kConfig, kJournal}) fs::remove(PathOf(name), error);
  for (const std::string& folder : made_) fs::remove(folder, error);  // innermost first, if empty
}

std::string RunFolder::PathOf(const std::string& name) const {
  return (fs::path(path_) / name).string();
}

void RunFolder::Write(const std::string& name, std::string_view bytes) const {
  WriteFileAtomically(PathOf(name), bytes);
}

void RunFolder::Replace(const std::string& name, std::string bytes) {
  const size_t size = bytes.size();
  writer_->Post(For::kRecord, size, [this, name, bytes = std::move(bytes)] { Write(name, bytes); });
}

void RunFolder::Journal(nlohmann::ordered_json line) {
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  line["at"] = std::round(1000 * (earlier_seconds_ + spent.count())) / 1000;
  std::string text = SealLine(line);
  const size_t size = text.size();
  writer_->Post(For::kRecord, size, [this, text = std::move(text)] { journal_->Append(text); });
}

size_t RunFolder::AppendState(std::string bytes) {
  const size_t begin = next_state_, size = bytes.size();
  next_state_ += size;
  writer_->Post(For::kResume, size, [this, bytes = std::move(bytes)] { states_->Append(bytes); });
  return begin;
}

std::string RunFolder::ReadState(size_t offset, size_t size) {
  writer_->Flush();
  const FileMap file(PathOf(kStates));
  const std::string_view all = file.bytes();
  if (offset > all.size() || size > all.size() - offset) return {};
  return std::string(all.substr(offset, size));
}

void RunFolder::KeepStage(const std::string& stage, std::string_view bytes) {
  std::string file = SealState(bytes, run_);
  const size_t size = file.size();
  const auto write = [this, stage, file = std::move(file)] {
    Write("state/" + stage + ".bin", file);
    states_->Truncate(0);  // now that the stage is on disk
  };
  writer_->Post(For::kResume, size, write, stage);
  next_state_ = 0;
}

std::optional<std::string> RunFolder::ReadStage(const std::string& stage) const {
  const std::string path = PathOf("state/" + stage + ".bin");
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const FileMap file(path);
  const std::string_view bytes = OpenState(file.bytes(), run_);
  if (bytes.data() == nullptr) return std::nullopt;  // damaged: as if it had not been finished
  return std::string(bytes);
}

void RunFolder::Finish(std::string_view model, std::string_view metrics) {
  keep_ = true;
  if (!begun_) writer_->Flush();  // of a very short run: no model without its config
  Write("model.safetensors", model);
  Write("metrics.json", metrics);
  Journal({{"event", "done"}});
  writer_->Finish();
  ClearState(path_);
}

void ClearState(const std::string& folder) {
  std::error_code error;
  fs::remove_all(fs::path(folder) / "state", error);
  RemoveTemporaries(folder);
}

}  // namespace gopnet
