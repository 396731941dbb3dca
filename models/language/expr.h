// Checked expressions: 32-bit ids into a pool of hash-consed nodes.
//
// Equal expressions have equal ids, and the operands of a node have smaller ids than the node, so
// every pass over expressions is a for loop over the pool, never a recursion. Where an expression
// stands in the text is kept by its occurrence (ExprUse in model.h), not by the node. Used by: the
// evaluator, the SMT encoding, the Markov builder, the printer.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace brink {

enum class Type : std::uint8_t { boolean, integer, real };
std::string_view type_name(Type type);  ///< "bool", "int", "double" as PRISM writes them

/// Index into an ExprPool.
struct ExprId {
  std::uint32_t index = UINT32_MAX;

  bool valid() const { return index != UINT32_MAX; }
  friend auto operator<=>(const ExprId&, const ExprId&) = default;
};

enum class Op : std::uint8_t {
#define BRINK_OP(id, text, arity, style, precedence, typing) id,
#include "models/language/ops.def"
#undef BRINK_OP
};

enum class OpStyle : std::uint8_t { prefix, infix, infix_right, call, ternary };
enum class OpTyping : std::uint8_t {
  choice,           ///< bool, T, T -> T (int and double meet in double)
  logic,            ///< bools -> bool
  equality,         ///< two bools or two numbers -> bool
  order,            ///< numbers -> bool
  arithmetic,       ///< numbers -> int if all are int, else double
  real_arithmetic,  ///< numbers -> double
  rounding,         ///< number -> int
  integer,          ///< ints -> int
};

struct OpInfo {
  std::string_view id;    ///< "and_"
  std::string_view text;  ///< as written: "&", "min"
  std::uint8_t arity;
  OpStyle style;
  std::uint8_t precedence;
  OpTyping typing;
};

const OpInfo& op_info(Op op);

enum class ExprKind : std::uint8_t {
  boolean,    ///< a constant: value 0 or 1
  integer,    ///< a constant: value
  real,       ///< a constant: index into the pool's real constants
  variable,   ///< value = index into Model::variables
  parameter,  ///< value = index into Model::parameters: a constant kept symbolic
  apply,      ///< op over args
};

struct ExprNode {
  ExprKind kind = ExprKind::boolean;
  Type type = Type::boolean;
  Op op = Op::ite;         ///< only for apply
  std::int64_t value = 0;  ///< see ExprKind
  std::array<ExprId, 3> args{};

  std::span<const ExprId> operands() const;  ///< the arity of `op` many; none unless apply
  friend bool operator==(const ExprNode&, const ExprNode&) = default;
};

/// A real constant has two readings: `value`, what double arithmetic gives (PRISM's own reading),
/// and `exact`, the rational number in lowest terms ("1/3", "-7"), empty when there is none (log,
/// roots) or when it would be longer than kMaxExactDigits.
struct RealConstant {
  double value = 0;
  std::string exact;

  friend bool operator==(const RealConstant&, const RealConstant&) = default;
};

inline constexpr std::size_t kMaxExactDigits = 1024;
/// Work on exact readings in one pool, about a nanosecond or two a unit; then they are left empty.
inline constexpr std::size_t kMaxExactWork = std::size_t{1} << 27;

/// Append-only, hash-consed. Copying a pool keeps all ids valid in the copy.
class ExprPool {
 public:
  ExprId boolean(bool value);
  ExprId integer(std::int64_t value);
  ExprId real(RealConstant value);
  ExprId variable(std::uint32_t index, Type type);
  ExprId parameter(std::uint32_t index, Type type);

  /// The node for `op` over well-typed operands; its type follows from the operator's typing rule
  /// (BRINK_CHECK: ill-typed operands are a bug of the caller). Constants are folded where that
  /// cannot hide an error: mod by 0 and overflowing sums stay unfolded and are reported when (and
  /// if) they are evaluated.
  ExprId apply(Op op, ExprId a, ExprId b = {}, ExprId c = {});

  /// Which reading decides a folded comparison or rounding of reals: PRISM's doubles (the default),
  /// or exact numbers where there are any.
  void set_exact(bool on) { exact_mode_ = on; }
  bool exact_mode() const { return exact_mode_; }
  /// Takes note of an operation that gives exact numbers of so many digits; false when there have
  /// been too many (a text of powers of powers).
  bool afford_exact(std::size_t digits);

  // Shorthands for code that builds expressions.
  ExprId not_(ExprId a) { return apply(Op::not_, a); }
  ExprId and_(ExprId a, ExprId b) { return apply(Op::and_, a, b); }
  ExprId or_(ExprId a, ExprId b) { return apply(Op::or_, a, b); }
  ExprId eq(ExprId a, ExprId b) { return apply(Op::eq, a, b); }

  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  const ExprNode& operator[](ExprId id) const { return nodes_[id.index]; }
  Type type(ExprId id) const { return nodes_[id.index].type; }
  const RealConstant& real_constant(ExprId id) const;

  bool is_constant(ExprId id) const { return nodes_[id.index].kind <= ExprKind::real; }
  /// No variable in it (parameters are allowed).
  bool is_state_free(ExprId id) const { return state_free_[id.index]; }
  /// No parameter in it.
  bool is_parameter_free(ExprId id) const { return parameter_free_[id.index]; }
  bool is_true(ExprId id) const;
  bool is_false(ExprId id) const;

  /// Value of a constant number as double (bool as 0/1); BRINK_CHECK is_constant.
  double number(ExprId id) const;
  /// Value of a constant bool or int; BRINK_CHECK.
  std::int64_t integer_value(ExprId id) const;
  /// Exact value of a constant number, "p/q" or "p"; empty when there is none.
  std::string exact(ExprId id) const;

  /// Indices of the variables in `id`, increasing.
  std::vector<std::uint32_t> variables_of(ExprId id) const;

  /// `id` with each variable v replaced by variable_values[v] and each parameter p by
  /// parameter_values[p], where those are valid ids; folded again.
  ExprId substitute(ExprId id, std::span<const ExprId> variable_values,
                    std::span<const ExprId> parameter_values);

 private:
  ExprId intern(const ExprNode& node);

  bool exact_mode_ = false;
  std::size_t exact_work_ = 0;
  std::vector<ExprNode> nodes_;
  std::vector<bool> state_free_;
  std::vector<bool> parameter_free_;
  std::vector<RealConstant> reals_;
  std::unordered_multimap<std::size_t, std::uint32_t> index_;
  std::unordered_multimap<std::size_t, std::uint32_t> real_index_;
};

/// The type of `op` over operands of these types, or nothing when they do not fit.
bool result_type(Op op, std::span<const Type> operands, Type& result);

}  // namespace brink
