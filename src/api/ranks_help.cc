// What the ranks do that are not 0: get the rows, then help with runs, or lead some of a
// comparison, until rank 0 says that the job is over.
#include <chrono>
#include <thread>

#include "algorithms/registry.h"
#include "api/ranks_impl.h"
#include "api/ranks_setup.h"
#include "api/remote_run.h"
#include "api/train_run.h"
#include "base/check.h"
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
                 [this](int) { ended_ = true; });
    post_.Tell(0, Pack(Kind::kHello, Guest{ranks.machine(), CoreMask(), SupportedSimd()}));
  }

  // Returns when rank 0 is done.
  void Run() {
    bool working = false;
    std::vector<std::thread> slots;
    while (!ended_) {
      Watch();
      while (const auto letter = Next()) Answer(*letter);
      if (ready_ && !working) {
        working = true;
        const int count = ranks_.Threads(0);
        for (int slot = 0; slot < count; ++slot) slots.emplace_back([this, slot] { Work(slot); });
      }
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, kLook, [&] { return ended_ || !inbox_.empty(); });
    }
    post_.Abandon();  // whoever waits for an answer
    for (std::thread& slot : slots) slot.join();
    if (post_.IsLost(0)) throw Stopped("rank 0 is gone; gopnet resume goes on with its run");
  }

  bool ended() const { return ended_; }

 private:
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
    if (setup.how == Setup::kFiles) {
      data_ = load_(setup.source);
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
      while (!ended_) {
        Assignment job;
        Unpack(post_.Ask(0, Pack(Kind::kJob, slot)), job);
        if (job.what == Assignment::kHelp) Help(job, slot);
        if (job.what == Assignment::kLead) Lead(job, slot);
        if (job.what == Assignment::kWait) Sleep(job.seconds);
      }
    } catch (const Stopped&) {  // the job is over
    } catch (const Error& e) {
      post_.Tell(0, Pack(Kind::kFailed, true, std::string(e.what())));
    } catch (const std::exception& e) {
      post_.Tell(0, Pack(Kind::kFailed, false, std::string(e.what())));
    }
  }

  void Help(const Assignment& job, int slot) {
    GuestLedger ledger(post_, job.run, slot, false, usage_);
    HelpObserver observer(*this);
    HelpRun(FindAlgorithm(job.algorithm), job.values, data_, job.fingerprint, Threads(job), ledger,
            observer);
    post_.Tell(0, Pack(Kind::kUsage, usage_.Take()));
    post_.Tell(0, Pack(Kind::kLeftRun, job.run));
  }

  void Lead(const Assignment& job, int slot) {
    HelpObserver observer(*this);
    RemoteLead lead(post_, job, slot, Threads(job), usage_, observer);
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

  struct HelpObserver : Observer {
    explicit HelpObserver(const Helper& helper) : helper_(helper) {}
    bool Continue() override { return !helper_.ended(); }
    const Helper& helper_;
  };

  Ranks::Impl& ranks_;
  Post& post_;
  const std::function<TrainData(const Ranks::Source&)> load_;
  const std::function<bool()> go_on_;
  UsageWatch usage_;
  std::atomic<bool> ended_{false}, ready_{false};
  bool told_stop_ = false;
  TrainData data_;
  std::shared_ptr<SharedBlock> block_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<Letter> inbox_;
};

}  // namespace

void Ranks::Help(const std::function<TrainData(const Source&)>& load,
                 const std::function<bool()>& go_on) {
  const auto helper = std::make_shared<Helper>(*impl_, load, go_on);
  impl_->Keep(helper);
  helper->Run();
}

}  // namespace gopnet
