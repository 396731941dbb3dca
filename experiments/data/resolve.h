// Where models, scenarios and reports lie: a name is one of the library, anything else is a path.
// Used by: every command that takes a model or a scenario.
#pragma once

#include <string>
#include <vector>

#include "models/base/result.h"

namespace brink {

/// Path of a model: a file that exists (as given, or beside `folder`), else NAME.prism of the
/// library. The error names what was looked for and the nearest known name.
Result<std::string, std::string> find_model(const std::string& name,
                                            const std::string& folder = {});

/// Path of a scenario: a file, a folder with report.toml, or a report by name or year ("1996").
Result<std::string, std::string> find_scenario(const std::string& name);

/// The property file that belongs to a model ("x.prism" -> "x.props"), empty when there is none.
std::string property_file_of(const std::string& model_path);

/// How a model is called in messages and traces: NAME.prism for one of the library, so that no
/// output depends on where Brink is installed; the path as given for any other.
std::string display_name(const std::string& model_path);

std::vector<std::string> library_models();  ///< names, sorted
std::vector<std::string> reports();         ///< names of folders with a report.toml, sorted

}  // namespace brink
