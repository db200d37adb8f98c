// JSON of types that list their parts (base/fields.h): nlohmann's Json(value), json.get<T>() and
// containers of such types work. Parts without a name are left out. A type of another layout has
// functions to_json and from_json of its own.
#pragma once

#include <optional>

#include "base/fields.h"
#include "base/mat.h"
#include "base/parse_json.h"

namespace gopnet {

template <class Json>
class JsonFieldWriter {
 public:
  explicit JsonFieldWriter(Json& json) : json_(json) {}
  template <class... P>
  void operator()(const P&... parts) {
    (Put(parts), ...);
  }

 private:
  template <class P>
  void Put(const P&) {}
  template <class T, PartKind kKind>
  void Put(const NamedPart<T, kKind>& part) {
    if constexpr (kKind == PartKind::kExtra) {
      if (IsEmpty(part.value)) return;
    }
    json_[part.name] = part.value;
  }
  template <class T>
  void Put(const NamedPart<std::optional<T>, PartKind::kUsual>& part) {
    json_[part.name] = part.value ? Json(*part.value) : Json();
  }
  template <PartKind kKind>
  void Put(const NamedPart<Mat, kKind>&) {}  // too large for it
  template <class... P>
  void Put(const PartGroup<P...>& group) {
    Json json = Json::object();
    std::apply(JsonFieldWriter(json), group.parts);
    json_[group.name] = std::move(json);
  }
  template <class T>
  static bool IsEmpty(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
      return value == T();
    } else {
      return value.empty();
    }
  }
  Json& json_;
};

// Throws Json::exception for JSON of another layout.
template <class Json>
class JsonFieldReader {
 public:
  explicit JsonFieldReader(const Json& json) : json_(json) {}
  template <class... P>
  void operator()(P&&... parts) {
    (Get(parts), ...);
  }

 private:
  template <class P>
  void Get(P&) {}
  template <class T, PartKind kKind>
  void Get(NamedPart<T, kKind>& part) {
    if (kKind == PartKind::kExtra && !json_.contains(part.name)) return;
    const Json& json = json_.at(part.name);
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      part.value = static_cast<T>(WholeNumber(json));
    } else {
      json.get_to(part.value);
    }
  }
  template <class T>
  void Get(NamedPart<std::optional<T>, PartKind::kUsual>& part) {
    const Json& json = json_.at(part.name);
    if (!json.is_null()) json.get_to(part.value.emplace());
  }
  template <PartKind kKind>
  void Get(NamedPart<Mat, kKind>&) {}
  template <class... P>
  void Get(PartGroup<P...>& group) {
    std::apply(JsonFieldReader(json_.at(group.name)), group.parts);
  }
  const Json& json_;
};

template <class Json, Listed T>
void AddFields(Json& json, const T& value) {
  static_assert(ListsAll<T>(), "Fields must list every member");
  JsonFieldWriter<Json> write(json);
  Fields(write, const_cast<T&>(value));  // a writer changes nothing
}
template <class Json, Listed T>
void to_json(Json& json, const T& value) {  // NOLINT(readability-identifier-naming)
  json = Json::object();
  AddFields(json, value);
}
template <class Json, Listed T>
void from_json(const Json& json, T& value) {  // NOLINT(readability-identifier-naming)
  static_assert(ListsAll<T>(), "Fields must list every member");
  JsonFieldReader<Json> read(json);
  Fields(read, value);
}

}  // namespace gopnet
