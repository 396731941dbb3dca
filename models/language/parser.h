// Step one of loading: text -> ModuleFile, text -> PropertyFile. No name is looked up yet.
// Used by: whoever loads a model; see instantiate.h for step two.
#pragma once

#include "models/base/result.h"
#include "models/language/syntax.h"

namespace brink {

/// Expressions nested deeper than this are refused (E0106); chains such as a&b&c&... are not
/// nested.
#ifdef __SANITIZE_ADDRESS__
inline constexpr int kMaxNesting = 250;  // the sanitizer's frames are several times as large
#else
inline constexpr int kMaxNesting = 1000;
#endif

/// Operators waiting for their right operands (`(a|b&c=d<e+(...`), over all levels of nesting.
inline constexpr int kMaxPending = 4000;

/// Parses a model. Errors: E01xx with recovery at the next item, up to kMaxDiagnostics of them.
Result<ModuleFile, Diagnostics> parse_model(SourcePtr source);

/// Parses a property file: properties with optional names, constants, labels, RESULT comments and
/// `//@` annotations. Semicolons are optional (then the longest match is taken), as in PRISM.
Result<PropertyFile, Diagnostics> parse_properties(SourcePtr source);

/// Parses one property, for instance from --formula; trailing text is an error.
Result<PropertyFile, Diagnostics> parse_property(std::string text, std::string name = "<formula>");

/// Reads a file into a SourceText. Error: E0001.
Result<SourcePtr, Diagnostics> read_source(const std::string& path);

}  // namespace brink
