// Reads rows to predict chunk by chunk, in memory that does not grow with their number.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gopnet/dataset.h"

namespace gopnet {

class RowReader {
 public:
  // Reads the formats of ReadDataset. Text (.csv, .tsv, .txt, .data, or "-") is read 4 MB at a
  // time, a .npy file stays mapped, other formats are read at once. options.like is required and
  // says how to read the columns; targets and weights are ignored. Without options.id, the id
  // column of the training data is used if the file has it. The schema and the report must outlive
  // the reader. `while_waiting` is called now and then while rows are read or awaited; it may throw
  // to stop.
  RowReader(const std::string& path, const ReadOptions& options,
            std::function<void()> while_waiting = {});
  ~RowReader();
  RowReader(const RowReader&) = delete;
  RowReader& operator=(const RowReader&) = delete;

  // Returns false when there are no more rows; options.report is then complete. Throws Error as
  // ReadDataset does, possibly after earlier rows have been returned.
  bool Next(Dataset* rows);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gopnet
