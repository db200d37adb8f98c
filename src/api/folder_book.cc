#include "api/folder_book.h"

#include "api/json_values.h"
#include "base/check.h"
#include "gopnet/run.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;

// What must be the same when a run goes on.
Json Fixed(Json config) {
  config.erase("source");  // rows may have moved to another place
  if (config.contains("parameters") && config["parameters"].is_object())
    config["parameters"].erase("threads");
  return config;
}

std::string Text(const Json& config) {
  return config.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Names a run by all that decides what it computes.
std::string RunName(const Json& fixed) {
  return Checksum(fixed.dump(-1, ' ', false, Json::error_handler_t::replace));
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
  for (const char* part : {"event", "variant", "layer", "block"})
    name += (line.contains(part) ? line[part].dump() : "") + " ";
  return name;
}

}  // namespace

FolderBook::FolderBook(const Options& options, const std::function<void(const std::string&)>& warn)
    : folder_(options.path,
              options.resume ? RunFolder::Purpose::kResume : RunFolder::Purpose::kNew) {
  options.resume ? GoOn(options, warn) : Begin(options.config);
  ledger_ = std::make_unique<RunLedger>(folder_, options.metric);
  folder_.ForgetJournal();
}

void FolderBook::Begin(const Json& config) {
  const Json fixed = Fixed(config);
  folder_.Start(RunName(fixed), Text(config));
  folder_.Journal({{"event", "start"}, {"config", fixed}});
}

void FolderBook::GoOn(const Options& options, const std::function<void(const std::string&)>& warn) {
  const std::string& path = options.path;
  Check(!ReadRun(path).finished, path, ": this run is finished");  // perhaps only just now
  const JournalText& journal = folder_.journal();
  const Json was = BegunWith(journal, folder_.PathOf("config.json")), now = Fixed(options.config);
  const std::string difference = Difference(was, now);
  Check(!difference.starts_with("data fingerprint"), path,
        ": the rows are not those that the run began with");
  Check(difference.empty(), path, ": not as the run began: ", difference);
  folder_.Start(RunName(now));
  for (const int number : journal.damaged) {
    warn(Join(folder_.PathOf("journal.jsonl"), ": line ", number,
              " is damaged; what it told is done again"));
  }
  for (const Json& line : journal.lines) told_.insert(NameOf(line));
  folder_.Journal({{"event", "resume"}, {"config", now}});
}

void FolderBook::Journal(const Json& line) {
  if (told_.insert(NameOf(line)).second) folder_.Journal(line);
}

void FolderBook::Checkpoint(std::string model) {
  folder_.Replace("checkpoint.safetensors", std::move(model));
}

void FolderBook::Finish(const std::string& model, const std::string& metrics) {
  folder_.Finish(model, metrics);
}

void FolderBook::Keep() {
  folder_.Keep();
  folder_.Flush();
}

}  // namespace gopnet
