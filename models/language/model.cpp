#include "models/language/model.h"

#include <fmt/format.h>

#include <algorithm>

namespace brink {

std::string_view model_type_name(ModelType type) {
  switch (type) {
    case ModelType::dtmc:
      return "dtmc";
    case ModelType::ctmc:
      return "ctmc";
    case ModelType::mdp:
      return "mdp";
  }
  return {};
}

namespace {
template <typename List>
std::optional<std::uint32_t> find_named(const List& list, std::string_view name) {
  const auto it =
      std::ranges::find(list, name, [](const auto& entry) { return std::string_view(entry.name); });
  if (it == list.end()) return std::nullopt;
  return static_cast<std::uint32_t>(it - list.begin());
}
}  // namespace

std::optional<std::uint32_t> Model::find_variable(std::string_view name) const {
  return find_named(variables, name);
}
std::optional<std::uint32_t> Model::find_module(std::string_view name) const {
  return find_named(modules, name);
}
std::optional<std::uint32_t> Model::find_label(std::string_view name) const {
  return find_named(labels, name);
}
std::optional<std::uint32_t> Model::find_constant(std::string_view name) const {
  return find_named(constants, name);
}
std::optional<std::uint32_t> Model::find_reward(std::string_view name) const {
  return find_named(rewards, name);
}
std::optional<ActionId> Model::find_action(std::string_view name) const {
  const auto it = std::find(actions.begin() + 1, actions.end(), name);
  if (it == actions.end()) return std::nullopt;
  return static_cast<ActionId>(it - actions.begin());
}

std::string Model::describe_command(std::uint32_t command) const {
  const Command& c = commands[command];
  return fmt::format("module {}, command {} [{}]", modules[c.module].name, c.number,
                     actions[c.action]);
}

}  // namespace brink
