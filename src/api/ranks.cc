#include "gopnet/ranks.h"

#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/threads.h"
#include "ranks/ranks_impl.h"
#include "run/train_run.h"

namespace gopnet {
namespace {

std::string MachineName() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

}  // namespace

Ranks::Impl::Impl(const std::function<std::unique_ptr<Comm>()>& open, std::string machine,
                  const MessageOptions& options)
    : machine_(std::move(machine)), messages_(open, options) {
  if (messages_.rank() != 0) return;
  leader_ = std::make_shared<Leader>(messages_, machine_);
  messages_.Listen(leader_);
}

Ranks::Impl::~Impl() {
  for (int rank = 1; leader_ && rank < messages_.size(); ++rank)
    messages_.Tell(rank, Pack(Kind::kEnd));
}

int Ranks::Impl::Threads(int requested) const {
  return requested > 0 ? requested : std::max(1, ThreadCount(0) / same_cores_);
}

TrainResult Ranks::Impl::Train(const Algorithm& algorithm, const Values& values,
                               const TrainData& data, const TrainOptions& options) {
  Observer nobody;
  Observer& observer = options.observer != nullptr ? *options.observer : nobody;
  const bool searches = algorithm.Searches(values);
  if (!searches)
    observer.OnWarning(gopnet::Join("algorithm ", algorithm.name,
                                    " has no search to share; only one of ", messages_.size(),
                                    " ranks works"));
  std::shared_ptr<SharedRun> run;
  RunSetup setup;
  setup.threads = Threads(ReadConfig<CommonConfig>(values).threads);
  setup.share = [&](std::shared_ptr<RunStore> own, const std::string& fingerprint) {
    const RunPlan plan{.algorithm = algorithm.name,
                       .values = values,
                       .folder = options.run_folder,
                       .fingerprint = fingerprint,
                       .memory_limit = options.memory_limit};
    return run = leader_->OpenRun(plan, std::move(own), searches);
  };
  setup.go_on = [&] {
    for (const int rank : leader_->TakeLost())
      observer.OnWarning(gopnet::Join("lost rank ", rank, "; the other ranks repeat its work"));
    return !leader_->stop_wanted();
  };
  setup.usage = [&] { return run->usage(); };
  const std::shared_ptr<void> close(nullptr, [&](void*) { leader_->CloseRun(); });
  try {
    return TrainRun(algorithm, values, data, options, setup);
  } catch (const Stopped&) {
    leader_->RethrowFailure();  // why it was stopped
    throw;
  }
}

Ranks::Ranks(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Ranks::~Ranks() = default;
std::unique_ptr<Ranks> Ranks::Join() {
  return std::make_unique<Ranks>(std::make_unique<Impl>(OpenMpi, MachineName()));
}
int Ranks::rank() const { return impl_->messages().rank(); }
int Ranks::size() const { return impl_->messages().size(); }
bool Ranks::lost() const { return impl_->messages().anyone_lost(); }
void Ranks::Share(const TrainData& data, const Source& source) {
  if (size() > 1) impl_->ShareCores(impl_->leader().ShareRows(data, source));
}

}  // namespace gopnet
