// Formulas and numbers as source text, of C or of JavaScript.
#pragma once

#include <string>
#include <vector>

#include "ops/formula.h"

namespace gopnet::exporting {

// How an operation is written.
struct Spelling {
  Op op;
  const char* onnx;  // the node that computes it; null: it takes several
  const char* sign;  // before the last argument; null: it is a function
  const char* c = nullptr;
  const char* javascript = nullptr;
};
const Spelling& SpellingOf(Op op);  // which is no input, constant or choice

enum class Language { kC, kJavaScript };  // C computes with floats, JavaScript with doubles

// As few digits as give the same number again; a float ends in f.
std::string Literal(double value, bool single);

// The body of a function that returns the formula's value; `inputs` are names.
std::string FunctionBody(const Formula& formula, const std::vector<std::string>& inputs,
                         Language language);

// `text` in quotes as a string of C, in ASCII. It may also stand in a comment.
std::string QuotedForC(const std::string& text);
// The same as the initializer of an array of characters: {'a', 'b', 0}.
std::string CharactersForC(const std::string& text);

}  // namespace gopnet::exporting
