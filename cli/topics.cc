#include "cli/topics.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace gopnet::cli {
namespace {

using Json = nlohmann::ordered_json;

void AddParameter(const AlgorithmInfo& algorithm, const ParameterInfo& info,
                  std::vector<Parameter>& all) {
  auto found = std::find_if(all.begin(), all.end(),
                            [&](const Parameter& p) { return p.info.name == info.name; });
  if (found == all.end()) found = all.insert(all.end(), {info, {}, {}});
  for (const std::string& choice : info.choices) {  // some algorithms offer fewer
    auto& all_choices = found->info.choices;
    if (std::find(all_choices.begin(), all_choices.end(), choice) == all_choices.end())
      all_choices.push_back(choice);
  }
  found->algorithms.push_back(algorithm.name);
  found->defaults.push_back(info.default_value);
}

std::string Values(const ParameterInfo& info) {
  return info.choices.empty() ? info.range : Join(info.choices, " | ");
}

Json ToJson(const ParameterInfo& info) {
  return {{"name", info.name},       {"type", info.type},   {"default", info.default_value},
          {"choices", info.choices}, {"range", info.range}, {"doc", info.doc}};
}

Json ToJson(const Parameter& parameter) {
  Json json = ToJson(parameter.info);
  json["default"] = Json::object();
  for (size_t i = 0; i < parameter.algorithms.size(); ++i) {
    json["default"][parameter.algorithms[i]] = parameter.defaults[i];
  }
  return json;
}

// What a preset changes, by algorithm: "popmem-o: epochs 50".
Words PresetRow(const std::string& preset, const AlgorithmInfo& algorithm) {
  Words changes;
  const auto normal = Resolve(algorithm.name, {});
  for (const auto& [name, value] : Resolve(algorithm.name, Params().Set("preset", preset))) {
    if (name != "preset" && normal.at(name) != value) changes.push_back(name + " " + value);
  }
  return {preset, algorithm.name, changes.empty() ? "as the defaults" : Join(changes, "; ")};
}

Section PresetSection() {
  Section section{"Presets", {{"preset", "algorithm", "sets"}}};
  for (const std::string& preset : Presets()) {
    if (preset == "default") continue;
    for (const AlgorithmInfo& algorithm : Algorithms()) {
      section.rows.push_back(PresetRow(preset, algorithm));
    }
  }
  return section;
}

}  // namespace

std::string Parameter::DefaultText() const {
  std::map<std::string, Words> users;
  for (size_t i = 0; i < defaults.size(); ++i) users[defaults[i]].push_back(algorithms[i]);
  if (users.size() == 1) return defaults[0];
  Words each;
  for (const auto& [value, names] : users) each.push_back(value + " (" + Join(names) + ")");
  return Join(each, "; ");
}

bool Parameter::Universal() const { return algorithms.size() == Algorithms().size(); }

std::vector<Parameter> AllParameters() {
  std::vector<Parameter> all;
  for (const AlgorithmInfo& algorithm : Algorithms()) {
    for (const ParameterInfo& info : algorithm.parameters) AddParameter(algorithm, info, all);
  }
  return all;
}

Topic AlgorithmsTopic() {
  Topic topic{"algorithms", "what grows a network (--algorithm)", {{"Algorithms", {}}}, ""};
  Json json = Json::array();
  auto& rows = topic.sections[0].rows;
  rows = {{"name", "reference", "summary"}};
  for (const AlgorithmInfo& a : Algorithms()) {
    rows.push_back({a.name, a.reference, a.summary});
    Json parameters = Json::array();
    for (const ParameterInfo& info : a.parameters) parameters.push_back(ToJson(info));
    json.push_back({{"name", a.name},
                    {"summary", a.summary},
                    {"reference", a.reference},
                    {"parameters", parameters}});
  }
  topic.json = Json{{"algorithms", json}}.dump(2);
  return topic;
}

Topic OperatorsTopic() {
  Topic topic{"operators", "what a neuron computes (--nodal, --pool, --activation)", {}, ""};
  Json json = Json::array();
  for (const OperatorInfo& op : Operators()) {
    auto& sections = topic.sections;
    if (sections.empty() || sections.back().title != op.kind) {
      sections.push_back({op.kind, {{"name", "searched by default", "formula"}}});
    }
    sections.back().rows.push_back({op.name, op.in_paper ? "yes" : "no", op.formula});
    json.push_back(
        {{"kind", op.kind}, {"name", op.name}, {"formula", op.formula}, {"in_paper", op.in_paper}});
  }
  topic.json = Json{{"operators", json}}.dump(2);
  return topic;
}

Topic ParametersTopic() {
  Topic topic{"parameters", "one spelling for flags, TOML, JSON and Python", {}, ""};
  Section section{"Parameters", {{"name", "type", "default", "values", "algorithms", "meaning"}}};
  Json json = Json::array();
  for (const Parameter& p : AllParameters()) {
    section.rows.push_back({p.info.name, p.info.type, p.DefaultText(), Values(p.info),
                            p.Universal() ? "all" : Join(p.algorithms), p.info.doc});
    json.push_back(ToJson(p));
  }
  topic.sections = {section, PresetSection()};
  topic.json = Json{{"parameters", json}}.dump(2);
  return topic;
}

}  // namespace gopnet::cli
