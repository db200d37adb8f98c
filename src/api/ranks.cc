#include "gopnet/ranks.h"

#include <unistd.h>

#include <algorithm>

#include "api/ranks_impl.h"
#include "api/train_run.h"
#include "base/check.h"
#include "base/threads.h"
#include "search/load_mpi.h"

namespace gopnet {
namespace {

std::string MachineName() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

// The ledger of a run that rank 0 leads and offers to the others while it lives.
class OfferedRun : public DeskLedger {
 public:
  OfferedRun(Host& host, const Assignment& job, Ledger& own, bool searches)
      : OfferedRun(host, job.run, host.OpenRun(job, own, searches)) {}
  ~OfferedRun() override { host_.CloseRun(run_); }

 private:
  OfferedRun(Host& host, std::string run, std::shared_ptr<RunDesk> desk)
      : DeskLedger(*desk, 0, host.usage()),
        host_(host),
        run_(std::move(run)),
        desk_(std::move(desk)) {}
  Host& host_;
  const std::string run_;
  const std::shared_ptr<RunDesk> desk_;
};

}  // namespace

bool Searches(const Values& values) {
  const auto grid = values.find("grid");
  return values.count("nodal") != 0 || (grid != values.end() && grid->second != "none");
}

Ranks::Impl::Impl(const std::function<std::unique_ptr<Comm>()>& open, std::string machine,
                  const PostOptions& options)
    : post_(open, options), machine_(std::move(machine)) {
  if (post_.rank() == 0) host_ = std::make_unique<Host>(post_);
}

Ranks::Impl::~Impl() {
  if (host_) host_->End();
  post_.Close();      // says goodbye now, whatever a helper is still busy with
  listener_.reset();  // before the post that it uses
}

int Ranks::Impl::Threads(int requested) const {
  if (requested > 0) return requested;
  return std::max(1, ThreadCount(0) / neighbours_);
}

bool Ranks::Impl::GoOn(Observer* observer) {
  for (const int rank : host_->TakeLost()) {
    if (observer != nullptr)
      observer->OnWarning(gopnet::Join("rank ", rank, " is lost; what it worked on is done again"));
  }
  return !host_->stop_wanted();
}

std::vector<RankRecord> Ranks::Impl::Usage() {
  std::vector<RankRecord> records;
  for (const gopnet::Usage& u : host_->Usages()) {
    records.push_back({static_cast<int>(records.size()), static_cast<long>(u.units), u.total,
                       u.waiting, u.communication});
  }
  return records;
}

TrainResult LeadSharedRun(const Algorithm& algorithm, const Values& values, const TrainData& data,
                          const TrainOptions& options) {
  Ranks::Impl& ranks = options.ranks->impl();
  Host& host = ranks.host();
  Lead lead;
  lead.threads = ranks.Threads(ReadConfig<CommonConfig>(values).threads);
  lead.open_book = [&](const auto& config, const std::string& metric, Observer& warn) {
    return OpenFolder(options, config, metric, warn);
  };
  lead.share = [&](Ledger& own, const std::string& fingerprint) {
    Assignment job;
    job.run = job.folder = options.run_folder;
    job.algorithm = algorithm.name;
    job.values = values;
    job.fingerprint = fingerprint;
    return std::make_unique<OfferedRun>(host, job, own, Searches(values));
  };
  lead.go_on = [&] { return ranks.GoOn(options.observer); };
  lead.usage = [&] {
    host.WaitForHelpers(options.run_folder, 0.5);  // they are about to leave, and tell then
    return ranks.Usage();
  };
  if (!Searches(values) && host.OnlyHelpers() && options.observer != nullptr) {
    options.observer->OnWarning(gopnet::Join(algorithm.name, " has no search to share: of ",
                                             ranks.post().size(), " ranks one works"));
  }
  try {
    return LeadRun(algorithm, values, data, options, lead);
  } catch (const Stopped&) {
    host.RethrowFailure();  // why it was stopped
    throw;
  }
}

Ranks::Ranks(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Ranks::~Ranks() = default;
int Ranks::LaunchedSize() { return LaunchedRanks(); }
int Ranks::LaunchedRank() { return gopnet::LaunchedRank(); }
std::unique_ptr<Ranks> Ranks::Join() {
  return std::make_unique<Ranks>(std::make_unique<Impl>(OpenMpi, MachineName()));
}
int Ranks::rank() const { return impl_->post().rank(); }
int Ranks::size() const { return impl_->post().size(); }
bool Ranks::lost() const { return impl_->post().anyone_lost(); }

}  // namespace gopnet
