// Algorithms, parameters and operators as plain Python values.
#include <pybind11/stl.h>

#include "gopnet/gopnet.h"
#include "src/bind.h"

namespace gopnet::python {
namespace {

namespace py = pybind11;

py::dict ToDict(const ParameterInfo& info) {
  py::dict d;
  d["name"] = info.name;
  d["type"] = info.type;
  d["default"] = info.default_value;
  d["doc"] = info.doc;
  d["choices"] = info.choices;
  d["range"] = info.range;
  return d;
}

py::list AlgorithmList() {
  py::list list;
  for (const AlgorithmInfo& info : Algorithms()) {
    py::list parameters;
    for (const ParameterInfo& parameter : info.parameters) parameters.append(ToDict(parameter));
    py::dict d;
    d["name"] = info.name;
    d["summary"] = info.summary;
    d["reference"] = info.reference;
    d["parameters"] = parameters;
    list.append(d);
  }
  return list;
}

py::list OperatorList() {
  py::list list;
  for (const OperatorInfo& info : Operators()) {
    py::dict d;
    d["kind"] = info.kind;
    d["name"] = info.name;
    d["formula"] = info.formula;
    d["in_paper"] = info.in_paper;
    list.append(d);
  }
  return list;
}

}  // namespace

Params ToParams(const std::map<std::string, std::string>& values) {
  Params params;
  for (const auto& [name, value] : values) params.Set(name, value);
  return params;
}

void BindRegistry(py::module_& m) {
  m.def("version", &Version);
  m.def("algorithms", &AlgorithmList);
  m.def("operators", &OperatorList);
  m.def("presets", &Presets);
  m.def(
      "resolve",
      [](const std::string& algorithm, const std::map<std::string, std::string>& values) {
        return Resolve(algorithm, ToParams(values));
      },
      py::arg("algorithm"), py::arg("values"));
  m.def("use_simd", &UseSimd, py::arg("name") = "");
  m.def("simd_targets", &SimdTargets);
}

}  // namespace gopnet::python
