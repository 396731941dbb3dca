// Step two of loading: ModuleFile + values of constants -> checked, frozen Model.
// Used by: whoever loads a model. The ModuleFile can be instantiated again with other values
// (sweeps).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/base/result.h"
#include "models/language/model.h"
#include "models/language/syntax.h"

namespace brink {

/// What a text may become when its modules are renamed and its formulas put in; more is refused
/// (E0512). Expressions are shared, so formulas that double in size stay small.
struct ExpansionLimits {
  std::size_t expressions = std::size_t{1} << 23;    ///< distinct ones
  std::size_t command_parts = std::size_t{1} << 23;  ///< commands, updates and assignments
  std::size_t reading = std::size_t{1} << 26;  ///< nodes of the syntax, each time they are read
};

struct InstantiateOptions {
  std::optional<ModelType> as;  ///< read the model as this type (--as)
  /// Constants to keep as parameters (--for-all): without a value in `values`, and whatever value
  /// the file gives them as its default (portable: without any).
  std::vector<std::string> symbolic;
  /// Names that `values` may hold besides the model's constants: those of the property file.
  std::vector<std::string> other_constants;
  bool exact = false;     ///< constants are compared and rounded as exact numbers, not as doubles
  bool portable = false;  ///< reject what PRISM would reject (extensions become errors)
  ExpansionLimits limits;
};

/// Checks names and types, expands formulas, renames modules, folds constants, flattens the
/// composition. Errors: E02xx names, E03xx types, E04xx constants, E05xx structure; several in one
/// run.
Result<ModelPtr, Diagnostics> instantiate(const ModuleFile& file, const ConstantValues& values = {},
                                          const InstantiateOptions& options = {});

/// Constants of the file without a value, in order of the text (what --const or --for-all must give
/// if used).
std::vector<std::string> undefined_constants(const ModuleFile& file);
std::vector<std::string> undefined_constants(const PropertyFile& file);

/// Reads, parses and instantiates a file.
Result<ModelPtr, Diagnostics> load_model(const std::string& path, const ConstantValues& values = {},
                                         const InstantiateOptions& options = {});

}  // namespace brink
