// Rows to predict, a chunk at a time: memory does not grow with their number.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "gopnet/dataset.h"

namespace gopnet {

class RowReader {
 public:
  // Files as ReadDataset reads them. Text (.csv, .tsv, .txt, .data, or "-") is read 4 MB at a
  // time, or to its end, before the first of its rows are there; a .npy file stays mapped, other
  // formats are read at once. options.like says how and is wanted; targets and weights are left
  // aside. Without options.id the column that named the rows in training does, if it is there. Both
  // schema and report must outlive the reader. `while_waiting` is called now and then while
  // rows are read or waited for, and may throw to end that.
  RowReader(const std::string& path, const ReadOptions& options,
            std::function<void()> while_waiting = {});
  ~RowReader();
  RowReader(const RowReader&) = delete;
  RowReader& operator=(const RowReader&) = delete;

  // False: there are no more, and options.report has all that is to be said of them. Throws Error
  // as ReadDataset does, for a row that comes late after others have been given out.
  bool Next(Dataset* rows);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gopnet
