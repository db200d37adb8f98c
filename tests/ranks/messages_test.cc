#include "ranks/messages.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "gopnet/error.h"
#include "support/comm_threads.h"

namespace gopnet {
namespace {

using testing::ThreadRanks;

constexpr MessageOptions kQuick{0.01, 0.3, 0.3};

std::unique_ptr<Messages> Join(ThreadRanks& ranks, int rank,
                               const MessageOptions& options = kQuick) {
  return std::make_unique<Messages>([&ranks, rank] { return ranks.Join(rank); }, options);
}

// Forwards every event to a function.
struct Calls : Messages::Listener {
  std::function<void(int from, uint64_t id, const std::string& body)> receive;
  std::function<void(int rank)> lose = [](int) {};
  explicit Calls(decltype(receive) r) : receive(std::move(r)) {}
  void Receive(Messages::Question q) override { receive(q.from, q.id, q.body); }
  void Lose(int rank) override { lose(rank); }
};

TEST(Messages, AnswersReachTheThreadThatAsked) {
  ThreadRanks ranks(3);
  const auto host = Join(ranks, 0), one = Join(ranks, 1), two = Join(ranks, 2);
  host->Listen(std::make_shared<Calls>([&](int from, uint64_t id, const std::string& body) {
    host->Answer(from, id, body + " from " + std::to_string(from));
  }));
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (Messages* guest : {one.get(), two.get()}) {
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, guest, t] {
        for (int i = 0; i < 50; ++i) {
          const std::string question = std::to_string(100 * t + i);
          right += guest->Ask(0, question) == question + " from " + std::to_string(guest->rank());
        }
      });
    }
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(right, 2 * 3 * 50);
}

TEST(Messages, MessagesBeforeTheFirstListenerAreKept) {
  ThreadRanks ranks(2);
  const auto host = Join(ranks, 0), guest = Join(ranks, 1);
  for (int i = 0; i < 5; ++i) guest->Tell(0, std::to_string(i));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::mutex mutex;
  std::string heard;
  host->Listen(std::make_shared<Calls>([&](int, uint64_t, const std::string& body) {
    const std::lock_guard lock(mutex);
    heard += body;
  }));
  for (int i = 0; i < 1000; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::lock_guard lock(mutex);
    if (heard.size() == 5) break;
  }
  EXPECT_EQ(heard, "01234");
}

TEST(Messages, QuestionsToALostRankThrow) {
  ThreadRanks ranks(2);
  const auto host = Join(ranks, 0), guest = Join(ranks, 1);
  ranks.Cut(0);
  EXPECT_THROW(guest->Ask(0, "anybody there?"), Stopped);
  EXPECT_TRUE(guest->IsLost(0));
}

TEST(Messages, ReportsALostRank) {
  ThreadRanks ranks(3);
  std::atomic<int> lost{0};
  const auto host = Join(ranks, 0), one = Join(ranks, 1), two = Join(ranks, 2);
  const auto listener = std::make_shared<Calls>([](int, uint64_t, const std::string&) {});
  listener->lose = [&](int rank) { lost = rank; };
  host->Listen(listener);
  ranks.Cut(2);
  for (int i = 0; i < 2000 && lost == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(lost, 2);
  EXPECT_TRUE(host->anyone_lost());
  EXPECT_FALSE(host->IsLost(1));
}

TEST(Messages, IgnoresMessagesOfALostRank) {
  ThreadRanks ranks(2);
  const auto host = Join(ranks, 0, {0.01, 0.1, 9});
  std::atomic<int> heard{0};
  host->Listen(std::make_shared<Calls>([&](int, uint64_t, const std::string&) { ++heard; }));
  const auto guest = Join(ranks, 1, {9, 9, 0.5});  // it sends no heartbeats
  while (!host->IsLost(1)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_THROW(guest->Ask(0, "hello?"), Stopped);  // and rank 0 seems silent to it
  EXPECT_EQ(heard, 0);
}

TEST(Messages, LongMessagesArriveInOnePiece) {
  ThreadRanks ranks(2);
  const MessageOptions patient{1, 60, 60};
  const auto host = Join(ranks, 0, patient), guest = Join(ranks, 1, patient);
  host->Listen(std::make_shared<Calls>(
      [&](int from, uint64_t id, const std::string& body) { host->Answer(from, id, body); }));
  std::string body((size_t{256} << 20) + 12345, 'x');
  body.back() = 'y';
  EXPECT_TRUE(guest->Ask(0, body) == body);  // EXPECT_EQ would print the body
}

TEST(Messages, FailureToStartReachesTheCaller) {
  const auto fail = []() -> std::unique_ptr<Comm> { throw Error("no such network"); };
  EXPECT_THROW(Messages(fail, kQuick), Error);
}

TEST(Messages, QuestionsThrowWhenTheirAskerCloses) {
  ThreadRanks ranks(2);
  const auto host = Join(ranks, 0), guest = Join(ranks, 1);  // neither has a listener
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    guest->Close();
  });
  EXPECT_THROW(guest->Ask(0, "?"), Stopped);
  other.join();
}

}  // namespace
}  // namespace gopnet
