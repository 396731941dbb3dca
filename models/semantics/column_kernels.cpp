// Loops over lanes, one for each instruction.
//
// Every loop has a constant number of rounds and no jump, so that the compiler turns it into vector
// code; the same text is compiled for the processors that the program must run on and for those
// with 256-bit vectors, picked once at run time. Ints wrap around (unsigned arithmetic): lanes that
// are not asked about may hold anything, and where it matters bounds have shown that nothing
// overflows. What is rare or may fault is run lane by lane with the statements of
// instructions.def, the same that the register machine executes.
//
// Not done, and why: function multiversioning by attribute (its resolvers run before a sanitizer is
// ready).
#include "models/semantics/column_kernels.h"

#include <cmath>
#include <type_traits>

#include "models/language/arithmetic.h"

namespace brink {
namespace {

constexpr bool real_operands(Instr instr) {
  switch (instr) {
    case Instr::eq_r:
    case Instr::ne_r:
    case Instr::lt_r:
    case Instr::le_r:
    case Instr::gt_r:
    case Instr::ge_r:
    case Instr::floor_r:
    case Instr::ceil_r:
    case Instr::round_r:
      return true;
    default:
      return false;
  }
}

constexpr bool real_both(Instr instr) {
  switch (instr) {
    case Instr::add_r:
    case Instr::sub_r:
    case Instr::mul_r:
    case Instr::div_r:
    case Instr::neg_r:
    case Instr::min_r:
    case Instr::max_r:
    case Instr::pow_r:
    case Instr::log_r:
      return true;
    default:
      return false;
  }
}

#define BRINK_INLINE [[gnu::always_inline]] inline

template <typename T, typename F>
BRINK_INLINE void unary(const ColumnFrame<T>& frame, const ColumnInstr& in, F f) {
  T* __restrict const r = frame.ints + in.dst * kLanes;
  const T* __restrict const a = frame.ints + in.a * kLanes;
  for (std::size_t i = 0; i < kLanes; ++i) r[i] = static_cast<T>(f(a[i]));
}

template <typename T, typename F>
BRINK_INLINE void binary(const ColumnFrame<T>& frame, const ColumnInstr& in, F f) {
  T* __restrict const r = frame.ints + in.dst * kLanes;
  const T* __restrict const a = frame.ints + in.a * kLanes;
  const T* __restrict const b = frame.ints + in.b * kLanes;
  for (std::size_t i = 0; i < kLanes; ++i) r[i] = static_cast<T>(f(a[i], b[i]));
}

template <typename T, typename V>
BRINK_INLINE void select(const T* __restrict a, const V* __restrict b, const V* __restrict c,
                         V* __restrict r) {
  for (std::size_t i = 0; i < kLanes; ++i) r[i] = a[i] != 0 ? b[i] : c[i];
}

/// Bools of 0 and 1 to bits: eight bytes at a time are gathered by a multiplication.
template <typename T>
BRINK_INLINE void to_mask(const T* __restrict a, LaneMask& mask) {
  alignas(32) std::uint8_t bytes[kLanes];
  for (std::size_t i = 0; i < kLanes; ++i) bytes[i] = static_cast<std::uint8_t>(a[i]);
  for (std::size_t w = 0; w < mask.size(); ++w) {
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      std::uint64_t eight;
      __builtin_memcpy(&eight, bytes + w * 64 + k * 8, 8);
      bits |= ((eight * 0x0102040810204080ULL) >> 56) << (k * 8);
    }
    mask[w] = bits;
  }
}

template <bool add, typename T>
BRINK_INLINE void to_field(const ColumnFrame<T>& frame, const ColumnInstr& in) {
  std::uint64_t* __restrict const r = frame.fields + in.dst * kLanes;
  const T* __restrict const a = frame.ints + in.a * kLanes;
  const auto low = static_cast<std::uint64_t>(in.low);
  const unsigned shift = in.shift;
  for (std::size_t i = 0; i < kLanes; ++i) {
    const std::uint64_t field = (static_cast<std::uint64_t>(static_cast<std::int64_t>(a[i])) - low)
                                << shift;
    r[i] = add ? r[i] + field : field;
  }
}

template <bool reals_in, bool real_out, typename T, typename F>
BRINK_INLINE void lanes(const ColumnFrame<T>& frame, const ColumnInstr& in, F f) {
  for (std::size_t i = 0; i < kLanes; ++i) {
    std::int64_t a, b = 0, r = 0;
    if constexpr (reals_in) {
      a = frame.reals[in.a * kLanes + i];
      if (in.b != kNoColumn) b = frame.reals[in.b * kLanes + i];
    } else {
      a = frame.ints[in.a * kLanes + i];
      if (in.b != kNoColumn) b = frame.ints[in.b * kLanes + i];
    }
    const SemanticFault fault = f(a, b, r);
    if constexpr (real_out)
      frame.reals[in.dst * kLanes + i] = r;
    else
      frame.ints[in.dst * kLanes + i] = static_cast<T>(r);
    if (in.c != kNoColumn) frame.ints[in.c * kLanes + i] = fault != SemanticFault::none ? 1 : 0;
  }
}

/// The loop above in vectors, where both files are 64 bits wide and nothing can fault.
template <typename F>
BRINK_INLINE void real_lanes(std::int64_t* reals, const ColumnInstr& in, F f) {
  std::int64_t* __restrict const r = reals + in.dst * kLanes;
  const std::int64_t* __restrict const a = reals + in.a * kLanes;
  const std::int64_t* __restrict const b = in.b == kNoColumn ? a : reals + in.b * kLanes;
  for (std::size_t i = 0; i < kLanes; ++i) f(a[i], b[i], r[i]);
}

#define A a
#define B b
#define R r
#define AR std::bit_cast<double>(A)
#define BR std::bit_cast<double>(B)
#define SET_REAL(value) R = std::bit_cast<std::int64_t>(static_cast<double>(value))
#define TRY(call)                                                  \
  if (const auto fault = (call); fault != arithmetic::Fault::none) \
  return SemanticFault::overflow /* which one, the register machine tells */

template <typename T>
BRINK_INLINE void generic(const ColumnFrame<T>& frame, const ColumnInstr& in) {
  switch (in.instr) {
#define BRINK_INSTR(id, ...)                                                     \
  case Instr::id: {                                                              \
    constexpr bool both = real_both(Instr::id);                                  \
    const auto f = [](std::int64_t a, std::int64_t b, std::int64_t& r) {         \
      static_cast<void>(a), static_cast<void>(b);                                \
      __VA_ARGS__;                                                               \
      return SemanticFault::none;                                                \
    };                                                                           \
    if constexpr (both)                                                          \
      real_lanes(frame.reals, in, f);                                            \
    else                                                                         \
      lanes<real_operands(Instr::id), Instr::id == Instr::real_i>(frame, in, f); \
    break;                                                                       \
  }
#include "models/semantics/instructions.def"
#undef BRINK_INSTR
    default:  // jumps are not part of column programs
      break;
  }
}

template <typename T>
BRINK_INLINE void step(const ColumnFrame<T>& frame, const ColumnInstr& in) {
  using U = std::make_unsigned_t<T>;
  const auto u = [](T x) { return static_cast<U>(x); };
  switch (in.op) {
    case ColumnOp::not_:
      return unary(frame, in, [](T x) { return x ^ 1; });
    case ColumnOp::eq:
      return binary(frame, in, [](T x, T y) { return x == y; });
    case ColumnOp::ne:
      return binary(frame, in, [](T x, T y) { return x != y; });
    case ColumnOp::lt:
      return binary(frame, in, [](T x, T y) { return x < y; });
    case ColumnOp::le:
      return binary(frame, in, [](T x, T y) { return x <= y; });
    case ColumnOp::gt:
      return binary(frame, in, [](T x, T y) { return x > y; });
    case ColumnOp::ge:
      return binary(frame, in, [](T x, T y) { return x >= y; });
    case ColumnOp::add:
      return binary(frame, in, [u](T x, T y) { return u(x) + u(y); });
    case ColumnOp::sub:
      return binary(frame, in, [u](T x, T y) { return u(x) - u(y); });
    case ColumnOp::mul:
      return binary(frame, in, [u](T x, T y) { return u(x) * u(y); });
    case ColumnOp::neg:
      return unary(frame, in, [u](T x) { return U{0} - u(x); });
    case ColumnOp::min:
      return binary(frame, in, [](T x, T y) { return x < y ? x : y; });
    case ColumnOp::max:
      return binary(frame, in, [](T x, T y) { return x < y ? y : x; });
    case ColumnOp::and_:
      return binary(frame, in, [](T x, T y) { return x & y; });
    case ColumnOp::or_:
      return binary(frame, in, [](T x, T y) { return x | y; });
    case ColumnOp::implies:
      return binary(frame, in, [](T x, T y) { return (x ^ 1) | y; });
    case ColumnOp::select:
      return select(frame.ints + in.a * kLanes, frame.ints + in.b * kLanes,
                    frame.ints + in.c * kLanes, frame.ints + in.dst * kLanes);
    case ColumnOp::select_real:
      return select(frame.ints + in.a * kLanes, frame.reals + in.b * kLanes,
                    frame.reals + in.c * kLanes, frame.reals + in.dst * kLanes);
    case ColumnOp::outside: {
      const T low = static_cast<T>(in.low), high = static_cast<T>(in.high);
      return unary(frame, in, [low, high](T x) { return (x < low) | (x > high); });
    }
    case ColumnOp::generic:
      return generic(frame, in);
    case ColumnOp::mask:
      return to_mask(frame.ints + in.a * kLanes, frame.masks[in.dst]);
    case ColumnOp::field_set:
      return to_field<false>(frame, in);
    case ColumnOp::field_add:
      return to_field<true>(frame, in);
    case ColumnOp::field_real:
      for (std::size_t i = 0; i < kLanes; ++i)
        frame.fields[in.dst * kLanes + i] =
            static_cast<std::uint64_t>(frame.reals[in.a * kLanes + i]);
      return;
  }
}

template <typename T>
BRINK_INLINE void run_all(const ColumnInstr* code, std::size_t count, const ColumnFrame<T>& frame) {
  for (std::size_t i = 0; i < count; ++i) step(frame, code[i]);
}

template <typename T>
BRINK_INLINE void unpack_all(const std::uint64_t* __restrict states, std::size_t stride,
                             std::size_t count, unsigned shift, std::uint64_t mask,
                             std::int64_t low, T* __restrict out) {
  const auto least = static_cast<std::uint64_t>(low);
  if (stride == 1 && count == kLanes) {
    for (std::size_t i = 0; i < kLanes; ++i)
      out[i] = static_cast<T>(((states[i] >> shift) & mask) + least);
    return;
  }
  for (std::size_t i = 0; i < count; ++i)
    out[i] = static_cast<T>(((states[i * stride] >> shift) & mask) + least);
}

#if defined(__x86_64__) && !defined(__AVX2__)
#define BRINK_TWO_VERSIONS 1
const bool kAvx2 = __builtin_cpu_supports("avx2") != 0;

template <typename T>
[[gnu::target("avx2")]] void run_avx2(const ColumnInstr* code, std::size_t count,
                                      const ColumnFrame<T>& frame) {
  run_all(code, count, frame);
}

template <typename T>
[[gnu::target("avx2")]] void unpack_avx2(const std::uint64_t* states, std::size_t stride,
                                         std::size_t count, unsigned shift, std::uint64_t mask,
                                         std::int64_t low, T* out) {
  unpack_all(states, stride, count, shift, mask, low, out);
}
#endif

template <typename T>
void run_any(const ColumnInstr* code, std::size_t count, const ColumnFrame<T>& frame) {
#ifdef BRINK_TWO_VERSIONS
  if (kAvx2) return run_avx2(code, count, frame);
#endif
  run_all(code, count, frame);
}

template <typename T>
void unpack_any(const std::uint64_t* states, std::size_t stride, std::size_t count, unsigned shift,
                std::uint64_t mask, std::int64_t low, T* out) {
#ifdef BRINK_TWO_VERSIONS
  if (kAvx2) return unpack_avx2(states, stride, count, shift, mask, low, out);
#endif
  unpack_all(states, stride, count, shift, mask, low, out);
}

}  // namespace

bool reads_reals(Instr instr) { return real_operands(instr) || real_both(instr); }
bool writes_real(Instr instr) { return real_both(instr) || instr == Instr::real_i; }

void run_columns(const ColumnInstr* code, std::size_t count,
                 const ColumnFrame<std::int32_t>& frame) {
  run_any(code, count, frame);
}
void run_columns(const ColumnInstr* code, std::size_t count,
                 const ColumnFrame<std::int64_t>& frame) {
  run_any(code, count, frame);
}

void unpack_column(const std::uint64_t* states, std::size_t stride, std::size_t count,
                   std::uint8_t shift, std::uint64_t mask, std::int64_t low, std::int32_t* out) {
  unpack_any(states, stride, count, shift, mask, low, out);
}
void unpack_column(const std::uint64_t* states, std::size_t stride, std::size_t count,
                   std::uint8_t shift, std::uint64_t mask, std::int64_t low, std::int64_t* out) {
  unpack_any(states, stride, count, shift, mask, low, out);
}

}  // namespace brink
