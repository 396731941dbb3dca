// ModelBuilder: turns a ModuleFile into a Model, step by step; not part of the public interface.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/language/instantiate.h"
#include "models/language/lower.h"

namespace brink {

class ModelBuilder {
 public:
  ModelBuilder(const ModuleFile& file, const ConstantValues& values,
               const InstantiateOptions& options);

  Result<ModelPtr, Diagnostics> build();

 private:
  /// A module after following renamings of renamings: the body it has and what its names became.
  struct Instance {
    const syntax::ModuleDef* body = nullptr;
    std::map<std::string, std::string, std::less<>> renames;
    std::string_view rename(std::string_view name) const;
  };

  /// The meaning of formulas under a renaming (the empty one outside of renamed modules).
  struct Environment {
    const Instance* instance = nullptr;
    std::vector<ExprId> formulas;
  };

  // builder.cpp: names, constants, formulas
  void check_options();
  void declare();
  void order_definitions();
  void constants_and_formulas();
  void constant(std::uint32_t index);
  ExprId given_value(const syntax::ConstantDef& def, const ConstantValue& value);
  ExprId name(std::string_view name, Span span, const Environment& environment);
  ExprId constant_name(std::uint32_t index, Span span);
  ExprId lower(const syntax::Expression& expression, const Environment& environment);
  bool too_large() const;
  ExprUse use(const syntax::Expression& expression, ExprId id) const;
  Span span(const syntax::Expression& expression) const;
  ExprUse typed(const syntax::Expression& expression, Type type, std::string_view what,
                const Environment& environment);
  void labels_rewards_init();
  void rewards();

  // builder_modules.cpp
  std::vector<Instance> resolve_instances();
  bool follow_renaming(std::uint32_t index, Instance& instance);
  void mute_new_names(const syntax::ModuleDef& def);
  void declare_variables(std::uint32_t module);
  std::set<std::string, std::less<>> other_names() const;
  void check_renames(std::uint32_t module);
  void variables();
  void variable(const syntax::VariableDef& def, Variable& variable, const Environment& environment);
  bool constant_bound(ExprUse& bound, const syntax::Expression& expression, std::string_view what,
                      Type type, const Environment& environment,
                      std::optional<std::int64_t>& value);
  void check_range(const syntax::VariableDef& def, const Variable& variable);
  void commands();
  void command(const syntax::CommandDef& def, std::uint32_t module, const Environment& environment);
  void assignment(const syntax::AssignmentDef& def, const Command& command, Update& update,
                  const Environment& environment);
  ActionId action(std::string_view name);
  Environment environment(std::uint32_t module);

  // builder_composition.cpp
  void composition();

  const ModuleFile& file_;
  const ConstantValues& values_;
  const InstantiateOptions& options_;
  Reporter reporter_;
  std::shared_ptr<Model> model_;
  Scope scope_;
  std::map<std::string, ActionId, std::less<>> action_index_{{"", kUnlabelled}};
  std::optional<std::set<std::string, std::less<>>> other_names_;  ///< once it is needed
  std::vector<Instance> instances_;
  std::vector<const syntax::VariableDef*> variable_defs_;
  std::vector<std::uint32_t>
      order_;  ///< constants, then formulas shifted by the number of constants
  Environment base_;
  std::size_t expansion_ = 0;      ///< see ExpansionLimits::reading
  std::size_t command_parts_ = 0;  ///< see ExpansionLimits
};

/// The rows of a composition; reports E0204, E0206, E0508, E0510.
std::vector<Synchronisation> compose(const Model& model, const ModuleFile& file,
                                     std::vector<std::string>& actions, Reporter& reporter);

}  // namespace brink
