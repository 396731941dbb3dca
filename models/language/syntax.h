// The syntax tree: what the text says, before names mean anything. Flat arrays of small nodes.
//
// The nodes of one expression are contiguous and its root is the last of them, so passes over an
// expression are for loops over [first, root]. The printer and the checker read it; engines read
// Model and PropertySet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/language/expr.h"
#include "models/language/model.h"
#include "models/language/source.h"

namespace brink::syntax {

enum class NodeKind : std::uint8_t {
  boolean,      ///< op field unused; text "true" / "false"
  integer,      ///< text as written
  real,         ///< text as written
  name,         ///< identifier
  label,        ///< "name" in quotes: a label or a named property
  apply,        ///< operator or function over operands; `paren` is not a node
  probability,  ///< P ... [ path ]
  steady,       ///< S ... [ state ]
  reward,       ///< R ... [ what ]
  exists,       ///< E [ path ]
  forall,       ///< A [ path ]
  next,
  finally,
  globally,
  until,
  weak_until,
  release,
  cumulative,     ///< C or C<=t inside R
  instantaneous,  ///< I=t inside R
  long_run,       ///< S inside R
  filter,         ///< filter(kind, operand, states)
  multi,          ///< multi(...)
  strategy,       ///< <<...>> or [[...]]
};

enum class Relation : std::uint8_t { query, lt, le, gt, ge };
enum class Optimum : std::uint8_t { none, min, max };

using NodeId = std::uint32_t;

/// Operands are children[first_child .. first_child + child_count) of the Tree.
/// Fixed places: probability/steady/reward: [operand, bound or kNone, reward index or kNone, ratio
/// index or kNone]; temporal: [left or kNone, right, lower bound or kNone, upper bound or kNone];
/// cumulative/instantaneous: [time or kNone]; filter: [operand, states or kNone].
struct Node {
  NodeKind kind = NodeKind::boolean;
  Op op = Op::ite;
  Relation relation = Relation::query;
  Optimum optimum = Optimum::none;
  bool lower_strict = false, upper_strict = false;
  bool elapsed = false;       ///< T=? of Storm: a reward of 1 per step or unit of time
  bool reward_bound = false;  ///< F^{rew{"name"}<=t} of Storm; `text` names the structure
  bool equal_bound = false;   ///< written `F=t`
  bool old_style = false;     ///< func(f, ...), or an old {states}{min} filter
  std::uint32_t first_child = 0, child_count = 0;
  std::uint32_t text = kNone;   ///< index into Tree::texts: name, literal, filter kind, reward name
  std::uint32_t text2 = kNone;  ///< second reward name of a ratio
  Span span{};                  ///< the whole occurrence
  Span name_span{};             ///< of the operator, function name or keyword
};

struct Tree {
  std::vector<Node> nodes;
  std::vector<NodeId> children;
  std::vector<std::string> texts;

  NodeId child(const Node& node, std::uint32_t i) const { return children[node.first_child + i]; }
  std::string_view text(const Node& node) const;
};

/// One expression: nodes [first, root].
struct Expression {
  NodeId first = 0;
  NodeId root = kNone;

  bool valid() const { return root != kNone; }
};

struct Identifier {
  std::string text;
  Span span;
};

struct ConstantDef {
  Identifier name;
  Type type = Type::integer;
  Expression value;  ///< may be invalid: undefined
};

struct NamedDef {  ///< formula or label
  Identifier name;
  Expression value;
};

struct VariableDef {
  Identifier name;
  Type type = Type::integer;
  bool unbounded = false;
  Expression low, high, init;
};

struct AssignmentDef {
  Identifier variable;
  Expression value;
};

struct UpdateDef {
  Expression weight;  ///< may be invalid: 1
  std::vector<AssignmentDef> assignments;
  Span span;
};

struct CommandDef {
  std::optional<Identifier> action;
  Expression guard;
  std::vector<UpdateDef> updates;
  Span span;
};

struct RenameDef {
  Identifier from, to;
};

struct ModuleDef {
  Identifier name;
  std::vector<VariableDef> variables;
  std::vector<CommandDef> commands;
  std::optional<Identifier> base;  ///< a renaming of that module
  std::vector<RenameDef> renames;
};

struct RewardItemDef {
  bool on_transition = false;
  std::optional<Identifier> action;
  Expression guard, value;
  Span span;
};

struct RewardDef {
  std::optional<Identifier> name;
  std::vector<RewardItemDef> items;
  Span span;
};

enum class SystemKind : std::uint8_t { module, reference, full, interleaved, over, hide, rename };

/// A node of a system...endsystem term; operands before users, the root last.
struct SystemNode {
  SystemKind kind = SystemKind::module;
  std::vector<std::uint32_t> operands;
  Identifier name;                  ///< module, reference
  std::vector<Identifier> actions;  ///< over, hide
  std::vector<RenameDef> renames;   ///< rename
  Span span;
};

struct SystemDef {
  std::optional<Identifier> name;
  std::vector<SystemNode> nodes;
  Span span;
};

/// What a file is made of, in the order of the text (for printing).
enum class Item : std::uint8_t { constant, formula, label, global, module, rewards, init, system };
struct ItemRef {
  Item item;
  std::uint32_t index;
};

}  // namespace brink::syntax

namespace brink {

/// A parsed model text (step one of loading).
struct ModuleFile {
  SourcePtr source;
  std::optional<ModelType> type;
  syntax::Tree tree;
  std::vector<syntax::ConstantDef> constants;
  std::vector<syntax::NamedDef> formulas, labels;
  std::vector<syntax::VariableDef> globals;
  std::vector<syntax::ModuleDef> modules;
  std::vector<syntax::RewardDef> rewards;
  std::optional<syntax::Expression> init;
  std::vector<syntax::SystemDef> systems;
  std::vector<syntax::ItemRef> order;
  Diagnostics warnings;
};

/// What a comment `// RESULT: x` or `// RESULT (N=2,p=1/2): x` before a property expects.
struct ExpectedResult {
  std::vector<std::pair<std::string, std::string>> constants;  ///< empty: for all values
  std::string value;  ///< as written: "true", "1/6", "~0.62", "Infinity", "Error", "?"
  Span span;
};

enum class AnnotationKind : std::uint8_t { assume, fair, strong_fair, population };

/// A comment `//@ kind ...` of a property file.
struct AnnotationDef {
  AnnotationKind kind = AnnotationKind::assume;
  syntax::Expression condition;  ///< assume
  struct Name {
    syntax::Identifier name;
    bool action = false;  ///< written [name]
  };
  std::vector<Name> names;  ///< fair, strong_fair, population
  std::string text;         ///< as written after the kind
  Span span;
};

struct PropertyDef {
  std::optional<syntax::Identifier> name;
  syntax::Expression value;
  std::string text;  ///< the source of the expression, blanks trimmed
  std::vector<ExpectedResult> results;
  Span span;
};

/// A parsed property file.
struct PropertyFile {
  SourcePtr source;
  syntax::Tree tree;
  std::vector<syntax::ConstantDef> constants;
  std::vector<syntax::NamedDef> labels;
  std::vector<PropertyDef> properties;
  std::vector<AnnotationDef> annotations;
  Diagnostics warnings;
};

}  // namespace brink
