// Replaces MPI in tests: ranks are threads of one process. A rank can be cut off as if it had been
// killed.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "ranks/comm.h"

namespace gopnet::testing {

class ThreadRanks {
 public:
  explicit ThreadRanks(int size) : boxes_(static_cast<size_t>(size)), cut_(boxes_.size()) {}
  std::unique_ptr<Comm> Join(int rank) { return std::make_unique<Member>(*this, rank); }
  void Cut(int rank) {  // from now on it neither sends nor receives
    const std::lock_guard lock(mutex_);
    cut_[static_cast<size_t>(rank)] = true;
    boxes_[static_cast<size_t>(rank)].clear();
  }

 private:
  class Member : public Comm {
   public:
    Member(ThreadRanks& all, int rank) : all_(all), rank_(rank) {}
    int rank() const override { return rank_; }
    int size() const override { return static_cast<int>(all_.boxes_.size()); }
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

  std::mutex mutex_;
  std::vector<std::deque<Message>> boxes_;
  std::vector<bool> cut_;
};

}  // namespace gopnet::testing
