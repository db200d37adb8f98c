#include "data/table.h"

#include <unistd.h>

#include "base/check.h"
#include "base/files.h"
#include "base/names.h"
#include "base/pipes.h"
#include "data/field.h"

namespace gopnet {

namespace {

struct Reader {
  std::string_view ending;
  std::unique_ptr<Table> (*open)(const FileBytes&, const Hints&);
};

constexpr Reader kReaders[] = {
#define READER(ending, open) {ending, open},
#include "data/formats/readers.def"
#undef READER
};

// "a.npz:key" ends in ".npz": what follows the colon chooses within the file.
bool Matches(const std::string& path, std::string_view ending) {
  const std::string name = Lowered(path);
  return name.ends_with(ending) || (ending == ".npz" && name.find(".npz:") != std::string::npos);
}

// Files of these kinds need libraries that gopnet does not link; the message names a converter.
void CheckForeign(const std::string& path) {
  constexpr struct {
    const char *ending, *kind, *read;
  } kForeign[] = {{".parquet", "Parquet", "read_parquet"},
                  {".feather", "Feather (Arrow)", "read_feather"},
                  {".arrow", "Arrow", "read_feather"},
                  {".xlsx", "Excel", "read_excel"},
                  {".xls", "Excel", "read_excel"}};
  for (const auto& f : kForeign) {
    Check(!Matches(path, f.ending), path, ": gopnet does not read ", f.kind,
          " files; save the table as .csv, for example with pandas.", f.read, "('", path,
          "').to_csv('table.csv', index=False)");
  }
}

const Reader& FindReader(const std::string& path) {
  std::vector<std::string> endings;
  CheckForeign(path);
  for (const Reader& reader : kReaders) {
    if (Matches(path, reader.ending)) return reader;
    endings.emplace_back(reader.ending);
  }
  Fail(path, ": unknown file type; the name must end in one of ", JoinList(endings, " "));
}

bool HasLines(const Reader& reader) {
  return reader.open == OpenCsv || reader.open == OpenArff || reader.open == OpenLibsvm;
}

// All of standard input.
FileBytes ReadInput() {
  const auto text = std::make_shared<std::string>();
  ReadToEnd(STDIN_FILENO, "standard input", kMostLine, *text);
  return {"standard input", *text, text};
}

}  // namespace

std::string FilePart(const std::string& path) {
  const size_t colon = Lowered(path).rfind(".npz:");
  return colon == std::string::npos ? path : path.substr(0, colon + 4);
}

std::unique_ptr<Table> OpenTable(const FileBytes& file, const Hints& hints) {
  std::unique_ptr<Table> table = FindReader(file.path).open(file, hints);
  table->file_size = file.bytes.size();
  return table;
}

std::unique_ptr<Table> OpenTable(const std::string& path, const Hints& hints) {
  if (path == "-") {
    const FileBytes input = ReadInput();
    std::unique_ptr<Table> table = OpenCsv(input, hints);
    table->file_size = input.bytes.size();
    return table;
  }
  const bool text = HasLines(FindReader(path));  // before the file is touched
  const auto map = std::make_shared<FileMap>(FilePart(path), text ? kMostLine : kAnyLine);
  return OpenTable({path, map->bytes(), map}, hints);
}

bool IsPlainText(const std::string& path) {
  return path == "-" || FindReader(path).open == OpenCsv;
}

void CheckColumns(size_t columns, const std::string& path) {
  Check(columns <= kMostColumns, path, ": has more than ", kMostColumns, " columns");
}

std::string Table::ColumnName(size_t column) const {
  return named ? Join("column '", Shown(names[column]), "'") : Join("column ", column, " (from 0)");
}

std::string Table::Option(std::string_view option, size_t column) const {
  return Join(option, " ", named ? ShellWord(Shown(names[column])) : std::to_string(column));
}

std::vector<std::string> DefaultNames(size_t columns) {
  std::vector<std::string> names(columns);
  for (size_t c = 0; c < columns; ++c) names[c] = "x" + std::to_string(c);
  return names;
}

}  // namespace gopnet
