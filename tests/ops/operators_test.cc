// Compares the derivatives of every operator with central differences in double, within and beyond
// the overflow guard.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "base/check.h"
#include "support/reference_gop.h"

HWY_BEFORE_NAMESPACE();  // see support/reference_gop.h
namespace gopnet::testing {
namespace {

// |analytic - numeric| relative to the magnitude of both.
double Gap(double analytic, double numeric) {
  return std::fabs(analytic - numeric) / std::max({1.0, std::fabs(analytic), std::fabs(numeric)});
}

template <class F>
double CentralDifference(const F& f, double x, double step = 1e-5) {
  return (f(x + step) - f(x - step)) / (2 * step);
}

class Draw {
 public:
  explicit Draw(double range) : uniform_(-range, range) {}
  Vector operator()(size_t n) {
    Vector v(n);
    for (double& x : v) x = uniform_(random_);
    return v;
  }

 private:
  std::mt19937 random_{7};
  std::uniform_real_distribution<double> uniform_;
};

// The operator set of a nodal operator and a pool; the activation does not matter here.
OperatorSet Pair(const std::string& nodal, const std::string& pool) {
  return OperatorSetFromNames({nodal, pool, ActivationNames()[0]}, "test");
}

void CheckGradients(const OperatorSet& phi, const Vector& y, const Vector& w) {
  const Neuron neuron = Evaluate(phi, y, w);
  for (size_t k = 0; k < y.size(); ++k) {
    const auto by_w = [&](double x) {
      Vector moved = w;
      moved[k] = x;
      return Evaluate(phi, y, moved).pooled;
    };
    const auto by_y = [&](double x) {
      Vector moved = y;
      moved[k] = x;
      return Evaluate(phi, moved, w).pooled;
    };
    EXPECT_LT(Gap(neuron.dw[k], CentralDifference(by_w, w[k])), 1e-6)
        << Names(phi)[0] << " " << Names(phi)[1];
    EXPECT_LT(Gap(neuron.dy[k], CentralDifference(by_y, y[k])), 1e-6)
        << Names(phi)[0] << " " << Names(phi)[1];
  }
}

TEST(Operators, GradientsOfEveryNodalAndPoolAgreeWithCentralDifferences) {
  for (const size_t inputs : {1, 2, 3, 6}) {
    for (int nodal = 0; nodal < NodalList::kSize; ++nodal) {
      for (int pool = 0; pool < PoolList::kSize; ++pool) {
        Draw draw(1.5);
        for (int trial = 0; trial < 4; ++trial)
          CheckGradients({nodal, pool, 0}, draw(inputs), draw(inputs));
      }
    }
  }
}

// a = f(rho + b): dw, dy and db of the whole neuron, for each nodal x pool x activation.
TEST(Operators, GradientsOfEveryOperatorSetAgreeWithCentralDifferences) {
  Draw draw(1.2);
  for (const Candidate& c : Library(NodalNames(), PoolNames(), ActivationNames(), 4)) {
    const Vector y = draw(4), w = draw(4);
    const double b = 0.17;
    ForOperator<ActivationList>(c.phi.activation, [&](auto op) {
      using F = decltype(op);
      const auto a = [&](const Vector& ys, const Vector& ws, double bias) {
        return F::Value(Evaluate(c.phi, ys, ws).pooled + bias);
      };
      const Neuron neuron = Evaluate(c.phi, y, w);
      const double slope = F::Grad(neuron.pooled + b, a(y, w, b));
      const auto moved = [](Vector v, size_t k, double x) {
        v[k] = x;
        return v;
      };
      for (size_t k = 0; k < 4; ++k) {
        const auto by_w = [&](double x) { return a(y, moved(w, k, x), b); };
        const auto by_y = [&](double x) { return a(moved(y, k, x), w, b); };
        EXPECT_LT(Gap(slope * neuron.dw[k], CentralDifference(by_w, w[k])), 1e-6) << c.index;
        EXPECT_LT(Gap(slope * neuron.dy[k], CentralDifference(by_y, y[k])), 1e-6) << c.index;
      }
      const auto by_b = [&](double x) { return a(y, w, x); };
      EXPECT_LT(Gap(slope, CentralDifference(by_b, b)), 1e-6) << c.index;
    });
  }
}

TEST(Operators, GradientsStayExactBeyondTheGuard) {
  for (int nodal = 0; nodal < NodalList::kSize; ++nodal) {
    for (const double sign : {-1.0, 1.0}) {
      const Vector y = {4.0, 4.2}, w = {sign * 3.0, sign * 2.9};  // |w y| > 11, |w y^2| > 40
      for (const char* pool : {"sum", "maximum"}) {
        const OperatorSet phi = Pair(NodalNames()[static_cast<size_t>(nodal)], pool);
        EXPECT_TRUE(std::isfinite(Evaluate(phi, y, w).pooled));
        CheckGradients(phi, y, w);
      }
    }
  }
}

TEST(Operators, NodalFormulasMatchThePaper) {
  const double y = 0.7, w = -0.9;
  const std::map<std::string, double> psi = {{"multiplication", w * y},
                                             {"exponential", std::exp(w * y) - 1},
                                             {"harmonic", std::sin(w * y)},
                                             {"quadratic", w * y * y},
                                             {"gaussian", w * std::exp(-w * y * y)},
                                             {"dog", w * y * std::exp(-w * y * y)}};
  EXPECT_EQ(PaperNames("nodal").size(), psi.size());
  for (const auto& [name, value] : psi)
    EXPECT_NEAR(Evaluate(Pair(name, "sum"), {y}, {w}).pooled, value, 1e-14);
}

TEST(Operators, PoolFormulasMatchThePaper) {
  const Vector y = {1, 1, 1, 1}, w = {2, -3, 5, 7};
  const std::map<std::string, double> rho = {{"sum", 11},
                                             {"correlation1", 2 * -3 + -3 * 5 + 5 * 7},
                                             {"correlation2", 2 * -3 * 5 + -3 * 5 * 7},
                                             {"maximum", 7}};
  EXPECT_EQ(PaperNames("pool").size(), rho.size());
  for (const auto& [name, value] : rho)
    EXPECT_DOUBLE_EQ(Evaluate(Pair("multiplication", name), y, w).pooled, value);
}

TEST(Operators, ActivationsAndTheirSlopes) {
  const double x_values[] = {-30.0, -3.0, -0.5, 0.4, 2.0, 30.0};
  for (int activation = 0; activation < ActivationList::kSize; ++activation) {
    ForOperator<ActivationList>(activation, [&](auto op) {
      using F = decltype(op);
      for (const double x : x_values) {
        const double slope = CentralDifference([](double t) { return F::Value(t); }, x);
        EXPECT_LT(Gap(F::Grad(x, F::Value(x)), slope), 1e-8) << F::kName << " at " << x;
      }
    });
  }
  EXPECT_NEAR(Sigmoid::Value(0.3), 1 / (1 + std::exp(-0.3)), 1e-15);
  EXPECT_NEAR(Tanh::Value(-0.8), std::tanh(-0.8), 1e-15);
  EXPECT_NEAR(Softplus::Value(1.2), std::log1p(std::exp(1.2)), 1e-14);
  EXPECT_EQ(Relu::Grad(0.0, 0.0), 0.0);
}

std::vector<Candidate> PaperLibrary(size_t inputs) {
  return Library(PaperNames("nodal"), PaperNames("pool"), PaperNames("activation"), inputs);
}

TEST(Library, HasThe72SetsOfThePaperInStableOrder) {
  const auto library = PaperLibrary(10);
  ASSERT_EQ(library.size(), 72u);
  EXPECT_EQ(Names(library[0].phi), (std::vector<std::string>{"multiplication", "sum", "sigmoid"}));
  EXPECT_EQ(Names(library[1].phi), (std::vector<std::string>{"multiplication", "sum", "tanh"}));
  EXPECT_EQ(Names(library[71].phi), (std::vector<std::string>{"dog", "maximum", "relu"}));
  for (size_t i = 0; i < library.size(); ++i) EXPECT_EQ(library[i].index, static_cast<int>(i));
}

struct Cubic {  // not an operator of the paper
  static constexpr char kName[] = "cubic";
  static constexpr char kFormula[] = "w*y^3";
  static constexpr bool kInPaper = false;
};
template <class... Ops>
TypeList<Ops..., Cubic> WithCubic(TypeList<Ops...>) {
  return {};
}

TEST(Library, IsThatOfThePaperByDefaultEvenWithMoreOperators) {
  const auto more = Describe("nodal", WithCubic(NodalList()));
  EXPECT_EQ(more.back().name, "cubic");
  EXPECT_FALSE(more.back().in_paper);
  EXPECT_EQ(PaperNames("nodal", more), PaperNames("nodal"));
}

TEST(Library, DropsConstantCorrelationsAndKeepsIndices) {
  const auto all = PaperLibrary(10);
  for (const size_t inputs : {1, 2}) {
    std::vector<int> kept, found;
    for (const Candidate& c : all) {
      if (static_cast<size_t>(PoolTerms(c.phi.pool)) <= inputs) kept.push_back(c.index);
    }
    for (const Candidate& c : PaperLibrary(inputs)) found.push_back(c.index);
    EXPECT_EQ(found, kept);
    EXPECT_LT(kept.size(), all.size());
  }
  EXPECT_EQ(Names(PaperLibrary(1)[3].phi)[1], "maximum");  // right after the sets with sum
}

TEST(Library, UnknownOperatorSuggestsTheNearest) {
  try {
    Library({"harmonics"}, PoolNames(), {"tanh"}, 3);
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean 'harmonic'"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace gopnet::testing
HWY_AFTER_NAMESPACE();
