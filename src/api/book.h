// Where a run is written down: its folder (folder_book.h), or, on a rank that is not 0, that of
// rank 0 (remote_run.cc).
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "nn/ledger.h"

namespace gopnet {

class Book {
 public:
  virtual ~Book() = default;
  virtual Ledger& ledger() = 0;
  virtual double earlier_seconds() const = 0;  // of the run, before this part of it
  virtual void Journal(const nlohmann::ordered_json& line) = 0;
  virtual void Checkpoint(std::string model) = 0;
  virtual void Finish(const std::string& model, const std::string& metrics) = 0;
  // The run did not finish, but can go on. Throws if that could not be written.
  virtual void Keep() = 0;
  virtual bool failed() const = 0;  // to write
};

}  // namespace gopnet
