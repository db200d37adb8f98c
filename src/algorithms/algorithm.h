// What the registry knows of an algorithm. An algorithm is one file that defines its XConfig
// (parameters, described once by Visit; kSearchesOperators; GridAxes, the parameters that a grid
// tries), its Train function and its estimate of the memory that Train takes, and ends with
// MakeAlgorithm; algorithms.def lists it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "algorithms/memory_need.h"
#include "gopnet/params.h"
#include "nn/problem.h"
#include "train/config.h"
#include "train/runtime.h"

namespace gopnet {

using Values = std::map<std::string, std::string>;

// Whether these values ask for more than one network.
inline bool IsEnsemble(const Values& values) {
  const auto several = [&](const char* name) {
    const auto it = values.find(name);
    return it != values.end() && (it->second == "auto" || std::stoi(it->second) > 1);
  };
  return several("ensemble") || several("folds");
}

struct Algorithm {
  std::string name;
  std::string summary;
  std::string reference;
  std::vector<ParameterInfo> (*describe)();
  Values (*resolve)(const Values& given);  // every parameter as text; throws Error for a bad value
  Network (*train)(const Problem& problem, const Values& values, Runtime& rt);
  MemoryNeed (*memory)(const Values& values, const MemoryShape& shape);
  bool searches_operators;
  std::vector<std::string> grid;  // the parameters that parameter "grid" tries values of
  bool unit_targets = false;  // regression targets in [0.1, 0.9], for outputs with an activation

  // Whether training with these values tries candidates, which threads and ranks can share.
  bool Searches(const Values& values) const {
    return searches_operators || (!grid.empty() && values.at("grid") != "none") ||
           IsEnsemble(values);
  }
};

template <class Config>
Config ReadConfig(const Values& values) {
  Config config;
  FieldVisitor read = ReadFields(values);
  config.Visit(read);
  return config;
}

template <class Config, Network (*kTrain)(const Problem&, const Config&, Runtime&),
          MemoryNeed (*kMemory)(const Config&, const MemoryShape&)>
Algorithm MakeAlgorithm(std::string name, std::string summary, std::string reference) {
  return {std::move(name),
          std::move(summary),
          std::move(reference),
          [] {
            Config config;
            std::vector<ParameterInfo> infos;
            FieldVisitor describe = DescribeFields(infos);
            config.Visit(describe);
            return infos;
          },
          [](const Values& given) {
            Config config = ReadConfig<Config>(given);
            Values all;
            FieldVisitor write = WriteFields(all);
            config.Visit(write);
            DropUnusedNumbers(all);
            return all;
          },
          [](const Problem& problem, const Values& values, Runtime& rt) {
            return kTrain(problem, ReadConfig<Config>(values), rt);
          },
          [](const Values& values, const MemoryShape& shape) {
            return kMemory(ReadConfig<Config>(values), shape);
          },
          Config::kSearchesOperators,
          Config::GridAxes()};
}

}  // namespace gopnet
