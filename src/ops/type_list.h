// A list of types: the one place where operators are listed.
#pragma once

#include <tuple>

namespace gopnet {

template <class... Ts>
struct TypeList {
  static constexpr int kSize = sizeof...(Ts);
  template <int I>
  using At = std::tuple_element_t<I, std::tuple<Ts...>>;
};

}  // namespace gopnet
