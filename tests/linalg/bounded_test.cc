#include "linalg/bounded.h"

#include <gtest/gtest.h>

#include "base/stop_check.h"
#include "support/dense_reference.h"

namespace gopnet::testing {
namespace {

struct Task {
  DenseMatrix gram, rhs;
  Eigen::MatrixXd free;  // the unbounded solution of minimum norm
};

Task MakeTask(const Mat& y, const Mat& t) {
  return {SelfGram({y.view()}, 1), CrossGram({y.view()}, {t.view()}, 1),
          RidgeByRows(ToEigen({y.view()}), ToEigen({t.view()}), 0)};
}

// Y^T Y O - Y^T T = -t O with t > 0, at the bound.
void ExpectOptimalAtBound(const Task& task, double bound, const Eigen::MatrixXd& o) {
  EXPECT_LE(o.squaredNorm(), bound * (1 + 1e-9));
  EXPECT_GE(o.squaredNorm(), bound * (1 - 1e-9));
  const Eigen::MatrixXd gradient = ToEigen(task.gram) * o - ToEigen(task.rhs);
  const double t = -gradient.cwiseProduct(o).sum() / o.squaredNorm();
  EXPECT_GT(t, 0);
  EXPECT_LT((gradient + t * o).cwiseAbs().maxCoeff(),
            1e-9 * ToEigen(task.rhs).cwiseAbs().maxCoeff());
}

TEST(SolveBounded, MeetsTheBoundAndTheOptimalityConditions) {
  for (const size_t n : {1, 5, 40, 130}) {
    const Task task = MakeTask(UniformMat(200, n, 1), UniformMat(200, 4, 2));
    for (const double part : {1e-9, 1e-3, 0.5, 0.999, 0.9999999}) {
      const double bound = part * task.free.squaredNorm();
      ExpectOptimalAtBound(task, bound, ToEigen(SolveBounded(task.gram, task.rhs, bound)));
    }
  }
}

TEST(SolveBounded, IsLeastSquaresIfTheBoundIsSlack) {
  const Task task = MakeTask(UniformMat(90, 30, 3), UniformMat(90, 4, 4));
  for (const double part : {1.0001, 100.0}) {
    const Eigen::MatrixXd o =
        ToEigen(SolveBounded(task.gram, task.rhs, part * task.free.squaredNorm()));
    EXPECT_LT(Difference(o, task.free), 1e-11);
  }
}

TEST(SolveBounded, HandlesASingularGram) {
  Mat fewer_rows = UniformMat(20, 35, 5), dependent = UniformMat(60, 10, 6);
  for (size_t n = 0; n < 60; ++n) {
    dependent.Row(n)[4] = dependent.Row(n)[3];
    dependent.Row(n)[7] = 0;
  }
  for (const Mat* y : {&fewer_rows, &dependent}) {
    const Task task = MakeTask(*y, UniformMat(y->rows(), 4, 7));
    const double norm = task.free.squaredNorm();
    for (const double part : {1e-3, 0.9, 1 - 1e-9}) {
      ExpectOptimalAtBound(task, part * norm,
                           ToEigen(SolveBounded(task.gram, task.rhs, part * norm)));
    }
    EXPECT_LT(Difference(ToEigen(SolveBounded(task.gram, task.rhs, 1.01 * norm)), task.free), 1e-9);
  }
}

TEST(SolveBounded, EmptyProblemOrZeroBoundGivesZero) {
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(3, 2);
  EXPECT_EQ(ToEigen(SolveBounded(DenseMatrix(3, 3), DenseMatrix(3, 2), 1)), zero);
  const Task task = MakeTask(UniformMat(9, 3, 12), UniformMat(9, 2, 13));
  EXPECT_EQ(ToEigen(SolveBounded(task.gram, task.rhs, 0)), zero);
}

// With thousands of outputs one factorisation takes minutes, so it must poll the stop check.
TEST(SolveBounded, PollsTheStopCheckDuringAFactorisation) {
  const size_t n = 400;
  DenseMatrix gram(n, n), rhs(n, 1);
  for (size_t i = 0; i < n; ++i) gram(i, i) = 1;
  int asked = 0;
  const StopCheck count([&] { ++asked; });
  ASSERT_EQ(SolveBounded(gram, rhs, 1).rows(), n);  // in a single factorisation
  EXPECT_GT(asked, 100);
}

TEST(BoundedAdmm, AgreesWithTheExactSolution) {
  const Task task = MakeTask(UniformMat(60, 12, 8, 0), UniformMat(60, 4, 9, 0));
  for (const double part : {0.2, 0.8, 2.0}) {
    const double bound = part * task.free.squaredNorm();
    const Eigen::MatrixXd exact = ToEigen(SolveBounded(task.gram, task.rhs, bound));
    for (const double mu : {1e-2, 0.1, 1.0}) {
      const DenseMatrix o = SolveBoundedAdmm(task.gram, task.rhs, bound, mu, 20000);
      EXPECT_LT(Difference(ToEigen(o), exact), 1e-6) << part << " " << mu;
    }
  }
}

// With a large mu the steps do not suffice to converge, but the bound must still hold.
TEST(BoundedAdmm, ReturnsTheProjectionIfNotConverged) {
  const Task task = MakeTask(UniformMat(60, 12, 10), UniformMat(60, 4, 11));
  const double bound = 0.01 * task.free.squaredNorm();
  const Eigen::MatrixXd o = ToEigen(SolveBoundedAdmm(task.gram, task.rhs, bound, 1e3, 20));
  EXPECT_LE(o.squaredNorm(), bound * (1 + 1e-6));
  EXPECT_GT(o.squaredNorm(), 0);
}

}  // namespace
}  // namespace gopnet::testing
