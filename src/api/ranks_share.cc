// How the rows get to all ranks: rank 0's side of it.
#include <algorithm>
#include <map>
#include <set>

#include "api/fingerprint.h"
#include "api/ranks_impl.h"
#include "api/ranks_setup.h"
#include "base/check.h"
#include "base/names.h"
#include "base/spill.h"
#include "base/threads.h"
#include "gopnet/train.h"
#include "kernels/simd.h"

namespace gopnet {
namespace {

constexpr uint64_t kChunk = 16 << 20;  // bytes of a message with rows

// The best instruction set that all have, and rank 0 uses or could use.
std::string CommonSimd(const std::map<int, Guest>& guests, bool pinned) {
  std::vector<std::string> common = SupportedSimd();
  if (pinned) common = {CurrentSimd()};
  for (const auto& entry : guests) {
    const Guest& guest = entry.second;
    std::erase_if(common, [&](const std::string& name) {
      return std::find(guest.simd.begin(), guest.simd.end(), name) == guest.simd.end();
    });
    Check(!common.empty(), "rank ", entry.first, " on ", guest.host, ": lacks the instruction set ",
          pinned ? CurrentSimd() : "that the others have", " (it has ", JoinList(guest.simd), ")");
  }
  return common.front();
}

// Whether every file of rows is one that ranks map into memory by themselves.
bool AllMapped(const Ranks::Source& source) {
  for (const char* part : {"train", "val", "test"}) {
    const auto it = source.find(part);
    if (it != source.end() && !it->second.ends_with(".npy")) return false;
  }
  return source.count("train") != 0;
}

// Gives the rows to the ranks that cannot read them, a machine at a time.
class RowSharing {
 public:
  RowSharing(Ranks::Impl& ranks, std::map<int, Guest> guests, TrainData& data, Setup setup)
      : ranks_(ranks), guests_(std::move(guests)), data_(data), setup_(std::move(setup)) {
    const Guest host{ranks.machine(), CoreMask(), {}};
    ++neighbours_[PlaceOf(host)];
    for (const auto& [rank, guest] : guests_) ++neighbours_[PlaceOf(guest)];
    ranks.SetNeighbours(neighbours_[PlaceOf(host)]);
    ShareMemory(RanksOn(ranks.machine()));
  }

  void Run(bool mapped) {
    std::set<int> left;
    for (const auto& [rank, guest] : guests_) left.insert(rank);
    if (mapped) left = Failing(left, Setup::kFiles);
    if (left.empty()) return;
    setup_.rest = PackRest(data_);
    setup_.size = FeatureBytes(data_);
    left = ShareHere(left);
    while (!left.empty()) left = ShareThere(left);
  }

 private:
  static std::string PlaceOf(const Guest& guest) { return guest.host + " " + guest.cores; }
  const Guest& GuestOf(int rank) const { return guests_.at(rank); }

  SetupAnswer Ask(int rank, uint8_t how, const std::string& block) {
    Setup setup = setup_;
    setup.how = how;
    setup.block = block;
    setup.neighbours = neighbours_.at(PlaceOf(GuestOf(rank)));
    setup.machine = RanksOn(GuestOf(rank).host);
    SetupAnswer answer;
    Unpack(ranks_.post().Ask(rank, Pack(Kind::kSetup, setup)), answer);
    return answer;
  }

  // Those of the ranks that cannot get the rows in that way. One that is lost needs none.
  std::set<int> Failing(const std::set<int>& ranks, uint8_t how, const std::string& block = "") {
    std::set<int> failing;
    std::mutex mutex;
    const std::vector<size_t> order(ranks.begin(), ranks.end());
    RunTasks(order, 4, [&](size_t number, int) {
      const auto rank = static_cast<int>(number);
      try {
        if (Ask(rank, how, block).problem.empty()) return;
      } catch (const Stopped&) {
        return;
      }
      const std::lock_guard lock(mutex);
      failing.insert(rank);
    });
    return failing;
  }

  int RanksOn(const std::string& machine) const {
    int count = machine == ranks_.machine();
    for (const auto& [rank, guest] : guests_) count += guest.host == machine;
    return count;
  }

  std::set<int> On(const std::string& machine, const std::set<int>& ranks) const {
    std::set<int> there;
    for (const int rank : ranks)
      if (GuestOf(rank).host == machine) there.insert(rank);
    return there;
  }

  // Puts the rows into memory that the ranks of this machine see. Returns those that are left.
  std::set<int> ShareHere(std::set<int> left) {
    const std::set<int> here = On(ranks_.machine(), left);
    if (here.empty()) return left;
    const auto block = SharedBlock::Create(setup_.size);
    for (uint64_t at = 0; at < setup_.size; at += kChunk) {
      const std::string part = FeaturesAt(data_, at, std::min(kChunk, setup_.size - at));
      std::copy(part.begin(), part.end(), block->data() + at);
    }
    const std::set<int> failing = Failing(here, Setup::kAttach, block->name());
    data_ = UnpackRows(setup_.rest, block);  // one copy is enough
    return Without(left, here, failing);
  }

  // Sends the rows to the first of the ranks, and has its neighbours look at them there.
  std::set<int> ShareThere(std::set<int> left) {
    const int first = *left.begin();
    left.erase(first);
    try {
      const SetupAnswer answer = Ask(first, Setup::kReceive, "");
      Check(answer.problem.empty(), "rank ", first, " on ", GuestOf(first).host, ": ",
            answer.problem);
      SendRows(first);
      const std::set<int> near = On(GuestOf(first).host, left);
      return Without(left, near, Failing(near, Setup::kAttach, answer.block));
    } catch (const Stopped&) {  // it is lost; its neighbours try by themselves
      return left;
    }
  }

  static std::set<int> Without(std::set<int> left, const std::set<int>& served,
                               const std::set<int>& failing) {
    for (const int rank : served)
      if (failing.count(rank) == 0) left.erase(rank);
    return left;
  }

  void SendRows(int rank) {
    for (uint64_t at = 0; at < setup_.size; at += kChunk) {
      const std::string part = FeaturesAt(data_, at, std::min(kChunk, setup_.size - at));
      ranks_.post().Ask(rank, Pack(Kind::kRows, uint64_t{at}, part));
    }
    ranks_.post().Ask(rank, Pack(Kind::kRows, uint64_t{0}, std::string()));  // that was all
  }

  Ranks::Impl& ranks_;
  const std::map<int, Guest> guests_;
  TrainData& data_;
  Setup setup_;
  std::map<std::string, int> neighbours_;  // ranks by the cores that they share
};

}  // namespace

void Ranks::Share(TrainData& data, const Source& source, bool pinned) {
  if (size() == 1) return;
  const std::map<int, Guest> guests = impl_->host().WaitForGuests();
  Setup setup;
  setup.simd = CommonSimd(guests, pinned);
  setup.source = source;
  PinSimd(setup.simd);
  const bool mapped = AllMapped(source);
  if (mapped) setup.fingerprint = Fingerprint(data);
  RowSharing(*impl_, guests, data, setup).Run(mapped);
}

}  // namespace gopnet
