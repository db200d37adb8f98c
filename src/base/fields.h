// The parts of a type, listed once:
//   decltype(auto) Fields(auto& a, T& value) { return a(Named("part", value.part), value.other); }
// Bytes (base/archive.h) and JSON (base/json_fields.h) follow the list. A list that lacks a member
// of its struct does not compile.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace gopnet {

enum class PartKind { kUsual, kExtra, kRow };

// A part that JSON has, too; one without a name is in the bytes only.
template <class T, PartKind kKind>
struct NamedPart {
  static constexpr PartKind kind = kKind;
  const char* name;
  T& value;
};
template <class T>
NamedPart<T, PartKind::kUsual> Named(const char* name, T& value) {
  return {name, value};
}
// Likewise, but JSON leaves it out while it is empty, 0 or false.
template <class T>
NamedPart<T, PartKind::kExtra> Extra(const char* name, T& value) {
  return {name, value};
}
// A matrix of one row, which is a vector in model files.
template <class T>
NamedPart<T, PartKind::kRow> Row(const char* name, T& value) {
  return {name, value};
}

// Parts that JSON has as an object of their own.
template <class... P>
struct PartGroup {
  const char* name;
  std::tuple<P...> parts;
};
template <class... P>
PartGroup<P...> Group(const char* name, P... parts) {
  return {name, {parts...}};
}

// A member that is neither in the bytes nor in JSON.
template <class T>
struct LocalPart {
  T& value;
};
template <class T>
LocalPart<T> Local(T& value) {
  return {value};
}

// How many members an aggregate has: as many as it can be initialised with.
struct AnyMember {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};
template <class T, class... Members>
consteval size_t CountMembers() {
  if constexpr (requires { T{Members{}..., AnyMember{}}; }) {
    return CountMembers<T, Members..., AnyMember>();
  } else {
    return sizeof...(Members);
  }
}

// How many its list has.
template <class P>
inline constexpr size_t kPartsIn = 1;
template <class... P>
inline constexpr size_t kPartsIn<PartGroup<P...>> = sizeof...(P);
struct PartCounter {
  template <class... P>
  auto operator()(P&&...) const {
    return std::integral_constant<size_t, (kPartsIn<std::remove_cvref_t<P>> + ... + 0)>();
  }
};

template <class T>
concept Listed = requires(PartCounter& counter, T& value) {
  Fields(counter, value);
};

// Whether a list has as many parts as the type has members. Classes that are no aggregates are
// trusted, as are types without a list, which have functions of their own for each direction.
template <class T>
consteval bool ListsAll() {
  if constexpr (Listed<T> && std::is_aggregate_v<T>) {
    using Count = decltype(Fields(std::declval<PartCounter&>(), std::declval<T&>()));
    return Count::value == CountMembers<T>();
  } else {
    return true;
  }
}

}  // namespace gopnet
