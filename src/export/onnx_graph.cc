// Field numbers are those of onnx.proto.
#include "export/onnx_graph.h"

#include "export/code.h"

namespace gopnet::exporting {
namespace {

enum AttributeType { kInt = 2, kIntList = 7, kStringList = 8 };

Message Attribute(const std::string& name, AttributeType type) {
  return Message().Bytes(1, name).Number(20, type);
}

uint64_t Bits(int64_t value) { return static_cast<uint64_t>(value); }

Message ValueInfo(const Name& name, Type type, size_t columns) {
  Message shape;
  shape.Add(1, Message().Bytes(2, "rows"));
  if (columns > 0) shape.Add(1, Message().Number(1, columns));
  const Message tensor = Message().Number(1, static_cast<uint64_t>(type)).Add(2, shape);
  return Message().Bytes(1, name).Add(2, Message().Add(1, tensor));
}

}  // namespace

Message IntAttribute(const std::string& name, int64_t value) {
  return Attribute(name, kInt).Number(3, Bits(value));
}
Message IntsAttribute(const std::string& name, const std::vector<int64_t>& values) {
  Message attribute = Attribute(name, kIntList);
  for (const int64_t value : values) attribute.Number(8, Bits(value));
  return attribute;
}
Message StringsAttribute(const std::string& name, const std::vector<std::string>& values) {
  Message attribute = Attribute(name, kStringList);
  for (const std::string& value : values) attribute.Bytes(9, value);
  return attribute;
}

Name Graph::Next() { return kInternal + std::to_string(names_++); }

Name Graph::Node(const std::string& op, const std::vector<Name>& inputs,
                 const std::vector<Message>& attributes, const std::string& domain) {
  Message node;
  for (const Name& input : inputs) node.Bytes(1, input);
  const Name output = Next();
  node.Bytes(2, output).Bytes(4, op);
  for (const Message& attribute : attributes) node.Add(5, attribute);
  if (!domain.empty()) node.Bytes(7, domain);
  nodes_.Add(1, node);
  return output;
}

Name Graph::Initializer(Type type, const Shape& shape, const Message& data) {
  Message tensor;
  for (const size_t size : shape) tensor.Number(1, size);
  const Name name = Next();
  tensor.Number(2, static_cast<uint64_t>(type)).Bytes(8, name);
  initializers_.Bytes(5, tensor.bytes() + data.bytes());
  return name;
}

Name Graph::Constant(Type type, const Shape& shape, const std::vector<double>& values) {
  if (shape.empty()) {
    const auto known = scalars_.find({type, values[0]});
    if (known != scalars_.end()) return known->second;
  }
  std::string raw;
  for (const double value : values)
    type == Type::kFloat ? AppendRaw(static_cast<float>(value), &raw) : AppendRaw(value, &raw);
  const Name name = Initializer(type, shape, Message().Bytes(9, raw));
  if (shape.empty()) scalars_[{type, values[0]}] = name;
  return name;
}

Name Graph::Ints(const std::vector<int64_t>& values) {
  std::string raw;
  for (const int64_t value : values) AppendRaw(value, &raw);
  return Initializer(Type::kInt64, {values.size()}, Message().Bytes(9, raw));
}

Name Graph::Strings(const std::vector<std::string>& values) {
  Message data;
  for (const std::string& value : values) data.Bytes(6, value);
  return Initializer(Type::kString, {values.size()}, data);
}

Name Graph::Cast(const Name& value, Type type) {
  return Node("Cast", {value}, {IntAttribute("to", static_cast<int64_t>(type))});
}

Name Graph::Columns(const Name& value, size_t first, size_t count) {
  const auto begin = static_cast<int64_t>(first);
  return Node("Slice",
              {value, Ints({begin}), Ints({begin + static_cast<int64_t>(count)}), Ints({1})});
}

Name Graph::Concat(const std::vector<Name>& values) {
  return values.size() == 1 ? values[0] : Node("Concat", values, {IntAttribute("axis", 1)});
}

// ONNX has no e^a - 1; tanh(a / 2) (e^a + 1) is the same and keeps the digits near 0. It has no
// log(1 + a) either, of which no formula needs the digits near 0.
Name Graph::Apply(const Formula& formula, const std::vector<Name>& inputs) {
  std::vector<Name> values;
  const auto value = [&](int step) { return values[static_cast<size_t>(step)]; };
  for (const Formula::Step& step : formula.steps) {
    const auto& of = step.of;
    if (step.op == Op::kInput) {
      values.push_back(inputs[static_cast<size_t>(of[0])]);
    } else if (step.op == Op::kConstant) {
      values.push_back(Real(step.value));
    } else if (step.op == Op::kExpm1) {
      const Name half = Node("Tanh", {Node("Mul", {value(of[0]), Real(0.5)})});
      const Name sum = Node("Add", {Node("Exp", {value(of[0])}), Real(1)});
      values.push_back(Node("Mul", {half, sum}));
    } else if (step.op == Op::kLog1p) {
      values.push_back(Node("Log", {Node("Add", {value(of[0]), Real(1)})}));
    } else if (step.op == Op::kSelect) {
      const Name greater = Node("Greater", {value(of[0]), value(of[1])});
      values.push_back(Node("Where", {greater, value(of[2]), value(of[3])}));
    } else {
      std::vector<Name> arguments;
      for (int k = 0; k < Arguments(step.op); ++k)
        arguments.push_back(value(of[static_cast<size_t>(k)]));
      values.push_back(Node(SpellingOf(step.op).onnx, arguments));
    }
  }
  return values.back();
}

Name Graph::Input(const Name& name, Type type, size_t columns) {
  inputs_.Add(11, ValueInfo(name, type, columns));
  return name;
}

void Graph::Output(const Name& name, const Name& value, Type type, size_t columns) {
  nodes_.Add(1, Message().Bytes(1, value).Bytes(2, name).Bytes(4, "Identity"));
  outputs_.Add(12, ValueInfo(name, type, columns));
}

std::string Graph::Serialize(
    const std::vector<std::pair<std::string, std::string>>& metadata) const {
  const std::string graph = nodes_.bytes() + Message().Bytes(2, "gopnet").bytes() +
                            initializers_.bytes() + inputs_.bytes() + outputs_.bytes();
  Message model;
  model.Number(1, 7).Bytes(2, "gopnet").Bytes(3, GOPNET_VERSION).Bytes(7, graph);
  model.Add(8, Message().Bytes(1, "").Number(2, 13));
  model.Add(8, Message().Bytes(1, "ai.onnx.ml").Number(2, 2));
  for (const auto& [key, value] : metadata) model.Add(14, Message().Bytes(1, key).Bytes(2, value));
  return model.bytes();
}

}  // namespace gopnet::exporting
