// States, labels and rewards of an explicit model.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>

#include "models/base/check.h"
#include "models/language/explicit_builder.h"

namespace brink {
namespace {

bool is_name(std::string_view text) {
  const auto letter = [](char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c));
  };
  return !text.empty() && std::ranges::all_of(text, letter) && (text[0] < '0' || text[0] > '9');
}

/// Splits "a,b,c".
std::vector<std::string_view> parts(std::string_view text) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view part = text.substr(0, comma);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    out.push_back(part);
    if (comma == text.size()) return out;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

bool ExplicitBuilder::states() {
  ListedStates& out = *listed_;
  if (!files_.states) {
    Variable x;
    x.name = "x";
    model_->variables.push_back(std::move(x));
    out.width = out.key = 1;
    out.values.resize(size_);
    std::iota(out.values.begin(), out.values.end(), 0);
    return true;
  }
  ExplicitLines lines(files_.states);
  if (!lines.next()) return lines.error("E0803", "the file is empty"), keep(lines);
  if (!state_header(lines)) return keep(lines);
  out.width = out.key = model_->variables.size();
  // Not more than the file can hold: a count that lies must not reserve memory.
  if (size_ * std::max<std::size_t>(1, out.width) > files_.states->text().size()) {
    return refuse(explicit_error(
        files_.states, 0, "E0804",
        fmt::format("the transitions tell of {} states, there are fewer here", size_)));
  }
  out.values.assign(size_ * out.width, 0);
  std::vector<bool> seen(size_, false);
  std::uint64_t count = 0;
  for (; lines.next(); ++count) {
    if (!state_line(lines, seen)) break;
  }
  if (!keep(lines)) return false;
  if (count == size_) return true;
  return refuse(explicit_error(
      files_.states, 0, "E0804",
      fmt::format("the transitions tell of {} states, {} are listed here", size_, count)));
}

bool ExplicitBuilder::state_header(ExplicitLines& lines) {
  const std::string_view text = lines.rest();
  if (!text.starts_with('(') || !text.ends_with(')')) {
    return lines.error("E0803", "the first line names the variables, as in (x,y)", {}, true);
  }
  const std::string_view inside = text.substr(1, text.size() - 2);
  if (inside.empty()) return true;
  std::set<std::string_view> names;
  for (const std::string_view name : parts(inside)) {
    if (!is_name(name)) {
      return lines.error("E0803", fmt::format("`{}` cannot name a variable", name), {}, true);
    }
    if (!names.emplace(name).second) {
      return lines.error("E0804", fmt::format("two variables are named `{}`", name), {}, true);
    }
    Variable variable;
    variable.name = name;
    model_->variables.push_back(std::move(variable));
  }
  return true;
}

bool ExplicitBuilder::state_line(ExplicitLines& lines, std::vector<bool>& seen) {
  std::uint32_t state = 0;
  if (!state_number(lines, "the number of a state", state) || !lines.symbol(':')) return false;
  if (seen[state]) {
    return lines.error("E0804", fmt::format("state {} is listed twice", state), {}, true);
  }
  const bool first = std::ranges::find(seen, true) == seen.end();
  seen[state] = true;
  const std::string_view text = lines.rest();
  const std::size_t width = listed_->width;
  if (!text.starts_with('(') || !text.ends_with(')')) {
    return lines.error("E0803", "the values of a state stand in parentheses", {}, true);
  }
  const std::string_view inside = text.substr(1, text.size() - 2);
  if (width == 0 && inside.empty()) return true;
  const auto values = parts(inside);
  if (values.size() != width) {
    return lines.error("E0804", fmt::format("{} values for {} variables", values.size(), width), {},
                       true);
  }
  for (std::size_t v = 0; v < width; ++v) {
    Variable& variable = model_->variables[v];
    const std::string_view word = values[v];
    std::int64_t value = word == "true" ? 1 : 0;
    const bool truth = word == "true" || word == "false";
    const auto [stop, code] = std::from_chars(word.begin(), word.end(), value);
    const bool number = !truth && code == std::errc{} && stop == word.end();
    if (truth) value = word == "true" ? 1 : 0;
    if (first) variable.type = truth ? Type::boolean : Type::integer;
    if (truth != (variable.type == Type::boolean) || !(truth || number)) {
      return lines.error("E0803", fmt::format("`{}` is no value of `{}`", word, variable.name),
                         "values are whole numbers, or true and false", true);
    }
    listed_->values[state * width + v] = value;
  }
  return true;
}

bool ExplicitBuilder::add_label(ExplicitLines& lines, std::string name) {
  if (name == "init" || name == "deadlock") {
    (name == "init" ? init_ : deadlock_) = {name, std::vector<bool>(size_, false)};
    return true;
  }
  if (!is_name(name)) {
    return lines.error("E0803", fmt::format("`{}` cannot name a label", name), {}, true);
  }
  if (std::ranges::find(labels_, name, &LabelBits::name) != labels_.end()) {
    return lines.error("E0804", fmt::format("the label \"{}\" is given twice", name), {}, true);
  }
  constexpr std::uint64_t kMostValues = std::uint64_t{1} << 28;  // labels are variables
  if ((listed_->width + labels_.size() + 1) * size_ > kMostValues) {
    return lines.error("E0804", "too many labels for so many states", {}, true);
  }
  labels_.push_back({std::move(name), std::vector<bool>(size_, false)});
  return true;
}

/// 0="init" 1="deadlock" 2="full"; `index`: number in the file -> 0 init, 1 deadlock, 2 + label.
bool ExplicitBuilder::label_header(ExplicitLines& lines,
                                   std::map<std::uint64_t, std::size_t>& index) {
  if (!lines.next()) return lines.error("E0803", "the file is empty");
  while (lines.more()) {
    const auto number = lines.number("the number of a label");
    if (!number || !lines.symbol('=')) return false;
    const std::string_view quoted = lines.word();
    if (quoted.size() < 3 || !quoted.starts_with('"') || !quoted.ends_with('"')) {
      return lines.error("E0803", "the name of a label stands in double quotes", {}, true);
    }
    std::string name(quoted.substr(1, quoted.size() - 2));
    const std::size_t place = name == "init" ? 0 : name == "deadlock" ? 1 : 2 + labels_.size();
    if (!index.emplace(*number, place).second) {
      return lines.error("E0804", fmt::format("two labels have the number {}", *number), {}, true);
    }
    if (!add_label(lines, std::move(name))) return false;
  }
  return true;
}

bool ExplicitBuilder::labels() {
  if (!files_.labels) return true;
  ExplicitLines lines(files_.labels);
  std::map<std::uint64_t, std::size_t> index;
  if (!label_header(lines, index)) return keep(lines);
  while (lines.next()) {
    std::uint32_t state = 0;
    if (!state_number(lines, "the number of a state", state) || !lines.symbol(':')) break;
    while (lines.more()) {
      const auto number = lines.number("the number of a label");
      if (!number) break;
      const auto found = index.find(*number);
      if (found == index.end()) {
        lines.error("E0804", fmt::format("there is no label {}", *number), {}, true);
        break;
      }
      LabelBits& label = found->second == 0   ? init_
                         : found->second == 1 ? deadlock_
                                              : labels_[found->second - 2];
      label.states[state] = true;
    }
  }
  return keep(lines);
}

/// Labels become bool variables behind the others.
bool ExplicitBuilder::widen() {
  ListedStates& out = *listed_;
  if (!labels_.empty()) {
    const std::size_t width = out.width + labels_.size();
    std::vector<std::int64_t> values(size_ * width);
    for (std::size_t s = 0; s < size_; ++s) {
      for (std::size_t v = 0; v < out.width; ++v) {
        values[s * width + v] = out.values[s * out.width + v];
      }
      for (std::size_t l = 0; l < labels_.size(); ++l) {
        values[s * width + out.width + l] = labels_[l].states[s] ? 1 : 0;
      }
    }
    out.values = std::move(values);
    out.width = width;
  }
  if (const auto twice = out.index()) {
    return refuse(explicit_error(files_.states ? files_.states : files_.transitions, 0, "E0804",
                                 fmt::format("state {} has the values of another state", *twice),
                                 "leave the file of states out to tell them apart by number"));
  }
  variables();
  return true;
}

void ExplicitBuilder::variables() {
  ListedStates& out = *listed_;
  ExprPool& pool = model_->pool;
  for (std::size_t v = 0; v < out.key; ++v) {
    Variable& variable = model_->variables[v];
    std::int64_t low = out.values[v], high = low;
    for (std::size_t s = 1; s < size_; ++s) {
      low = std::min(low, out.values[s * out.width + v]);
      high = std::max(high, out.values[s * out.width + v]);
    }
    const bool truth = variable.type == Type::boolean;
    variable.low_value = truth ? 0 : low;
    variable.high_value = truth ? 1 : high;
  }
  for (const LabelBits& label : labels_) {
    Variable variable;
    variable.name = label.name;
    while (model_->find_variable(variable.name)) variable.name += "_";
    variable.type = Type::boolean;
    variable.low_value = 0;
    variable.high_value = 1;
    const auto number = static_cast<std::uint32_t>(model_->variables.size());
    model_->labels.push_back({label.name, {pool.variable(number, Type::boolean), {}}});
    model_->variables.push_back(std::move(variable));
  }
  for (Variable& variable : model_->variables) {
    variable.module = 0;
    if (variable.type == Type::boolean) {
      variable.init.id = pool.boolean(false);
      continue;
    }
    variable.low.id = pool.integer(*variable.low_value);
    variable.high.id = pool.integer(*variable.high_value);
    variable.init.id = variable.low.id;
  }
}

bool ExplicitBuilder::initial_states() {
  ListedStates& out = *listed_;
  for (std::uint32_t s = 0; s < init_.states.size(); ++s) {
    if (init_.states[s]) out.initial.push_back(s);
  }
  if (out.initial.empty() && !init_.states.empty()) {
    return refuse(explicit_error(files_.labels, 0, "E0804", "no state has the label \"init\""));
  }
  if (out.initial.empty()) {  // PRISM's rule: all variables at their least, else state 0
    std::uint32_t least = 0;
    for (std::uint32_t s = 0; s < size_; ++s) {
      bool all = true;
      for (std::size_t v = 0; v < out.key && all; ++v) {
        all = out.state(s)[v] == *model_->variables[v].low_value;
      }
      if (all) least = s;
    }
    out.initial.push_back(least);
  }
  std::ranges::sort(out.initial, [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::lexicographical_compare(out.state(a), out.state(b));
  });
  for (std::size_t v = 0; v < model_->variables.size(); ++v) {
    model_->variables[v].init_value = out.state(out.initial[0])[v];
  }
  return true;
}

void ExplicitBuilder::finish() {
  separate_actions();
  Module module;
  module.name = "states";
  ExprPool& pool = model_->pool;
  for (std::uint32_t a = 0; a < model_->actions.size(); ++a) {
    Command command;
    command.number = a + 1;
    command.action = a;
    command.guard.id = pool.boolean(true);
    module.commands.push_back(a);
    if (a != kUnlabelled) module.alphabet.push_back(a);
    model_->commands.push_back(std::move(command));
  }
  model_->modules.push_back(std::move(module));
  model_->listed = std::move(listed_);
}

}  // namespace brink
