// Ranks: the processes that mpirun or srun started together, on one machine or many. They share the
// work of Train, Resume and Compare; the result has the same bytes as that of one process. Rank 0
// reads, decides and writes; the others help until it is done.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "gopnet/train.h"

namespace gopnet {

class Ranks {
 public:
  // Number of processes that the launcher started and the index of this one, read from its
  // environment variables; 1 and 0 without a launcher. Needs no MPI.
  static int LaunchedSize();
  static int LaunchedRank();

  // Whether the library gopnet_mpi, which Join needs, can be loaded.
  static bool Available();
  // Joins the other ranks. Throws Error if that library is not installed.
  static std::unique_ptr<Ranks> Join();
  ~Ranks();  // rank 0 ends the job; every rank then leaves it
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const;
  int size() const;
  // Whether a rank is dead or silent. The others must then end without waiting for it: flush, then
  // _exit.
  bool lost() const;

  using Source = std::map<std::string, std::string>;  // see TrainOptions

  // Rank 0, once, before it trains: gives the rows to everybody. .npy files that the others find,
  // too, they map themselves. Each rank uses its own instruction set.
  void Share(const TrainData& data, const Source& source);

  // The other ranks help until rank 0 is done. `load` reads the rows that `source` names and throws
  // Error if they are missing; `go_on` returns false to stop the whole job. Throws Stopped if rank
  // 0 is lost.
  void Help(const std::function<TrainData(const Source&)>& load,
            const std::function<bool()>& go_on);

  class Impl;
  Impl& impl() { return *impl_; }
  explicit Ranks(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace gopnet
