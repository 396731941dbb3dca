// Expressions in the words of another format: a table of templates, and names that are legal there.
// Used by: promela, murphi, smt2.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/export/machine.h"

namespace brink::exports {

/// How a format writes an operator: "($0 && $1)". Operators without a row are refused; mod is only
/// asked for with a constant divisor that is not 0, pow never (it is multiplied out).
struct OpText {
  Op op;
  std::string_view text;
};

struct Syntax {
  std::string_view format;
  std::span<const OpText> ops;
  std::string_view negative = "(-{})";  ///< a negative number, {} its absolute value
  unsigned bits = 62;                   ///< widest signed value that its arithmetic holds
};

/// One legal name for each variable: as in the model, with "_" behind what is taken or begins with
/// "_" (then "v" in front).
class Names {
 public:
  /// With `any_case` a name is taken however it is written (`reserved` is then in lower case).
  Names(const Model& model, std::span<const std::string_view> reserved, bool any_case);

  const std::string& operator[](std::uint32_t variable) const { return names_[variable]; }
  /// A further name, unlike all others.
  std::string fresh(std::string wish);

 private:
  std::string key(std::string_view name) const;

  std::vector<std::string> names_;
  std::map<std::string, bool> taken_;
  bool any_case_;
};

/// The text of an expression longer than this is refused (shared parts are written out).
inline constexpr std::size_t kMaxTermBytes = std::size_t{1} << 22;

/// Writes expressions of a machine. Every problem is found before anything is written: see check.
class Terms {
 public:
  Terms(const Machine& machine, const Syntax& syntax, const Names& names);

  /// Can all moves and `further` be written? Errors name the place of the move that cannot.
  Result<void, Diagnostics> check(const std::vector<ExprUse>& further) const;

  /// BRINK_CHECK: it passed check().
  std::string write(ExprId id) const;
  std::string write(std::int64_t value) const;

 private:
  std::string problem(ExprId id) const;

  const Machine& machine_;
  const Syntax& syntax_;
  const Names& names_;
  std::map<Op, std::string_view> text_;
  mutable std::map<std::uint32_t, std::string> known_;
};

}  // namespace brink::exports
