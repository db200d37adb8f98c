#include "run/folder_store.h"

#include <cmath>
#include <filesystem>

#include "base/check.h"
#include "base/parse_json.h"
#include "base/stop_check.h"
#include "gopnet/run.h"
#include "run/json_values.h"

namespace gopnet {
namespace {

namespace fs = std::filesystem;
using Json = FolderStore::Json;
using For = RunWriter::For;

constexpr char kState[] = "state", kStates[] = "candidates.bin";

std::string StageFile(const std::string& stage) { return stage + ".bin"; }

void MakeFolder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) FailToWrite(path.string(), error.value());
}

// As metrics.json keeps them: with the checksums of the files that they are of.
std::string SealMetrics(const std::string& metrics, const std::string& run,
                        const RunStore::Sums& others) {
  Json json = ParseJson<Json>(metrics);
  if (!json.is_object()) return metrics;
  json["files"] = {{kConfig, run}};
  for (const auto& [name, sum] : others) json["files"][name] = sum;
  return JsonText(Sealed(std::move(json)), 2) + "\n";
}

// What a run began with: as its journal says or, if that is lost, its config.json.
Json BegunWith(const JournalText& journal, const std::string& config_path) {
  for (const Json& line : journal.lines) {
    const auto config = line.find("config");
    if (config != line.end() && config->is_object()) return Fixed(*config);
  }
  const Json config = ReadObject(config_path);
  Check(config.is_object(), config_path, ": damaged, or not the config of a run");
  return Fixed(config);
}

// Of the events that a run which goes on tells again.
std::string NameOf(const Json& line) {
  std::string name;
  for (const char* part : {"event", "variant", "layer", "block", "stage"})
    name += (line.contains(part) ? JsonText(line[part]) : "") + " ";
  return name;
}

double LastTime(const JournalText& journal) {
  double seconds = 0;
  for (const Json& line : journal.lines) {
    const auto at = line.find("at");
    if (at != line.end() && at->is_number()) seconds = at->get<double>();
  }
  return seconds;
}

}  // namespace

FolderStore::FolderStore(const Options& options,
                         const std::function<void(const std::string&)>& warn)
    : FolderStore(options) {  // from here on the destructor clears away what a failure leaves
  options.resume ? Resume(options.config, warn) : Begin(options.config);
}

FolderStore::FolderStore(const Options& options)
    : path_(options.path), metric_(options.metric), keep_folder_(options.resume) {
  if (!options.resume) Create();
  Check(!options.resume || HoldsRun(path_), path_, ": not a run folder (it has no ", kConfig, ")");
  journal_.emplace(PathOf(kJournal));
  if (!options.resume)  // again, now that nobody else can begin one
    Check(journal_->size() == 0 && !HoldsRun(path_), path_,
          ": another process started a run there");
}

void FolderStore::Create() {
  CheckRunFolder(path_);
  std::error_code error;
  const fs::path whole = fs::absolute(path_, error);
  Check(!error, path_, ": cannot create the folder: ", error.message());
  for (fs::path p = whole.lexically_normal(); !fs::exists(p, error); p = p.parent_path()) {
    made_folders_.push_back(p.string());
  }
  MakeFolder(path_);
}

// config.json is written before anything else is.
void FolderStore::Begin(const Json& config) {
  const Json fixed = Fixed(config);
  run_ = SumOf(config);
  StartWriting(0);
  std::string text = JsonText(Sealed(config), 2, Json::error_handler_t::replace) + "\n";
  begun_ = false;
  writer_->Enqueue(For::kRecord, text.size(), [this, text = std::move(text)] {
    for (const std::string& folder : made_folders_) SyncFolderOf(folder);
    WriteFileAtomically(PathOf(kConfig), text);
    begun_ = true;
  });
  Append({{"event", "start"}, {"config", fixed}});
}

void FolderStore::Resume(const Json& config, const std::function<void(const std::string&)>& warn) {
  JournalText journal;
  if (journal_->size() > 0) journal = ReadJournal(FileMap(PathOf(kJournal)).bytes());
  const Json was = BegunWith(journal, PathOf(kConfig)), now = Fixed(config);
  const std::string difference = Difference(was, now);
  Check(!difference.starts_with("data fingerprint"), path_,
        ": the rows differ from those that the run started with");
  Check(difference.empty(), path_,
        ": the settings differ from those that the run started with: ", difference);
  if (ReadRun(path_).finished)  // perhaps only just now
    throw AlreadyFinished(path_ + ": this run is already finished");
  if (journal.lines.empty()) {
    const std::string problem = SealProblem(ReadObject(PathOf(kConfig)));
    Check(problem.empty(), PathOf(kConfig), ": ", problem);
  }
  run_ = SumOf(now);
  earlier_seconds_ = LastTime(journal);
  earlier_candidates_ = ReadCandidates(journal, run_, metric_);
  for (const Json& line : journal.lines) written_.insert(NameOf(line));
  StartWriting(journal.whole_bytes);
  std::error_code ignored;
  fs::remove(PathOf(kMetricsFile), ignored);  // of what the run had when it was stopped
  for (const int number : journal.damaged)
    warn(Join(PathOf(kJournal), ": line ", number,
              " is damaged; repeating the work that it recorded"));
  Append({{"event", "resume"}, {"config", now}});
}

void FolderStore::StartWriting(size_t journal_bytes) {
  std::error_code ignored;
  if (!fs::is_symlink(PathOf(kState), ignored)) MakeFolder(PathOf(kState));
  state_.emplace(PathOf(kState), /*follow=*/false);
  state_->CheckOpen();
  RemoveTemporaries(Folder(path_, /*follow=*/true), /*own=*/true);
  RemoveTemporaries(*state_, /*own=*/true);
  if (journal_bytes < journal_->size()) journal_->Truncate(journal_bytes);  // a torn line
  states_.emplace(Place(*state_, kStates));
  next_state_ = states_->size();
  writer_.emplace([this] {
    states_->Sync();  // first: a line of the journal may point to it
    journal_->Sync();
  });
}

FolderStore::~FolderStore() {
  writer_.reset();
  states_.reset();
  std::error_code error;
  if (keep_folder_ || fs::exists(PathOf(kCheckpoint), error)) return;
  ClearState(path_);
  for (const char* name : {kConfig, kJournal}) fs::remove(PathOf(name), error);
  for (const std::string& folder : made_folders_)
    fs::remove(folder, error);  // innermost first, if empty
}

// Soon, with "at", the seconds since the run began, pauses aside.
void FolderStore::Append(Json line) {
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start_;
  if (ended_) return;  // word of a rank that came late
  line["at"] = std::round(1000 * (earlier_seconds_ + spent.count())) / 1000;
  std::string text = SealLine(line);
  const size_t size = text.size();
  writer_->Enqueue(For::kRecord, size, [this, text = std::move(text)] { journal_->Append(text); });
}

void FolderStore::Journal(const Json& line) {
  const std::lock_guard lock(mutex_);
  if (written_.insert(NameOf(line)).second) Append(line);
}

std::optional<Finished> FolderStore::Find(const WorkKey& key) {
  const auto it = earlier_candidates_.find(key);
  if (it == earlier_candidates_.end()) return std::nullopt;
  return it->second.finished;
}

std::string FolderStore::LoadState(const WorkKey& key) {
  const auto it = earlier_candidates_.find(key);
  if (it == earlier_candidates_.end() || it->second.state.empty()) return {};
  // Reading asks whether to stop. A leader of ranks then locks itself, and its receiving thread,
  // which locks in the other order, may be waiting for this store.
  const StopCheck none;
  const std::lock_guard lock(mutex_);
  writer_->Flush();
  const FileMap file(InFolder(PathOf(kState), kStates));
  const std::string_view all = file.bytes();
  const auto& [offset, size, sum] = it->second.state;
  if (offset > all.size() || size > all.size() - offset) return {};
  std::string bytes(all.substr(offset, size));
  return Checksum(bytes) == sum ? bytes : "";  // of a finished stage, or lost with power
}

void FolderStore::Add(const WorkKey& key, const Finished& finished, const Notes& notes,
                      const std::string& state) {
  CandidateLine line{finished, {0, state.size(), Checksum(state)}};
  const std::lock_guard lock(mutex_);
  keep_folder_ = true;  // from now on there is something to lose
  line.state.offset = next_state_;
  next_state_ += state.size();
  if (!state.empty())
    writer_->Enqueue(For::kResume, state.size(), [this, state] { states_->Append(state); });
  Append(WriteCandidate(key, line, notes, run_, metric_));
}

std::optional<std::string> FolderStore::Load(const std::string& stage) {
  const std::string path = InFolder(PathOf(kState), StageFile(stage));
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const FileMap file(path);
  const std::string_view bytes = OpenState(file.bytes(), run_);
  if (bytes.data() == nullptr) return std::nullopt;  // damaged: as if it had not been finished
  return std::string(bytes);
}

void FolderStore::Save(const std::string& stage, std::string bytes) {
  std::string file = SealState(bytes, run_);
  bytes = {};  // a state may be larger than all else
  const size_t size = file.size();
  auto write = [this, stage, file = std::move(file)] {
    NewFile out(Place(*state_, StageFile(stage)));
    out.Append(file);
    out.Finish();
    states_->Truncate(0);  // now that the stage is on disk
  };
  const Json line{{"event", "stage"}, {"stage", stage}};
  const std::lock_guard lock(mutex_);
  keep_folder_ = true;
  writer_->Enqueue(For::kResume, size, std::move(write), stage);
  next_state_ = 0;
  if (written_.insert(NameOf(line)).second) Append(line);
}

void FolderStore::Checkpoint(std::string model) {
  const size_t size = model.size();
  writer_->Enqueue(For::kRecord, size, [this, model = std::move(model)] {
    WriteFileAtomically(PathOf(kCheckpoint), model);
  });
}

// Its last files are written, what it took to resume it goes.
void FolderStore::Finish(const std::string& model, const std::string& metrics, const Sums& others) {
  keep_folder_ = true;
  if (!begun_) writer_->Flush();  // of a very short run: no model without its config
  WriteFileAtomically(PathOf(kModelFile), model);
  Append({{"event", "done"}});
  Sums sums = LastSums();
  sums.insert(others.begin(), others.end());
  sums[kModelFile] = Checksum(model);
  WriteFileAtomically(PathOf(kMetricsFile), SealMetrics(metrics, run_, sums));
  writer_->Finish();
  ClearState(path_);
}

// Of the files that grow, or are written again, while a run goes on: from now on they stay.
RunStore::Sums FolderStore::LastSums() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  writer_->Flush();
  Sums sums;
  std::error_code error;
  for (const char* name : {kJournal, kCheckpoint})
    if (fs::is_regular_file(PathOf(name), error))
      sums[name] = Checksum(FileMap(PathOf(name)).bytes());
  return sums;
}

void FolderStore::KeepForResume(const std::string& metrics) {
  keep_folder_ = true;
  writer_->Flush();
  std::error_code error;  // with its model there, they would make the run a finished one
  if (metrics.empty() || fs::exists(PathOf(kModelFile), error)) return;
  WriteFileAtomically(PathOf(kMetricsFile), SealMetrics(metrics, run_, LastSums()));
}

}  // namespace gopnet
