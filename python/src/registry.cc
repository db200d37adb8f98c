// Returns algorithms, parameters and operators as plain Python values.
#include <pybind11/stl.h>

#include "gopnet/gopnet.h"
#include "src/bind.h"

namespace gopnet::python {
namespace {

namespace py = pybind11;
using py::literals::operator""_a;

py::dict ToDict(const ParameterInfo& p) {
  return py::dict("name"_a = p.name, "type"_a = p.type, "default"_a = p.default_value,
                  "doc"_a = p.doc, "choices"_a = p.choices, "range"_a = p.range);
}

py::dict ToDict(const OperatorInfo& op) {
  return py::dict("kind"_a = op.kind, "name"_a = op.name, "formula"_a = op.formula,
                  "in_paper"_a = op.in_paper);
}

py::dict ToDict(const AlgorithmInfo& a);

template <class Info>
py::list ToList(const std::vector<Info>& infos) {
  py::list list;
  for (const Info& info : infos) list.append(ToDict(info));
  return list;
}

py::dict ToDict(const AlgorithmInfo& a) {
  return py::dict("name"_a = a.name, "summary"_a = a.summary, "reference"_a = a.reference,
                  "parameters"_a = ToList(a.parameters));
}

}  // namespace

Params ToParams(const std::map<std::string, std::string>& values) {
  Params params;
  for (const auto& [name, value] : values) params.Set(name, value);
  return params;
}

void BindRegistry(py::module_& m) {
  m.def("version", &Version);
  m.def("algorithms", [] { return ToList(Algorithms()); });
  m.def("operators", [] { return ToList(Operators()); });
  m.def("presets", &Presets);
  m.def(
      "resolve",
      [](const std::string& algorithm, const std::map<std::string, std::string>& values) {
        return Resolve(algorithm, ToParams(values));
      },
      py::arg("algorithm"), py::arg("values"));
  m.def("use_simd", &UseSimd, py::arg("name") = "");
  m.def("simd_targets", &SimdTargets);
  m.def(
      "report_page", [](const std::string& data) { return ReportPageOf(data); }, py::arg("data"));
}

}  // namespace gopnet::python
