#include "export/code.h"

#include <array>
#include <charconv>

#include "base/check.h"

namespace gopnet::exporting {
namespace {

template <class T>
std::string Shortest(T value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string Expression(const Formula::Step& step, const std::array<std::string, 4>& a,
                       const Dialect& dialect) {
  const auto call = [&](const char* name) {
    const bool two = Arguments(step.op) == 2;
    return Join(dialect.before, name, dialect.after, "(", a[0], two ? ", " : "", two ? a[1] : "",
                ")");
  };
  const bool c = dialect.single;  // where fabsf, fminf and fmaxf are not named as elsewhere
  switch (step.op) {
    case Op::kAdd:
      return Join(a[0], " + ", a[1]);
    case Op::kSub:
      return Join(a[0], " - ", a[1]);
    case Op::kMul:
      return Join(a[0], " * ", a[1]);
    case Op::kDiv:
      return Join(a[0], " / ", a[1]);
    case Op::kNeg:
      return Join("-", a[0]);
    case Op::kMin:
      return call(c ? "fmin" : "min");
    case Op::kMax:
      return call(c ? "fmax" : "max");
    case Op::kAbs:
      return call(c ? "fabs" : "abs");
    case Op::kSqrt:
      return call("sqrt");
    case Op::kExp:
      return call("exp");
    case Op::kExpm1:
      return call("expm1");
    case Op::kLog1p:
      return call("log1p");
    case Op::kSin:
      return call("sin");
    case Op::kCos:
      return call("cos");
    case Op::kSelect:
      return Join(a[0], " > ", a[1], " ? ", a[2], " : ", a[3]);
    default:
      return a[0];
  }
}

}  // namespace

std::string Literal(double value, bool single) {
  std::string text = single ? Shortest(static_cast<float>(value)) : Shortest(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return single ? text + "f" : text;
}

std::string FunctionBody(const Formula& formula, const std::vector<std::string>& inputs,
                         const Dialect& dialect) {
  std::string text;
  std::vector<std::string> values;  // a name, or a constant
  for (const Formula::Step& step : formula.steps) {
    if (step.op == Op::kInput) {
      values.push_back(inputs[static_cast<size_t>(step.of[0])]);
    } else if (step.op == Op::kConstant) {
      const std::string number = Literal(step.value, dialect);
      values.push_back(step.value < 0 ? Join("(", number, ")") : number);
    } else {
      std::array<std::string, 4> arguments;
      for (size_t k = 0; k < static_cast<size_t>(Arguments(step.op)); ++k)
        arguments[k] = values[static_cast<size_t>(step.of[k])];
      values.push_back(Join("t", values.size()));
      text += Join("  ", dialect.declare, " ", values.back(), " = ",
                   Expression(step, arguments, dialect), ";\n");
    }
  }
  return text + Join("  return ", values.back(), ";\n");
}

std::string QuotedForC(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 32 && byte < 127 && c != '"' && c != '\\' && c != '?' && c != '*') {
      quoted += c;
    } else {
      for (const int shift : {6, 3, 0})
        quoted +=
            std::string(shift == 6 ? "\\" : "") + static_cast<char>('0' + ((byte >> shift) & 7));
    }
  }
  return quoted + "\"";
}

std::string ArrayOfC(const std::string& name, const std::vector<double>& values, bool single) {
  constexpr size_t kInLine = 8;
  std::string text =
      Join("static const ", single ? "float " : "double ", name, "[", values.size(), "] = {");
  for (size_t i = 0; i < values.size(); ++i)
    text += (i % kInLine == 0 ? "\n    " : " ") + Literal(values[i], single) + ",";
  text.back() = '}';
  return text + ";\n";
}

}  // namespace gopnet::exporting
