// The instructions of column programs and the loops that run them. Used by: columns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/semantics/program.h"

namespace brink {

/// States of a batch. A column of 32-bit lanes is 1 KiB, so that some dozens of columns fit the
/// first-level cache.
inline constexpr std::size_t kLanes = 256;
inline constexpr std::uint32_t kNoColumn = UINT32_MAX;

/// One bit for each lane.
using LaneMask = std::array<std::uint64_t, kLanes / 64>;

enum class ColumnOp : std::uint8_t {
  not_,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  add,
  sub,
  mul,
  neg,
  min,
  max,
  and_,
  or_,
  implies,
  select,       ///< a ? b : c
  select_real,  ///< a ? b : c with b and c real
  outside,      ///< a < low | a > high
  generic,      ///< `instr` lane by lane, its faults to c unless kNoColumn
  mask,         ///< masks[dst] = bits of a
  field_set,    ///< fields[dst] = (a - low) << shift
  field_add,    ///< fields[dst] += (a - low) << shift
  field_real,   ///< fields[dst] = the bits of the real a
};

struct ColumnInstr {
  ColumnOp op;
  Instr instr = Instr::move;
  std::uint8_t shift = 0;
  std::uint32_t dst = kNoColumn, a = kNoColumn, b = kNoColumn, c = kNoColumn;
  std::int64_t low = 0, high = 0;
};

bool reads_reals(Instr instr);
bool writes_real(Instr instr);

/// Where columns lie: column i of a file begins at i * kLanes.
template <typename T>
struct ColumnFrame {
  T* ints;
  std::int64_t* reals;  ///< by their bits
  LaneMask* masks;
  std::uint64_t* fields;
};

void run_columns(const ColumnInstr* code, std::size_t count,
                 const ColumnFrame<std::int32_t>& frame);
void run_columns(const ColumnInstr* code, std::size_t count,
                 const ColumnFrame<std::int64_t>& frame);

/// out[i] = low + ((states[i * stride] >> shift) & mask) for i < count.
void unpack_column(const std::uint64_t* states, std::size_t stride, std::size_t count,
                   std::uint8_t shift, std::uint64_t mask, std::int64_t low, std::int32_t* out);
void unpack_column(const std::uint64_t* states, std::size_t stride, std::size_t count,
                   std::uint8_t shift, std::uint64_t mask, std::int64_t low, std::int64_t* out);

}  // namespace brink
