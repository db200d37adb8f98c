// The options of training, shared by every command that trains: where rows come from, which
// algorithm, and every parameter of every algorithm as a flag of the same name.
#pragma once

#include <map>
#include <string>

#include "cli/args.h"
#include "gopnet/params.h"
#include "gopnet/train.h"

namespace gopnet::cli {

struct TrainFlags {
  std::string train, train_labels, train_weights;
  std::string val, val_labels;
  std::string test, test_labels;
  std::string target, weight_column, missing;
  std::string task = "auto";
  bool categorical = false;
  std::string algorithm = "popmem-o";
  std::string config, simd;
  Words set;
  std::map<std::string, std::string> parameters;  // flags; only those that Args::Has count

  void Declare(Args& args);  // all of them; a command with other ideas declares the parts
  void DeclareData(Args& args);
  void DeclareSettings(Args& args);  // what has been declared before keeps its meaning
  void ReadConfigFile(Args& args) const;
  Params Chosen(const Args& args) const;  // parameters given anywhere, names checked
  // Throws Error if a grid is given with what it chooses itself and no algorithm of these has
  // another use for it.
  void CheckGrid(const Args& args, const Params& params, const Words& algorithms) const;
  void CheckFiles() const;  // throws Error before anything slow begins
  TrainData Load() const;
  std::map<std::string, std::string> Source() const;  // what Load reads, with absolute paths
  // The other way round, of a run in that folder. Throws Error if it names no rows.
  void TakeSource(const std::map<std::string, std::string>& source, const std::string& folder);

 private:
  template <class Use>
  void EachOfSource(const Use& use);
  void DeclareParameters(Args& args);
  void CheckConfigValues(const Settings& settings) const;
  void CheckSets(const Args& args) const;
  void CheckSplits(const Args& args, const Params& params) const;
  std::string AsGiven(const Args& args, const std::string& name) const;  // empty: not chosen
  ReadOptions Reading() const;
};

}  // namespace gopnet::cli
