#include "api/run_server.h"

#include <utility>

#include "api/ranks_impl.h"
#include "api/remote_run.h"
#include "base/check.h"

namespace gopnet {

using Json = nlohmann::ordered_json;

RunServer::RunServer(Host& host, Calls calls) : host_(host), calls_(std::move(calls)) {
  host.Handle(Kind::kOpenRun, [this](int, Fields& read) { return Open(read); });
  host.Handle(Kind::kFinishRun, [this](int, Fields& read) { return Finish(read); });
  const auto tell = [&](Kind kind, void (RunServer::*handle)(Fields&)) {
    host.Handle(kind, [this, handle](int, Fields& read) {
      (this->*handle)(read);
      return std::string();
    });
  };
  tell(Kind::kJournal, &RunServer::Journal);
  tell(Kind::kCheckpoint, &RunServer::Checkpoint);
  tell(Kind::kLedRun, &RunServer::Led);
  host.Handle(Kind::kCandidate, [this](int, Fields& read) {
    std::string run;
    CandidateEvent event;
    read(run, event);
    calls_.on_candidate(run, event);
    return std::string();
  });
  host.Handle(Kind::kWarning, [this](int, Fields& read) {
    std::string run, text;
    read(run, text);
    calls_.on_warning(run, text);
    return std::string();
  });
  host.OnLost([this](int rank) { Lose(rank); });
}

RunServer::~RunServer() {
  host_.OnLost(nullptr);
  for (const Kind kind : {Kind::kOpenRun, Kind::kFinishRun, Kind::kJournal, Kind::kCheckpoint,
                          Kind::kLedRun, Kind::kCandidate, Kind::kWarning})
    host_.Handle(kind, nullptr);
  while (!runs_.empty()) Close(std::string(runs_.begin()->first), true);
}

void RunServer::Expect(int rank, const Assignment& job) {
  const std::lock_guard lock(mutex_);
  runs_[job.run] = {rank, job, nullptr};
}

FolderBook* RunServer::BookOf(const std::string& run) {
  const std::lock_guard lock(mutex_);
  const auto it = runs_.find(run);
  return it == runs_.end() ? nullptr : it->second.book.get();
}

std::string RunServer::Open(Fields& read) {
  std::string run, config, metric;
  read(run, config, metric);
  Assignment job;
  {
    const std::lock_guard lock(mutex_);
    const auto it = runs_.find(run);
    if (it == runs_.end()) return Pack(std::string("this run was given to another rank"), 0.0);
    job = it->second.job;
  }
  try {
    const Json json = Json::parse(config);
    auto book = std::make_unique<FolderBook>(
        FolderBook::Options{job.folder, job.resume, json, metric},
        [&](const std::string& text) { calls_.on_warning(run, text); });
    const double earlier = book->earlier_seconds();
    job.fingerprint = json["data"]["fingerprint"];
    host_.OpenRun(job, book->ledger(), Searches(job.values));
    const std::lock_guard lock(mutex_);
    runs_[run].book = std::move(book);
    return Pack(std::string(), earlier);
  } catch (const Error& e) {
    return Pack(std::string(e.what()), 0.0);
  } catch (...) {
    calls_.on_failure(std::current_exception());
    return Pack(std::string("it could not be written"), 0.0);
  }
}

void RunServer::Journal(Fields& read) {
  std::string run, line;
  read(run, line);
  FolderBook* book = BookOf(run);
  if (book == nullptr) return;
  book->Journal(Json::parse(line));
  if (!book->failed()) return;
  try {
    book->Keep();  // throws why
  } catch (...) {
    calls_.on_failure(std::current_exception());
  }
}

void RunServer::Checkpoint(Fields& read) {
  std::string run, model;
  read(run, model);
  if (FolderBook* book = BookOf(run)) book->Checkpoint(std::move(model));
}

std::string RunServer::Finish(Fields& read) {
  std::string run, model, metrics;
  read(run, model, metrics);
  FolderBook* book = BookOf(run);
  if (book == nullptr) return "this run was given to another rank";
  try {
    book->Finish(model, metrics);
  } catch (const std::exception& e) {
    calls_.on_failure(std::current_exception());
    return e.what();
  }
  return {};
}

void RunServer::Led(Fields& read) {
  std::string run, problem;
  read(run, problem);
  Close(run, problem.empty());  // an Error leaves no folder behind, as on rank 0
  calls_.on_led(run, problem);
}

void RunServer::Lose(int rank) {
  std::vector<std::string> runs;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, run] : runs_)
      if (run.rank == rank) runs.push_back(name);
  }
  for (const std::string& run : runs) {
    Close(run, true);
    calls_.on_lost(run);
  }
}

void RunServer::Close(const std::string& run, bool keep) {
  host_.CloseRun(run);
  std::unique_ptr<FolderBook> book;
  {
    const std::lock_guard lock(mutex_);
    const auto it = runs_.find(run);
    if (it == runs_.end()) return;
    book = std::move(it->second.book);
    runs_.erase(it);
  }
  try {
    if (book && keep) book->Keep();
  } catch (...) {
    calls_.on_failure(std::current_exception());
  }
}

}  // namespace gopnet
