#include "export/code.h"

#include <algorithm>
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

constexpr Spelling kSpellings[] = {
    {Op::kAdd, "Add", " + "},
    {Op::kSub, "Sub", " - "},
    {Op::kMul, "Mul", " * "},
    {Op::kDiv, "Div", " / "},
    {Op::kNeg, "Neg", "-"},
    {Op::kMin, "Min", nullptr, "fminf", "Math.min"},
    {Op::kMax, "Max", nullptr, "fmaxf", "Math.max"},
    {Op::kAbs, "Abs", nullptr, "fabsf", "Math.abs"},
    {Op::kSqrt, "Sqrt", nullptr, "sqrtf", "Math.sqrt"},
    {Op::kExp, "Exp", nullptr, "expf", "Math.exp"},
    {Op::kExpm1, nullptr, nullptr, "expm1f", "Math.expm1"},
    {Op::kLog1p, nullptr, nullptr, "log1pf", "Math.log1p"},
    {Op::kSin, "Sin", nullptr, "sinf", "Math.sin"},
    {Op::kCos, "Cos", nullptr, "cosf", "Math.cos"},
};

std::string Expression(Op op, const std::array<std::string, 4>& a, bool c) {
  if (op == Op::kSelect) return Join(a[0], " > ", a[1], " ? ", a[2], " : ", a[3]);
  const Spelling& spelling = SpellingOf(op);
  const bool two = Arguments(op) == 2;
  if (spelling.sign != nullptr) return Join(two ? a[0] : "", spelling.sign, a[two ? 1 : 0]);
  return Join(c ? spelling.c : spelling.javascript, "(", a[0], two ? ", " + a[1] : "", ")");
}

// As it stands in a literal of characters or of text.
std::string CharacterForC(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 32 && byte < 127 && std::string_view("\"'\\?*").find(c) == std::string_view::npos)
    return {c};
  const auto digit = [byte](int shift) { return static_cast<char>('0' + ((byte >> shift) & 7)); };
  return {'\\', digit(6), digit(3), digit(0)};
}

}  // namespace

const Spelling& SpellingOf(Op op) { return *std::ranges::find(kSpellings, op, &Spelling::op); }

std::string Literal(double value, bool single) {
  std::string text = single ? Shortest(static_cast<float>(value)) : Shortest(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return single ? text + "f" : text;
}

std::string FunctionBody(const Formula& formula, const std::vector<std::string>& inputs,
                         Language language) {
  const bool c = language == Language::kC;
  std::string text;
  std::vector<std::string> values;  // a name, or a constant
  for (const Formula::Step& step : formula.steps) {
    if (step.op == Op::kInput) {
      values.push_back(inputs[static_cast<size_t>(step.of[0])]);
    } else if (step.op == Op::kConstant) {
      const std::string number = Literal(step.value, c);
      values.push_back(step.value < 0 ? Join("(", number, ")") : number);
    } else {
      std::array<std::string, 4> arguments;
      for (size_t k = 0; k < static_cast<size_t>(Arguments(step.op)); ++k)
        arguments[k] = values[static_cast<size_t>(step.of[k])];
      values.push_back(Join("t", values.size()));
      text += Join(c ? "  const float " : "  const ", values.back(), " = ",
                   Expression(step.op, arguments, c), ";\n");
    }
  }
  return text + Join("  return ", values.back(), ";\n");
}

std::string QuotedForC(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) quoted += CharacterForC(c);
  return quoted + "\"";
}

std::string CharactersForC(const std::string& text) {
  constexpr size_t kInLine = 16;
  std::string list = "{";
  for (size_t i = 0; i < text.size(); ++i)
    list += Join(i % kInLine == 0 ? "\n    '" : " '", CharacterForC(text[i]), "',");
  return list + " 0}";
}

}  // namespace gopnet::exporting
