#include "run/warn_of_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "base/check.h"
#include "base/stop_check.h"
#include "gopnet/safe_text.h"

namespace gopnet {
namespace {

constexpr size_t kLeastRows = 20;  // of fewer rows much is chance

bool Same(float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); }

// Features that are the same in all rows of each class, but not in all rows.
std::vector<size_t> ToldByClass(const Dataset& train, const std::vector<size_t>& rows) {
  constexpr size_t kLeast = 10;  // rows of either kind: a rare class has rare values by chance
  std::vector<size_t> same(train.features());
  std::iota(same.begin(), same.end(), size_t{0});
  std::vector<const float*> first(train.classes.size(), nullptr);  // row of each class
  std::vector<size_t> others(train.features());                    // rows unlike the very first
  for (const size_t n : rows) {
    StopCheck::AskAt(n);
    const float* row = train.x.Row(n);
    const float*& of_class = first[static_cast<size_t>(train.labels[n])];
    if (of_class == nullptr) of_class = row;
    std::erase_if(same, [&](size_t j) { return !Same(of_class[j], row[j]); });
    for (const size_t j : same) others[j] += Same(train.x.Row(rows[0])[j], row[j]) ? 0 : 1;
  }
  std::erase_if(same,
                [&](size_t j) { return others[j] < kLeast || rows.size() - others[j] < kLeast; });
  return same;
}

// Whether feature j is one of the targets; of either a large offset may be kept apart.
bool IsTarget(const Dataset& train, const std::vector<size_t>& rows, size_t j) {
  for (size_t t = 0; t < train.targets.cols(); ++t) {
    const double offset = train.target_offset.empty() ? 0 : train.target_offset[t];
    const auto same = [&](size_t n) {
      const float x = train.x.Row(n)[j], y = train.targets(n, t);
      return x == y || x == static_cast<float>(y + offset);
    };
    if (std::ranges::all_of(rows, same)) return true;
  }
  return false;
}

std::string NameOfFeature(const Dataset& train, size_t j) {
  const std::vector<std::string> names = train.schema.FeatureNames();
  const bool named = j < names.size() && !names[j].empty();
  return named ? Join("feature '", Printable(names[j]), "'") : Join("feature ", j + 1);
}

std::string Likewise(const std::vector<size_t>& features) {
  const size_t more = features.size() - 1;
  return more == 0 ? "" : Join(" (and ", more, " more ", more == 1 ? "feature)" : "features)");
}

// -999 and the like, which instruments and surveys write for a blank.
bool IsNines(float value) {
  for (const float nines : {99.0f, 999.0f, 9999.0f, 99999.0f, 999999.0f})
    if (std::fabs(value) == nines) return true;
  return false;
}

struct Span {
  float low = std::numeric_limits<float>::infinity(), high = -low;
  void Include(float value) {  // NaN changes nothing
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

// In how many rows feature j has `code`; 0 if that is not far from all other values.
size_t RowsOfCode(const Dataset& train, const std::vector<size_t>& rows, size_t j, float code) {
  Span others;
  size_t count = 0;
  for (const size_t n : rows) {
    const float value = train.x.Row(n)[j];
    if (value == code)
      ++count;
    else
      others.Include(value);
  }
  const float gap = std::max(others.low - code, code - others.high);
  return others.low < others.high && gap > others.high - others.low ? count : 0;
}

}  // namespace

void WarnOfCodes(const Dataset& train, const std::vector<size_t>& rows, const std::string& name,
                 Runtime& rt) {
  std::vector<Span> spans(train.features());
  for (const size_t n : rows) {
    StopCheck::AskAt(n);
    for (size_t j = 0; j < spans.size(); ++j) spans[j].Include(train.x.Row(n)[j]);
  }
  std::vector<size_t> coded;
  float first_code = 0;
  size_t first_rows = 0;
  for (size_t j = 0; j < spans.size(); ++j) {
    for (const float code : {spans[j].low, spans[j].high}) {
      const size_t count = IsNines(code) ? RowsOfCode(train, rows, j, code) : 0;
      if (count < 2) continue;
      if (coded.empty()) std::tie(first_code, first_rows) = std::tie(code, count);
      coded.push_back(j);
    }
  }
  if (coded.empty()) return;
  rt.Warn(Join(name, ": ", NameOfFeature(train, coded[0]), Likewise(coded), " is ", first_code,
               " in ", first_rows, " rows, far from all other values; if ", first_code,
               " means missing, leave the value empty (or NaN)"));
}

void WarnOfLeakage(const Dataset& train, const std::vector<size_t>& rows, const std::string& name,
                   Runtime& rt) {
  const bool classes = train.task == Task::kClassification;
  if (rows.size() < kLeastRows) return;
  std::vector<size_t> telling;
  if (classes) telling = ToldByClass(train, rows);
  for (size_t j = 0; !classes && j < train.features(); ++j)
    if (IsTarget(train, rows, j)) telling.push_back(j);
  if (telling.empty()) return;
  rt.Warn(Join(name, ": ", NameOfFeature(train, telling[0]), Likewise(telling),
               classes ? " has the same value in all rows of a class" : " equals the target",
               " (possible target leakage); leave it out if new rows will not have it"));
}

void WarnOfOddTarget(const Dataset& train, const std::vector<size_t>& rows, const std::string& name,
                     Runtime& rt) {
  constexpr double kNearlyAll = 0.9;
  for (size_t j = 0; rows.size() >= kLeastRows && j < train.targets.cols(); ++j) {
    const auto weight = [&](size_t n) { return train.weights.empty() ? 1.0 : train.weights[n]; };
    double weights = 0, mean = 0, sum = 0;
    for (const size_t n : rows) weights += weight(n);
    for (const size_t n : rows) mean += weight(n) / weights * train.targets(n, j);
    const auto square = [&](size_t n) {
      return weight(n) * (train.targets(n, j) - mean) * (train.targets(n, j) - mean);
    };
    size_t odd = rows[0];
    for (const size_t n : rows) {
      sum += square(n);
      if (square(n) > square(odd)) odd = n;
    }
    if (square(odd) <= kNearlyAll * sum) continue;
    const double offset = train.target_offset.empty() ? 0 : train.target_offset[j];
    rt.Warn(Join(name, ": one value of ",
                 train.targets.cols() > 1 ? Join("target ", j + 1) : std::string("the target"),
                 ", ", FormatValue(train.targets(odd, j) + offset), ", causes ",
                 std::floor(100 * square(odd) / sum), " % of the variance in all ", rows.size(),
                 " rows, so the model will learn little else; remove its row if it is a mistake"));
  }
}

void WarnOfFarTargets(const Prepared& p, Runtime& rt) {
  constexpr size_t kOneIn = 20, kLeast = 5;  // fewer may be chance
  size_t far = 0;
  for (size_t n = 0; n < p.test.size(); ++n) {
    bool beyond = false;
    for (size_t j = 0; j < p.test.targets.cols(); ++j) {
      const float target = p.test.targets.Row(n)[j];
      beyond |= target < static_cast<float>(p.problem.bounds.low[j]) ||
                target > static_cast<float>(p.problem.bounds.high[j]);
    }
    far += beyond ? 1 : 0;
  }
  if (far >= kLeast && far * kOneIn > p.test.size())
    rt.Warn(Join(far, " of ", p.test.size(),
                 " test targets lie outside the range of the training targets, to which gopnet "
                 "clips predictions; set bounded to never to turn clipping off"));
}

void WarnOfUnknownLabels(const Rows& rows, const std::string& name,
                         const std::vector<std::string>& classes, Runtime& rt) {
  const auto unknown = std::count(rows.labels.begin(), rows.labels.end(), -1);
  Check(unknown == 0 || static_cast<size_t>(unknown) < rows.size(), name, ": none of its ", unknown,
        " rows has a label of the training data, such as '", classes.front(), "'");
  if (unknown > 0)
    rt.Warn(Join(name, ": ", unknown,
                 " rows have a label that is not in the training data; they count as errors"));
}

}  // namespace gopnet
