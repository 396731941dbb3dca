// From syntax to checked expressions: types, arity, names. Shared by instantiate() and
// check_properties(); not part of the public interface.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/language/diagnostic.h"
#include "models/language/expr.h"
#include "models/language/syntax.h"

namespace brink {

/// Collects diagnostics of one text: one per place and code, at most kMaxDiagnostics errors and as
/// many warnings.
class Reporter {
 public:
  explicit Reporter(SourcePtr source) : source_(std::move(source)) {}

  /// Null when the place was reported before, when quiet, or when there are enough.
  Diagnostic* error(std::string code, Span span, std::string message, std::string help = {});
  Diagnostic* warning(std::string code, Span span, std::string message, std::string help = {});

  /// An error already reported once for this `subject` (a name): false the second time.
  bool first_time(std::string_view subject);
  /// Counts as failed without a message: the cause has been reported.
  void fail_silently() { failed_ = true; }

  bool failed() const { return failed_; }
  Diagnostics& diagnostics() { return diagnostics_; }
  const SourcePtr& source() const { return source_; }
  /// While quiet, nothing is recorded (an expansion whose errors are reported elsewhere).
  void quiet(bool on) { quiet_ = on; }
  /// Sets failed() back to what it was before a quiet part.
  void forgive(bool failed) { failed_ = failed; }
  /// A note for every diagnostic from now on; empty: none.
  void context(std::string note) { note_ = std::move(note); }
  Diagnostics errors() const;
  Diagnostics warnings() const;

 private:
  Diagnostic* add(Severity severity, std::string code, Span span, std::string message,
                  std::string help);

  SourcePtr source_;
  Diagnostics diagnostics_;
  std::set<std::tuple<std::string, std::uint32_t, std::uint32_t>> seen_;
  std::set<std::string, std::less<>> subjects_;
  std::size_t errors_ = 0, warnings_ = 0;
  std::string note_;
  bool failed_ = false;
  bool quiet_ = false;
};

enum class SymbolKind : std::uint8_t { constant, formula, variable };

struct Symbol {
  SymbolKind kind = SymbolKind::constant;
  std::uint32_t index = 0;
  Span span;
};

/// The names that expressions may use.
class Scope {
 public:
  /// Reports E0202 when the name is taken.
  void declare(const syntax::Identifier& name, Symbol symbol, Reporter& reporter);
  /// A name of a model that has been checked: it can be used and suggested, and is never reported.
  void declare_silently(std::string name, Symbol symbol);
  const Symbol* find(std::string_view name) const;
  /// In order of declaration.
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::unordered_map<std::string, Symbol> symbols_;
  std::vector<std::string> names_;
};

/// E0201 with the nearest name. A name is reported where it is met first; its other uses are the
/// same mistake.
void report_unknown(Reporter& reporter, std::string_view name, Span span, const Scope& scope);

/// "a WHAT with a similar name is `NAME`", or nothing when no candidate is near.
std::string suggest(std::string_view what, std::string_view name,
                    const std::vector<std::string>& candidates);

struct Operand {
  Type type = Type::boolean;
  Span span;
};

/// The operator of an apply node over operands: checks number and types (E0302, E0301).
std::optional<Type> check_application(Reporter& reporter, Op op, const syntax::Node& node,
                                      std::span<const Operand> operands);

/// Builds a checked application; min and max of many become a chain.
ExprId build_application(ExprPool& pool, Op op, std::span<const ExprId> operands);

/// The literal of a boolean, integer or real node.
ExprId lower_literal(ExprPool& pool, const syntax::Tree& tree, const syntax::Node& node);

/// What a name means; returns an invalid id after reporting.
using NameLookup = std::function<ExprId(std::string_view name, Span span)>;
/// New name of a function under a module renaming; the same name elsewhere.
using FunctionRename = std::function<std::string(std::string_view name)>;

struct Lowering {
  const syntax::Tree* tree = nullptr;
  ExprPool* pool = nullptr;
  Reporter* reporter = nullptr;
  NameLookup lookup;
  FunctionRename rename;  ///< may be empty

  /// A loop over the nodes of the expression; invalid when something in it was reported.
  ExprId operator()(const syntax::Expression& expression) const;
};

/// Names used by an expression that are constants or formulas of the scope.
std::vector<Symbol> definitions_used(const syntax::Tree& tree, const syntax::Expression& expression,
                                     const Scope& scope);

/// An order in which every node comes after what it depends on. On a cycle, `cycle` holds its nodes
/// and the order is without them and what needs them.
std::vector<std::uint32_t> dependency_order(const std::vector<std::vector<std::uint32_t>>& needs,
                                            std::vector<std::uint32_t>& cycle);

/// Checks that an expression is of the wanted type (an int serves a double) and converts it.
/// Reports `code` with "`what` is ..., expected ...".
ExprId require_type(Reporter& reporter, ExprPool& pool, ExprId id, Type wanted, Span span,
                    std::string_view what, std::string_view code = "E0303");

}  // namespace brink
