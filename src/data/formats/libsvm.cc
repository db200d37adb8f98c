// libsvm (svmlight): "label index:value index:value ..."; absent values are 0. Columns are named by
// their indices, and the label becomes the last column.

#include <algorithm>

#include "base/check.h"
#include "base/names.h"
#include "base/pipes.h"
#include "data/field.h"
#include "data/table.h"

namespace gopnet {
namespace {

constexpr size_t kMostCells = size_t{1} << 27;  // of a table with all its zeros

struct Entry {
  size_t row, index;
  double value;
};

// The columns and the table over them.
class LibsvmTable : public Table {
 public:
  LibsvmTable(const FileBytes& file, const Hints& hints_given) {
    source = file.path;
    size_t width = Widest(hints_given.like);
    std::string_view text = file.bytes;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      ReadLine(text.substr(0, end), &width);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    Check(!labels_.texts.empty(), source, ": is empty");
    Check(width + 1 <= kMostCells / labels_.texts.size(), source, ": ", labels_.texts.size(),
          " rows of ", width, " columns are too many for a table that stores its zeros");
    Fill(width);
    inner_ = OpenColumns(columns_, true);
    inner_->source = source;
    names = inner_->names;
    hints = inner_->hints;
    named = true;
    array = true;
  }

  TableRows Read(const Layout& layout) const override {
    inner_->hints = hints;
    return inner_->Read(layout);
  }
  std::string Where(size_t row) const override { return Join("line ", lines_[row]); }

 private:
  // The largest index that a model knows: new rows may lack it.
  static size_t Widest(const Schema* like) {
    size_t widest = 0;
    if (!like) return widest;
    for (const Column& column : like->columns) {
      size_t index = 0;
      if (ParseNumber(column.name, &index) && index <= kMostColumns)
        widest = std::max(widest, index);
    }
    return widest;
  }

  // Where the comment of a line begins; #N/A is none.
  static size_t CommentOf(std::string_view line) {
    size_t at = line.find('#');
    while (at != line.npos && IsSheetError(line.substr(
                                  at, std::min(line.find_first_of(" \t\r", at), line.size()) - at)))
      at = line.find('#', at + 1);
    return at;
  }

  void ReadLine(std::string_view line, size_t* width) {
    ++line_;
    Check(line.size() <= kMostLine, source, ": line ", line_, " is longer than 64 MB");
    line = TrimSpaces(line.substr(0, std::min(line.find('\r'), CommentOf(line))));
    if (line.empty()) return;
    const size_t row = labels_.texts.size();
    for (bool first = true; !line.empty(); first = false) {
      const size_t end = std::min(line.find_first_of(" \t"), line.size());
      const std::string_view word = line.substr(0, end);
      line = TrimSpaces(line.substr(end));
      if (first) {
        labels_.texts.emplace_back(word.starts_with('+') ? word.substr(1) : word);
        lines_.push_back(line_);
      } else if (!word.starts_with("qid:")) {
        ReadEntry(word, row, width);
      }
    }
  }

  void ReadEntry(std::string_view word, size_t row, size_t* width) {
    const size_t colon = std::min(word.find(':'), word.size());
    Entry entry{row, 0, 0};
    const bool good = colon < word.size() && ParseNumber(word.substr(0, colon), &entry.index) &&
                      entry.index <= kMostColumns &&
                      ParseField(word.substr(colon + 1), &entry.value) != FieldKind::kText;
    Check(good, source, ": line ", line_, ": expected INDEX:VALUE, found '", Shown(word), "'");
    CheckColumns(entry.index + 2, source);
    zero_ |= entry.index == 0;
    *width = std::max(*width, entry.index);
    entries_.push_back(entry);
  }

  void Fill(size_t width) {
    const size_t first = zero_ ? 0 : 1;
    columns_.resize(width + 1 - first);
    for (size_t c = 0; c < columns_.size(); ++c) {
      columns_[c].name = std::to_string(c + first);
      columns_[c].numbers.resize(labels_.texts.size());
    }
    for (const Entry& e : entries_) columns_[e.index - first].numbers[e.row] = e.value;
    labels_.name = "label";
    columns_.push_back(std::move(labels_));
  }

  std::vector<Entry> entries_;
  std::vector<TypedColumn> columns_;
  TypedColumn labels_;
  std::vector<size_t> lines_;
  size_t line_ = 0;
  bool zero_ = false;
  std::unique_ptr<Table> inner_;
};

}  // namespace

std::unique_ptr<Table> OpenLibsvm(const FileBytes& file, const Hints& hints) {
  return std::make_unique<LibsvmTable>(file, hints);
}

}  // namespace gopnet
