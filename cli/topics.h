// Facts for help: what the library offers, as tables that print as text, Markdown or JSON.
#pragma once

#include <string>
#include <vector>

#include "cli/text.h"
#include "gopnet/params.h"

namespace gopnet::cli {

// A parameter with the algorithms that have it and the default of each.
struct Parameter {
  ParameterInfo info;
  Words algorithms;
  Words defaults;
  std::string DefaultText() const;  // one for all, or "20 (popfast); 40 (popmem-o)"
  bool Universal() const;           // every algorithm has it
};

std::vector<Parameter>
AllParameters();  // of all algorithms, each once, in the order of first mention

struct Section {
  std::string title;
  std::vector<Words> rows;  // the first is the header; the first column names, the last explains
};

struct Topic {
  std::string name;
  std::string summary;
  std::vector<Section> sections;
  std::string json;  // one object
};

Topic AlgorithmsTopic();
Topic OperatorsTopic();
Topic ParametersTopic();

std::string AsText(const Topic& topic);
std::string AsMarkdown(const Topic& topic);

}  // namespace gopnet::cli
