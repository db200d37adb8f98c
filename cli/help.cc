// gopnet help TOPIC: lists algorithms, operators or parameters, as text for a terminal, Markdown
// for the documentation or JSON; or shows the options of a command.
#include <algorithm>

#include "cli/commands.h"
#include "cli/json.h"
#include "cli/train_options.h"

namespace gopnet::cli {
namespace {

constexpr size_t kScreen = 100;  // columns

struct Section {
  std::string title;
  std::vector<Words> rows;  // first row: header; first column: name; last column: description
};

struct Topic {
  std::string summary;
  std::vector<Section> sections;
  Json items = Json::array();  // for --json
};

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

// The values that a preset changes for an algorithm: "fast", "popmem-o", "epochs 50".
Words PresetRow(const std::string& preset, const AlgorithmInfo& algorithm) {
  Words changes;
  const auto normal = Resolve(algorithm.name, {});
  for (const auto& [name, value] : Resolve(algorithm.name, Params().Set("preset", preset))) {
    if (name != "preset" && normal.at(name) != value) changes.push_back(name + " " + value);
  }
  return {preset, algorithm.name, changes.empty() ? "no changes" : Join(changes, "; ")};
}

Section PresetSection() {
  Section section{"Presets", {{"preset", "algorithm", "changes"}}};
  for (const std::string& preset : Presets()) {
    if (preset == "default") continue;
    for (const AlgorithmInfo& algorithm : Algorithms())
      section.rows.push_back(PresetRow(preset, algorithm));
  }
  return section;
}

Topic AlgorithmsTopic() {
  Topic topic{"algorithms that grow a network (--algorithm)",
              {{"Algorithms", {{"name", "reference", "summary"}}}}};
  for (const AlgorithmInfo& a : Algorithms()) {
    topic.sections[0].rows.push_back({a.name, a.reference, a.summary});
    Json parameters = Json::array();
    for (const ParameterInfo& info : a.parameters) parameters.push_back(ToJson(info));
    topic.items.push_back({{"name", a.name},
                           {"summary", a.summary},
                           {"reference", a.reference},
                           {"parameters", parameters}});
  }
  return topic;
}

Topic OperatorsTopic() {
  Topic topic{"functions that make up a neuron (--nodal, --pool, --activation)", {}};
  for (const OperatorInfo& op : Operators()) {
    auto& sections = topic.sections;
    if (sections.empty() || sections.back().title != op.kind)
      sections.push_back({op.kind, {{"name", "searched by default", "formula"}}});
    const std::string meaning = op.name == "dog" ? fmt::format(", {}", kDog) : "";
    sections.back().rows.push_back({op.name, op.in_paper ? "yes" : "no", op.formula + meaning});
    topic.items.push_back(
        {{"kind", op.kind}, {"name", op.name}, {"formula", op.formula}, {"in_paper", op.in_paper}});
  }
  return topic;
}

Topic ParametersTopic() {
  Section section{"Parameters", {{"name", "type", "default", "values", "algorithms", "meaning"}}};
  Topic topic{"the same names in flags, TOML, JSON and Python", {}};
  for (const Parameter& p : AllParameters()) {
    section.rows.push_back({p.info.name, p.info.type, p.DefaultText(), Values(p.info),
                            p.of_all ? "all" : Join(p.algorithms), p.info.doc});
    topic.items.push_back(ToJson(p));
  }
  topic.sections = {section, PresetSection()};
  return topic;
}

const std::map<std::string, Topic (*)()> kTopics = {{"algorithms", AlgorithmsTopic},
                                                    {"operators", OperatorsTopic},
                                                    {"parameters", ParametersTopic}};
const Words kTopicNames = Mapped(kTopics, [](const auto& topic) { return topic.first; });

// The layout of tables that are too wide for a screen:
//   epochs  (type int, default 300, values >= 0)
//       Epochs per candidate.
std::string AsList(const std::vector<Words>& rows) {
  std::string text;
  for (size_t i = 1; i < rows.size(); ++i) {
    Words facts;
    for (size_t j = 1; j + 1 < rows[i].size(); ++j) {
      if (!rows[i][j].empty()) facts.push_back(rows[0][j] + " " + rows[i][j]);
    }
    text += Wrapped(rows[i][0] + "  (" + Join(facts) + ")", kScreen - 4, "    ").substr(4) + "\n" +
            Wrapped(rows[i].back(), kScreen - 4, "    ") + "\n";
  }
  return text;
}

std::string MarkdownRow(const Words& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += ' ';
    for (char c : cell) line += c == '|' ? std::string("\\|") : std::string(1, c);
    line += " |";
  }
  return line + "\n";
}

std::string AsText(const Topic& topic) {
  std::string text;
  for (const Section& section : topic.sections) {
    const std::string table = Table(section.rows);
    const bool fits = std::ranges::all_of(
        Split(table, '\n'), [](const std::string& line) { return line.size() <= kScreen; });
    text +=
        (text.empty() ? "" : "\n") + section.title + "\n\n" + (fits ? table : AsList(section.rows));
  }
  return text;
}

std::string AsMarkdown(const std::string& name, const Topic& topic) {
  std::string text = "# " + name + "\n\nPrinted by `gopnet help " + name +
                     " --markdown`: " + topic.summary + ".\n";
  for (const Section& section : topic.sections) {
    text += "\n## " + section.title + "\n\n" + MarkdownRow(section.rows[0]) +
            MarkdownRow(Words(section.rows[0].size(), "---"));
    for (size_t i = 1; i < section.rows.size(); ++i) text += MarkdownRow(section.rows[i]);
  }
  return text;
}

Json CommandJson(const Command& command) {
  return {{"name", command.name}, {"summary", command.summary}, {"trains", command.trains()}};
}

Json OverviewJson() {
  Json json = {{"version", Version()}, {"topics", kTopicNames}};
  json["commands"] = Json::array();
  for (const Command& c : Commands()) json["commands"].push_back(CommandJson(c));
  return json;
}

[[noreturn]] void Unknown(const std::string& name) {
  Words names = CommandNames();
  names.insert(names.begin(), kTopicNames.begin(), kTopicNames.end());
  Fail("unknown topic '{}'{}; choose from {}", name, Hint(name, names), Join(names));
}

}  // namespace

void RunHelp(const Words& words) {
  Args args("help", "gopnet help operators",
            "explain algorithms, operators, parameters or the options of a command");
  std::string name;
  bool markdown = false;
  args.Positional("TOPIC", &name, "algorithms, operators, parameters or a command.", false);
  args.Flag("markdown", &markdown, "Print Markdown, as in the documentation.");
  if (!args.Parse(words)) return;
  if (name.empty()) return args.json() ? PrintJson(OverviewJson(), 2) : Print(Overview());
  if (const auto make = Find(kTopics, name)) {
    const Topic topic = (*make)();
    if (args.json()) return PrintJson(Json{{name, topic.items}}, 2);
    return Print(markdown ? AsMarkdown(name, topic) : AsText(topic));
  }
  const Command* command = FindCommand(name);
  if (command == nullptr) Unknown(name);
  if (args.json()) return PrintJson(CommandJson(*command), 2);
  command->run({"--help"});
}

}  // namespace gopnet::cli
