// Converts training events to dictionaries, whose keys are the fields of the dataclasses in
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
pybind11::object ToPython(const EpochEvent& event);

}  // namespace gopnet::python
