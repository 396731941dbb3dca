// The items of a model file: constants, formulas, labels, variables, modules, commands, rewards.
#include <fmt/format.h>

#include "models/language/parse_impl.h"

namespace brink {

using syntax::Item;

namespace {

// Where reading can go on after an error.
constexpr std::initializer_list<Token> kItemStarts = {
    Token::kw_const,   Token::kw_rate,           Token::kw_prob,       Token::kw_formula,
    Token::kw_label,   Token::kw_global,         Token::kw_module,     Token::kw_rewards,
    Token::kw_system,  Token::kw_endmodule,      Token::kw_endrewards, Token::kw_endsystem,
    Token::kw_endinit, Token::kw_endobservables, Token::kw_observables};

std::optional<ModelType> type_of(Token token) {
  switch (token) {
    case Token::kw_dtmc:
    case Token::kw_probabilistic:
      return ModelType::dtmc;
    case Token::kw_ctmc:
    case Token::kw_stochastic:
      return ModelType::ctmc;
    case Token::kw_mdp:
    case Token::kw_nondeterministic:
      return ModelType::mdp;
    default:
      return std::nullopt;
  }
}

}  // namespace

ModuleFile Parser::model() {
  ModuleFile file;
  file.source = source_;
  while (!at(Token::end) && !full()) {
    failed_ = false;
    depth_ = pending_ = 0;
    model_item(file);
    if (!failed_) continue;
    // Go on behind the next item that can be recognised.
    skip_to(kItemStarts);
    if (at(Token::kw_endmodule) || at(Token::kw_endrewards) || at(Token::kw_endsystem) ||
        at(Token::kw_endinit) || at(Token::kw_endobservables)) {
      advance();
    }
  }
  if (errors_.empty() && file.modules.empty()) {
    error("E0113", {0, 0}, "the model has no module", "add `module name ... endmodule`");
  }
  return file;
}

void Parser::unsupported_item(std::string_view what) {
  error("E0110", span_at(), fmt::format("{} are not supported", what),
        "supported model types are dtmc, ctmc and mdp");
  advance();
}

void Parser::model_type(ModuleFile& file) {
  if (file.type) {
    error("E0112", span_at(), "the model type is given twice");
  }
  file.type = type_of(peek());
  advance();
}

void Parser::model_item(ModuleFile& file) {
  const auto push = [&](auto& list, auto item, Item kind) {
    if (failed_) return;
    file.order.push_back({kind, static_cast<std::uint32_t>(list.size())});
    list.push_back(std::move(item));
  };
  switch (peek()) {
    case Token::kw_dtmc:
    case Token::kw_probabilistic:
    case Token::kw_ctmc:
    case Token::kw_stochastic:
    case Token::kw_mdp:
    case Token::kw_nondeterministic:
      return model_type(file);
    case Token::kw_pta:
      return unsupported_item("probabilistic timed automata (pta)");
    case Token::kw_pomdp:
      return unsupported_item("partially observable models (pomdp)");
    case Token::kw_popta:
      return unsupported_item("partially observable models (popta)");
    case Token::kw_observable:
    case Token::kw_observables:
      return unsupported_item("observables");
    case Token::kw_const:
    case Token::kw_rate:
    case Token::kw_prob:
      return push(file.constants, constant(), Item::constant);
    case Token::kw_formula:
      return push(file.formulas, formula(), Item::formula);
    case Token::kw_label:
      if (label_definition(file.labels)) {
        file.order.push_back({Item::label, static_cast<std::uint32_t>(file.labels.size() - 1)});
      }
      return;
    case Token::kw_global:
      advance();
      return push(file.globals, variable(), Item::global);
    case Token::kw_module:
      return push(file.modules, module(), Item::module);
    case Token::kw_rewards:
      return push(file.rewards, rewards(), Item::rewards);
    case Token::kw_system:
      return push(file.systems, system(), Item::system);
    case Token::kw_init: {
      const Span begin = span_at();
      advance();
      const syntax::Expression states = state_expression();
      if (failed_ || !expect(Token::kw_endinit, "after the initial states")) return;
      if (file.init) error("E0112", begin, "init...endinit is given twice");
      file.init = states;
      if (!failed_) file.order.push_back({Item::init, 0});
      return;
    }
    default:
      break;
  }
  const std::string_view text = text_at();
  if (at(Token::identifier) && (text == "smg" || text == "csg" || text == "tsg" ||
                                text == "idtmc" || text == "imdp" || text == "ma")) {
    return unsupported_item(fmt::format("models of type `{}`", text));
  }
  unexpected(
      "a model type, `const`, `formula`, `label`, `global`, `module`, `rewards`, `init` or "
      "`system`");
  advance();
}

syntax::ConstantDef Parser::constant() {
  syntax::ConstantDef def;
  if (accept(Token::kw_rate) || accept(Token::kw_prob)) {
    def.type = Type::real;
  } else {
    advance();
    if (accept(Token::kw_double)) {
      def.type = Type::real;
    } else if (accept(Token::kw_bool)) {
      def.type = Type::boolean;
    } else {
      accept(Token::kw_int);
    }
  }
  def.name = identifier("a constant");
  if (failed_) return def;
  if (accept(Token::eq)) def.value = state_expression();
  if (!failed_) expect(Token::semicolon, "after the constant");
  return def;
}

syntax::NamedDef Parser::formula() {
  syntax::NamedDef def;
  advance();
  def.name = identifier("a formula");
  if (failed_ || !expect(Token::eq, "after the formula's name")) return def;
  def.value = state_expression();
  if (!failed_) expect(Token::semicolon, "after the formula");
  return def;
}

bool Parser::label_definition(std::vector<syntax::NamedDef>& labels) {
  syntax::NamedDef def;
  advance();
  if (at(Token::identifier)) {
    error("E0111", span_at(), "the name of a label stands in double quotes",
          fmt::format("write `\"{}\"`", text_at()));
    return false;
  }
  if (!expect(Token::quote, "before the label's name")) return false;
  def.name = identifier("a label");
  if (failed_ || !expect(Token::quote, "after the label's name")) return false;
  if (!expect(Token::eq, "after the label's name")) return false;
  def.value = state_expression();
  if (failed_ || !expect(Token::semicolon, "after the label")) return false;
  labels.push_back(std::move(def));
  return true;
}

syntax::VariableDef Parser::variable() {
  syntax::VariableDef def;
  def.name = identifier("a variable");
  if (failed_ || !expect(Token::colon, "after the variable's name")) return def;
  if (accept(Token::lbracket)) {
    def.low = state_expression();
    if (failed_ || !expect(Token::dots, "between the bounds")) return def;
    def.high = state_expression();
    if (failed_ || !expect(Token::rbracket, "after the bounds")) return def;
  } else if (accept(Token::kw_bool)) {
    def.type = Type::boolean;
  } else if (accept(Token::kw_int)) {
    def.unbounded = true;
  } else if (at(Token::kw_clock)) {
    unsupported_item("clocks");
    return def;
  } else {
    unexpected("a type: `[low..high]`, `bool` or `int`");
    return def;
  }
  if (accept(Token::kw_init)) def.init = state_expression();
  if (!failed_) expect(Token::semicolon, "after the variable");
  return def;
}

syntax::ModuleDef Parser::module() {
  syntax::ModuleDef def;
  advance();
  def.name = identifier("a module");
  if (failed_) return def;
  if (accept(Token::eq)) {
    renaming(def);
  } else {
    module_body(def);
  }
  return def;
}

// The body recovers by itself after a wrong command or variable, so that the rest is still checked.
void Parser::module_body(syntax::ModuleDef& def) {
  bool wrong = false;
  while (!at(Token::kw_endmodule) && !at(Token::end) && !full()) {
    failed_ = false;
    depth_ = pending_ = 0;
    if (at(Token::lbracket) || at(Token::dlbracket)) {
      syntax::CommandDef next = command();
      if (!failed_) def.commands.push_back(std::move(next));
    } else if (at(Token::kw_invariant)) {
      unsupported_item("invariants of timed automata");
      skip_to({Token::kw_endinvariant, Token::kw_endmodule});
      accept(Token::kw_endinvariant);
      wrong = true;
      continue;
    } else if (at(Token::identifier) && peek(1) == Token::colon && !def.commands.empty()) {
      error("E0101", span_at(), "variables are declared before the commands of a module");
    } else if (at(Token::identifier) || (is_keyword(peek()) && peek(1) == Token::colon)) {
      syntax::VariableDef next = variable();
      if (!failed_) def.variables.push_back(std::move(next));
    } else {
      unexpected("a variable, a command `[action] guard -> update;` or `endmodule`");
    }
    if (!failed_) continue;
    wrong = true;
    skip_to({Token::semicolon, Token::kw_endmodule, Token::kw_module, Token::kw_rewards});
    if (at(Token::kw_module) || at(Token::kw_rewards)) return;
    accept(Token::semicolon);
  }
  failed_ = false;
  if (!accept(Token::kw_endmodule)) {
    if (!full()) unexpected("`endmodule`");
    return;
  }
  // The module counts as read; what is wrong in it has been reported.
  if (wrong) depth_ = 0;
}

syntax::Identifier Parser::rename_name() {
  if (at(Token::kw_min) || at(Token::kw_max)) {
    syntax::Identifier name{std::string(text_at()), span_at()};
    advance();
    return name;
  }
  return identifier("what is renamed");
}

void Parser::renaming(syntax::ModuleDef& def) {
  def.base = identifier("the module to rename");
  if (failed_ || !expect(Token::lbracket, "before the renamings")) return;
  do {
    syntax::RenameDef rename;
    rename.from = rename_name();
    if (failed_ || !expect(Token::eq, "between old and new name")) return;
    rename.to = rename_name();
    if (failed_) return;
    def.renames.push_back(std::move(rename));
  } while (accept(Token::comma));
  if (expect(Token::rbracket, "or `,` after a renaming")) {
    expect(Token::kw_endmodule, "after the renamings");
  }
}

syntax::CommandDef Parser::command() {
  syntax::CommandDef def;
  def.span = span_at();
  if (!expect(Token::lbracket, "before the action")) return def;
  if (!at(Token::rbracket)) def.action = identifier("an action");
  if (failed_ || !expect(Token::rbracket, "after the action")) return def;
  def.guard = state_expression();
  if (failed_ || !expect(Token::arrow, "after the guard")) return def;
  do {
    def.updates.push_back(update());
    if (failed_) return def;
    if (def.updates.size() == 1 && !def.updates.front().weight.valid()) break;
  } while (accept(Token::plus));
  if (!failed_) expect(Token::semicolon, "after the command");
  def.span = cover(def.span, last_span());
  return def;
}

/// Is the text at hand an update without a probability? `(x'=1)...` or `true` before `;`.
bool Parser::at_update() const {
  if (at(Token::lparen) && peek(1) == Token::primed) return true;
  return at(Token::kw_true) && peek(1) == Token::semicolon;
}

syntax::UpdateDef Parser::update() {
  syntax::UpdateDef def;
  def.span = span_at();
  if (!at_update()) {
    if (at(Token::lbracket)) {
      error("E0110", span_at(), "intervals of probabilities are not supported");
      return def;
    }
    def.weight = state_expression();
    if (failed_ || !expect(Token::colon, "after the probability or rate")) return def;
  }
  if (accept(Token::kw_true)) {
    def.span = cover(def.span, last_span());
    return def;
  }
  do {
    if (!expect(Token::lparen, "before an assignment `(x'=...)`")) return def;
    if (!at(Token::primed)) {
      if (at(Token::identifier) && peek(1) == Token::eq) {
        error("E0101", span_at(), "the variable on the left of an assignment has a prime",
              fmt::format("write `({}'=...)`", text_at()));
      } else {
        unexpected("a primed variable such as `x'`");
      }
      return def;
    }
    const Span target = span_at();
    const std::string_view name = text_at();
    syntax::AssignmentDef assignment{{std::string(name.substr(0, name.size() - 1)), target}, {}};
    advance();
    if (!expect(Token::eq, "after the variable")) return def;
    assignment.value = state_expression();
    if (failed_ || !expect(Token::rparen, "after the assignment")) return def;
    def.assignments.push_back(std::move(assignment));
  } while (accept(Token::and_));
  def.span = cover(def.span, last_span());
  return def;
}

syntax::RewardDef Parser::rewards() {
  syntax::RewardDef def;
  def.span = span_at();
  advance();
  if (accept(Token::quote)) {
    def.name = identifier("a reward structure");
    if (failed_ || !expect(Token::quote, "after the name")) return def;
  }
  while (!at(Token::kw_endrewards) && !at(Token::end)) {
    def.items.push_back(reward_item());
    if (failed_) return def;
  }
  expect(Token::kw_endrewards, "after the rewards");
  def.span = cover(def.span, last_span());
  return def;
}

syntax::RewardItemDef Parser::reward_item() {
  syntax::RewardItemDef item;
  item.span = span_at();
  if (accept(Token::lbracket)) {
    item.on_transition = true;
    if (!at(Token::rbracket)) item.action = identifier("an action");
    if (failed_ || !expect(Token::rbracket, "after the action")) return item;
  }
  item.guard = state_expression();
  if (failed_ || !expect(Token::colon, "between guard and reward")) return item;
  item.value = state_expression();
  if (!failed_) expect(Token::semicolon, "after the reward");
  item.span = cover(item.span, last_span());
  return item;
}

}  // namespace brink
