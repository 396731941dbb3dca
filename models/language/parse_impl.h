// The parser's insides, shared by its source files; not part of the public interface.
//
// Recursive descent over tokens. Every function leaves `failed_` set after it reported a syntax
// error; callers return at once, and the loop over items recovers. Nesting is counted
// (kMaxNesting), chains of operators are loops, so the stack stays small whatever the text is.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "models/language/lexer.h"
#include "models/language/parser.h"
#include "models/language/syntax.h"

namespace brink {

class Parser {
 public:
  Parser(SourcePtr source, syntax::Tree& tree, Span range);

  ModuleFile model();
  PropertyFile properties(bool single);

  Diagnostics& errors() { return errors_; }
  Diagnostics& warnings() { return warnings_; }

  /// What the expression at hand may contain.
  struct Context {
    bool property = false;  ///< P, S, R, A, E, labels, filters
    bool path = false;      ///< X, F, G, U, W, R
  };

 private:
  // parse_common.cpp: tokens and errors
  Token peek(std::size_t ahead = 0) const;
  Span span_at(std::size_t ahead = 0) const;
  std::string_view text_at(std::size_t ahead = 0) const;
  Span last_span() const;  ///< of the token consumed last
  bool at(Token token) const { return peek() == token; }
  bool accept(Token token);
  bool expect(Token token, std::string_view where);
  void advance();
  void unexpected(std::string_view expected);
  Diagnostic& error(std::string code, Span span, std::string message, std::string help = {});
  Diagnostic& warning(std::string code, Span span, std::string message, std::string help = {});
  syntax::Identifier identifier(std::string_view what);
  bool enter(Span span);
  void too_deep(Span span, std::string message);
  void leave() { --depth_; }
  void skip_to(std::initializer_list<Token> stops);
  bool full() const { return errors_.size() >= kMaxDiagnostics; }

  // parse_expression.cpp
  syntax::Expression expression(Context context);
  syntax::Expression state_expression() { return expression({}); }
  syntax::NodeId any(Context context);
  syntax::NodeId temporal_unary(Context context);
  syntax::NodeId choice(Context context);
  syntax::NodeId binary(int precedence, Context context);
  syntax::NodeId right_operand(int precedence, Context context);
  syntax::NodeId fold_right(std::vector<syntax::NodeId>& operands, std::vector<Span>& operators,
                            Op op);
  syntax::NodeId prefix(int precedence, Context context);
  syntax::NodeId basic(Context context);
  syntax::NodeId name_or_call(Context context);
  syntax::NodeId call(Span begin, std::string_view function, Span name, bool old_style,
                      Context context);
  syntax::NodeId arguments(syntax::Node node, Context context, std::vector<syntax::NodeId> first);
  syntax::NodeId parenthesised(Context context);
  syntax::NodeId literal();
  syntax::NodeId add(syntax::Node node, const std::vector<syntax::NodeId>& children = {});
  std::uint32_t intern(std::string_view text);
  Span span_of(syntax::NodeId id) const { return tree_.nodes[id].span; }

  // parse_property.cpp
  syntax::NodeId property_operator(Context context);
  bool starts_property_operator() const;
  syntax::NodeId quantified(syntax::NodeKind kind, Context context);
  syntax::NodeId probability_like(Context context);
  bool relation(syntax::Node& node, syntax::NodeId& bound);
  bool reward_index(syntax::Node& node, syntax::NodeId& index, syntax::NodeId& ratio);
  syntax::NodeId reward_contents(Context context);
  syntax::NodeId old_filter(syntax::NodeId inner, bool boolean);
  syntax::NodeId label_reference();
  syntax::NodeId filter(Context context);
  syntax::NodeId strategy(Context context);
  bool at_elapsed_time() const;
  syntax::NodeId elapsed_time();
  bool reward_bound(syntax::Node& node, syntax::NodeId& lower, syntax::NodeId& upper);
  bool time_bound(syntax::Node& node, syntax::NodeId& lower, syntax::NodeId& upper);
  syntax::NodeId bound_value();
  void property_item(PropertyFile& file);
  void annotation(PropertyFile& file, Span comment);
  std::vector<ExpectedResult> results_before(std::uint32_t begin) const;

  // parse_model.cpp
  void model_item(ModuleFile& file);
  void model_type(ModuleFile& file);
  void unsupported_item(std::string_view what);
  syntax::ConstantDef constant();
  bool label_definition(std::vector<syntax::NamedDef>& labels);
  syntax::NamedDef formula();
  syntax::VariableDef variable();
  syntax::ModuleDef module();
  void renaming(syntax::ModuleDef& def);
  void module_body(syntax::ModuleDef& def);
  syntax::CommandDef command();
  bool at_update() const;
  syntax::UpdateDef update();
  syntax::RewardDef rewards();
  syntax::RewardItemDef reward_item();
  syntax::Identifier rename_name();

  // parse_system.cpp
  syntax::SystemDef system();
  std::uint32_t system_full(syntax::SystemDef& def);
  std::uint32_t system_interleaved(syntax::SystemDef& def);
  std::uint32_t system_over(syntax::SystemDef& def);
  std::uint32_t system_postfix(syntax::SystemDef& def);
  std::uint32_t system_atom(syntax::SystemDef& def);
  std::uint32_t system_chain(syntax::SystemDef& def, syntax::SystemKind kind, std::uint32_t first,
                             std::vector<std::uint32_t> rest, std::uint32_t begin);

  SourcePtr source_;
  syntax::Tree& tree_;
  std::vector<LexedToken> tokens_;
  std::vector<Span> comments_;
  std::size_t at_ = 0;
  int depth_ = 0;
  int pending_ = 0;  ///< operators whose right operand is being read
  bool failed_ = false;
  bool gave_up_ = false;  ///< the rest of the text was skipped; its absence is not reported
  Diagnostics errors_;
  Diagnostics warnings_;
};

/// The operator a function name stands for, or nothing.
std::optional<Op> function_named(std::string_view name);

}  // namespace brink
