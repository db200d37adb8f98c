// The folder of a comparison: compare.json, which says what is compared, a run folder for each run,
// and the table. What is there already is read, not done again.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "algorithms/algorithm.h"
#include "base/descriptor.h"
#include "gopnet/compare.h"

namespace gopnet {

// What compare.json says, the data aside.
nlohmann::ordered_json PlanJson(const CompareOptions& options,
                                const std::vector<CompareSystem>& systems);

// What metrics.json says of a run; `metric` is the one to read. Throws what JSON throws if it is
// not as it should be.
void ReadMetrics(const nlohmann::ordered_json& metrics, const std::string& metric, CompareRun& run);

class CompareFolder {
 public:
  explicit CompareFolder(std::string path) : path_(std::move(path)) {}

  // Throws Error unless the folder is new or empty, or holds the comparison `plan`, perhaps with
  // fewer runs or systems. Without "data" in the plan that of the folder is taken on trust.
  void CheckFits(const nlohmann::ordered_json& plan) const;
  // Makes the folder, keeps other comparisons out of it, checks again, and writes compare.json.
  void Begin(const nlohmann::ordered_json& plan);

  std::string RunPath(const CompareSystem& system, unsigned long long seed) const;
  // Why the run in that folder is none of this comparison, or a damaged one; empty if it is one. It
  // must have begun with these values, "auto" for what the rows decide.
  static std::string Unfit(const std::string& run_path, const std::string& algorithm,
                           const Values& values, const std::string& part_of);
  // Names the rows, system and values that a run of a comparison is of, threads aside.
  static std::string PartOf(const CompareSystem& system, Values values,
                            const std::string& fingerprint);
  // Gives a folder another name, so that its own is free, and returns that.
  static std::string SetAside(const std::string& run_path);
  // The run in that folder, if it is finished. `metric` is the one to read.
  static std::optional<CompareRun> ReadRun(const std::string& run_path, const std::string& metric);
  void WriteTables(const Comparison& comparison) const;

 private:
  void Write(const std::string& name, const std::string& text) const;
  void Lock();

  std::string path_;
  std::optional<Descriptor> lock_;
};

}  // namespace gopnet
