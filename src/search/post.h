// Questions and answers between ranks, on top of Comm: a thread of its own sends, receives and
// listens for signs of life. Every wait ends: with the answer, or because the other rank has been
// silent for too long.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "search/comm.h"

namespace gopnet {

struct PostOptions {
  double beat_seconds = 1;      // between two signs of life
  double silence_seconds = 10;  // after which a rank counts as lost
  double host_seconds = 30;     // likewise rank 0, without which nobody can go on
};

class Post {
 public:
  // `open` is called by the thread that will use the Comm. Throws what it throws.
  explicit Post(const std::function<std::unique_ptr<Comm>()>& open,
                const PostOptions& options = {});
  ~Post();  // closes, if that was not done
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  // What to do with messages; those that came before wait for it. Both are called by the thread of
  // the post and must not wait. `id` is 0 if no answer is wanted.
  using OnMessage = std::function<void(int from, uint64_t id, std::string body)>;
  using OnLost = std::function<void(int rank)>;
  void Listen(OnMessage on_message, OnLost on_lost);

  void Tell(int to, std::string body);
  std::string Ask(int to, std::string body);  // throws Stopped if that rank is lost
  void Answer(int to, uint64_t id, std::string body);

  // From now on nobody gets an answer: waiting threads throw Stopped.
  void Abandon();
  bool IsLost(int rank) const;
  bool anyone_lost() const { return lost_count_ > 0; }
  // Sends what is left to send and says goodbye; a few seconds at most.
  void Close();

 private:
  using Clock = std::chrono::steady_clock;
  struct Question {
    int to = 0;
    std::string body;  // to be asked again, should the other have been thought lost
    bool answered = false;
    std::string answer;
  };
  struct Unheard {  // it came before anybody listened
    int from;
    uint64_t id;
    std::string body;
  };
  struct Letter {
    int to;
    std::string bytes;
  };

  void Run(const std::function<std::unique_ptr<Comm>()>& open);
  void Serve();
  bool Step();  // false if there was nothing to do
  bool Listens() const;
  void Deliver(Message message);
  void Beat();
  void FindLost();
  void Part();
  void Put(char kind, int to, uint64_t id, std::string_view body);
  void Take(int from, char kind, uint64_t id, std::string body);
  void AskAgain(int to);
  std::vector<int> Peers() const;

  const PostOptions options_;
  std::unique_ptr<Comm> comm_;
  int rank_ = 0, size_ = 1;

  mutable std::mutex mutex_;  // of what follows
  std::condition_variable changed_, wake_;
  std::deque<Letter> outbox_;
  std::map<uint64_t, Question> questions_;
  uint64_t next_id_ = 1;
  std::vector<bool> lost_;
  bool ready_ = false, closing_ = false, abandoned_ = false;
  std::exception_ptr failure_;
  OnMessage on_message_;
  OnLost on_lost_;

  std::atomic<int> lost_count_{0};
  std::vector<Clock::time_point> heard_;  // of the thread, as what follows
  std::deque<Unheard> unheard_;
  std::vector<std::string> begun_;  // of each sender, a message of several pieces
  Clock::time_point beat_, active_, looked_;
  std::thread thread_;
};

}  // namespace gopnet
