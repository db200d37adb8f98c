#include "export/c_parts.h"

#include <algorithm>

#include "base/check.h"
#include "export/code.h"
#include "kernels/elementwise.h"

namespace gopnet::exporting {
namespace {

// A microcontroller reads weights best one after the other: those of a unit lie together.
Numbers ByUnit(const Piece& piece) {
  Numbers w(piece.w.size());
  for (size_t k = 0; k < piece.inputs; ++k)
    for (size_t j = 0; j < piece.units; ++j) w[j * piece.inputs + k] = piece.w[k * piece.units + j];
  return w;
}

// "0" to "3" as in the pool's number of terms: how it goes on from z, the next psi.
const char* const kPoolStart[] = {"", "", ", last = 0.0f", ", last = 0.0f, before = 0.0f"};
const char* const kPoolStep[] = {"if (k == 0 || z > sum) sum = z;", "sum += z;",
                                 "sum += last * z;\n    last = z;",
                                 "sum += before * last * z;\n    before = last;\n    last = z;"};

std::string PoolFunction(const std::string& name, const std::string& psi, int terms) {
  return Join("static float ", name,
              "(const float* x, const float* w, int n) {\n  float sum = 0.0f", kPoolStart[terms],
              ";\n  int k;\n  for (k = 0; k < n; ++k) {\n    const float z = ", psi,
              "(x[k], w[k]);\n    ", kPoolStep[terms], "\n  }\n  return sum;\n}\n");
}

std::string PoolName(const OperatorSet& phi) {
  return Join("pool_", Names(phi)[0], "_", Names(phi)[1]);
}

std::string GopsCode(const Piece& piece, const std::string& id) {
  const std::string pooled = Join(PoolName(*piece.phi), "(x, w, ", piece.inputs, ")");
  const std::string loop = Join("    for (j = 0; j < ", piece.units, "; ++j");
  std::string code = Join("    const float* w = w_", id, ";\n");
  if (piece.divide_by_norm) {
    code += Join("    float squares = 0.0f, norm;\n", loop, ", w += ", piece.inputs,
                 ") {\n      y[j] = ", pooled, ";\n      squares += y[j] * y[j];\n    }\n",
                 "    norm = sqrtf(squares) + 1e-06f;\n", loop,
                 ") {\n      const float p = y[j] / norm;\n");
  } else {
    code += Join(loop, ", w += ", piece.inputs, ") {\n      const float p = ", pooled, ";\n");
  }
  std::string value =
      Join("f_", Names(*piece.phi)[2], "(fminf(fmaxf(p, -1e+06f), 1e+06f) + b_", id, "[j])");
  if (!piece.scale.empty())
    value = Join("(", value, " - shift_", id, "[j]) * scale_", id, "[j] + beta_", id, "[j]");
  return code + Join("      y[j] = ", value, ";\n    }\n");
}

std::string LinearCode(const Piece& piece, const std::string& id) {
  const std::string x = piece.shift.empty() ? "x[k]" : Join("(x[k] - shift_", id, "[k])");
  return Join("    const float* w = w_", id, ";\n    int k;\n    for (j = 0; j < ", piece.units,
              "; ++j, w += ", piece.inputs, ") {\n      float sum = b_", id,
              "[j];\n      for (k = 0; k < ", piece.inputs, "; ++k) sum += ", x,
              " * w[k];\n      y[j] = sum;\n    }\n");
}

}  // namespace

std::string CParts::Table(const std::string& name, const Numbers& values, bool single) {
  constexpr size_t kInLine = 8;
  if (values.empty()) return "";
  costs_.flash += values.size() * (single ? sizeof(float) : sizeof(double));
  std::string text =
      Join("static const ", single ? "float " : "double ", name, "[", values.size(), "] = {");
  for (size_t i = 0; i < values.size(); ++i)
    text += (i % kInLine == 0 ? "\n    " : " ") + Literal(values[i], single) + ",";
  text.back() = '}';
  return text + ";\n";
}

std::string CParts::Tables(const std::string& id, const Piece& piece) {
  return Table("w_" + id, ByUnit(piece)) + Table("b_" + id, piece.b) +
         Table("shift_" + id, piece.shift) + Table("scale_" + id, piece.scale) +
         Table("beta_" + id, piece.beta);
}

std::string CParts::Operators(const OperatorSet& phi) {
  std::string code;
  const std::string psi = "psi_" + Names(phi)[0], f = "f_" + Names(phi)[2], pool = PoolName(phi);
  if (defined_.insert(psi).second) {
    code += Join("static float ", psi, "(float y, float w) {\n",
                 FunctionBody(NodalFormula(phi.nodal), {"y", "w"}, Language::kC), "}\n");
  }
  if (defined_.insert(pool).second) code += PoolFunction(pool, psi, PoolTerms(phi.pool));
  if (defined_.insert(f).second) {
    code += Join("static float ", f, "(float x) {\n",
                 FunctionBody(ActivationFormula(phi.activation), {"x"}, Language::kC), "}\n");
  }
  return code;
}

void CParts::Count(const Piece& piece) {
  size_t synapse = piece.shift.empty() ? 2 : 3, unit = 0;
  if (piece.phi) {
    const auto terms = static_cast<size_t>(PoolTerms(piece.phi->pool));
    synapse = static_cast<size_t>(NodalFormula(piece.phi->nodal).operations()) +
              std::max<size_t>(terms, 1);
    unit = static_cast<size_t>(ActivationFormula(piece.phi->activation).operations()) + 3 +
           (piece.divide_by_norm ? 3 : 0) + (piece.scale.empty() ? 0 : 3);
  }
  costs_.operations += piece.units * (piece.inputs * synapse + unit);
}

std::string CParts::Network(const std::string& name, const Chain& chain) {
  std::string before, body;
  size_t widest[2] = {1, 1};  // stages write the one buffer and read the other
  for (size_t s = 0; s < chain.stages.size(); ++s) {
    const Stage& stage = chain.stages[s];
    const bool last = s + 1 == chain.stages.size();
    const std::string out = last ? "out" : s % 2 == 0 ? "even" : "odd";
    if (!last) widest[s % 2] = std::max(widest[s % 2], stage.outputs());
    size_t column = 0;
    for (size_t p = 0; p < stage.pieces.size(); ++p) {
      const Piece& piece = stage.pieces[p];
      const std::string id = Join(name, "_", s, "_", p);
      Count(piece);
      if (piece.phi) before += Operators(*piece.phi);
      before += Tables(id, piece);
      body += Join("  {\n    float* y = ", out, " + ", column, ";\n",
                   piece.phi ? GopsCode(piece, id) : LinearCode(piece, id), "  }\n");
      column += piece.units;
    }
    if (stage.keeps_input)
      body += Join("  for (j = 0; j < ", stage.inputs(), "; ++j) ", out, "[", column,
                   " + j] = x[j];\n");
    if (!last) body += Join("  x = ", out, ";\n");
  }
  const size_t layers = chain.stages.size() - 1;
  std::string buffers;
  if (layers > 0) buffers += Join("  float even[", widest[0], "];\n");
  if (layers > 1) buffers += Join("  float odd[", widest[1], "];\n");
  costs_.ram = std::max(
      costs_.ram, sizeof(float) * ((layers > 0 ? widest[0] : 0) + (layers > 1 ? widest[1] : 0)));
  return Join(before, "static void ", name, "(const float* x, float* out) {\n", buffers,
              "  int j;\n", body, "}\n");
}

}  // namespace gopnet::exporting
