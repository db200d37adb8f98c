// Messages between the processes of a job, the ranks. The only way in which they know of each
// other: MPI (comm_mpi.cc), or threads of one process that play ranks (comm_threads.h).
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace gopnet {

struct Message {
  int from = 0;
  std::string bytes;
};

// All calls come from one thread. Nothing here waits for another rank, which may be dead.
class Comm {
 public:
  virtual ~Comm() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  // Messages from one rank to another arrive in the order in which they were sent.
  virtual void Send(int to, std::string bytes) = 0;
  virtual std::optional<Message> Receive() = 0;  // one that has arrived
  virtual bool Sent() = 0;                       // everything that was to be sent has left
  // Says goodbye, if everybody is there to do so; after a loss nobody may wait for the others.
  virtual void Close(bool everybody) = 0;
};

// Loads the library gopnet_mpi and joins the others; to be called by the thread that will use what
// it returns. Throws Error if the library is not there or is one of another version.
std::unique_ptr<Comm> OpenMpi();

// Of the file that this code is part of: the program, or a library.
std::string ProgramChecksum();

}  // namespace gopnet
