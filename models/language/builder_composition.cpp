// Flattening of the composition: bottom-up over the term, each part is a table from the label seen
// outside to the ways in which its modules can make that move together.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "models/language/builder.h"

namespace brink {
namespace {

using Participants = std::vector<Synchronisation::Participant>;

/// Ways to move: all of one row move together. A limit keeps products of renamed actions in bounds.
constexpr std::size_t kMaxRows = 1'000'000;
constexpr std::size_t kMaxPlaces = 20 * kMaxRows;  // participants of all rows of one action

struct Part {
  std::map<ActionId, std::vector<Participants>> rows;  // kUnlabelled: moves alone
  std::set<ActionId> alphabet;
};

Part module_part(const Model& model, std::uint32_t index) {
  const Module& module = model.modules[index];
  Part part;
  for (const ActionId action : module.alphabet) {
    part.alphabet.insert(action);
    part.rows[action].push_back({{index, action}});
  }
  const auto unlabelled = [&](std::uint32_t c) { return model.commands[c].action == kUnlabelled; };
  if (std::ranges::any_of(module.commands, unlabelled)) {
    part.rows[kUnlabelled].push_back({{index, kUnlabelled}});
  }
  return part;
}

void append(std::vector<Participants>& to, const std::vector<Participants>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Every way of the left together with every way of the right. False: too many.
bool product(std::vector<Participants>& left, const std::vector<Participants>& right) {
  if (left.size() * right.size() > kMaxRows) return false;
  std::vector<Participants> result;
  std::size_t places = 0;
  for (const Participants& x : left) {
    for (const Participants& y : right) {
      places += x.size() + y.size();
      if (places > kMaxPlaces) return false;
      result.push_back(x);
      result.back().insert(result.back().end(), y.begin(), y.end());
    }
  }
  left = std::move(result);
  return true;
}

/// Puts `right` beside `left`; they move together on the actions in `shared`, alone on the others.
/// The work is about the right part only, so that a hundred thousand modules are no problem.
bool parallel(Part& left, const Part& right, const std::set<ActionId>& shared) {
  left.alphabet.insert(right.alphabet.begin(), right.alphabet.end());
  for (const auto& [action, rows] : right.rows) {
    if (!shared.contains(action)) append(left.rows[action], rows);
  }
  for (const ActionId action : shared) {
    const auto a = left.rows.find(action);
    const auto b = right.rows.find(action);
    if (a == left.rows.end()) continue;
    if (b == right.rows.end()) {  // the right side blocks for ever
      left.rows.erase(a);
    } else if (!product(a->second, b->second)) {
      return false;
    }
  }
  std::size_t count = 0;
  for (const ActionId action : shared) {
    if (const auto a = left.rows.find(action); a != left.rows.end()) count += a->second.size();
  }
  return count <= kMaxRows;
}

std::set<ActionId> common(const Part& a, const Part& b) {
  std::set<ActionId> result;
  for (const ActionId action : b.alphabet) {
    if (a.alphabet.contains(action)) result.insert(action);
  }
  return result;
}

class Composer {
 public:
  Composer(const Model& model, const ModuleFile& file, std::vector<std::string>& actions,
           Reporter& reporter)
      : model_(model), file_(file), actions_(actions), reporter_(reporter) {
    for (std::uint32_t i = 0; i < actions.size(); ++i) action_index_.emplace(actions[i], i);
  }

  /// All modules in parallel over what they share.
  Part standard() {
    Part whole;
    for (std::uint32_t i = 0; i < model_.modules.size(); ++i) {
      const Part next = module_part(model_, i);
      if (!parallel(whole, next, common(whole, next))) too_many(model_.modules[i].span);
    }
    return whole;
  }

  Part written() {
    check_names();
    const auto unnamed = std::ranges::find_if(file_.systems, [](const auto& s) { return !s.name; });
    const auto main = unnamed == file_.systems.end() ? file_.systems.begin() : unnamed;
    order_.clear();
    if (!order(static_cast<std::size_t>(main - file_.systems.begin()))) return {};
    for (const std::size_t system : order_) parts_[system] = term(file_.systems[system]);
    if (reporter_.failed()) return {};
    for (std::uint32_t i = 0; i < model_.modules.size(); ++i) {
      if (!used_.contains(i)) {
        reporter_.error(
            "E0508", main->span,
            fmt::format("module `{}` is missing in the composition", model_.modules[i].name));
      }
    }
    return parts_[order_.back()];
  }

 private:
  void too_many(Span span) {
    reporter_.error("E0510", span,
                    fmt::format("the composition has more than {} ways to synchronise", kMaxRows));
  }

  void check_names() {
    std::set<std::string> seen;
    for (const auto& system : file_.systems) {
      const std::string name = system.name ? system.name->text : std::string{};
      if (!seen.insert(name).second) {
        reporter_.error("E0202", system.name ? system.name->span : system.span,
                        name.empty() ? "there are two systems without a name"
                                     : fmt::format("the name `{}` is already taken", name));
      }
    }
  }

  std::optional<std::size_t> system_named(const syntax::Identifier& name) {
    for (std::size_t i = 0; i < file_.systems.size(); ++i) {
      if (file_.systems[i].name && file_.systems[i].name->text == name.text) return i;
    }
    std::vector<std::string> names;
    for (const auto& system : file_.systems) {
      if (system.name) names.push_back(system.name->text);
    }
    reporter_.error("E0204", name.span, fmt::format("there is no system \"{}\"", name.text),
                    suggest("a system", name.text, names));
    return std::nullopt;
  }

  /// Systems in an order in which the ones referred to come first.
  bool order(std::size_t main) {
    std::vector<std::vector<std::uint32_t>> needs(file_.systems.size());
    for (std::size_t i = 0; i < file_.systems.size(); ++i) {
      for (const syntax::SystemNode& node : file_.systems[i].nodes) {
        if (node.kind != syntax::SystemKind::reference) continue;
        if (const auto target = system_named(node.name)) {
          needs[i].push_back(static_cast<std::uint32_t>(*target));
        }
      }
    }
    std::vector<std::uint32_t> cycle;
    const std::vector<std::uint32_t> all = dependency_order(needs, cycle);
    if (!cycle.empty()) {
      reporter_.error("E0207", file_.systems[cycle[0]].span, "this system refers to itself");
    }
    if (reporter_.failed()) return false;
    std::vector<bool> needed(file_.systems.size(), false);
    needed[main] = true;
    for (auto it = all.rbegin(); it != all.rend(); ++it) {
      if (!needed[*it]) continue;
      for (const std::uint32_t n : needs[*it]) needed[n] = true;
    }
    for (const std::uint32_t s : all) {
      if (needed[s] && s != main) order_.push_back(s);
    }
    order_.push_back(main);
    return true;
  }

  ActionId action(const syntax::Identifier& name, bool must_exist) {
    if (const auto it = action_index_.find(name.text); it != action_index_.end()) return it->second;
    if (must_exist) {
      const std::vector<std::string> names(actions_.begin() + 1, actions_.end());
      reporter_.error("E0206", name.span, fmt::format("no command has the action `{}`", name.text),
                      suggest("an action", name.text, names));
      return kUnlabelled;
    }
    const auto id = static_cast<ActionId>(actions_.size());
    actions_.push_back(name.text);
    action_index_.emplace(name.text, id);
    return id;
  }

  Part leaf(const syntax::SystemNode& node) {
    const auto module = model_.find_module(node.name.text);
    if (!module) {
      std::vector<std::string> names;
      for (const Module& m : model_.modules) names.push_back(m.name);
      reporter_.error("E0204", node.name.span,
                      fmt::format("there is no module `{}`", node.name.text),
                      suggest("a module", node.name.text, names));
      return {};
    }
    if (!used_.insert(*module).second) {
      reporter_.error("E0508", node.name.span,
                      fmt::format("module `{}` appears twice in the composition", node.name.text));
    }
    return module_part(model_, *module);
  }

  void hide(Part& part, const std::vector<syntax::Identifier>& names) {
    for (const syntax::Identifier& name : names) {
      const ActionId id = action(name, true);
      if (id == kUnlabelled) continue;
      part.alphabet.erase(id);
      const auto rows = part.rows.extract(id);
      if (!rows.empty()) append(part.rows[kUnlabelled], rows.mapped());
    }
  }

  void rename(Part& part, const std::vector<syntax::RenameDef>& renames) {
    Part result;
    std::map<ActionId, ActionId> image;
    for (const syntax::RenameDef& r : renames) {
      const ActionId from = action(r.from, true);
      if (from != kUnlabelled) image[from] = action(r.to, false);
    }
    const auto map = [&](ActionId id) { return image.contains(id) ? image[id] : id; };
    for (const ActionId id : part.alphabet) result.alphabet.insert(map(id));
    for (const auto& [id, rows] : part.rows) append(result.rows[map(id)], rows);
    part = std::move(result);
  }

  Part term(const syntax::SystemDef& system) {
    std::vector<Part> parts(system.nodes.size());
    for (std::size_t i = 0; i < system.nodes.size(); ++i) {
      const syntax::SystemNode& node = system.nodes[i];
      switch (node.kind) {
        case syntax::SystemKind::module:
          parts[i] = leaf(node);
          continue;
        case syntax::SystemKind::reference:
          if (const auto target = system_named(node.name)) parts[i] = parts_[*target];
          continue;
        default:
          break;
      }
      parts[i] = std::move(parts[node.operands[0]]);
      if (node.kind == syntax::SystemKind::hide) hide(parts[i], node.actions);
      if (node.kind == syntax::SystemKind::rename) rename(parts[i], node.renames);
      for (std::size_t k = 1; k < node.operands.size(); ++k) {
        const Part& right = parts[node.operands[k]];
        std::set<ActionId> shared;
        if (node.kind == syntax::SystemKind::full) shared = common(parts[i], right);
        for (const syntax::Identifier& name : node.actions) {
          if (const ActionId id = action(name, true)) shared.insert(id);
        }
        if (!parallel(parts[i], right, shared)) too_many(node.span);
      }
    }
    return parts.empty() ? Part{} : std::move(parts.back());
  }

  const Model& model_;
  const ModuleFile& file_;
  std::vector<std::string>& actions_;
  Reporter& reporter_;
  std::map<std::string, ActionId, std::less<>> action_index_;
  std::set<std::uint32_t> used_;
  std::vector<std::size_t> order_;
  std::map<std::size_t, Part> parts_;
};

}  // namespace

std::vector<Synchronisation> compose(const Model& model, const ModuleFile& file,
                                     std::vector<std::string>& actions, Reporter& reporter) {
  Composer composer(model, file, actions, reporter);
  Part whole = file.systems.empty() ? composer.standard() : composer.written();
  std::vector<Synchronisation> result;
  for (auto& [action, rows] : whole.rows) {
    for (Participants& row : rows) result.push_back({action, std::move(row)});
  }
  return result;
}

}  // namespace brink
