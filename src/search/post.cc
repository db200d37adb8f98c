#include "search/post.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace gopnet {
namespace {

using Seconds = std::chrono::duration<double>;

// kPart: more of the message follows. kBack: the rank that was thought lost has been heard.
constexpr char kBeat = 'b', kTell = 't', kAnswer = 'a', kPart = 'p', kBack = 'k';
constexpr size_t kMost = size_t{256} << 20;  // bytes of a piece: MPI counts in int
constexpr size_t kHead = 1 + sizeof(uint64_t);
// How long the thread sleeps when nothing happens: short while messages come, so that no rank waits
// for it, longer later, so that it takes nothing from training.
constexpr auto kSoon = std::chrono::microseconds(200), kLater = std::chrono::microseconds(2000);
constexpr Seconds kActive(0.05), kGoodbye(5), kSuspended(2);

}  // namespace

Post::Post(const std::function<std::unique_ptr<Comm>()>& open, const PostOptions& options)
    : options_(options), thread_([this, open] { Run(open); }) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ready_ || failure_; });
  if (!failure_) return;
  lock.unlock();
  thread_.join();
  std::rethrow_exception(failure_);
}

Post::~Post() { Close(); }

void Post::Listen(OnMessage on_message, OnLost on_lost) {
  const std::lock_guard lock(mutex_);
  on_message_ = std::move(on_message);
  on_lost_ = std::move(on_lost);
  wake_.notify_all();
}

void Post::Put(char kind, int to, uint64_t id, std::string_view body) {
  for (bool last = false; !last; body.remove_prefix(std::min(kMost, body.size()))) {
    last = body.size() <= kMost;
    std::string bytes(kHead, last ? kind : kPart);
    std::memcpy(bytes.data() + 1, &id, sizeof id);
    bytes += body.substr(0, kMost);
    outbox_.push_back({to, std::move(bytes)});
    if (last) break;
  }
  wake_.notify_all();
}

void Post::Tell(int to, std::string body) {
  const std::lock_guard lock(mutex_);
  Put(kTell, to, 0, body);
}

void Post::Answer(int to, uint64_t id, std::string body) {
  const std::lock_guard lock(mutex_);
  Put(kAnswer, to, id, body);
}

std::string Post::Ask(int to, std::string body) {
  std::unique_lock lock(mutex_);
  const uint64_t id = next_id_++;
  Question& question = questions_[id];
  question.to = to;
  question.body = std::move(body);
  Put(kTell, to, id, question.body);
  const auto gone = [&] { return closing_ || abandoned_ || lost_[static_cast<size_t>(to)]; };
  changed_.wait(lock, [&] { return question.answered || gone(); });
  const bool answered = question.answered;
  std::string answer = std::move(question.answer);
  questions_.erase(id);
  if (!answered) throw Stopped(Join("rank ", to, " is gone"));
  return answer;
}

void Post::Abandon() {
  const std::lock_guard lock(mutex_);
  abandoned_ = true;
  changed_.notify_all();
}

bool Post::IsLost(int rank) const {
  const std::lock_guard lock(mutex_);
  return lost_[static_cast<size_t>(rank)];
}

void Post::Close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    changed_.notify_all();
    wake_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Post::Run(const std::function<std::unique_ptr<Comm>()>& open) {
  try {
    comm_ = open();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    changed_.notify_all();
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    rank_ = comm_->rank();
    size_ = comm_->size();
    lost_.resize(static_cast<size_t>(size_));
    begun_.resize(lost_.size());
    heard_.assign(lost_.size(), Clock::now());
    looked_ = Clock::now();
    ready_ = true;
    changed_.notify_all();
  }
  Serve();
  Part();
}

void Post::Serve() {
  for (;;) {
    if (Step()) active_ = Clock::now();
    Beat();
    FindLost();
    std::unique_lock lock(mutex_);
    if (closing_) return;
    if (!outbox_.empty()) continue;
    const bool active = !questions_.empty() || Clock::now() - active_ < kActive;
    wake_.wait_for(lock, active ? kSoon : kLater);
  }
}

bool Post::Step() {
  std::deque<Letter> letters;
  {
    const std::lock_guard lock(mutex_);
    letters.swap(outbox_);
    std::erase_if(letters, [&](const Letter& l) { return lost_[static_cast<size_t>(l.to)]; });
  }
  bool busy = !letters.empty();
  for (Letter& letter : letters) comm_->Send(letter.to, std::move(letter.bytes));
  while (!unheard_.empty() && Listens()) {  // first: they came first
    const Unheard first = std::move(unheard_.front());
    unheard_.pop_front();
    Take(first.from, kTell, first.id, first.body);
  }
  while (auto message = comm_->Receive()) {
    busy = true;
    Deliver(std::move(*message));
  }
  return busy;
}

bool Post::Listens() const {
  const std::lock_guard lock(mutex_);
  return static_cast<bool>(on_message_);
}

void Post::Deliver(Message message) {
  if (message.bytes.size() < kHead) return;
  const auto from = static_cast<size_t>(message.from);
  heard_[from] = Clock::now();
  const char kind = message.bytes[0];
  uint64_t id = 0;
  std::memcpy(&id, message.bytes.data() + 1, sizeof id);
  {
    const std::lock_guard lock(mutex_);
    if (lost_[from]) {  // it was only slow; answers that came meanwhile did not reach it
      lost_[from] = false;
      --lost_count_;
      Put(kBack, message.from, 0, "");
    }
    if (kind == kBeat) return;
  }
  begun_[from] += std::string_view(message.bytes).substr(kHead);
  if (kind != kPart) Take(message.from, kind, id, std::exchange(begun_[from], {}));
}

void Post::Take(int from, char kind, uint64_t id, std::string body) {
  OnMessage handle;
  {
    const std::lock_guard lock(mutex_);
    if (kind == kBack) return AskAgain(from);
    if (kind == kAnswer) {
      const auto question = questions_.find(id);
      if (question == questions_.end()) return;
      question->second.answer = std::move(body);
      question->second.answered = true;
      changed_.notify_all();
      return;
    }
    handle = on_message_;
  }
  if (!handle) return unheard_.push_back({from, id, std::move(body)});
  handle(from, id, std::move(body));
}

// With the lock.
void Post::AskAgain(int to) {
  for (const auto& [id, question] : questions_)
    if (question.to == to && !question.answered) Put(kTell, to, id, question.body);
}

// Everybody listens to rank 0, and rank 0 to everybody.
std::vector<int> Post::Peers() const {
  if (rank_ != 0) return {0};
  std::vector<int> peers;
  for (int r = 1; r < size_; ++r) peers.push_back(r);
  return peers;
}

void Post::Beat() {
  const auto now = Clock::now();
  if (now - beat_ < Seconds(options_.beat_seconds)) return;
  beat_ = now;
  for (const int peer : Peers())
    if (!IsLost(peer)) comm_->Send(peer, std::string(kHead, kBeat));
}

void Post::FindLost() {
  const auto now = Clock::now();
  // Whoever was suspended, as batch systems do, has not listened.
  const auto missed = now - std::exchange(looked_, now);
  if (missed > kSuspended)
    for (auto& heard : heard_) heard += missed;
  const Seconds limit(rank_ == 0 ? options_.silence_seconds : options_.host_seconds);
  for (const int peer : Peers()) {
    if (now - heard_[static_cast<size_t>(peer)] < limit) continue;
    OnLost tell;
    {
      const std::lock_guard lock(mutex_);
      if (lost_[static_cast<size_t>(peer)]) continue;
      lost_[static_cast<size_t>(peer)] = true;
      ++lost_count_;
      changed_.notify_all();
      tell = on_lost_;
    }
    if (tell) tell(peer);
  }
}

void Post::Part() {
  const auto deadline = Clock::now() + kGoodbye;
  for (bool left = true; left && Clock::now() < deadline;) {
    Step();
    std::this_thread::sleep_for(kSoon);
    const std::lock_guard lock(mutex_);
    left = !outbox_.empty() || !comm_->Sent();
  }
  comm_->Close(lost_count_ == 0);
}

}  // namespace gopnet
