#include "ranks/leader.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/names.h"
#include "base/threads.h"
#include "base/usable_memory.h"
#include "data/dataset_fields.h"
#include "run/prepare.h"

namespace gopnet {
namespace {

const char* const kRunIsOver = "";
constexpr std::chrono::seconds kJoin(30);
constexpr size_t kRowBytes = 16 << 20;  // bytes of a message with rows, about

// Whether every file of rows is one that ranks map into memory by themselves.
bool AllMapped(const Ranks::Source& source) {
  for (const char* part : {"train", "val", "test"})
    if (source.count(part) != 0 && !source.at(part).ends_with(".npy")) return false;
  return source.count("train") != 0;
}

std::exception_ptr FailureOf(int rank, ArchiveReader& read) {
  const auto [number, text] = Take<uint8_t, std::string>(read);
  const auto failure = static_cast<Failure>(number);
  const std::string what = Join("rank ", rank, ": ", text);
  if (failure == Failure::kError) return std::make_exception_ptr(Error(what));
  if (failure == Failure::kStopped) return std::make_exception_ptr(Stopped(what));
  return std::make_exception_ptr(std::runtime_error(what));
}

}  // namespace

RankInfo DescribeThisRank(const std::string& machine) {
  return {ProgramChecksum(), machine, CoreMask()};
}

Leader::Leader(Messages& messages, const std::string& machine) : messages_(messages) {
  ranks_[0] = DescribeThisRank(machine);
  for (int rank = 1; rank < messages.size(); ++rank) missing_.insert(rank);
}

int Leader::ShareRows(const TrainData& data, const Ranks::Source& source) {
  const std::string fingerprint = AllMapped(source) ? Fingerprint(data) : "";
  std::unique_lock lock(mutex_);
  Check(!setup_, "the ranks of this job already have their rows");
  const auto wait = [&](Clock::time_point limit) {
    while (!missing_.empty() && !failure_ && !stop_ && Clock::now() < limit) {
      lock.unlock();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      lock.lock();
    }
    if (failure_ || stop_) rows_ = nullptr;  // nobody gets them any more
    if (failure_) std::rethrow_exception(failure_);
    if (stop_) throw Stopped("stopped on request");
  };
  wait(Clock::now() + kJoin);
  if (!missing_.empty())
    throw Stopped(Join(missing_.size(), " of ", messages_.size(), " ranks did not answer"));
  setup_ = Setup{source, fingerprint};
  const Setup own = SetupOf(ranks_[0]);
  ShareMemory(own.same_machine);
  for (const auto& entry : ranks_) missing_.insert(entry.first);
  missing_.erase(0);
  rows_ = &data;
  Changed();
  wait(Clock::time_point::max());
  rows_ = nullptr;
  return own.same_cores;
}

Setup Leader::SetupOf(const RankInfo& rank) const {
  Setup setup = *setup_;
  for (const auto& [number, other] : ranks_) {
    setup.same_machine += other.machine == rank.machine;
    setup.same_cores += other.machine == rank.machine && other.cores == rank.cores;
  }
  return setup;
}

std::string Leader::RowsAt(ArchiveReader& read) const {
  const auto [number, first] = Take<int, uint64_t>(read);
  const MatrixView& x = (number == 0 ? rows_->train : number == 1 ? rows_->val : rows_->test).x;
  std::string bytes;
  for (size_t i = first; i < x.rows && bytes.size() < kRowBytes; ++i)
    bytes.append(reinterpret_cast<const char*>(x.Row(i)), x.cols * sizeof(float));
  return bytes;
}

std::shared_ptr<SharedRun> Leader::OpenRun(RunPlan plan, std::shared_ptr<RunStore> own,
                                           bool searches) {
  auto run = std::make_shared<SharedRun>(std::move(own), messages_.size(), [this] { Changed(); });
  if (!searches) return run;
  const std::lock_guard lock(mutex_);
  plan_ = std::move(plan);
  plan_.number = ++numbers_;
  run_ = run;
  Changed();
  return run;
}

void Leader::CloseRun() {
  const std::lock_guard lock(mutex_);
  run_.reset();
  Changed();
}

void Leader::HandOut(std::function<std::optional<WholeRun>(int thread)> next) {
  const std::lock_guard lock(mutex_);
  next_whole_ = std::move(next);
  whole_.clear();
  Changed();
}

void Leader::Changed() {
  changed_ = true;
  messages_.Wake();
}

void Leader::RethrowFailure() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

std::vector<int> Leader::TakeLost() {
  const std::lock_guard lock(mutex_);
  return std::exchange(lost_untold_, {});
}

void Leader::Receive(Question question) {
  const std::lock_guard lock(mutex_);
  if (!Answered(question)) waiting_.push_back(std::move(question));
}

void Leader::Look() {
  if (!changed_.exchange(false)) return;
  const std::lock_guard lock(mutex_);
  waiting_.remove_if([&](const Question& question) { return Answered(question); });
}

void Leader::Lose(int rank) {
  const std::lock_guard lock(mutex_);
  ranks_.erase(rank);
  missing_.erase(rank);
  lost_untold_.push_back(rank);
  waiting_.remove_if([&](const Question& question) { return question.from == rank; });
  if (run_) run_->Lose(rank);
  if (next_whole_) FailWith(std::make_exception_ptr(Stopped(Join("lost rank ", rank))));
  Changed();
}

// The thread of the messages must not end: what goes wrong here ends the job. With the lock.
bool Leader::Answered(const Question& question) {
  std::optional<std::string> answer;
  try {
    answer = AnswerTo(question);
  } catch (...) {
    FailWith(std::current_exception());
    answer = kRunIsOver;
  }
  if (answer && question.id != 0) messages_.Answer(question.from, question.id, *answer);
  return answer || question.id == 0;
}

// Nothing if the answer has to wait, or if none is wanted.
std::optional<std::string> Leader::AnswerTo(const Question& question) {
  ArchiveReader read(question.body, "message");
  const auto kind = static_cast<Kind>(std::get<0>(Take<uint8_t>(read)));
  if (kind >= Kind::kShare) return AboutRun(kind, question, read);
  if (kind == Kind::kStop) stop_ = true;
  if (kind == Kind::kFailed) FailWith(FailureOf(question.from, read));
  if (kind == Kind::kData && rows_) return Pack(*rows_);
  if (kind == Kind::kRows && rows_) return RowsAt(read);
  if (kind == Kind::kEnded) {
    const auto [number, report] = Take<int, RunReport>(read);
    if (const auto ended = whole_.extract(number)) ended.mapped()(report);
  }
  if (kind == Kind::kHello && setup_) return Pack(SetupOf(ranks_.at(question.from)));
  if (kind == Kind::kHello) Welcome(question.from, read);
  if (kind == Kind::kHello || kind == Kind::kNextRun) missing_.erase(question.from);
  return kind == Kind::kNextRun ? NextRun(read) : std::nullopt;
}

// Ranks of another program would share the work and quietly change the result.
void Leader::Welcome(int number, ArchiveReader& read) {
  constexpr char kSameProgram[] = "; start the same program on every rank";
  const auto [version] = Take<std::string>(read);
  Check(version == GOPNET_VERSION, "rank ", number, " runs gopnet ", Shown(version),
        ", but rank 0 runs ", GOPNET_VERSION, kSameProgram);
  const auto [rank] = Take<RankInfo>(read);
  Check(rank.build == ranks_.at(0).build, "rank ", number, " on ", rank.machine,
        " runs a different build of gopnet ", version, " than rank 0", kSameProgram);
  ranks_[number] = rank;
}

// A whole run, or the one that rank 0 trains: then the first thread of a rank asks for all of them.
std::optional<std::string> Leader::NextRun(ArchiveReader& read) {
  const auto [thread, last] = Take<int, int>(read);
  if (next_whole_) {
    auto run = next_whole_(thread);
    if (!run) return std::nullopt;
    run->plan.number = ++numbers_;
    whole_[numbers_] = run->ended;
    return Pack(run->plan);
  }
  if (run_ && thread == 0 && plan_.number > last) return Pack(plan_);
  return std::nullopt;
}

std::optional<std::string> Leader::AboutRun(Kind kind, const Question& question,
                                            ArchiveReader& read) {
  const auto [number] = Take<int>(read);
  if (!run_ || number != plan_.number) return kRunIsOver;
  if (kind == Kind::kShare)
    return Pack(run_->OpenBatch(std::get<0>(Take<std::vector<WorkKey>>(read))));
  if (kind == Kind::kLoadState) return Pack(run_->LoadState(std::get<0>(Take<WorkKey>(read))));
  if (kind == Kind::kLoad) return Pack(run_->Load(std::get<0>(Take<std::string>(read))));
  if (kind == Kind::kAdd) {
    const auto [key, finished, notes, state] = Take<WorkKey, Finished, Notes, std::string>(read);
    run_->Add(key, finished, notes, state);
    return std::nullopt;
  }
  // kNextUnit: whoever waits is not told of every result: all come with the next unit, or the last.
  const auto [batch, known, communication] = Take<std::string, size_t, double>(read);
  const WorkStep step = run_->Next(batch, question.from, known, communication, question.came);
  return step.unit || step.done ? std::optional(Pack(step)) : std::nullopt;
}

// The first failure counts.
void Leader::FailWith(std::exception_ptr failure) {
  if (!failure_) failure_ = std::move(failure);
  stop_ = true;
}

}  // namespace gopnet
