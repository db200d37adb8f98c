// Messages by MPI. A library of its own, gopnet_mpi, which the program loads when mpirun or srun
// started it (load_mpi.cc), so that it needs no MPI otherwise. Point to point only: a collective
// operation would wait for a rank that has died.
#include <mpi.h>

#include <deque>
#include <list>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "ranks/comm.h"

namespace gopnet {
namespace {

// A buffer that MPI reads or fills until the request is complete.
struct Transfer {
  std::string bytes;
  MPI_Request request = MPI_REQUEST_NULL;
  bool failed = false;  // the other side is gone

  bool Complete() {
    int done = 0;
    failed = failed || MPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    return failed || done != 0;
  }
};

class MpiComm : public Comm {
 public:
  MpiComm() {
    int level = 0;  // only the thread that is here makes calls
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
      throw std::runtime_error("cannot start MPI");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    incoming_.resize(static_cast<size_t>(size_));
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void Send(int to, std::string bytes) override {
    Transfer& out = outgoing_.emplace_back();
    out.bytes = std::move(bytes);
    out.failed = MPI_Isend(out.bytes.data(), static_cast<int>(out.bytes.size()), MPI_BYTE, to, kTag,
                           MPI_COMM_WORLD, &out.request) != MPI_SUCCESS;
  }

  std::optional<Message> Receive() override {
    outgoing_.remove_if([](Transfer& t) { return t.Complete(); });
    Accept();
    for (size_t from = 0; from < incoming_.size(); ++from) {  // each sender's in their order
      auto& queue = incoming_[from];
      if (queue.empty() || !queue.front()->Complete()) continue;
      const auto transfer = std::move(queue.front());
      queue.pop_front();
      if (!transfer->failed) return Message{static_cast<int>(from), std::move(transfer->bytes)};
    }
    return std::nullopt;
  }

  bool Sent() override {
    outgoing_.remove_if([](Transfer& t) { return t.Complete(); });
    return outgoing_.empty();
  }

  void Close(bool everybody) override {
    if (everybody) MPI_Finalize();
  }

 private:
  static constexpr int kTag = 7;

  // Begins to receive what has been announced, without waiting for the rest of it: a sender may die
  // halfway.
  void Accept() {
    int there = 0;
    MPI_Message handle;
    MPI_Status status;
    while (MPI_Improbe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &there, &handle, &status) ==
               MPI_SUCCESS &&
           there != 0) {
      int count = 0;
      MPI_Get_count(&status, MPI_BYTE, &count);
      auto in = std::make_unique<Transfer>();
      in->bytes.resize(static_cast<size_t>(count));
      MPI_Imrecv(in->bytes.data(), count, MPI_BYTE, &handle, &in->request);
      incoming_[static_cast<size_t>(status.MPI_SOURCE)].push_back(std::move(in));
    }
  }

  int rank_ = 0, size_ = 1;
  std::list<Transfer> outgoing_;
  std::vector<std::deque<std::unique_ptr<Transfer>>> incoming_;  // by sender
};

}  // namespace
}  // namespace gopnet

extern "C" __attribute__((visibility("default"))) const char* gopnet_mpi_version() {
  return GOPNET_VERSION;
}
extern "C" __attribute__((visibility("default"))) gopnet::Comm* gopnet_mpi_open() {
  return new gopnet::MpiComm;
}
