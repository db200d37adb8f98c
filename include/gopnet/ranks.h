// The processes that mpirun or srun started together, on one machine or many: they share the work
// of Train, Resume and Compare, and the result is the same, to the last byte, as that of one. Rank
// 0 reads, decides and writes; the others help until it is done.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "gopnet/train.h"

namespace gopnet {

class Ranks {
 public:
  // How many processes the launcher started, and which of them this is, by the variables it set; 1
  // and 0 without one. Needs no MPI.
  static int LaunchedSize();
  static int LaunchedRank();

  // Joins the others. Throws Error if the library gopnet_mpi, which does it, is not there.
  static std::unique_ptr<Ranks> Join();
  ~Ranks();  // ends the job, on rank 0; then says goodbye
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const;
  int size() const;
  // A rank is dead or silent. What is left of the job must end without waiting for it: flush, then
  // _exit.
  bool lost() const;

  using Source = std::map<std::string, std::string>;  // see TrainOptions

  // Rank 0, once, before it trains: gives the rows to everybody. .npy files that the others find,
  // too, they map themselves. Each rank uses its own instruction set.
  void Share(const TrainData& data, const Source& source);

  // The others: help until rank 0 is done. `load` reads the rows that `source` names, and throws
  // Error if they are not there; go_on says false to stop the whole job. Throws Stopped if rank 0
  // is gone.
  void Help(const std::function<TrainData(const Source&)>& load,
            const std::function<bool()>& go_on);

  class Impl;
  Impl& impl() { return *impl_; }
  explicit Ranks(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace gopnet
