// What an observer hears, as dictionaries: their keys are the fields of the events in
// gopnet/_callbacks.py.
#pragma once

#include <pybind11/pybind11.h>

#include "gopnet/history.h"

namespace gopnet::python {

pybind11::object ToPython(const History& history);
pybind11::object ToPython(const CandidateEvent& event);
pybind11::object ToPython(const GridEvent& event);
pybind11::object ToPython(const MemberEvent& event);
pybind11::object ToPython(const BlockRecord& block, int layer, int index, bool accepted);
pybind11::object ToPython(const LayerRecord& layer, int index, bool accepted);
pybind11::object ToPython(int epoch, int epochs, const Metrics& val);

}  // namespace gopnet::python
