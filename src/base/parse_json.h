// JSON out of untrusted text. Reading it does not recurse, but to write, copy or compare it does:
// so nothing is accepted that is nested deeper than people nest. And back to text. Both compile
// here alone: they would cost every file that calls the library's own functions seconds.
//
// A null that [] or push_back makes an object or an array is left broken if there is no memory for
// it (until 3.11.3 of the library), and its destructor crashes: write Json::object() or
// Json::array() first.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "gopnet/safe_text.h"

namespace gopnet {

// Json is nlohmann::json or ordered_json. The result is discarded (is_discarded()) if the text is
// no JSON or nested too deep.
template <class Json>
Json ParseJson(std::string_view text);

// Whether two members of an object have one name, of which the parser keeps the last without a
// word. `text` is what the value was parsed from.
template <class Json>
bool HasTwins(const Json& value, std::string_view text);

// What dump() gives. Throws Error for text that is not UTF-8, unless `errors` replaces it.
template <class Json>
std::string JsonText(const Json& json, int indent = -1,
                     typename Json::error_handler_t errors = Json::error_handler_t::strict);

// JSON text that cannot end the script element in which it stands, nor a line of it.
std::string JsonInScript(std::string_view json);

// A whole number; throws Json::exception for anything else, such as 1e99, which as an integer would
// be undefined.
template <class Json>
int64_t WholeNumber(const Json& json) {
  return json.template get_ref<const typename Json::number_integer_t&>();
}

}  // namespace gopnet
