// Chains with known answers, shared by the tests of analytic/.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "analytic/chain.h"

namespace brink::analytic::testing {

inline Chain built(ChainKind kind, const std::vector<std::vector<Entry>>& rows) {
  auto chain = make_chain(kind, rows);
  if (!chain) ADD_FAILURE() << chain.error();
  return std::move(*chain);
}

using Rate = std::function<double(std::uint32_t)>;

/// Birth-death chain on 0..top; death(0) and birth(top) are not used.
inline Chain birth_death(std::uint32_t top, const Rate& birth, const Rate& death,
                         ChainKind kind = ChainKind::continuous) {
  std::vector<std::vector<Entry>> rows(top + 1);
  for (std::uint32_t n = 0; n <= top; ++n) {
    double stay = 1;
    if (n < top && birth(n) > 0) {
      rows[n].push_back({n + 1, birth(n)});
      stay -= birth(n);
    }
    if (n > 0 && death(n) > 0) {
      rows[n].push_back({n - 1, death(n)});
      stay -= death(n);
    }
    if (kind == ChainKind::discrete && stay > 0) rows[n].push_back({n, stay});
  }
  return built(kind, rows);
}

inline std::vector<bool> only(std::uint32_t size, std::vector<std::uint32_t> states) {
  std::vector<bool> set(size, false);
  for (const std::uint32_t s : states) set[s] = true;
  return set;
}

}  // namespace brink::analytic::testing
