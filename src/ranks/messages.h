// Questions and answers between ranks, on top of Comm: a thread of its own sends, receives and
// listens for signs of life. Every wait ends: with the answer, or because the other rank has been
// silent for too long. A rank that is lost stays lost: what still comes from it is not heard.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "ranks/comm.h"

namespace gopnet {

struct MessageOptions {
  double beat_seconds = 1;      // between two signs of life
  double silence_seconds = 10;  // after which a rank counts as lost
  double leader_seconds = 30;   // likewise rank 0, without which nobody can go on
};

class Messages {
 public:
  using Clock = std::chrono::steady_clock;
  struct Question {
    int from;
    uint64_t id;  // 0: no answer is wanted
    std::string body;
    Clock::time_point came;
  };
  // All calls come from the thread of the messages and must not wait.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void Receive(Question question) = 0;
    virtual void Lose(int rank) = 0;
    virtual void Look() {}  // now and then, soon after Wake
  };

  // `open` is called by the thread that will use the Comm. Throws what it throws, and
  // Stopped if there is no thread to be had.
  explicit Messages(const std::function<std::unique_ptr<Comm>()>& open,
                    const MessageOptions& options = {});
  ~Messages() { Close(); }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  void Listen(std::shared_ptr<Listener> listener);  // what came before waits for it
  void Tell(int to, const std::string& body) { Put('t', to, 0, body); }
  std::string Ask(int to, const std::string& body);  // throws Stopped if that rank is lost
  void Answer(int to, uint64_t id, const std::string& body) { Put('a', to, id, body); }
  void Wake() { wake_.notify_all(); }
  bool IsLost(int rank) const;
  bool anyone_lost() const;
  // Sends what is left to send and says goodbye; a few seconds at most. Whoever waits for an answer
  // throws Stopped.
  void Close();

 private:
  void Put(char kind, int to, uint64_t id, std::string_view body);
  void Run(const std::function<std::unique_ptr<Comm>()>& open, std::promise<void>& opened);
  bool Exchange();  // false if there was nothing to do
  void Deliver(const Message& message);
  void WatchPeers();  // gives signs of life and looks for those of others

  const MessageOptions options_;
  std::unique_ptr<Comm> comm_;
  int rank_ = 0, size_ = 1;

  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable changed_, wake_;
  std::deque<Message> outbox_;                              // `from` is whom they are for
  std::map<uint64_t, std::optional<std::string>> answers_;  // to questions that were asked
  uint64_t next_id_ = 1;
  std::vector<bool> lost_;
  std::optional<Clock::time_point> close_by_;  // there is one: it is closing
  std::shared_ptr<Listener> listener_;

  std::vector<Clock::time_point> heard_;  // of the thread, as what follows
  std::deque<Question> inbox_;
  std::vector<std::string> begun_;  // of each sender, a message of several pieces
  Clock::time_point beat_, active_, looked_;
  std::thread thread_;
};

}  // namespace gopnet
