// The first part of an ONNX graph: from what a user gives to the numbers that a network sees.
#pragma once

#include "export/onnx_graph.h"
#include "model/model_file.h"

namespace gopnet::exporting {

// Declares the graph's inputs, `x` for the columns of numbers and one of text for each of
// categories, and returns the scaled features, [rows, features] of the graph's real type.
Name ScaledFeatures(const ModelData& model, Graph& g);

}  // namespace gopnet::exporting
