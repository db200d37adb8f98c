#include "ranks/messages.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/check.h"
#include "base/threads.h"

namespace gopnet {
namespace {

using Seconds = std::chrono::duration<double>;

// A message is its kind, the number of the question and the text. Besides 't'ell and 'a'nswer:
constexpr char kBeat = 'b', kPart = 'p';     // more of the message follows
constexpr size_t kMost = size_t{256} << 20;  // bytes of a piece: MPI counts in int
constexpr size_t kHead = 1 + sizeof(uint64_t);
// How long the thread sleeps when nothing happens: short while messages come, so that no rank waits
// for it, longer later, so that it takes nothing from training.
constexpr auto kSoon = std::chrono::microseconds(200), kLater = std::chrono::microseconds(2000);
constexpr std::chrono::milliseconds kActive(50), kGoodbye(5000), kSuspended(2000);

}  // namespace

Messages::Messages(const std::function<std::unique_ptr<Comm>()>& open,
                   const MessageOptions& options)
    : options_(options) {
  const auto opened = std::make_shared<std::promise<void>>();
  auto outcome = opened->get_future();
  thread_ = StartThread([this, open, opened] { Run(open, *opened); });
  try {
    outcome.get();
  } catch (...) {
    thread_.join();
    throw;
  }
}

void Messages::Listen(std::shared_ptr<Listener> listener) {
  const std::lock_guard lock(mutex_);
  listener_ = std::move(listener);
}

void Messages::Put(char kind, int to, uint64_t id, std::string_view body) {
  const std::lock_guard lock(mutex_);
  for (bool last = false; !last; body.remove_prefix(std::min(kMost, body.size()))) {
    last = body.size() <= kMost;
    std::string bytes(kHead, last ? kind : kPart);
    std::memcpy(bytes.data() + 1, &id, sizeof id);
    outbox_.push_back({to, bytes.append(body.substr(0, kMost))});
  }
  wake_.notify_all();
}

std::string Messages::Ask(int to, const std::string& body) {
  std::unique_lock lock(mutex_);
  const uint64_t id = next_id_++;
  std::optional<std::string>& answer = answers_[id];
  lock.unlock();
  Put('t', to, id, body);
  lock.lock();
  const auto gone = [&] { return close_by_ || lost_[static_cast<size_t>(to)]; };
  changed_.wait(lock, [&] { return answer || gone(); });
  const std::optional<std::string> answered = std::move(answer);
  answers_.erase(id);
  if (!answered) throw Stopped(Join("lost rank ", to));
  return *answered;
}

bool Messages::IsLost(int rank) const {
  const std::lock_guard lock(mutex_);
  return lost_[static_cast<size_t>(rank)];
}

bool Messages::anyone_lost() const {
  const std::lock_guard lock(mutex_);
  return std::find(lost_.begin(), lost_.end(), true) != lost_.end();
}

void Messages::Close() {
  std::unique_lock lock(mutex_);
  close_by_ = Clock::now() + kGoodbye;
  changed_.notify_all();
  wake_.notify_all();
  lock.unlock();
  if (thread_.joinable()) thread_.join();
}

void Messages::Run(const std::function<std::unique_ptr<Comm>()>& open, std::promise<void>& opened) {
  try {
    comm_ = open();
  } catch (...) {
    return opened.set_exception(std::current_exception());
  }
  rank_ = comm_->rank();
  size_ = comm_->size();
  lost_.resize(static_cast<size_t>(size_));
  begun_.resize(lost_.size());
  heard_.assign(lost_.size(), Clock::now());
  looked_ = Clock::now();
  opened.set_value();
  std::unique_lock lock(mutex_);
  const auto all_sent = [&] { return outbox_.empty() && comm_->Sent(); };
  while (!close_by_ || (!all_sent() && Clock::now() < *close_by_)) {
    lock.unlock();
    if (Exchange()) active_ = Clock::now();
    WatchPeers();
    lock.lock();
    if (outbox_.empty()) wake_.wait_for(lock, Clock::now() - active_ < kActive ? kSoon : kLater);
  }
  lock.unlock();
  comm_->Close(!anyone_lost());
}

bool Messages::Exchange() {
  std::deque<Message> letters;
  std::unique_lock lock(mutex_);
  letters.swap(outbox_);
  std::erase_if(letters, [&](const Message& m) { return lost_[static_cast<size_t>(m.from)]; });
  const auto listener = listener_;
  lock.unlock();
  bool busy = !letters.empty();
  for (Message& letter : letters) comm_->Send(letter.from, std::move(letter.bytes));
  for (; const auto message = comm_->Receive(); busy = true) Deliver(*message);
  if (!listener) return busy;
  for (; !inbox_.empty(); inbox_.pop_front()) listener->Receive(std::move(inbox_.front()));
  listener->Look();
  return busy;
}

void Messages::Deliver(const Message& message) {
  const auto from = static_cast<size_t>(message.from);
  const char kind = message.bytes.at(0);
  uint64_t id = 0;
  std::memcpy(&id, message.bytes.data() + 1, sizeof id);
  if (IsLost(message.from)) return;
  heard_[from] = Clock::now();
  if (kind == kBeat) return;
  begun_[from] += std::string_view(message.bytes).substr(kHead);
  if (kind == kPart) return;
  std::string body = std::exchange(begun_[from], {});
  if (kind == 't') return inbox_.push_back({message.from, id, std::move(body), Clock::now()});
  const std::lock_guard lock(mutex_);
  const auto question = answers_.find(id);
  if (question != answers_.end()) question->second = std::move(body);
  changed_.notify_all();
}

// Everybody listens to rank 0, and rank 0 to everybody.
void Messages::WatchPeers() {
  const auto now = Clock::now();
  const auto missed = now - std::exchange(looked_, now);
  const bool beat = now - beat_ >= Seconds(options_.beat_seconds);
  if (beat) beat_ = now;
  const Seconds limit(rank_ == 0 ? options_.silence_seconds : options_.leader_seconds);
  for (int peer = rank_ == 0; peer < (rank_ == 0 ? size_ : 1); ++peer) {
    if (IsLost(peer)) continue;
    if (beat) comm_->Send(peer, std::string(kHead, kBeat));
    auto& heard = heard_[static_cast<size_t>(peer)];
    if (missed > kSuspended) heard += missed;  // whoever was suspended has not listened
    if (now - heard < limit) continue;
    std::unique_lock lock(mutex_);
    lost_[static_cast<size_t>(peer)] = true;
    changed_.notify_all();
    const auto listener = listener_;
    lock.unlock();
    if (listener) listener->Lose(peer);
  }
}

}  // namespace gopnet
