// The table of a comparison as JSON, CSV and Markdown.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/names.h"
#include "base/parse_json.h"
#include "base/visit.h"
#include "gopnet/compare.h"
#include "gopnet/safe_text.h"

namespace gopnet {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

std::string Digits(double value, int digits) {
  char text[400];  // the longest double has 309 digits before the point
  return {text,
          std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, digits).ptr};
}

bool InPercent(const Comparison& c) { return c.task == "classification"; }

std::string ScoreText(const Comparison& c, double value) {
  return InPercent(c) ? Digits(100 * value, 2) : Digits(value, 4);
}

std::string Whole(double median) {  // of two whole numbers it may be a half
  return Digits(median, median == std::floor(median) ? 0 : 1);
}

Cells RowCells(const Comparison& c, const CompareRow& row) {
  const std::string runs = std::to_string(row.runs.size());
  const std::string finished = std::to_string(row.runs.size() - static_cast<size_t>(row.failed));
  const auto cell = [](const Spread& spread, const std::string& text) {
    return spread.count > 0 ? text : std::string("-");
  };
  return {row.system.name,
          row.failed > 0 ? finished + " of " + runs : runs,
          cell(row.test, ScoreText(c, row.test.median)),
          cell(row.test, ScoreText(c, row.test.min) + " .. " + ScoreText(c, row.test.max)),
          cell(row.val, ScoreText(c, row.val.median)),
          cell(row.layers, Whole(row.layers.median)),
          cell(row.parameters, Whole(row.parameters.median)),
          cell(row.seconds_per_layer, Digits(row.seconds_per_layer.median, 2)),
          cell(row.seconds, Digits(row.seconds.median, 2))};
}

Json Number(double value) {  // 2 rather than 2.0
  return value == std::floor(value) && std::fabs(value) < 1e15 ? Json(std::llround(value))
                                                               : Json(value);
}

Json Median(const Spread& spread) { return spread.count == 0 ? Json() : Number(spread.median); }

std::string CsvNumber(const Spread& spread, double Spread::*part = &Spread::median) {
  return spread.count == 0 ? "" : FormatValue(spread.*part);
}

// A star in popfast* is no emphasis.
std::string Escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += (c == '*' ? "\\" : "") + std::string(1, c);
  return out;
}

}  // namespace

static void to_json(Json& json, const Spread& spread) {
  if (spread.count > 0)
    json = {{"median", spread.median}, {"min", spread.min}, {"max", spread.max}};
}

static void to_json(Json& json, const CompareRun& run) {
  json = {{"seed", run.seed}};
  if (!run.error.empty()) {
    json["folder"] = nullptr;
    json["error"] = run.error;
    return;
  }
  json["test"] = run.test ? Json(*run.test) : Json();
  json["val"] = run.val ? Json(*run.val) : Json();
  json["layers"] = run.widths.size();
  json["parameters"] = run.parameters;
  json["seconds_per_layer"] = run.seconds_per_layer;
  json["seconds"] = run.seconds;
  json["threads"] = run.threads;
  json["folder"] = run.folder.empty() ? Json() : Json(PathAsText(run.folder));
}

static void to_json(Json& json, const CompareRow& row) {
  const CompareSystem& s = row.system;
  json = {{"system", s.name},
          {"algorithm", s.algorithm},
          {"memory", s.memory.empty() ? Json() : Json(s.memory)},
          {"test", row.test},
          {"val", row.val},
          {"layers", Median(row.layers)},
          {"parameters", Median(row.parameters)},
          {"seconds_per_layer", Median(row.seconds_per_layer)},
          {"seconds_total", Median(row.seconds)},
          {"runs", row.runs}};
}

std::string ToJson(const Comparison& c, int indent) {
  Json json{{"metric", c.metric},     {"task", c.task},   {"data", c.data},
            {"runs", c.seeds.size()}, {"seeds", c.seeds}, {"threads", c.threads},
            {"systems", c.rows},      {"best", nullptr},  {"version", Version()}};
  const auto best = std::ranges::find_if(c.rows, [&](const CompareRow& r) { return c.IsBest(r); });
  if (best != c.rows.end()) json["best"] = best->system.name;
  return JsonText(json, indent);
}

std::string ToCsv(const Comparison& c) {
  std::string text = Join("system,algorithm,memory,runs,failed,test_", c.metric, "_median,test_",
                          c.metric, "_min,test_", c.metric, "_max,val_", c.metric,
                          "_median,layers,parameters,seconds_per_layer,seconds_total\n");
  for (const CompareRow& row : c.rows) {
    const CompareSystem& s = row.system;
    text += JoinList({s.name, s.algorithm, s.memory, std::to_string(row.runs.size()),
                      std::to_string(row.failed), CsvNumber(row.test),
                      CsvNumber(row.test, &Spread::min), CsvNumber(row.test, &Spread::max),
                      CsvNumber(row.val), CsvNumber(row.layers), CsvNumber(row.parameters),
                      CsvNumber(row.seconds_per_layer), CsvNumber(row.seconds)}) +
            "\n";
  }
  return text;
}

std::vector<Cells> TableCells(const Comparison& c) {
  const std::string metric = c.metric + (InPercent(c) ? " %" : "");
  std::vector<Cells> cells = {{"system", "runs", "test " + metric, "min .. max", "val " + metric,
                               "layers", "parameters", "s/layer", "s total"}};
  for (const CompareRow& row : c.rows) cells.push_back(RowCells(c, row));
  return cells;
}

std::string TableNote(const Comparison& c) {
  long several = 0;
  for (const CompareRow& row : c.rows) {
    several +=
        std::ranges::count_if(row.runs, [](const CompareRun& run) { return run.threads > 1; });
  }
  return Join("medians over the runs; times with one thread per run, ", c.threads,
              c.threads == 1 ? " run at a time" : " runs at a time",
              several > 0 ? Join(" (", several, several == 1 ? " run" : " runs",
                                 " used more threads because cores were free)")
                          : std::string());
}

std::string ToMarkdown(const Comparison& c) {
  std::vector<Cells> cells = TableCells(c);
  for (size_t i = 0; i < c.rows.size(); ++i) {
    cells[i + 1][0] = Escaped(cells[i + 1][0]);
    if (c.IsBest(c.rows[i])) cells[i + 1][2] = "**" + cells[i + 1][2] + "**";
  }
  const auto line = [](const Cells& row) { return "| " + JoinList(row, " | ") + " |\n"; };
  Cells rule(cells.front().size(), "---:");
  rule[0] = "---";
  cells.insert(cells.begin() + 1, rule);
  std::string text = TableNote(c) + "\n\n";
  for (const Cells& row : cells) text += line(row);
  return text;
}

}  // namespace gopnet
