// Circuit: and-inverter graph with numbers as vectors of bits. Used by: aiger.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace brink::exports {

/// AIGER's literal: twice the variable, plus one when inverted. 0 is false, 1 is true.
using Literal = std::uint32_t;

inline Literal inverted(Literal a) { return a ^ 1U; }

/// Signed number in two's complement, least significant bit first; all numbers of a circuit are
/// equally wide, and no operation may overflow (the caller's interval analysis sees to it).
using Bits = std::vector<Literal>;

/// Structurally hashed; gates are numbered in the order in which they were made, after all leaves.
class Circuit {
 public:
  /// `leaves`: inputs and latches, variables 1 .. leaves. `width`: bits of every number.
  Circuit(std::uint32_t leaves, unsigned width) : leaves_(leaves), width_(width) {}

  Literal leaf(std::uint32_t index) const { return 2 * (index + 1); }
  std::uint32_t leaves() const { return leaves_; }
  const std::vector<std::pair<Literal, Literal>>& gates() const { return gates_; }

  Literal and_(Literal a, Literal b);
  Literal or_(Literal a, Literal b) { return inverted(and_(inverted(a), inverted(b))); }
  Literal xor_(Literal a, Literal b);
  Literal mux(Literal c, Literal a, Literal b);

  Bits number(std::int64_t value) const;
  /// `low` + the unsigned number of these bits.
  Bits offset(std::span<const Literal> bits, std::int64_t low);
  Bits add(const Bits& a, const Bits& b, Literal carry = 0);
  Bits negate(const Bits& a);
  Bits subtract(const Bits& a, const Bits& b);
  Bits multiply(const Bits& a, const Bits& b);
  Bits mux(Literal c, const Bits& a, const Bits& b);
  /// Remainder with the divisor's sign. BRINK_CHECK: the divisor is not 0.
  Bits modulo(const Bits& a, std::int64_t divisor);
  Literal less(const Bits& a, const Bits& b);
  Literal equal(const Bits& a, const Bits& b);

 private:
  std::uint32_t leaves_;
  unsigned width_;
  std::vector<std::pair<Literal, Literal>> gates_;  ///< the larger literal first
  std::map<std::pair<Literal, Literal>, Literal> known_;
};

}  // namespace brink::exports
