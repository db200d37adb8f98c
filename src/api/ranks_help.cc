// What the ranks do that are not 0: get the rows, then help with runs, or lead some of a
// comparison, until rank 0 says that the job is over.
#include <chrono>
#include <thread>

#include "algorithms/registry.h"
#include "api/fingerprint.h"
#include "api/ranks_impl.h"
#include "api/ranks_setup.h"
#include "api/remote_run.h"
#include "api/train_run.h"
#include "base/check.h"
#include "base/spill.h"
#include "base/threads.h"
#include "kernels/simd.h"
#include "ranks/guest_ledger.h"

namespace gopnet {
namespace {

using Milliseconds = std::chrono::milliseconds;
constexpr Milliseconds kLook(20);

struct Letter {
  uint64_t id = 0;
  std::string body;
};

class Helper {
 public:
  Helper(Ranks::Impl& ranks, std::function<TrainData(const Ranks::Source&)> load,
         std::function<bool()> go_on)
      : ranks_(ranks), post_(ranks.post()), load_(std::move(load)), go_on_(std::move(go_on)) {
    post_.Listen([this](int, uint64_t id, std::string body) { Receive(id, std::move(body)); },
                 [this](int) { host_lost_ = ended_ = true; });
    post_.Tell(0, Pack(Kind::kHello, Guest{ranks.machine(), CoreMask(), SupportedSimd()}));
  }

  // Slots that are in the middle of something end with it.
  ~Helper() {
    ended_ = true;
    post_.Abandon();
    for (std::thread& slot : slots_) slot.join();
  }

  // Returns when rank 0 is done.
  void Run() {
    while (!ended_) {
      Watch();
      while (const auto letter = Next()) Answer(*letter);
      if (ready_ && slots_.empty()) Start();
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, kLook, [&] { return ended_ || !inbox_.empty(); });
    }
    post_.Abandon();  // whoever waits for an answer
    if (host_lost_) throw Stopped("rank 0 is gone; gopnet resume goes on with its run");
  }

 private:
  void Start() {
    const int count = ranks_.Threads(0);
    try {
      for (int slot = 0; slot < count; ++slot) slots_.emplace_back([this, slot] { Work(slot); });
    } catch (const std::system_error&) {  // no more threads to be had: fewer do the same work
    }
  }

  void Receive(uint64_t id, std::string body) {
    const std::lock_guard lock(mutex_);
    if (!body.empty() && static_cast<Kind>(body[0]) == Kind::kEnd) {
      ended_ = true;
    } else {
      inbox_.push_back({id, std::move(body)});
    }
    changed_.notify_all();
  }

  std::optional<Letter> Next() {
    const std::lock_guard lock(mutex_);
    if (inbox_.empty()) return std::nullopt;
    Letter letter = std::move(inbox_.front());
    inbox_.pop_front();
    return letter;
  }

  // A signal to this rank is one to the job.
  void Watch() {
    if (told_stop_ || go_on_()) return;
    told_stop_ = true;
    post_.Tell(0, Pack(Kind::kStop));
  }

  void Answer(const Letter& letter) {
    ArchiveReader read(letter.body, "message");
    uint8_t kind = 0;
    read(kind);
    SetupAnswer answer;
    try {
      if (static_cast<Kind>(kind) == Kind::kSetup) SetUp(read);
      if (static_cast<Kind>(kind) == Kind::kRows) TakeRows(read);
      if (block_) answer.block = block_->name();
    } catch (const std::exception& e) {
      answer.problem = e.what();
    }
    post_.Answer(0, letter.id, Pack(answer));
  }

  void SetUp(ArchiveReader& read) {
    Setup setup;
    read(setup);
    PinSimd(setup.simd);
    ranks_.SetNeighbours(setup.neighbours);
    ShareMemory(setup.machine);
    if (setup.how == Setup::kFiles) {
      data_ = load_(setup.source);
      Check(Fingerprint(data_) == setup.fingerprint, data_.train.source,
            ": not the rows that rank 0 has");
      ready_ = true;
      return;
    }
    const bool own = setup.how == Setup::kReceive;
    block_ = own ? SharedBlock::Create(setup.size) : SharedBlock::Attach(setup.block, setup.size);
    data_ = UnpackRows(setup.rest, block_);
    ready_ = !own;
  }

  void TakeRows(ArchiveReader& read) {
    uint64_t at = 0;
    std::string bytes;
    read(at, bytes);
    if (bytes.empty()) {  // that was all
      ready_ = true;
      return;
    }
    Check(at <= block_->size() && bytes.size() <= block_->size() - at, "too many rows");
    std::copy(bytes.begin(), bytes.end(), block_->data() + at);
  }

  void Work(int slot) {
    try {
      double pause = 0.01;  // longer and longer, or many that wait would keep rank 0 busy
      while (!ended_) {
        Assignment job;
        Unpack(post_.Ask(0, Pack(Kind::kJob, slot)), job);
        pause = job.what == Assignment::kWait ? std::min(2 * pause, 0.5) : 0.01;
        if (job.what == Assignment::kHelp) Help(job);
        if (job.what == Assignment::kLead) Lead(job);
        if (job.what == Assignment::kWait) Sleep(std::max(pause, job.seconds));
      }
    } catch (const Stopped& e) {  // the job is over, or the disk is full
      if (!ended_) Fail(Failure::kStopped, e);
    } catch (const Error& e) {
      Fail(Failure::kError, e);
    } catch (const std::exception& e) {
      Fail(Failure::kOther, e);
    }
  }

  void Fail(Failure kind, const std::exception& e) {
    post_.Tell(0, Pack(Kind::kFailed, static_cast<uint8_t>(kind), std::string(e.what())));
  }

  void Help(const Assignment& job) {
    GuestLedger ledger(post_, job.run, ++workers_, false, usage_);
    GoOnObserver observer([this] { return !ended_; });
    SpillTo(job.folder);
    HelpRun(FindAlgorithm(job.algorithm), job.values, data_, job.fingerprint, Threads(job), ledger,
            observer);
    post_.Tell(0, Pack(Kind::kUsage, usage_.Take()));
    post_.Tell(0, Pack(Kind::kLeftRun, job.run));
  }

  void Lead(const Assignment& job) {
    GoOnObserver observer([this] { return !ended_; });
    RemoteLead lead(post_, job, ++workers_, Threads(job), usage_, observer);
    std::string problem;
    try {
      lead.Run(data_);
    } catch (const Error& e) {
      problem = e.what();
    } catch (const Leave&) {  // rank 0 thought this one lost and gave the run to another
      return;
    }
    post_.Tell(0, Pack(Kind::kUsage, usage_.Take()));
    post_.Tell(0, Pack(Kind::kLedRun, job.run, problem));
  }

  int Threads(const Assignment& job) const {
    if (job.threads > 0) return job.threads;
    const auto it = job.values.find("threads");
    return ranks_.Threads(it == job.values.end() ? 0 : std::stoi(it->second));
  }

  void Sleep(double seconds) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return ended_.load(); });
  }

  Ranks::Impl& ranks_;
  Post& post_;
  const std::function<TrainData(const Ranks::Source&)> load_;
  const std::function<bool()> go_on_;
  UsageWatch usage_;
  std::atomic<int> workers_{0};
  std::atomic<bool> ended_{false}, host_lost_{false};
  bool ready_ = false;
  bool told_stop_ = false;
  TrainData data_;
  std::shared_ptr<SharedBlock> block_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<Letter> inbox_;
  std::vector<std::thread> slots_;
};

}  // namespace

void Ranks::Help(const std::function<TrainData(const Source&)>& load,
                 const std::function<bool()>& go_on) {
  const auto helper = std::make_shared<Helper>(*impl_, load, go_on);
  impl_->Keep(helper);
  helper->Run();
}

}  // namespace gopnet
