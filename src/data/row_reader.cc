#include "gopnet/row_reader.h"

#include <algorithm>
#include <optional>

#include "base/check.h"
#include "base/file_map.h"
#include "base/stop_check.h"
#include "data/formats/csv.h"
#include "data/new_rows.h"
#include "data/text_pieces.h"

namespace gopnet {
namespace {

// Rows of a chunk: enough for all threads, and few if they are wide.
size_t MostRows(size_t features) {
  constexpr size_t kNumbers = size_t{1} << 22;
  return std::clamp<size_t>(kNumbers / std::max<size_t>(1, features), 64, 32768);
}

}  // namespace

struct RowReader::State {
  ReadOptions options;
  size_t most_rows;
  std::function<void()> while_waiting;
  // Text files
  std::optional<TextPieces> pieces = {};
  std::optional<CsvTable> table = {};
  std::optional<NewRows> rows = {};
  // Other formats
  Dataset all = {};
  size_t next = 0;

  void SetId(const Table& opened) {
    const std::string& id = options.like->id;
    if (options.id.empty() && opened.named && std::ranges::count(opened.names, id) > 0)
      options.id = id;
  }

  void OpenPiece() {
    Hints hints = HintsOf(options);
    hints.more = true;
    table.emplace(FileBytes{pieces->source(), pieces->piece(), nullptr}, hints);
  }

  void OpenText(const std::string& path) {
    pieces.emplace(path, options.separator);
    pieces->Next();
    OpenPiece();
    if (pieces->SetSeparator(table->separator_sign())) OpenPiece();
    table->file_size = pieces->file_size();
    SetId(*table);
    rows.emplace(*table, options);
  }

  void OpenWhole(const std::string& path) {
    const std::unique_ptr<Table> opened = OpenTable(path, HintsOf(options));
    SetId(*opened);
    all = ReadTable(*opened, options);
  }

  bool NextOfText(Dataset* chunk) {
    if (table->AtEnd()) {
      const auto sum = table->LastSum(*options.like);
      if (!pieces->Next()) {
        if (sum) rows->Add(*sum);
        return rows->Finish(), false;
      }
      table->GoOn(pieces->piece(), pieces->line());
    }
    *chunk = rows->Take(table->ReadNext(rows->layout(), most_rows));
    return true;
  }

  bool NextOfWhole(Dataset* chunk) {
    if (next > 0) ForgetPages(all.x.data);
    const size_t count = std::min(most_rows, all.rows() - next);
    if (count == 0) return false;
    chunk->x = MatrixView(all.x.Row(next), count, all.x.cols);
    chunk->x.stride = all.x.stride;
    chunk->owner = all.owner;
    chunk->ids.clear();
    if (!all.ids.empty()) {
      const auto first = all.ids.begin() + static_cast<ptrdiff_t>(next);
      chunk->ids.assign(first, first + static_cast<ptrdiff_t>(count));
    }
    next += count;
    return true;
  }
};

static size_t FeaturesOf(const ReadOptions& options) {
  Check(options.like != nullptr,
        "ReadOptions::like: must be the schema of the model when reading rows to predict");
  return options.like->features();
}

RowReader::RowReader(const std::string& path, const ReadOptions& options,
                     std::function<void()> while_waiting) try
    : state_(new State{options, MostRows(FeaturesOf(options)), std::move(while_waiting)}) {
  const StopCheck stop(state_->while_waiting);
  state_->options.need_targets = false;
  IsPlainText(path) ? state_->OpenText(path) : state_->OpenWhole(path);
  CheckMapsWhole();
} catch (const Error&) {
  CheckMapsWhole();  // the better reason
  throw;
}

RowReader::~RowReader() = default;

bool RowReader::Next(Dataset* rows) try {
  const StopCheck stop(state_->while_waiting);
  const bool some = state_->pieces ? state_->NextOfText(rows) : state_->NextOfWhole(rows);
  CheckMapsWhole();
  return some;
} catch (const Error&) {
  CheckMapsWhole();
  throw;
}

}  // namespace gopnet
