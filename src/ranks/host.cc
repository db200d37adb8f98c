#include "ranks/host.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "base/check.h"

namespace gopnet {
namespace {

constexpr double kJoinSeconds = 30;

std::string AboutNothing() { return Pack(std::optional<std::string>()); }
std::string Known(std::string answer) {
  return Pack(std::optional<std::string>(std::move(answer)));
}

}  // namespace

Host::Host(Post& post) : post_(post), usages_(static_cast<size_t>(post.size())) {
  pool_.OnChange([this] { AnswerWaiting(); });
  post_.Listen([this](int from, uint64_t id, std::string body) { OnMessage(from, id, body); },
               [this](int rank) { Lose(rank); });
}

std::map<int, Guest> Host::WaitForGuests() {
  const auto start = BatchUsage::Clock::now();
  for (;;) {
    std::map<int, Guest> guests;
    {
      const std::lock_guard lock(mutex_);
      guests = guests_;
    }
    int missing = 0;
    for (int rank = 1; rank < post_.size(); ++rank)
      missing += guests.count(rank) == 0 && !post_.IsLost(rank);
    if (missing == 0) return guests;
    if (BatchUsage::Since(start) > kJoinSeconds)
      throw Stopped(Join(missing, " of ", post_.size(), " ranks did not answer"));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::shared_ptr<RunDesk> Host::OpenRun(const Assignment& job, Ledger& inner, bool searches) {
  auto desk = std::make_shared<RunDesk>(job.run, inner, pool_);
  const std::lock_guard lock(mutex_);
  runs_[job.run] = {job, desk, searches, 0};
  return desk;
}

void Host::CloseRun(const std::string& run) {
  std::shared_ptr<RunDesk> desk;
  {
    const std::lock_guard lock(mutex_);
    const auto it = runs_.find(run);
    if (it == runs_.end()) return;
    desk = it->second.desk;
    runs_.erase(it);
  }
  desk->Close();
}

std::shared_ptr<RunDesk> Host::Desk(const std::string& run) {
  const std::lock_guard lock(mutex_);
  const auto it = runs_.find(run);
  return it == runs_.end() ? nullptr : it->second.desk;
}

// The run with the fewest helpers among those that have work.
Assignment Host::HelpWanted() {
  const std::lock_guard lock(mutex_);
  Run* neediest = nullptr;
  for (auto& [name, run] : runs_) {
    const bool begins = run.searches && !run.desk->opened();
    if (!begins && !pool_.HasWork(name + "/")) continue;
    if (neediest == nullptr || run.helpers < neediest->helpers) neediest = &run;
  }
  if (neediest == nullptr) return {};
  ++neediest->helpers;
  Assignment job = neediest->job;
  job.what = Assignment::kHelp;
  return job;
}

// One helper a rank, with all its threads.
Assignment Host::HelperFor(int slot) { return slot == 0 ? HelpWanted() : Nothing(); }

Assignment Host::Nothing() {
  Assignment nothing;
  nothing.seconds = 1;
  return nothing;
}

void Host::HelperLeft(const std::string& run) {
  const std::lock_guard lock(mutex_);
  const auto it = runs_.find(run);
  if (it == runs_.end()) return;
  --it->second.helpers;
}

void Host::WaitForHelpers(const std::string& run, double seconds) {
  const auto start = BatchUsage::Clock::now();
  const auto helpers = [&] {
    const std::lock_guard lock(mutex_);
    const auto it = runs_.find(run);
    return it == runs_.end() ? 0 : it->second.helpers;
  };
  while (helpers() > 0 && BatchUsage::Since(start) < seconds)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void Host::JobsFrom(std::function<Assignment(int, int)> next) {
  const std::lock_guard lock(calls_);
  next_job_ = std::move(next);
}

bool Host::OnlyHelpers() {
  const std::lock_guard lock(calls_);
  return !next_job_;
}

void Host::Handle(Kind kind, Handler handler) {
  const std::lock_guard lock(calls_);
  handlers_[kind] = std::move(handler);
}

void Host::OnLost(std::function<void(int)> call) {
  const std::lock_guard lock(calls_);
  on_lost_ = std::move(call);
}

void Host::RethrowFailure() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

std::vector<int> Host::TakeLost() {
  const std::lock_guard lock(mutex_);
  return std::exchange(lost_, {});
}

std::vector<Usage> Host::Usages() {
  const std::lock_guard lock(mutex_);
  usages_[0].Add(own_usage_.Take());
  return usages_;
}

void Host::End() {
  for (int rank = 1; rank < post_.size(); ++rank) post_.Tell(rank, Pack(Kind::kEnd));
}

// The post's thread must not end: what goes wrong here ends the job, and the guest leaves the run.
void Host::OnMessage(int from, uint64_t id, const std::string& body) {
  try {
    Dispatch(from, id, body);
  } catch (...) {
    FailWith(std::current_exception());
    if (id != 0) post_.Answer(from, id, AboutNothing());
  }
}

void Host::Dispatch(int from, uint64_t id, const std::string& body) {
  ArchiveReader read(body, "message");
  uint8_t number = 0;
  read(number);
  const auto kind = static_cast<Kind>(number);
  if (kind == Kind::kHello) {
    const std::lock_guard lock(mutex_);
    read(guests_[from]);
  } else if (kind == Kind::kUsage) {
    Usage usage;
    read(usage);
    const std::lock_guard lock(mutex_);
    usages_[static_cast<size_t>(from)].Add(usage);
  } else if (kind == Kind::kStop) {
    stop_ = true;
  } else if (kind == Kind::kFailed) {
    Fail(read, from);
  } else if (kind == Kind::kJob) {
    int slot = 0;
    read(slot);
    const std::lock_guard lock(calls_);
    post_.Answer(from, id, Pack(next_job_ ? next_job_(from, slot) : HelperFor(slot)));
  } else if (Answered(kind, from, id, read)) {
    return;
  } else if (auto answer = AboutRun(kind, from, id, read); answer && id != 0) {
    post_.Answer(from, id, std::move(*answer));
  }
}

// By the handler of that kind, if there is one.
bool Host::Answered(Kind kind, int from, uint64_t id, ArchiveReader& read) {
  const std::lock_guard lock(calls_);
  const auto it = handlers_.find(kind);
  if (it == handlers_.end() || !it->second) return false;
  std::string answer = it->second(from, read);
  if (id != 0) post_.Answer(from, id, std::move(answer));
  return true;
}

// Nothing if the answer has to wait.
std::optional<std::string> Host::AboutRun(Kind kind, int from, uint64_t id, ArchiveReader& read) {
  std::string run;
  read(run);
  if (kind == Kind::kLeftRun) {
    HelperLeft(run);
    return std::string();
  }
  const auto desk = Desk(run);
  if (!desk) return AboutNothing();
  WorkKey key;
  switch (kind) {
    case Kind::kBatch: {
      std::vector<WorkKey> keys;
      read(keys);
      return Known(desk->OpenBatch(keys));
    }
    case Kind::kTurn: {
      Waiting waiting{from, id, {from, 0}, "", BatchUsage::Clock::now(), {}};
      bool leads = false;
      read(waiting.worker.number, leads, waiting.batch);
      const std::lock_guard lock(mutex_);
      if (TakeTurns(waiting)) return std::nullopt;
      if (!leads && OthersNeedHelp(run)) return AboutNothing();
      waiting_.push_back(std::move(waiting));
      return std::nullopt;
    }
    case Kind::kAdd: {
      WorkPool::Worker worker{from, 0};
      Finished finished;
      Notes notes;
      std::string state;
      read(worker.number, key, finished, notes, state);
      desk->Add(worker, key, finished, notes, state);
      return std::string();
    }
    case Kind::kState:
      read(key);
      return Known(desk->State(key));
    case Kind::kLoad: {
      std::string stage;
      read(stage);
      return Known(Pack(desk->Load(stage)));
    }
    case Kind::kSave: {
      std::string stage, bytes;
      read(stage, bytes);
      desk->Save(stage, std::move(bytes));
      return std::string();
    }
    default:
      return AboutNothing();
  }
}

// With the lock.
bool Host::OthersNeedHelp(const std::string& run) const {
  return std::any_of(runs_.begin(), runs_.end(), [&](const auto& other) {
    return other.first != run && pool_.HasWork(other.first + "/");
  });
}

bool Host::TakeTurns(Waiting& waiting) {
  for (;;) {
    WorkPool::Turn turn = pool_.Next(waiting.batch, waiting.worker);
    if (turn.kind == WorkPool::Turn::kWait) return false;
    if (turn.kind == WorkPool::Turn::kGone) {
      post_.Answer(waiting.from, waiting.id, AboutNothing());
      return true;
    }
    waiting.lines.push_back({static_cast<uint8_t>(turn.kind), turn.unit, std::move(turn.result)});
    if (turn.kind == WorkPool::Turn::kResult) continue;
    post_.Answer(waiting.from, waiting.id,
                 Known(Pack(waiting.lines, BatchUsage::Since(waiting.since))));
    return true;
  }
}

void Host::AnswerWaiting() {
  const std::lock_guard lock(mutex_);
  waiting_.remove_if([&](Waiting& waiting) { return TakeTurns(waiting); });
}

void Host::Lose(int rank) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.remove_if([&](const Waiting& w) { return w.from == rank; });
    lost_.push_back(rank);
  }
  pool_.Lose(rank);
  const std::lock_guard lock(calls_);
  if (on_lost_) on_lost_(rank);
}

void Host::Fail(ArchiveReader& read, int from) {
  uint8_t kind = 0;
  std::string what;
  read(kind, what);
  what = Join("rank ", from, ": ", what);
  const auto failure = static_cast<Failure>(kind);
  FailWith(failure == Failure::kError     ? std::make_exception_ptr(Error(what))
           : failure == Failure::kStopped ? std::make_exception_ptr(Stopped(what))
                                          : std::make_exception_ptr(std::runtime_error(what)));
}

// The first failure counts.
void Host::FailWith(std::exception_ptr failure) {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::move(failure);
  stop_ = true;
}

}  // namespace gopnet
