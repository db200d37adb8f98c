// A schema as JSON, as model files hold it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gopnet/dataset.h"

namespace gopnet {

nlohmann::json SchemaJson(const Schema& schema);
Schema ReadSchema(const nlohmann::json& json);  // throws nlohmann::json::exception

}  // namespace gopnet
