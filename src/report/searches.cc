// Summarises the searches in the journal of a run.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "nn/metric.h"
#include "report/parts.h"
#include "run/journal.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;

// An operator set that was tried in one block of a layer.
struct Tried {
  Json set, output;
  std::map<int, std::pair<double, double>> scores;  // measure and loss by epochs
  bool diverged = false;
};
struct Search {
  std::map<std::pair<int, std::string>, Tried> tried;  // by block, and names of the operators
  double seconds = 0;
};

std::string MetricOf(const Json& val) {
  for (const auto& item : val.items())
    if (item.key() != "loss") return item.key();
  return val.empty() ? "" : "loss";
}

void AddCandidate(const Json& line, Search& search, std::string& metric) {
  const Json& val = line.at("val");
  if (metric.empty()) metric = MetricOf(val);
  const Json output = line.value("output_set", Json());
  Tried& tried =
      search.tried[{line.at("block").get<int>(), line.at("operator_set").dump() + output.dump()}];
  tried.set = line.at("operator_set");
  tried.output = output;
  tried.diverged = line.at("diverged").get<bool>();
  if (val.contains(metric))
    tried.scores[line.at("epochs").get<int>()] = {val.at(metric).get<double>(),
                                                  val.at("loss").get<double>()};
  search.seconds = std::max(search.seconds, line.at("seconds").get<double>());
}

// Whether a trained for more epochs or, with equal epochs, has the better score.
bool IsBetter(const Tried& a, const Tried& b, double direction) {
  if (a.scores.empty() || b.scores.empty()) return b.scores.empty() && !a.scores.empty();
  const auto &x = *a.scores.rbegin(), &y = *b.scores.rbegin();
  if (x.first != y.first) return x.first > y.first;
  return direction * (x.second.first - y.second.first) > 0;
}

Json ToJson(const Tried& tried) {
  Json points = Json::array();
  for (const auto& [epochs, score] : tried.scores)
    points.push_back({epochs, score.first, score.second});
  Json json{{"set", tried.set}, {"points", points}};
  if (!tried.output.is_null()) json["output"] = tried.output;
  if (tried.diverged) json["diverged"] = true;
  return json;
}

// Keeps the best result of each operator set over all blocks and outputs, because more than 72
// cells are hard to read.
Json ToJson(const std::pair<int, int>& place, const Search& search, double direction) {
  std::map<Json, const Tried*> best;
  int blocks = 0;
  for (const auto& [key, tried] : search.tried) {
    blocks = std::max(blocks, key.first);
    const Tried*& known = best[tried.set];
    if (known == nullptr || IsBetter(tried, *known, direction)) known = &tried;
  }
  Json json{{"variant", place.first},
            {"layer", place.second},
            {"blocks", blocks},
            {"seconds", search.seconds},
            {"candidates", Json::array()}};
  for (const auto& item : best) json["candidates"].push_back(ToJson(*item.second));
  return json;
}

struct Summary {
  std::string metric;
  std::map<std::pair<int, int>, Search> searches;  // by variant and layer
  Json layers = Json::array(), blocks = Json::array();
  int networks = 0;
  double seconds = 0;
};

void Add(Json line, Summary& summary) {
  const std::string event = line.at("event");
  summary.seconds = line.value("at", summary.seconds);
  if (event == "candidate" && line.at("layer") == 0) {  // a network of an ensemble
    ++summary.networks;
  } else if (event == "candidate" && line.contains("operator_set")) {
    AddCandidate(line, summary.searches[{line.at("variant"), line.at("layer")}], summary.metric);
  }
  line.erase("event");
  line.erase("sum");
  if (event == "layer") summary.layers.push_back(line);
  if (event == "block") summary.blocks.push_back(line);
}

}  // namespace

Json ReadSearches(const std::string& journal_path) {
  Summary summary;
  std::error_code ignored;
  if (std::filesystem::is_regular_file(journal_path, ignored)) {
    for (const Json& line : ReadJournal(FileMap(journal_path).bytes()).lines) {
      try {
        Add(line, summary);
      } catch (const Json::exception&) {  // the page omits lines of another version
      }
    }
  }
  const double direction = MetricDirection(summary.metric);
  Json json{{"metric", summary.metric},  {"direction", direction},   {"searches", Json::array()},
            {"layers", summary.layers},  {"blocks", summary.blocks}, {"networks", summary.networks},
            {"seconds", summary.seconds}};
  for (const auto& [place, search] : summary.searches)
    json["searches"].push_back(ToJson(place, search, direction));
  return json;
}

}  // namespace gopnet
