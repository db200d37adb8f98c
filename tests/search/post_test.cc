#include "search/post.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "gopnet/error.h"
#include "search/comm_threads.h"

namespace gopnet {
namespace {

constexpr PostOptions kQuick{0.01, 0.3, 0.3};

std::unique_ptr<Post> Join(ThreadRanks& ranks, int rank) {
  return std::make_unique<Post>([&ranks, rank] { return ranks.Join(rank); }, kQuick);
}

TEST(Post, AnswersReachTheThreadThatAsked) {
  ThreadRanks ranks(3);
  const auto host = Join(ranks, 0), one = Join(ranks, 1), two = Join(ranks, 2);
  host->Listen(
      [&](int from, uint64_t id, const std::string& body) {
        host->Answer(from, id, body + " from " + std::to_string(from));
      },
      {});
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (Post* post : {one.get(), two.get()}) {
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&, post, t] {
        for (int i = 0; i < 50; ++i) {
          const std::string question = std::to_string(100 * t + i);
          right += post->Ask(0, question) == question + " from " + std::to_string(post->rank());
        }
      });
    }
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(right, 2 * 3 * 50);
}

TEST(Post, MessagesThatComeBeforeAnybodyListensAreNotLost) {
  ThreadRanks ranks(2);
  const auto host = Join(ranks, 0), guest = Join(ranks, 1);
  for (int i = 0; i < 5; ++i) guest->Tell(0, std::to_string(i));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::mutex mutex;
  std::string heard;
  host->Listen(
      [&](int, uint64_t, const std::string& body) {
        const std::lock_guard lock(mutex);
        heard += body;
      },
      {});
  for (int i = 0; i < 1000; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::lock_guard lock(mutex);
    if (heard.size() == 5) break;
  }
  EXPECT_EQ(heard, "01234");
}

TEST(Post, WhoeverAsksALostRankIsNotLeftWaiting) {
  ThreadRanks ranks(2);
  const auto host = Join(ranks, 0), guest = Join(ranks, 1);
  ranks.Cut(0);
  EXPECT_THROW(guest->Ask(0, "anybody there?"), Stopped);
  EXPECT_TRUE(guest->IsLost(0));
}

TEST(Post, ALossIsTold) {
  ThreadRanks ranks(3);
  std::atomic<int> lost{0};
  const auto host = Join(ranks, 0), one = Join(ranks, 1), two = Join(ranks, 2);
  host->Listen([](int, uint64_t, const std::string&) {}, [&](int rank) { lost = rank; });
  ranks.Cut(2);
  for (int i = 0; i < 2000 && lost == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(lost, 2);
  EXPECT_TRUE(host->anyone_lost());
  EXPECT_FALSE(host->IsLost(1));
}

TEST(Post, AQuestionIsAskedAgainWhenALostRankComesBack) {
  ThreadRanks ranks(2);
  const auto host =
      std::make_unique<Post>([&] { return ranks.Join(0); }, PostOptions{0.01, 0.1, 9});
  std::atomic<bool> lost{false};
  std::atomic<int> asked{0};
  host->Listen(
      [&](int from, uint64_t id, const std::string& body) {
        if (++asked == 1) return ranks.Cut(1);  // the first answer does not reach it
        host->Answer(from, id, body + "!");
      },
      [&](int) {
        lost = true;
        ranks.Heal(1);
      });
  const auto guest = std::make_unique<Post>([&] { return ranks.Join(1); }, PostOptions{0.01, 9, 9});
  EXPECT_EQ(guest->Ask(0, "there"), "there!");
  EXPECT_TRUE(lost);
  EXPECT_EQ(asked, 2);
}

TEST(Post, LongMessagesArriveInOnePiece) {
  ThreadRanks ranks(2);
  const PostOptions patient{1, 60, 60};
  const auto host = std::make_unique<Post>([&] { return ranks.Join(0); }, patient);
  const auto guest = std::make_unique<Post>([&] { return ranks.Join(1); }, patient);
  host->Listen([&](int from, uint64_t id, std::string body) { host->Answer(from, id, body); }, {});
  std::string body((size_t{256} << 20) + 12345, 'x');
  body.back() = 'y';
  EXPECT_TRUE(guest->Ask(0, body) == body);  // not to be printed
}

TEST(Post, FailureToStartReachesTheCaller) {
  const auto fail = []() -> std::unique_ptr<Comm> { throw Error("no such network"); };
  EXPECT_THROW(Post(fail, kQuick), Error);
}

TEST(Post, AbandonedQuestionsThrow) {
  ThreadRanks ranks(2);
  const auto host = Join(ranks, 0), guest = Join(ranks, 1);  // nobody listens
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    guest->Abandon();
  });
  EXPECT_THROW(guest->Ask(0, "?"), Stopped);
  other.join();
}

}  // namespace
}  // namespace gopnet
