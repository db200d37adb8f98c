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

// Calls visit.template operator()<T>() for the type T at this index.
template <class... Ts, class Visit>
void VisitAt(TypeList<Ts...>, int index, const Visit& visit) {
  int at = 0;
  ((at++ == index ? visit.template operator()<Ts>() : void()), ...);
}

// The same for a pair of types, of two lists.
template <class First, class Second, class Visit>
void VisitPair(First firsts, Second seconds, int first, int second, const Visit& visit) {
  VisitAt(firsts, first, [&]<class A>() {
    VisitAt(seconds, second, [&]<class B>() { visit.template operator()<A, B>(); });
  });
}

}  // namespace gopnet
