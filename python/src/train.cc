// gopnet::Train for Python.
#include "gopnet/train.h"

#include <pybind11/stl.h>

#include "gopnet/error.h"
#include "gopnet/report.h"
#include "src/bind.h"
#include "src/dataset.h"
#include "src/dispatcher.h"
#include "src/without_interpreter.h"

namespace gopnet::python {
namespace {

// Model, history as JSON, whether training finished, and the Python exception that stopped it (or
// None). If training was stopped, the model is the best network so far, or None if there is none.
using Outcome = std::tuple<std::optional<Model>, std::optional<std::string>, bool, py::object>;

Outcome Describe(const std::optional<TrainResult>& result, bool finished,
                 const py::object& failure) {
  if (!result) return {std::nullopt, std::nullopt, finished, failure};
  return {result->model, ToJson(result->history, "", -1), finished, failure};
}

Outcome TrainArrays(const std::string& algorithm, const std::map<std::string, std::string>& values,
                    const ArrayDataset& train, const ArrayDataset* val, const ArrayDataset* test,
                    const py::object& handler, bool events, const std::string& out, bool resume,
                    bool network_epochs) {
  TrainData data{train.data};
  if (val != nullptr) data.val = val->data;
  if (test != nullptr) data.test = test->data;
  const Params params = ToParams(values);
  Dispatcher dispatcher(handler, {.events = events, .network_epochs = network_epochs});
  TrainOptions options{.run_folder = out, .observer = &dispatcher};
  options.resume = resume;
  options.boolean_labels = train.boolean_labels;
  std::optional<TrainResult> result;
  try {
    dispatcher.Run([&] { result = Train(algorithm, data, params, options); });
  } catch (const Stopped&) {
    if (!dispatcher.stopping()) throw;  // not a callback: the disk is full
    return Describe(dispatcher.checkpoint(), false, dispatcher.failure());
  }
  return Describe(result, true, dispatcher.failure());
}

}  // namespace

void BindTrain(py::module_& m) {
  m.def("train", &TrainArrays, py::arg("algorithm"), py::arg("values"), py::arg("train"),
        py::arg("val"), py::arg("test"), py::arg("handler"), py::arg("events"), py::arg("out"),
        py::arg("resume"), py::arg("network_epochs") = true);
  m.def(
      "evaluate",
      [](const Model& model, const ArrayDataset& set) {
        const WithoutInterpreter released;
        return ToJson(Evaluate(model, set.data), -1);
      },
      py::arg("model"), py::arg("data"));
}

}  // namespace gopnet::python
