// An ONNX graph while it is built: values are known by name. Opset 13, IR 7.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "export/wire.h"
#include "model/model_file.h"
#include "ops/formula.h"

namespace gopnet::exporting {

enum class Type { kFloat = 1, kInt64 = 7, kString = 8, kDouble = 11 };  // TensorProto.DataType

using Name = std::string;
inline constexpr char kInternal[] = "gopnet_";  // what is neither input nor output, and a number
using Shape = std::vector<size_t>;

// Attributes of a node, by name.
Message IntAttribute(const std::string& name, int64_t value);
Message IntsAttribute(const std::string& name, const std::vector<int64_t>& values);
Message StringsAttribute(const std::string& name, const std::vector<std::string>& values);

class Graph {
 public:
  // real: kFloat or kDouble, what the network computes with.
  explicit Graph(Type real) : real_(real) {}
  Type real() const { return real_; }

  Name Node(const std::string& op, const std::vector<Name>& inputs,
            const std::vector<Message>& attributes = {}, const std::string& domain = "");
  Name Constant(Type type, const Shape& shape, const std::vector<double>& values);
  Name Real(const Shape& shape, const std::vector<double>& values) {
    return Constant(real_, shape, values);
  }
  Name Real(double value) { return Real({}, {value}); }
  Name Ints(const std::vector<int64_t>& values);
  Name Strings(const std::vector<std::string>& values);

  Name Cast(const Name& value, Type type);
  Name Columns(const Name& value, size_t first, size_t count);  // of axis 1
  Name Concat(const std::vector<Name>& values);                 // along axis 1
  Name Apply(const Formula& formula, const std::vector<Name>& inputs);

  // columns 0: a value a row, of shape [rows]; else [rows, columns].
  Name Input(const Name& name, Type type, size_t columns);
  void Output(const Name& name, const Name& value, Type type, size_t columns);

  std::string Serialize(const std::vector<std::pair<std::string, std::string>>& metadata) const;

 private:
  Name Next();
  Name Initializer(Type type, const Shape& shape, const Message& data);

  Type real_;
  int names_ = 0;
  Message nodes_, initializers_, inputs_, outputs_;  // fields of GraphProto
  std::map<std::pair<Type, double>, Name> scalars_;
};

// The first part of a graph: from what a user gives to the numbers that a network sees. Declares
// the graph's inputs, `x` for the columns of numbers and one of text for each of categories, and
// returns the scaled features, [rows, features] of the graph's real type.
Name ScaledFeatures(const ModelData& model, Graph& g);

}  // namespace gopnet::exporting
