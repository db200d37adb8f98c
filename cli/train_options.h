// The options of training, common to all commands that train: the files of the rows, the algorithm,
// and every parameter of every algorithm as a flag of the same name.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/args.h"
#include "cli/table_options.h"
#include "gopnet/params.h"
#include "gopnet/train.h"

namespace gopnet::cli {

// A parameter, the algorithms that have it, and their defaults.
struct Parameter {
  ParameterInfo info;
  Words algorithms;
  Words defaults;
  bool of_all = false;              // every algorithm has it
  std::string DefaultText() const;  // one for all, or "20 (popfast); 40 (popmem-o)"
};

// The parameters of all algorithms, each once, in the order of first mention.
std::vector<Parameter> AllParameters();

// Reads settings with the names of the options from a flat FILE.toml or FILE.json. For a JSON
// object with "parameters" (a run's config), these and its algorithm are the settings. Skips nulls.
// Sets *of_run to whether the file is a run's config, which holds every parameter, chosen or not.
// Throws Error.
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
  std::map<std::string, std::string> parameters;  // set if Args::Has(name)

  void DeclareData(Args& args);
  void DeclareSettings(Args& args);  // skips options that are declared already
  void ReadConfigFile(Args& args) const;
  Params Chosen(Args& args);  // parameters that were set anywhere, with checked names
  // Throws Error if a grid is set together with a parameter that the grid chooses, unless one of
  // the algorithms uses that parameter without a grid.
  void CheckGrid(const Args& args, const Params& params, const Words& algorithms) const;
  void CheckFiles() const;                              // throws Error before anything slow begins
  TrainData Load(TableReport* report = nullptr) const;  // *report describes the training rows
  std::map<std::string, std::string> Source() const;    // the options of Load, with absolute paths
  // Sets the options to the Source of the run in the folder. Throws Error if it names no rows.
  void TakeSource(const std::map<std::string, std::string>& source, const std::string& folder);

 private:
  void CheckConfigValues(const Settings& settings) const;
  Settings Sets(const Args& args) const;  // the checked values of --set
  void CheckSplits(const Args& args, const Params& params) const;
};

}  // namespace gopnet::cli
