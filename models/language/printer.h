// Models, properties and expressions back to PRISM text.
// Used by: export, traces, messages, the fuzzers. parse . print . parse = parse.
#pragma once

#include <string>

#include "models/language/property.h"
#include "models/language/syntax.h"

namespace brink {

inline constexpr std::size_t kMaxPrintedBytes = std::size_t{1} << 24;

/// A parsed file, formulas and renamings as written.
std::string print(const ModuleFile& file);
std::string print(const PropertyFile& file);
std::string print(const syntax::Tree& tree, const syntax::Expression& expression);

/// The system...endsystem parts of a file; empty when there are none.
std::string print_systems(const ModuleFile& file);

/// A checked expression with names of the model (parameters by name). Shared subexpressions are
/// written out; a text longer than kMaxPrintedBytes ends in "...".
std::string print(const Model& model, ExprId id);
std::string print(const Model& model, const ExprPool& pool, ExprId id);

/// A checked model as a flat PRISM file: constants put in, formulas expanded, renamed modules
/// written out; beyond 2^28 bytes expressions become "...". A system...endsystem composition that
/// differs from the default is written as such.
std::string print(const Model& model);

/// A checked property, atoms expanded.
std::string print(const PropertySet& set, PropId id);

}  // namespace brink
