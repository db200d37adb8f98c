// Reads tables with text, dates, blanks or numbers far from 0, as the command line reads a file.
#include <pybind11/stl.h>

#include <algorithm>

#include "src/bind.h"
#include "src/dataset.h"
#include "src/without_interpreter.h"

namespace gopnet::python {
namespace {

using Columns = std::vector<std::pair<std::string, py::object>>;

// Each column is an array of doubles or a list of strings.
std::vector<TypedColumn> Typed(const Columns& given) {
  std::vector<TypedColumn> columns;
  for (const auto& [name, values] : given) {
    columns.push_back({name});
    if (py::isinstance<py::list>(values)) {
      columns.back().texts = values.cast<std::vector<std::string>>();
    } else {
      const auto numbers = values.cast<Doubles>();
      columns.back().numbers.assign(numbers.data(), numbers.data() + numbers.size());
    }
  }
  return columns;
}

// Returns the features as an array that keeps them alive.
py::array Features(const Dataset& data) {
  auto* kept = new std::shared_ptr<const void>(data.owner);
  const py::capsule owner(kept,
                          [](void* p) { delete static_cast<std::shared_ptr<const void>*>(p); });
  const auto stride = static_cast<py::ssize_t>(sizeof(float) * data.x.stride);
  return py::array_t<float>({data.x.rows, data.x.cols},
                            {stride, static_cast<py::ssize_t>(sizeof(float))}, data.x.data, owner);
}

// In messages, columns without names are called "X[:, 0]", as Python writes them. The names x0, x1,
// ... are only for the schema.
Dataset ReadUnnamed(std::vector<TypedColumn> columns, const ReadOptions& options) {
  std::map<std::string, std::string> name_of;
  for (size_t j = 0; j < columns.size(); ++j) {
    columns[j].name = "X[:, " + std::to_string(j) + "]";
    name_of[columns[j].name] = "x" + std::to_string(j);
  }
  Dataset data = MakeDataset(columns, options);
  for (Column& column : data.schema.columns) column.name = name_of[column.name];
  for (LeftOut& column : data.schema.left_out) column.name = name_of[column.name];
  data.schema.named = false;
  return data;
}

// Returns the features, the schema that encoded them, and warnings. `categories` are the indices of
// columns to read as categories even if they look like numbers. If `like` is set, the columns must
// be those of that schema, in its order.
std::tuple<py::array, Schema, std::vector<std::string>> EncodeTable(
    const Columns& given, const std::vector<size_t>& categories, bool named, const Schema* like) {
  const std::vector<TypedColumn> columns = Typed(given);
  TableReport report;
  ReadOptions options{.need_targets = false, .report = &report};
  for (const size_t j : categories)
    options.categories.push_back(named ? columns.at(j).name : std::to_string(j));
  Schema known;
  if (like != nullptr) {
    known = *like;
    known.targets.clear();  // a feature may have the name of one
    known.left_out.clear();
    options.like = &known;
  }
  Dataset data;
  {
    const WithoutInterpreter released;
    data = named || like ? MakeDataset(columns, options, named) : ReadUnnamed(columns, options);
  }
  if (like != nullptr) {
    const bool blanks = data.schema.fill_missing;
    data.schema = *like;
    data.schema.fill_missing = blanks;
  }
  return {Features(data), data.schema, report.warnings};
}

// Name, categories and kind of each column: "number", "category", or the order of a date's parts.
std::vector<std::tuple<std::string, std::vector<std::string>, std::string>> ColumnsOf(
    const Schema& schema) {
  std::vector<std::tuple<std::string, std::vector<std::string>, std::string>> columns;
  for (const Column& column : schema.columns) {
    const bool category = !column.categories.empty() || column.other;
    columns.emplace_back(column.name, column.categories,
                         !column.date.empty() ? column.date
                         : category           ? "category"
                                              : "number");
  }
  return columns;
}

bool IsOneHot(const Column& column) {
  return !column.other && !column.indicator && column.date.empty() && column.offset == 0;
}

bool IsPlain(const Column& column) { return IsOneHot(column) && column.categories.empty(); }

template <bool (*kIs)(const Column&)>
bool All(const Schema& schema) {
  return std::ranges::all_of(schema.columns, kIs);
}

Schema WithBlanks(Schema schema) {
  schema.fill_missing = true;
  return schema;
}

}  // namespace

void BindTable(py::module_& m) {
  py::class_<Schema>(m, "Schema", NotFromPython())
      .def_readonly("named", &Schema::named)
      .def_readonly("targets", &Schema::targets)
      .def_property_readonly("left_out",
                             [](const Schema& schema) {
                               std::vector<std::string> names;
                               for (const LeftOut& column : schema.left_out)
                                 names.push_back(column.name);
                               return names;
                             })
      .def_property_readonly("plain", &All<&IsPlain>)     // numbers that are used as they are
      .def_property_readonly("one_hot", &All<&IsOneHot>)  // such numbers, and categories
      .def_property_readonly("columns", &ColumnsOf);
  m.def("feature_names", &Schema::FeatureNames, py::arg("schema"));
  m.def("with_blanks", &WithBlanks, py::arg("schema"));
  m.def("encode_table", &EncodeTable, py::arg("columns"), py::arg("categories"), py::arg("named"),
        py::arg("like") = py::none());
}

}  // namespace gopnet::python
