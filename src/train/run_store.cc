#include "train/run_store.h"

#include <atomic>
#include <utility>

namespace gopnet {
namespace {

// Of a process that works alone.
class OwnQueue : public WorkQueue {
 public:
  OwnQueue(RunStore& store, std::vector<WorkKey> batch) : store_(store), batch_(std::move(batch)) {}
  std::optional<Item> Next(const std::function<bool()>&) override {
    const size_t unit = next_++;
    if (unit >= batch_.size()) return std::nullopt;
    return Item{unit, store_.Find(batch_[unit]), true};
  }

 private:
  RunStore& store_;
  const std::vector<WorkKey> batch_;
  std::atomic<size_t> next_{0};
};

}  // namespace

std::unique_ptr<WorkQueue> RunStore::Share(std::vector<WorkKey> batch) {
  return std::make_unique<OwnQueue>(*this, std::move(batch));
}

}  // namespace gopnet
