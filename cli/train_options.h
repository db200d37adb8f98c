// The options of training, shared by every command that trains: where rows come from, which
// algorithm, and every parameter of every algorithm as a flag of the same name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/args.h"
#include "cli/table_options.h"
#include "gopnet/params.h"
#include "gopnet/train.h"

namespace gopnet::cli {

// A parameter with the algorithms that have it and the default of each.
struct Parameter {
  ParameterInfo info;
  Words algorithms;
  Words defaults;
  bool of_all = false;              // every algorithm has it
  std::string DefaultText() const;  // one for all, or "20 (popfast); 40 (popmem-o)"
};

// Of all algorithms, each once, in the order of first mention.
std::vector<Parameter> AllParameters();

// Reads settings, named as the options are, from a flat FILE.toml or FILE.json. A JSON object that
// holds "parameters" (a run's config) gives these and its algorithm; any other is a flat object of
// settings. Nulls are left out. `of_run` gets whether it is a run's, which holds every parameter,
// chosen or not. Throws Error.
Settings ReadConfig(const std::string& path, bool* of_run = nullptr);

void DeclareSimd(Args& args, std::string* simd);

struct TrainFlags : TableFlags {
  std::string train, train_labels, train_weights;
  std::string val, val_labels;
  std::string test, test_labels;
  std::string target, weight_column;
  std::string task = "auto";
  std::string algorithm = "popmem-o";
  std::string config, simd;
  Words set;
  std::map<std::string, std::string> parameters;  // given if Args::Has(name)

  void DeclareData(Args& args);
  void DeclareSettings(Args& args);  // what has been declared before keeps its meaning
  void ReadConfigFile(Args& args) const;
  Params Chosen(Args& args);  // parameters given anywhere, names checked
  // Throws Error if a grid is given with what it chooses itself and no algorithm of these has
  // another use for it.
  void CheckGrid(const Args& args, const Params& params, const Words& algorithms) const;
  void CheckFiles() const;                              // throws Error before anything slow begins
  TrainData Load(TableReport* report = nullptr) const;  // which gets that of the training rows
  std::map<std::string, std::string> Source() const;    // what Load reads, with absolute paths
  // The other way round, of a run in that folder. Throws Error if it names no rows.
  void TakeSource(const std::map<std::string, std::string>& source, const std::string& folder);

 private:
  void CheckConfigValues(const Settings& settings) const;
  Settings Sets(const Args& args) const;  // of --set, checked
  void CheckSplits(const Args& args, const Params& params) const;
};

}  // namespace gopnet::cli
