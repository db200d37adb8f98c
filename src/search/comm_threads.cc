#include "search/comm_threads.h"

#include <utility>

namespace gopnet {

class ThreadRanks::Rank : public Comm {
 public:
  Rank(ThreadRanks& all, int rank) : all_(all), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return all_.size(); }
  void Send(int to, std::string bytes) override {
    const std::lock_guard lock(all_.mutex_);
    const auto target = static_cast<size_t>(to);
    if (all_.cut_[target] || all_.cut_[static_cast<size_t>(rank_)]) return;
    all_.boxes_[target].push_back({rank_, std::move(bytes)});
  }
  std::optional<Message> Receive() override {
    const std::lock_guard lock(all_.mutex_);
    auto& box = all_.boxes_[static_cast<size_t>(rank_)];
    if (box.empty()) return std::nullopt;
    Message message = std::move(box.front());
    box.pop_front();
    return message;
  }
  bool Sent() override { return true; }
  void Close(bool) override {}

 private:
  ThreadRanks& all_;
  int rank_;
};

std::unique_ptr<Comm> ThreadRanks::Join(int rank) { return std::make_unique<Rank>(*this, rank); }

void ThreadRanks::Cut(int rank) {
  const std::lock_guard lock(mutex_);
  cut_[static_cast<size_t>(rank)] = true;
  boxes_[static_cast<size_t>(rank)].clear();
}

void ThreadRanks::Heal(int rank) {
  const std::lock_guard lock(mutex_);
  cut_[static_cast<size_t>(rank)] = false;
}

}  // namespace gopnet
