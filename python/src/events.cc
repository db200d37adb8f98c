#include "src/events.h"

#include <pybind11/stl.h>

namespace gopnet::python {

namespace py = pybind11;
using py::literals::operator""_a;

py::object ToPython(const History& h) {
  return py::dict("algorithm"_a = h.algorithm, "memory"_a = h.memory, "task"_a = h.task,
                  "metric"_a = h.metric, "seed"_a = h.seed, "data"_a = h.data);
}

py::object ToPython(const CandidateEvent& e) {
  return py::dict("layer"_a = e.layer, "done"_a = e.done, "total"_a = e.total,
                  "operator_set"_a = e.operator_set, "output_set"_a = e.output_set, "val"_a = e.val,
                  "diverged"_a = e.diverged, "epochs"_a = e.epochs,
                  "best_operator_set"_a = e.best_operator_set, "best_score"_a = e.best_score,
                  "metric"_a = e.metric);
}

py::object ToPython(const GridEvent& e) {
  return py::dict("done"_a = e.done, "total"_a = e.total, "setting"_a = e.setting, "val"_a = e.val,
                  "best_setting"_a = e.best_setting, "best_score"_a = e.best_score,
                  "metric"_a = e.metric);
}

py::object ToPython(const MemberEvent& e) {
  return py::dict("done"_a = e.done, "total"_a = e.total, "operator_set"_a = e.operator_set,
                  "fold"_a = e.fold, "val"_a = e.val, "metric"_a = e.metric,
                  "network"_a = e.network);
}

py::object ToPython(const BlockRecord& b, int layer, int index, bool accepted) {
  return py::dict("layer"_a = layer, "block"_a = index, "accepted"_a = accepted,
                  "units"_a = b.units, "operator_set"_a = b.operator_set, "val"_a = b.val,
                  "candidates"_a = b.candidates, "seconds"_a = b.seconds);
}

py::object ToPython(const LayerRecord& l, int index, bool accepted) {
  return py::dict("layer"_a = index, "accepted"_a = accepted, "units"_a = l.units,
                  "operator_set"_a = l.operator_set, "memory"_a = l.memory.type,
                  "memory_dims"_a = l.memory.dims, "train"_a = l.train, "val"_a = l.val,
                  "candidates"_a = l.candidates, "epochs"_a = l.epochs, "seconds"_a = l.seconds,
                  "ranks_only"_a = l.ranks_only);
}

py::object ToPython(const EpochEvent& e) {
  return py::dict("epoch"_a = e.epoch, "epochs"_a = e.epochs, "val"_a = e.val,
                  "network"_a = e.network, "networks"_a = e.networks, "layer"_a = e.layer,
                  "operator_set"_a = e.operator_set);
}

}  // namespace gopnet::python
