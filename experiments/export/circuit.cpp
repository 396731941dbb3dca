#include "experiments/export/circuit.h"

#include "models/base/check.h"

namespace brink::exports {

Literal Circuit::and_(Literal a, Literal b) {
  if (a < b) std::swap(a, b);
  if (b == 0 || a == inverted(b)) return 0;
  if (b == 1 || a == b) return a;
  const auto [at, fresh] = known_.try_emplace({a, b}, 0);
  if (fresh) {
    gates_.emplace_back(a, b);
    at->second = 2 * (leaves_ + static_cast<std::uint32_t>(gates_.size()));
  }
  return at->second;
}

Literal Circuit::xor_(Literal a, Literal b) { return and_(or_(a, b), inverted(and_(a, b))); }

Literal Circuit::mux(Literal c, Literal a, Literal b) {
  if (a == b) return a;
  return or_(and_(c, a), and_(inverted(c), b));
}

Bits Circuit::number(std::int64_t value) const {
  Bits out;
  for (unsigned i = 0; i < width_; ++i) out.push_back(static_cast<Literal>((value >> i) & 1));
  return out;
}

Bits Circuit::offset(std::span<const Literal> bits, std::int64_t low) {
  Bits out(bits.begin(), bits.end());
  BRINK_CHECK(out.size() <= width_);
  out.resize(width_, 0);
  return add(out, number(low));
}

Bits Circuit::add(const Bits& a, const Bits& b, Literal carry) {
  Bits out;
  for (unsigned i = 0; i < width_; ++i) {
    const Literal either = xor_(a[i], b[i]);
    out.push_back(xor_(either, carry));
    carry = or_(and_(a[i], b[i]), and_(either, carry));
  }
  return out;
}

Bits Circuit::negate(const Bits& a) { return subtract(number(0), a); }

Bits Circuit::subtract(const Bits& a, const Bits& b) {
  Bits other;
  for (const Literal bit : b) other.push_back(inverted(bit));
  return add(a, other, 1);
}

Bits Circuit::multiply(const Bits& a, const Bits& b) {
  Bits sum = number(0);
  for (unsigned shift = 0; shift < width_; ++shift) {
    Bits row = number(0);
    for (unsigned i = 0; i + shift < width_; ++i) row[i + shift] = and_(a[i], b[shift]);
    sum = add(sum, row);
  }
  return sum;
}

Bits Circuit::mux(Literal c, const Bits& a, const Bits& b) {
  Bits out;
  for (unsigned i = 0; i < width_; ++i) out.push_back(mux(c, a[i], b[i]));
  return out;
}

Bits Circuit::modulo(const Bits& a, std::int64_t divisor) {
  BRINK_CHECK(divisor != 0);
  if (divisor < 0) return negate(modulo(negate(a), -divisor));
  const Literal negative = a.back();
  const Bits size = mux(negative, negate(a), a);
  const Bits by = number(divisor);
  Bits rest = number(0);  // restoring division, from the highest bit on
  for (unsigned i = width_; i-- > 0;) {
    rest.pop_back();
    rest.insert(rest.begin(), size[i]);
    rest = mux(less(rest, by), rest, subtract(rest, by));
  }
  const Literal none = equal(rest, number(0));
  return mux(and_(negative, inverted(none)), subtract(by, rest), rest);
}

Literal Circuit::less(const Bits& a, const Bits& b) { return subtract(a, b).back(); }

Literal Circuit::equal(const Bits& a, const Bits& b) {
  Literal out = 1;
  for (unsigned i = 0; i < width_; ++i) out = and_(out, inverted(xor_(a[i], b[i])));
  return out;
}

}  // namespace brink::exports
