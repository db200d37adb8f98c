#include "nn/ledger.h"

#include <utility>

namespace gopnet {
namespace {

// Of a process that works alone.
class OwnTurns : public Turns {
 public:
  OwnTurns(Ledger& ledger, std::vector<WorkKey> batch)
      : ledger_(ledger), batch_(std::move(batch)) {}
  std::optional<Turn> Next(const std::function<bool()>&) override {
    const size_t unit = next_++;
    if (unit >= batch_.size()) return std::nullopt;
    return Turn{unit, ledger_.Find(batch_[unit]), true};
  }

 private:
  Ledger& ledger_;
  const std::vector<WorkKey> batch_;
  std::atomic<size_t> next_{0};
};

}  // namespace

std::unique_ptr<Turns> Ledger::Share(std::vector<WorkKey> batch) {
  return std::make_unique<OwnTurns>(*this, std::move(batch));
}

}  // namespace gopnet
