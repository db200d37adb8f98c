// Settings from a file, named as the options are: flat TOML, or JSON such as a run's config.json.
#pragma once

#include <string>

#include "cli/args.h"

namespace gopnet::cli {

// Reads FILE.toml or FILE.json. A JSON object that holds "parameters" (a run's config) gives these
// and its algorithm; any other is a flat object of settings. Nulls are left out. `of_run` gets
// whether it is a run's, which holds every parameter, chosen or not. Throws Error.
Settings ReadConfig(const std::string& path, bool* of_run = nullptr);

}  // namespace gopnet::cli
