// Formulas and numbers as source text, of C or of JavaScript.
#pragma once

#include <string>
#include <vector>

#include "ops/formula.h"

namespace gopnet::exporting {

// Where the two languages differ.
struct Dialect {
  const char* declare;  // begins the definition of a value
  const char* before;   // and after it: around the name of a function such as exp
  const char* after;
  bool single;  // numbers are float
};
inline constexpr Dialect kC = {"const float", "", "f", true};
inline constexpr Dialect kJavaScript = {"const", "Math.", "", false};

// As few digits as give the same number again; a float ends in f.
std::string Literal(double value, bool single);
inline std::string Literal(double value, const Dialect& dialect) {
  return Literal(value, dialect.single);
}

// The body of a function that returns the formula's value; `inputs` are names.
std::string FunctionBody(const Formula& formula, const std::vector<std::string>& inputs,
                         const Dialect& dialect);

// `text` in quotes as a string of C, in ASCII. It may also stand in a comment.
std::string QuotedForC(const std::string& text);

// static const TYPE NAME[...] = {...};
std::string ArrayOfC(const std::string& name, const std::vector<double>& values, bool single);

}  // namespace gopnet::exporting
