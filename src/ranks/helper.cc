// What the ranks do that are not 0: get the rows, then help with the searches of a run, or train
// whole runs of a comparison, until rank 0 says that the job is over.
#include <cstring>
#include <filesystem>

#include "algorithms/registry.h"
#include "base/check.h"
#include "base/spill.h"
#include "base/threads.h"
#include "base/usable_memory.h"
#include "data/dataset_fields.h"
#include "gopnet/report.h"
#include "ranks/ranks_impl.h"
#include "run/prepare.h"
#include "run/run_folder.h"
#include "run/train_run.h"
#include "train/runtime.h"

namespace gopnet {
namespace {

// The store of a run that this rank helps with: every call is made on rank 0, by the store that is
// there. Throws Leave if the run is over. What is the run's own business is kept there anyway.
class RemoteStore : public RunStore {
 public:
  RemoteStore(Messages& messages, int run) : messages_(messages), run_(run) {}

  bool keeps() const override { return true; }
  std::string LoadState(const WorkKey& key) override {
    return std::get<0>(Ask<std::string>(Kind::kLoadState, key));
  }
  void Add(const WorkKey& key, const Finished& finished, const Notes& notes,
           const std::string& state) override {
    messages_.Tell(0, Pack(Kind::kAdd, run_, key, finished, notes, state));
  }
  std::unique_ptr<WorkQueue> Share(std::vector<WorkKey> batch) override {
    const auto [name] = Ask<std::string>(Kind::kShare, batch);
    auto asking = std::make_shared<std::atomic<double>>(0);  // seconds, not yet told
    return std::make_unique<SharedQueue>([this, name = name, asking](size_t known) {
      const Stopwatch watch;
      const auto [step] = Ask<WorkStep>(Kind::kNextUnit, name, known, asking->exchange(0));
      asking->fetch_add(std::max(0.0, watch.Seconds() - step.waited));
      return step;
    });
  }
  std::optional<std::string> Load(const std::string& stage) override {
    return std::get<0>(Ask<std::optional<std::string>>(Kind::kLoad, stage));
  }

 private:
  template <class... R>
  std::tuple<R...> Ask(Kind kind, const auto&... arguments) {
    const std::string answer = messages_.Ask(0, Pack(kind, run_, arguments...));
    if (answer.empty()) throw Leave{true};
    return Unpack<R...>(answer);
  }

  Messages& messages_;
  const int run_;
};

class Helper : public Messages::Listener {
 public:
  Helper(Ranks::Impl& ranks, std::function<TrainData(const Ranks::Source&)> load)
      : ranks_(ranks), messages_(ranks.messages()), load_(std::move(load)) {}

  // Threads that are in the middle of something end with it.
  ~Helper() override {
    ended_ = true;
    if (first_worker_.joinable()) first_worker_.join();  // which starts the others
    for (std::thread& worker : workers_) worker.join();
  }

  // Returns when rank 0 is done.
  void Run(const std::function<bool()>& go_on) {
    const auto begin = [this] { TellFailures([this] { Begin(); }); };
    TellFailures([&] { first_worker_ = StartThread(begin); });
    for (bool told = false; !ended_; std::this_thread::sleep_for(std::chrono::milliseconds(20))) {
      if (told || go_on()) continue;
      told = true;  // a signal to this rank is one to the job
      messages_.Tell(0, Pack(Kind::kStop));
    }
    if (leader_lost_) throw Stopped("lost rank 0; continue the run with gopnet resume");
  }

  void Receive(Messages::Question) override { ended_ = true; }  // kEnd, nothing else
  void Lose(int) override { ended_ = leader_lost_ = true; }

 private:
  void TellFailures(const std::function<void()>& work) {
    try {
      work();
    } catch (const Stopped& e) {  // the job is over, or the disk is full, for instance
      if (!ended_) Fail(Failure::kStopped, e.what());
    } catch (const Changed& e) {
      Fail(Failure::kStopped, e.what());
    } catch (const Error& e) {
      Fail(Failure::kError, e.what());
    } catch (const std::bad_alloc&) {
      Fail(Failure::kStopped, "out of memory");  // with more of it the run goes on
    } catch (const std::exception& e) {
      Fail(Failure::kOther, e.what());
    }
  }

  void Fail(Failure kind, const std::string& what) {
    messages_.Tell(0, Pack(Kind::kFailed, static_cast<uint8_t>(kind), what));
  }

  void Begin() {
    const RankInfo self = DescribeThisRank(ranks_.machine());
    const auto [setup] =
        Unpack<Setup>(messages_.Ask(0, Pack(Kind::kHello, std::string(GOPNET_VERSION), self)));
    ranks_.ShareCores(setup.same_cores);
    ShareMemory(setup.same_machine);
    if (setup.fingerprint.empty() || !FindRows(setup)) ReceiveRows();
    try {
      for (int thread = 1; thread < ranks_.Threads(0); ++thread)
        workers_.emplace_back([this, thread] { TellFailures([&] { Work(thread); }); });
    } catch (const std::system_error&) {  // no more threads to be had: fewer do the same work
    }
    Work(0);
  }

  bool FindRows(const Setup& setup) {
    try {
      data_ = load_(setup.source);
      return Fingerprint(data_) == setup.fingerprint;
    } catch (const Error&) {
      return false;  // not there
    }
  }

  void ReceiveRows() {
    std::tie(data_) = Unpack<TrainData>(messages_.Ask(0, Pack(Kind::kData)));
    int number = 0;
    for (Dataset* part : {&data_.train, &data_.val, &data_.test}) {
      const auto x = std::make_shared<Matrix>(part->x.rows, part->x.cols);
      std::string bytes;
      for (size_t i = 0; i < x->rows(); i += bytes.size() / (x->cols() * sizeof(float))) {
        bytes = messages_.Ask(0, Pack(Kind::kRows, number, i));
        std::memcpy(x->Row(i), bytes.data(), bytes.size());
      }
      part->x = *x;
      part->owner = x;
      ++number;
    }
  }

  void Work(int thread) {
    for (int last = 0; !ended_;) {
      const auto [plan] = Unpack<RunPlan>(messages_.Ask(0, Pack(Kind::kNextRun, thread, last)));
      last = plan.number;
      plan.whole ? Train(plan) : Help(plan);
    }
  }

  void Help(const RunPlan& plan) {
    PartObserver observer([](const std::string&) {}, [this] { return !ended_; });
    SpillTo(plan.folder);
    const int threads = ranks_.Threads(ReadConfig<CommonConfig>(plan.values).threads);
    HelpRun(FindAlgorithm(plan.algorithm), plan.values, data_, plan.fingerprint, threads,
            std::make_shared<RemoteStore>(messages_, plan.number), observer, plan.memory_limit);
  }

  void Train(const RunPlan& plan) {
    const auto comparison = std::filesystem::path(plan.folder).parent_path();
    Check(std::filesystem::exists(comparison), comparison.string(),
          ": this rank cannot see the folder; choose a folder on a disk that all ranks share");
    RunReport report;
    PartObserver observer([&](const std::string& text) { report.warnings.push_back(text); },
                          [this] { return !ended_; });
    TrainOptions options{plan.folder, &observer, 0, plan.source};
    options.checkpoint_seconds = plan.checkpoint_seconds;
    options.part_of = plan.part_of;
    const int most = ranks_.Threads(0), runs = plan.whole_runs;
    options.memory_limit = (plan.memory_limit > 0 ? plan.memory_limit : DefaultMemoryLimit()) /
                           static_cast<size_t>(runs > 0 ? std::min(runs, most) : most);
    options.resume = HoldsRun(plan.folder);
    try {
      const Algorithm& algorithm = FindAlgorithm(plan.algorithm);
      report.metrics = ToJson(TrainRun(algorithm, plan.values, data_, options, {}).history, "");
    } catch (const Changed&) {  // the other runs would meet it, too
      throw;
    } catch (const Error& e) {
      report.problem = e.what();
    }
    messages_.Tell(0, Pack(Kind::kEnded, plan.number, report));
  }

  Ranks::Impl& ranks_;
  Messages& messages_;
  const std::function<TrainData(const Ranks::Source&)> load_;
  std::atomic<bool> ended_{false}, leader_lost_{false};
  TrainData data_;
  std::thread first_worker_;
  std::vector<std::thread> workers_;
};

}  // namespace

// The messages keep the helper: whoever leaves says goodbye before its threads are done.
void Ranks::Help(const std::function<TrainData(const Source&)>& load,
                 const std::function<bool()>& go_on) {
  const auto helper = std::make_shared<Helper>(*impl_, load);
  impl_->messages().Listen(helper);
  helper->Run(go_on);
}

}  // namespace gopnet
