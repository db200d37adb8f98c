#include "model/schema_json.h"

#include <nlohmann/json.hpp>

namespace gopnet {
namespace {

using Json = nlohmann::json;

// What is as usual is not written, so that models of plain numbers stay as they were.
Json ColumnJson(const Column& c) {
  Json fields{{"name", c.name}, {"categories", c.categories}};
  if (c.other) fields["other"] = true;
  if (!c.date.empty()) fields["date"] = c.date;
  if (c.hours) fields["hours"] = true;
  if (c.offset != 0) fields["offset"] = c.offset;
  if (c.indicator) fields["indicator"] = true;
  if (!c.unit.empty()) fields["unit"] = c.unit;
  return fields;
}

Column ReadColumn(const Json& fields) {
  Column column;
  column.name = fields.at("name").get<std::string>();
  column.categories = fields.at("categories").get<std::vector<std::string>>();
  column.other = fields.value("other", false);
  column.date = fields.value("date", "");
  column.hours = fields.value("hours", false);
  column.offset = fields.value("offset", 0.0);
  column.indicator = fields.value("indicator", false);
  column.unit = fields.value("unit", "");
  return column;
}

}  // namespace

nlohmann::json SchemaJson(const Schema& schema) {
  Json columns = Json::array();
  for (const Column& c : schema.columns) columns.push_back(ColumnJson(c));
  Json fields{{"columns", columns},
              {"targets", schema.targets},
              {"named", schema.named},
              {"fill_missing", schema.fill_missing}};
  if (schema.decimal_comma) fields["decimal_comma"] = true;
  if (!schema.id.empty()) fields["id"] = schema.id;
  if (!schema.left_out.empty()) fields["left_out"] = Json::array();
  for (const LeftOut& c : schema.left_out)
    fields["left_out"].push_back({{"name", c.name}, {"reason", c.reason}});
  return fields;
}

Schema ReadSchema(const nlohmann::json& fields) {
  Schema schema;
  for (const Json& column : fields.at("columns")) schema.columns.push_back(ReadColumn(column));
  schema.targets = fields.at("targets").get<std::vector<std::string>>();
  schema.named = fields.at("named").get<bool>();
  schema.fill_missing = fields.at("fill_missing").get<bool>();
  schema.decimal_comma = fields.value("decimal_comma", false);
  schema.id = fields.value("id", "");
  if (!fields.contains("left_out")) return schema;
  for (const Json& column : fields.at("left_out")) {
    schema.left_out.push_back(
        {column.at("name").get<std::string>(), column.at("reason").get<std::string>()});
  }
  return schema;
}

}  // namespace gopnet
